"""Turns a Google discovery document into OpenAPI 3."""

# What discovery writes in a schema that OpenAPI does not know, or knows by another name.
KEPT = ("type", "format", "enum", "description", "properties", "additionalProperties", "items", "$ref", "pattern", "default")


def as_openapi(document):
    paths = {}
    shared = [parameter(name, one) for name, one in document.get("parameters", {}).items()]

    def take(resources):
        for resource in resources.values():
            for method in resource.get("methods", {}).values():
                path = "/" + method.get("flatPath", method["path"]).lstrip("/")
                paths.setdefault(path, {})[method["httpMethod"].lower()] = operation(method, shared)
            take(resource.get("resources", {}))

    take(document.get("resources", {}))
    # A flat path has parameters of its own: 'people/{peopleId}' in place of '{+resourceName}'.
    server = document["rootUrl"].rstrip("/") + "/" + document.get("servicePath", "").strip("/")
    scopes = document.get("auth", {}).get("oauth2", {}).get("scopes", {})
    return {
        "openapi": "3.0.0",
        "servers": [{"url": server.rstrip("/")}],
        "paths": paths,
        "components": {
            "schemas": {name: schema(one) for name, one in document.get("schemas", {}).items()},
            "securitySchemes": {"google": {"type": "oauth2", "flows": {"authorizationCode": {"scopes": scopes}}}},
        },
    }


def operation(method, shared):
    own = [parameter(name, one) for name, one in method.get("parameters", {}).items() if one.get("location") == "query"]
    answer = {"content": {"application/json": {"schema": schema(method["response"])}}} if "response" in method else {}
    return {"parameters": own + shared, "responses": {"200": answer}}


def parameter(name, described):
    inner = schema(described)
    for bound in ("minimum", "maximum"):
        if bound in described:
            inner[bound] = float(described[bound])
    if described.get("repeated"):
        inner = {"type": "array", "items": inner}
    return {"in": "query", "name": name, "required": described.get("required", False), "schema": inner}


def schema(described):
    made = {key: described[key] for key in KEPT if key in described}
    if "$ref" in made:
        made["$ref"] = "#/components/schemas/" + made["$ref"]
    if made.get("type") == "any":
        del made["type"]
    if "properties" in made:
        made["properties"] = {name: schema(one) for name, one in made["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = schema(made[key])
    return made
