"""AT-protocol lexicons: what the records of a collection are, which the OpenAPI description leaves open."""
from copy import copy

from .files import json_of
from .shapes import resolve

SIMPLE = {"string": "string", "integer": "integer", "boolean": "boolean", "cid-link": "object", "bytes": "object"}


def read(folder):
    """The schema of each record, by the id of its lexicon."""
    schemas = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        lexicon = json_of(path)
        main = lexicon.get("defs", {}).get("main", {})
        if main.get("type") == "record":
            made = schema(main["record"], lexicon["defs"], 0)
            # Each record says what it is.
            made["properties"]["$type"] = {"type": "string", "enum": [lexicon["id"]]}
            schemas[lexicon["id"]] = made
    return schemas


def schema(described, definitions, depth):
    kind = described.get("type")
    if kind in SIMPLE:
        made = {"type": SIMPLE[kind]}
        if described.get("format") == "datetime":
            made["format"] = "date-time"
        return made
    if kind == "object" and depth < 20:
        properties = {name: schema(one, definitions, depth + 1) for name, one in described.get("properties", {}).items()}
        return {"type": "object", "properties": properties, "required": described.get("required", [])}
    if kind == "array":
        return {"type": "array", "items": schema(described["items"], definitions, depth + 1)}
    if kind == "ref" and described["ref"].lstrip("#") in definitions and depth < 20:
        return schema(definitions[described["ref"].lstrip("#")], definitions, depth + 1)
    return {}    # a union, a blob, or what another lexicon says


def of_collection(operation, query, schemas):
    """The operation with the records of the collection that is asked for."""
    known = schemas.get(query.get("collection"))
    if not operation.path.endswith("com.atproto.repo.listRecords") or known is None:
        return operation
    success = resolve(operation.success(), operation.document)[0]
    records = resolve(success["properties"]["records"], operation.document)[0]
    record = resolve(records["items"], operation.document)[0]
    refined = {**record, "properties": {**record["properties"], "value": known}}
    made = copy(operation)
    made.answers = {**operation.answers, "200": {
        **success, "properties": {**success["properties"], "records": {**records, "items": refined}}}}
    return made
