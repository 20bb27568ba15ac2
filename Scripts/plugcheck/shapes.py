"""What JSON may look like by a description: the alternatives of a schema, and what is in them.

A value is a list of alternatives. Each is an `Object`, a `List`, a `Scalar`, `NULL`, or `Unknown` with the reason why nothing
can be said about it; `FREE` is unknown and not the description's fault (a configuration, a constant).
"""
from dataclasses import dataclass, field

SCALARS = {"string": "text", "integer": "a number", "number": "a number", "boolean": "true or false"}
DEPTH = 40    # of references and alternatives within one schema


@dataclass(frozen=True)
class Scalar:
    kind: str


@dataclass(frozen=True)
class Unknown:
    reason: str


@dataclass(frozen=True)
class Null:
    pass


@dataclass(eq=False)
class List:
    items: list
    # The schema is kept so that items are read only when somebody asks for them.
    source: tuple = None

    def elements(self):
        return alternatives(*self.source) if self.source else self.items


@dataclass(eq=False)
class Object:
    """An object, by schemas of which each tells a part, or by members that a program has made."""

    parts: list = field(default_factory=list)
    document: dict = None
    made: dict = None
    name: str = ""

    def member(self, name):
        """The alternatives of a member; None if there is no such member."""
        if self.made is not None:
            return self.made.get(name)
        found, open_ended = [], False
        for part in self.parts:
            if name in part.get("properties", {}):
                found += alternatives(part["properties"][name], self.document)
                continue
            rest = part.get("additionalProperties")
            if isinstance(rest, dict) and rest:
                found += alternatives(rest, self.document)
            # What has no properties at all is not described; additional ones beside described ones are no licence to misspell.
            open_ended |= rest is True or rest == {} or "patternProperties" in part or not self.described
        if found:
            return found
        return [Unknown(f"members of {self.title} are not described")] if open_ended else None

    @property
    def described(self):
        return any(part.get("properties") or part.get("additionalProperties") is False for part in self.parts)

    @property
    def title(self):
        return self.name or "an object"

    def names(self):
        if self.made is not None:
            return sorted(self.made)
        return sorted({name for part in self.parts for name in part.get("properties", {})})

    def values(self):
        if self.made is not None:
            return [one for value in self.made.values() for one in value]
        named = [name for part in self.parts for name in part.get("properties", {})]
        found = [one for name in named for one in self.member(name)]
        rests = [part["additionalProperties"] for part in self.parts if isinstance(part.get("additionalProperties"), dict)]
        found += [one for rest in rests for one in alternatives(rest, self.document)]
        return found or [Unknown(f"members of {self.title} are not described")]


FREE, NULL = Unknown(""), Null()


def resolve(schema, document):
    """Follows references; a schema that lies elsewhere is None. Gives its name, too."""
    name = ""
    for _ in range(DEPTH):
        if not isinstance(schema, dict) or "$ref" not in schema:
            return schema, name
        reference = schema["$ref"]
        if not reference.startswith("#/"):
            return None, reference
        target = document
        for step in reference[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            target = target.get(step) if isinstance(target, dict) else None
        schema, name = target, reference.rsplit("/", 1)[-1]
    return None, name


def alternatives(schema, document, depth=0):
    """What a value may be by a schema."""
    schema, name = resolve(schema, document)
    if schema is None:
        return [Unknown(f"its schema '{name}' is not in the description")]
    if schema is True or schema == {} or depth > DEPTH:
        return [Unknown("the description says nothing about it")]
    found = [NULL] if schema.get("nullable") else []
    for key in ("oneOf", "anyOf"):
        choices = [one for choice in schema.get(key, []) for one in alternatives(choice, document, depth + 1)]
        if choices and schema.get("properties"):
            choices = [joined([one, Object([schema], document, name=name)], document) if isinstance(one, Object) else one
                       for one in choices]
        found += choices
    if schema.get("allOf"):
        parts = [one for part in schema["allOf"] for one in alternatives(part, document, depth + 1)]
        objects = [one for one in parts if isinstance(one, Object)]
        own = [Object([schema], document)] if schema.get("properties") else []
        found += [joined(objects + own, document, name)] if objects else parts
    if found and any(schema.get(key) for key in ("oneOf", "anyOf", "allOf")):
        return found
    kinds = schema.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        found += plain(kind, schema, document, name)
    return found


def joined(objects, document, name=""):
    """One object that has the members of all."""
    name = name or next((one.name for one in objects if one.name), "")
    return Object([part for one in objects for part in one.parts], document, name=name)


def plain(kind, schema, document, name):
    if kind == "array" or (kind is None and "items" in schema):
        return [List([], (schema.get("items", {}), document))]
    if kind == "object" or (kind is None and ("properties" in schema or "additionalProperties" in schema)):
        return [Object([schema], document, name=name)]
    if kind == "null":
        return [NULL]
    if kind in SCALARS:
        return [Scalar(SCALARS[kind])]
    if "enum" in schema or "const" in schema:
        return [Scalar("a constant")]
    return [Unknown("the description says nothing about it")]
