"""Judges a JSON value by a schema, and tells wrong types, missing members and unknown ones apart."""
import re

from .shapes import resolve

TYPES = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value == int(value),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}
FORMATS = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "date-time": re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[-+]\d\d:?\d\d)?"),
    "google-datetime": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)"),
    "google-duration": re.compile(r"-?\d+(\.\d+)?s"),
    "int64": re.compile(r"-?\d+"),
    "uint64": re.compile(r"\d+"),
    "uuid": re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
}
UNKNOWN = ("unknown", "unsure")
LIMIT = 100    # faults of one value
DEPTH = 60


def faults(value, schema, document):
    """(path, kind, text) of what does not fit; the kinds are 'type', 'missing', 'unknown', and 'unsure' for a member that an example
    lacks where there is no schema."""
    return judge(value, schema, document, "", 0)[:LIMIT]


def judge(value, schema, document, path, depth):
    schema, name = resolve(schema, document)
    if schema is None or schema is True or schema == {} or depth > DEPTH:
        return []
    if value is None and (schema.get("nullable") or not typed(schema)):
        return []
    # What several schemas say together; a member is unknown only if none of them has it.
    parts = []
    for key in ("oneOf", "anyOf"):
        if schema.get(key):
            # The alternative that fits best; a discriminator may leave one only.
            parts.append(min((judge(value, one, document, path, depth + 1) for one in chosen(value, schema, key, document)),
                             key=weight))
    for one in schema.get("allOf", []):
        if typed(resolve(one, document)[0] or {}):
            parts.append(judge(value, one, document, path, depth + 1))
    if not parts or "properties" in schema or "additionalProperties" in schema:
        parts.append(own_faults(value, schema, document, path, depth, name))
    unknown = set.intersection(*({where for where, kind, _ in part if kind in UNKNOWN} for part in parts))
    found = [fault for part in parts for fault in part if fault[1] not in UNKNOWN or fault[0] in unknown]
    return list({fault[:2] + (fault[0] if fault[1] in UNKNOWN else fault[2],): fault for fault in found}.values())


def typed(schema):
    return any(key in schema for key in ("type", "oneOf", "anyOf", "allOf", "enum", "const", "properties", "items"))


def chosen(value, schema, key, document):
    mapping = schema.get("discriminator", {}).get("mapping", {})
    member = schema.get("discriminator", {}).get("propertyName")
    if isinstance(value, dict) and value.get(member) in mapping:
        return [{"$ref": mapping[value[member]]}]
    return schema[key]


def weight(found):
    return sum({"type": 100, "missing": 10, "unknown": 1, "unsure": 0}[kind] for _, kind, _ in found)


def own_faults(value, schema, document, path, depth, name):
    where = path or "the body"
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds] if kinds else []
    if kinds and not any(TYPES[kind](value) for kind in kinds if kind in TYPES):
        return [(path, "type", f"{where} is {shown(value)}, by the description {' or '.join(kinds)}")]
    if "enum" in schema and value not in schema["enum"]:
        allowed = ", ".join(str(one) for one in schema["enum"][:12])
        return [(path, "type", f"{where} is {shown(value)}, by the description one of {allowed}")]
    if isinstance(value, str):
        pattern = FORMATS.get(schema.get("format"))
        if pattern and not pattern.fullmatch(value):
            return [(path, "type", f"{where} is {shown(value)}, by the description {schema['format']}")]
    if isinstance(value, list) and "items" in schema:
        return [fault for number, one in enumerate(value) for fault in judge(one, schema["items"], document, f"{path}[{number}]", depth + 1)]
    if isinstance(value, dict) and ("properties" in schema or "additionalProperties" in schema):
        return members(value, schema, document, path, depth, name)
    return []


def members(value, schema, document, path, depth, name):
    properties, rest = schema.get("properties", {}), schema.get("additionalProperties")
    found = [(path, "missing", f"{path or 'the body'} lacks '{one}', which {name or 'the description'} requires")
             for one in schema.get("required", []) if one not in value]
    for member, inner in value.items():
        below = f"{path}.{member}"
        if member in properties:
            found += judge(inner, properties[member], document, below, depth + 1)
        elif isinstance(rest, dict) and rest:
            found += judge(inner, rest, document, below, depth + 1)
        elif properties and rest is not True and rest != {}:
            kind = "unsure" if schema.get("inferred") else "unknown"
            found.append((below, kind, f"{below} is not in {name or 'the description'}"))
    return found


def shown(value):
    text = repr(value) if not isinstance(value, (dict, list)) else "an object" if isinstance(value, dict) else "a list"
    return {"None": "null", "True": "true", "False": "false"}.get(text, text[:60])
