"""Reads files that are not too large, and says which one cannot be read."""
import json

import yaml

LARGEST = 32 * 1024 * 1024


class Unreadable(Exception):
    """A file is not what it has to be."""


def text_of(path):
    try:
        if path.stat().st_size > LARGEST:
            raise Unreadable(f"{path}: the file is larger than {LARGEST} bytes")
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: {error}") from None


def json_of(path, text=None):
    try:
        return json.loads(text_of(path) if text is None else text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"{path}: this is no JSON: {error}") from None


def yaml_of(path):
    """The value of a YAML file, whose dates stay texts."""
    try:
        return yaml.load(text_of(path), _Loader)
    except (yaml.YAMLError, RecursionError) as error:
        raise Unreadable(f"{path}: this is no YAML: {error}") from None


# The C loader is ten times as fast, where there is one.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith("timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
