"""Reads with the original engine, whose requests go to the simulated source."""
import logging
import time
import urllib.parse

import requests
from airbyte_cdk.models import (
    AirbyteStateBlob, AirbyteStateMessage, ConfiguredAirbyteCatalog, ConfiguredAirbyteStream, DestinationSyncMode, SyncMode, Type,
)
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource
from airbyte_cdk.utils.traced_exception import AirbyteTracedException

LOGGER = logging.getLogger("airbyte")
SEND = requests.adapters.HTTPAdapter.send
SLEEP = time.sleep


def lead(to):
    """Sends each request of this process to an origin; it says for which one it was meant. Nobody waits for long."""
    def send(adapter, request, **options):
        meant = urllib.parse.urlsplit(request.url)
        request = request.copy()
        request.url = to + meant._replace(scheme="", netloc="").geturl()
        request.headers["Forwarded"] = f'host="{meant.netloc}";proto={meant.scheme}'
        options["proxies"] = {}
        return SEND(adapter, request, **options)

    requests.adapters.HTTPAdapter.send = send
    time.sleep = lambda seconds: SLEEP(min(seconds, 0.005))


def resolved(manifest, config):
    """The manifest without references."""
    return ConcurrentDeclarativeSource(config=config, source_config=manifest).resolved_manifest


def read(manifest, config, state, names=None):
    """Records by stream, the state, and what went wrong by stream."""
    source = ConcurrentDeclarativeSource(config=config, source_config=manifest, state=state)
    catalog = ConfiguredAirbyteCatalog(streams=[
        ConfiguredAirbyteStream(
            stream=stream,
            sync_mode=SyncMode.incremental if SyncMode.incremental in (stream.supported_sync_modes or []) else SyncMode.full_refresh,
            destination_sync_mode=DestinationSyncMode.append,
        )
        for stream in source.discover(LOGGER, config).streams if names is None or stream.name in names
    ])
    source = ConcurrentDeclarativeSource(catalog=catalog, config=config, source_config=manifest, state=state)
    records, states, wrong = {stream.stream.name: [] for stream in catalog.streams}, {}, {}
    try:
        for message in source.read(LOGGER, config, catalog, state):
            if message.type == Type.RECORD:
                records[message.record.stream].append(message.record.data)
            elif message.type == Type.STATE:
                states[message.state.stream.stream_descriptor.name] = message.state
            elif message.type == Type.TRACE and message.trace.error:
                error = message.trace.error
                name = error.stream_descriptor.name if error.stream_descriptor else ""
                wrong.setdefault(name, f"{error.internal_message or error.message}"[:500])
    except AirbyteTracedException as error:
        wrong.setdefault("", f"{error}") if not wrong else None
    except Exception as error:  # noqa: BLE001: what it ends with is a finding
        wrong[""] = f"{type(error).__name__}: {error}"
    return records, list(states.values()), wrong
