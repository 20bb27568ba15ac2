"""What a person would have answered: settings made from a specification, and the same ones for the plug."""
import datetime
import re

from airbyte_cdk.sources.declarative.datetime.datetime_parser import DatetimeParser

from .members import at, put

DAYS = 33


def begin():
    """Where reading begins: some weeks ago, so that windows of any length are few."""
    today = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - datetime.timedelta(days=DAYS)


def config(manifest):
    """Settings for all that the specification asks for."""
    specification = (manifest.get("spec") or {}).get("connection_specification") or {}
    made = answers(specification)
    for base in addresses(manifest):
        for before, path, behind in re.findall(r"(.*?){{\s*config((?:\.\w+|\[\s*['\"][^'\"]+['\"]\s*\])+)[^}]*}}(.*)", base, re.S):
            steps = names(path)
            if re.fullmatch(r"\s*", before) and not isAddress(made, steps):
                put(made, steps, "https://own.example.org")
            elif before.strip() in ("https://", "http://") and (not behind.strip() or behind.strip().startswith("/")):
                put(made, steps, "own.example.org")
    for steps, format_, isEnd in dates(manifest):
        if not fits(at(made, steps), format_):
            day = begin() + datetime.timedelta(days=DAYS - 1 if isEnd else 0)
            put(made, steps, DatetimeParser().format(day, format_))
    return made


def dates(node):
    """Settings that are read as a time, their format, and whether reading ends there."""
    if isinstance(node, dict):
        for key, inner in node.items():
            if key in ("start_datetime", "end_datetime") and isinstance(inner, dict) and inner.get("datetime_format"):
                if named := re.fullmatch(r"{{\s*config((?:\.\w+|\[\s*['\"][^'\"]+['\"]\s*\])+)\s*}}", str(inner.get("datetime")).strip()):
                    yield names(named.group(1)), inner["datetime_format"], key == "end_datetime"
            yield from dates(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from dates(inner)


def names(path):
    """The names of `.a.b` or `['a']['b']`."""
    return [first or second for first, second in re.findall(r"\.(\w+)|\[\s*['\"]([^'\"]+)", path)]


def fits(text, format_):
    """Whether a text is a time of a format."""
    try:
        return bool(DatetimeParser().parse(text, format_))
    except (ValueError, TypeError, OverflowError):
        return False


def isAddress(made, steps):
    """Whether a setting has an address already, such as the first of its choices."""
    return str(at(made, steps)).startswith("http")


def addresses(node):
    """All texts of `url_base` and `url`."""
    if isinstance(node, dict):
        for key, inner in node.items():
            if key in ("url_base", "url", "token_refresh_endpoint") and isinstance(inner, str):
                yield inner
            else:
                yield from addresses(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from addresses(inner)


def answers(schema):
    """A value for each property of a mapping; of alternatives the first."""
    made = {}
    for name, property_ in (schema.get("properties") or {}).items():
        made[name] = answer(name, property_ or {})
    for key in ("oneOf", "anyOf"):
        if choices := schema.get(key):
            made.update(answers(choices[0] or {}))
    return made


def answer(name, schema):
    kind = schema.get("type")
    kind = next((one for one in kind if one != "null"), "string") if isinstance(kind, list) else kind
    if "const" in schema:
        return schema["const"]
    if kind == "object" or "properties" in schema or (kind is None and "oneOf" in schema):
        return answers(schema)
    if isDate(name, schema):
        isEnd = re.search(r"(^|_)(end|until|stop|to)(_|$)", name, re.I)
        return date(schema, begin() + datetime.timedelta(days=DAYS - 1) if isEnd else begin())
    if kind == "array":
        items = schema.get("items") or {}
        return schema.get("default") or (items.get("enum") or schema.get("enum") or ["one", "two"])[:2]
    if choices := schema.get("enum"):
        return schema["default"] if schema.get("default") in choices else choices[0]
    if kind == "boolean":
        return schema.get("default", False)
    if kind in ("integer", "number"):
        return schema.get("default", max(schema.get("minimum", 3), 3))
    if schema.get("default") not in (None, ""):
        return schema["default"]
    return f"{re.sub(r'[^a-z0-9]', '', name.lower())}1"


def isDate(name, schema):
    if schema.get("type") in ("integer", "boolean", "array"):
        return False
    text = f"{schema.get('pattern', '')}{schema.get('default', '')}"
    return schema.get("format") in ("date", "date-time") or bool(re.search(r"\[0-9\]\{4\}-|\\d\{4\}-|20\d\d-\d\d-\d\d", text)) \
        or bool(re.search(r"(start|since|end|from).*(date|time)", name, re.I))


def date(schema, day):
    text = f"{schema.get('pattern', '')}"
    if schema.get("format") == "date" or (text and "T" not in text and "\\s" not in text and " " not in text):
        return day.strftime("%Y-%m-%d")
    for sample in [schema.get("default"), *(schema.get("examples") or [])]:
        if isinstance(sample, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", sample):
            return day.strftime("%Y-%m-%d")
    if "000Z" in text or "{3}" in text:
        return day.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return day.strftime("%Y-%m-%dT%H:%M:%SZ")


def flat(config, beneath=()):
    """Paths and values."""
    for name, value in config.items():
        if isinstance(value, dict):
            yield from flat(value, (*beneath, name))
        else:
            yield (*beneath, name), value


def ofPlug(config, plug, origins):
    """The settings by the plug's names; those that only expressions name are added to the engine's, too."""
    values, named = {}, {}
    for path, value in flat(config):
        name = re.sub(r"[^A-Za-z0-9_]", "_", "_".join(path))
        named[name] = named[f"_{name}"] = value
    for name, key in (plug.get("config") or {}).items():
        if name not in named:
            if key.get("type", "string") != "host":
                named[name] = answer(name, {"type": {"list": "array"}.get(key.get("type"), key.get("type"))} | (
                    {"enum": key["enum"]} if "enum" in key else {}))
                config[name] = named[name]
            else:
                named[name] = config[name] = "own.example.org"
        value = named[name]
        if key.get("type") == "host":
            value = host(str(value), origins)
        elif key.get("type", "string") == "string" and not isinstance(value, str):
            value = str(value).lower() if isinstance(value, bool) else str(value)
        values[name] = value
    return values


def host(value, origins):
    """The host that a setting stands for: itself, or the one that the engine has asked and that it is a part of."""
    bare = re.sub(r"^https?://", "", value).split("/")[0]
    hosts = [origin.split("://")[1] for origin in origins]
    return bare if bare in hosts else next((one for one in hosts if bare and bare in one), bare)
