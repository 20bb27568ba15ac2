"""Providers' own descriptions of their APIs, brought to one form: operations with parameters and answers.

OpenAPI 3 (JSON or YAML) is the form; a Google discovery document is turned into it, and AT-protocol lexicons tell what the
records of a repository are.
"""
import difflib
import pathlib
import re
import urllib.parse
from dataclasses import dataclass, field

from . import discovery, lexicons
from .files import Unreadable, json_of, yaml_of
from .shapes import Unknown, alternatives, resolve

METHODS = ("get", "post", "put", "patch", "delete", "head", "options", "trace", "query")
JSON_TYPES = re.compile(r"^application/(?:.*\+)?(?:x-)?(?:json|ndjson|jsonl)(?:;|$)")


@dataclass
class Operation:
    method: str
    path: str                   # with the path of the server before it, and {parameters}
    hosts: list
    parameters: dict            # (place, name) -> parameter with a schema
    answers: dict               # status -> its JSON schema, or None
    document: dict
    types: list = field(default_factory=list)
    body: dict = None

    @property
    def title(self):
        return f"{self.method} {self.path}"

    def schema(self, status):
        """The schema of an answer with a status; None if it is not described."""
        for key in (str(status), f"{str(status)[0]}XX", f"{str(status)[0]}xx", "default"):
            if self.answers.get(key) is not None:
                return self.answers[key]
        return None

    def success(self):
        return next((self.answers[key] for key in sorted(self.answers) if key[0] == "2" and self.answers[key]), None)

    def errors(self):
        """What answers that tell of an error may be; nothing where none is described."""
        told = [schema for key, schema in self.answers.items() if key[0] != "2"]
        found = [one for schema in told if schema is not None for one in alternatives(schema, self.document)]
        return found + [Unknown("some answers that tell of errors are not described")] if found and None in told else found


class Description:
    """All that is known of one provider."""

    def __init__(self, folder):
        self.folder, self.operations, self.documents = folder, [], []
        self.lexicons = lexicons.read(folder / "lexicons")
        for path in sorted(folder.glob("spec*")):
            document = json_of(path) if path.suffix == ".json" else yaml_of(path)
            if document.get("kind") == "discovery#restDescription":
                document = discovery.as_openapi(document)
            if not str(document.get("openapi", "")).startswith("3."):
                raise Unreadable(f"{path}: this is neither OpenAPI 3 nor a Google discovery document")
            self.documents.append(document)
            self.operations += operations(document)

    def find(self, method, host, path):
        """The operation that a request is for, or the reason why there is none. A NUL in the path is anything."""
        fitting = [one for one in self.operations if fits(one.path, path)]
        if not fitting:
            return None, f"the description has no path '{shown(path)}'{self.nearest(path)}"
        there = [one for one in fitting if not one.hosts or host is None or host in one.hosts]
        if not there:
            return None, f"the description has '{fitting[0].path}' at {', '.join(fitting[0].hosts)}, not at {host}"
        called = [one for one in there if one.method == method]
        if not called:
            return None, f"the description has no {method} for '{there[0].path}', only {', '.join(one.method for one in there)}"
        # /users/me before /users/{id}
        return min(called, key=lambda one: one.path.count("{")), None

    def nearest(self, path):
        close = difflib.get_close_matches(shown(path), [one.path for one in self.operations], 1, 0.5)
        return f"; the nearest is '{close[0]}'" if close else ""

    def flows(self):
        """The OAuth 2 flows that are described."""
        schemes = [one for document in self.documents for one in document.get("components", {}).get("securitySchemes", {}).values()]
        return [flow for one in schemes if one.get("type") == "oauth2" for flow in one.get("flows", {}).values()]


def shown(path):
    return path.replace("\0", "…")


def fits(template, path):
    wanted, given = template.strip("/").split("/"), path.strip("/").split("/")
    return len(wanted) == len(given) and all(segment_fits(one, other) for one, other in zip(wanted, given))


def segment_fits(wanted, given):
    if "{" not in wanted:
        return urllib.parse.unquote(given) == wanted
    pattern = "".join(".+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^}]*\})", wanted))
    return re.fullmatch(pattern, given, re.DOTALL) is not None


def operations(document):
    for path, item in document.get("paths", {}).items():
        for method, operation in item.items():
            if method not in METHODS:
                continue
            servers = operation.get("servers") or item.get("servers") or document.get("servers") or [{"url": ""}]
            urls = [urllib.parse.urlsplit(one["url"]) for one in servers]
            given = [resolve(one, document)[0] for one in item.get("parameters", []) + operation.get("parameters", [])]
            answers = {str(status): resolve(answer, document)[0] or {} for status, answer in operation.get("responses", {}).items()}
            body = resolve(operation.get("requestBody"), document)[0] or {}
            yield Operation(
                method.upper(), urls[0].path.rstrip("/") + path, [one.netloc for one in urls if one.netloc],
                {(one["in"], one["name"]): one for one in given if one}, {key: json_schema(one, document) for key, one in answers.items()},
                document, [kind for one in answers.values() for kind in one.get("content", {})], json_schema(body, document))


def json_schema(answer, document):
    """What an answer or a body is by its JSON kinds; None if that is not described. Where the schema lies elsewhere, its examples
    tell what there is."""
    schemas = []
    for kind, content in answer.get("content", {}).items():
        if JSON_TYPES.match(kind):
            schema, given = content.get("schema"), [one.get("value") for one in content.get("examples", {}).values()]
            given += [content["example"]] if "example" in content else []
            if given and elsewhere(schema, document):
                schema = inferred(given)
            schemas += [schema] if schema is not None else []
    return {"anyOf": schemas} if len(schemas) > 1 else schemas[0] if schemas else None


def elsewhere(schema, document):
    """Whether a schema refers to another file."""
    schema = schema.get("items", schema) if isinstance(schema, dict) else schema
    return resolve(schema, document)[0] is None


def inferred(values):
    """What some examples have in common, as a schema. What is null or empty in them tells nothing."""
    values = [one for one in values if one is not None]
    if not values:
        return {}
    if all(isinstance(one, dict) for one in values):
        names = dict.fromkeys(name for one in values for name in one)
        return {"type": "object", "inferred": True, "nullable": True,
                "properties": {name: inferred([one[name] for one in values if name in one]) for name in names}}
    if all(isinstance(one, list) for one in values):
        return {"type": "array", "nullable": True, "items": inferred([inner for one in values for inner in one])}
    kinds = {"boolean" if isinstance(one, bool) else "number" if isinstance(one, (int, float)) else
             "string" if isinstance(one, str) else "" for one in values}
    return {"type": kinds.pop(), "nullable": True} if len(kinds) == 1 and "" not in kinds else {}


def folder_of(data, plug):
    """Where a plug's provider is described, if it is."""
    return pathlib.Path(data) / {"twitter": "x"}.get(plug, plug)
