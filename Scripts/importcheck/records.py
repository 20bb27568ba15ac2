"""Records as a schema says, each with values of its own."""
import datetime
import re
import zlib

from airbyte_cdk.sources.declarative.datetime.datetime_parser import DatetimeParser

from . import expressions, settings
from .members import at, put


def number(*words):
    """A number for some words, the same one each time."""
    return zlib.crc32("\0".join(map(str, words)).encode())


def record(streams, place, index):
    """The record at an index of what a place (an address without its page) lists, for all streams that read there."""
    made = {}
    seed = number(place)
    unique = (seed % 90_000 + 10_000) * 1000 + index
    for stream in streams:
        for name, schema in stream.schema.items():
            made.setdefault(name, value(name, schema or {}, unique, 0))
    for stream in streams:
        for path in stream.keys:
            path = stream.added[path[0]].split(".") if len(path) == 1 and path[0] in stream.added else path
            put(made, path, identifier(stream.schema, path, unique))
        for key in stream.asked:
            path = key.split(".")
            if not isinstance(at(made, path), (str, int)) or isinstance(at(made, path), bool):
                put(made, path, identifier(stream.schema, path, unique))
        cursor = stream.cursor
        if isinstance(cursor.get("cursor_field"), str):
            field = expressions.value(cursor["cursor_field"], stream.config, parameters=stream.parameters)
            if isinstance(field, str):
                field = stream.added.get(field, field)
                formats = cursor.get("cursor_datetime_formats") or [cursor.get("datetime_format", "%Y-%m-%d")]
                put(made, field.split("."), moment(formats[0], index, (stream.schema.get(field) or {})))
    return made or {"id": unique}


def age(index):
    """How long after the begin a record has its time."""
    return datetime.timedelta(days=20, hours=index * 5, minutes=index)


def read(text, format_):
    """The time that a text gives; `None` for none."""
    try:
        return DatetimeParser().parse(text, format_)
    except (ValueError, TypeError, OverflowError):
        return None


def moment(format_, index, schema):
    """A time of a record, in the format that the manifest expects."""
    text = DatetimeParser().format(settings.begin() + age(index), format_)
    return int(text) if text.isdigit() and "string" not in str(schema.get("type", "")) else text


def identifier(schema, path, unique):
    kind = schema
    for step in path:
        kind = ((kind or {}).get("properties") or {}).get(step) if kind is not schema else (kind or {}).get(step)
    if re.search(r"(^|_)(ur[il]|href|link)$", path[-1], re.I):
        return f"https://own.example.org/{path[-1]}/k{unique}"
    return f"k{unique}" if "string" in str((kind or {}).get("type", "")) else unique


def value(name, schema, unique, depth):
    if not isinstance(schema, dict):
        return None
    kinds = schema.get("type") or ("object" if "properties" in schema else "string")
    kind = next((one for one in kinds if one != "null"), "null") if isinstance(kinds, list) else kinds
    chance = number(name, unique)
    if choices := schema.get("enum"):
        return choices[chance % len(choices)]
    if kind == "boolean":
        return chance % 2 == 0
    if kind == "integer":
        return chance % 100_000
    if kind == "number":
        return chance % 10_000 / 4
    if kind == "array":
        items = schema.get("items")
        return [value(name, items, unique + at, depth + 1) for at in range(1 + chance % 2)] if isinstance(items, dict) and depth < 5 else []
    if kind == "object":
        properties = schema.get("properties") or {}
        return {inner: value(inner, of, unique, depth + 1) for inner, of in properties.items()} if depth < 6 else {}
    if kind == "null":
        return None
    if schema.get("format") == "date-time" or name.endswith(("_at", "_time")):
        return (settings.begin() + datetime.timedelta(seconds=chance % 1_000_000)).strftime("%Y-%m-%dT%H:%M:%SZ")
    if schema.get("format") == "date":
        return (settings.begin() + datetime.timedelta(days=chance % 20)).strftime("%Y-%m-%d")
    if re.search(r"(^|_)(ur[il]|href|link)$", name, re.I):
        return f"https://own.example.org/{name}/k{unique}"
    return f"{name} {chance % 1000}"
