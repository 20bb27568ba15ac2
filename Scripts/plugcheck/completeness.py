"""Judges what a manifest has to have in the catalogue: a complete `application`, and fixtures for each stream."""
import urllib.parse

from .descriptions import fits
from .fixtures import exchanges
from .manifest import Mapping

APPLICATION = {
    "info": ("published", "name", "headline", "description.text", "description.markdown", "termsUrl", "dataUsePurpose",
             "supportContact", "graphics.logo.normal"),
    "developer": ("id", "name", "url", "country"),
}


def check(manifest, report, folder):
    file = f"{folder.name}/plug.yaml"
    application = manifest.root.get("application") or Mapping()
    for part, keys in APPLICATION.items():
        inner = application.get(part) or Mapping()
        for key in keys:
            value = inner
            for step in key.split("."):
                value = value.get(step) if isinstance(value, dict) else None
            if value is None or value == "":
                report.mistake(file, application.line(part), f"'application.{part}.{key}' is missing or empty")
    closed = (manifest.root.get("status") or {}).get("state") == "closed"
    published = (application.get("info") or {}).get("published")
    if published is closed:
        line = (application.get("info") or Mapping()).line("published")
        report.mistake(file, line, f"'published' is {str(published).lower()}, and the service is {'' if closed else 'not '}closed")
    if not manifest.root.get("released"):
        report.mistake(file, 1, "'released' is missing")
    requests(manifest, report, folder, file)


def requests(manifest, report, folder, file):
    """Each stream that sends requests sends one in some fixture, by its path."""
    seen = []
    for path in sorted(folder.glob("fixtures/*.json")):
        for exchange, _ in exchanges(path):
            url = urllib.parse.urlsplit(exchange["request"]["url"])
            seen.append((exchange["request"].get("method", "GET"), url.path, dict(urllib.parse.parse_qsl(url.query))))
    for stream in manifest.streams.values():
        if not stream.reads:
            continue
        wanted = stream.request()
        # A template may give several segments, as the path of a feed does.
        path = "/".join("{}" if "\0" in one else urllib.parse.unquote(one) for one in wanted.path.split("/"))
        constants = {name: sent.value for name, sent in wanted.query.items() if sent.value is not None}
        if not any(method == wanted.method and (path.endswith("{}") and path.count("/") == 1 or fits(path, real))
                   and constants.items() <= query.items() for method, real, query in seen):
            report.mistake(file, stream.line, f"no fixture has a request of the stream '{stream.name}'")
