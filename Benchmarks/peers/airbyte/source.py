"""An Airbyte source for the job: a declarative one, run as the CDK's concurrent source."""
import pathlib
import sys

from airbyte_cdk.entrypoint import AirbyteEntrypoint, launch
from airbyte_cdk.sources.declarative.yaml_declarative_source import YamlDeclarativeSource

arguments = sys.argv[1:]
config, catalog = AirbyteEntrypoint.extract_config(arguments), AirbyteEntrypoint.extract_catalog(arguments)
launch(
    YamlDeclarativeSource(
        path_to_yaml=str(pathlib.Path(__file__).with_name("source.yaml")),
        config=YamlDeclarativeSource.read_config(config), catalog=YamlDeclarativeSource.read_catalog(catalog), state=[],
    ),
    arguments,
)
