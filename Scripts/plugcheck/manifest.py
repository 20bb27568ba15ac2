"""Reads a manifest with the lines of its values, and works out what each stream asks for."""
import re
import urllib.parse
from dataclasses import dataclass, field

import yaml

from .files import Unreadable, text_of

TEMPLATE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


class Text(str):
    """A text that knows where it stands. `first` is the line of its first character."""

    line, first = 0, 0

    def line_at(self, offset):
        return self.first + self.count("\n", 0, offset)


class Mapping(dict):
    """A mapping that knows the lines of its keys."""

    def __init__(self):
        super().__init__()
        self.lines = {}

    def line(self, key):
        return self.lines.get(key, 1)


def plain(node):
    """The value of a YAML node; dates and words such as on stay texts, as in YAML 1.2."""
    if isinstance(node, yaml.MappingNode):
        made = Mapping()
        for key, value in node.value:
            made[str(key.value)] = plain(value)
            made.lines[str(key.value)] = key.start_mark.line + 1
        return made
    if isinstance(node, yaml.SequenceNode):
        return [plain(one) for one in node.value]
    if node.style is None and node.value in ("true", "false", "null", "~", ""):
        return {"true": True, "false": False}.get(node.value)
    text = Text(node.value)
    text.line = node.start_mark.line + 1
    text.first = text.line + 1 if node.style in ("|", ">") else text.line
    return text


@dataclass
class Sent:
    """A parameter: its values as far as they are known without a run, and where it stands."""

    line: int
    value: str = None


@dataclass
class Request:
    method: str
    host: str                   # None where only a run tells it
    path: str                   # a NUL stands for what a template gives
    line: int
    query: dict = field(default_factory=dict)      # name -> Sent
    headers: dict = field(default_factory=dict)
    body: dict = field(default_factory=dict)


class Manifest:
    def __init__(self, path):
        self.path = path
        try:
            self.root = plain(yaml.compose(text_of(path), yaml.SafeLoader))
        except (yaml.YAMLError, RecursionError) as error:
            raise Unreadable(f"{path}: this is no YAML: {error}") from None
        if not isinstance(self.root, Mapping) or not isinstance(self.root.get("streams"), Mapping):
            raise Unreadable(f"{path}: this is no manifest; 'plughost validate' says why")
        self.plug = str(self.root.get("plug", path.parent.name))
        self.streams = {name: Stream(self, name, own) for name, own in self.root.get("streams", {}).items()}

    def default(self, template):
        """A template with the defaults of `config` in it, and a NUL for what they do not tell."""
        def value(match):
            inner = match.group(1).strip()
            if re.fullmatch(r"config\.\w+", inner):
                given = self.root.get("config", {}).get(inner[7:], {}).get("default")
                if given is not None:
                    return str(given)
            return "\0"
        return TEMPLATE.sub(value, template)

    def key_parameters(self):
        """The names of query parameters that carry the person's key."""
        auth = self.root.get("auth")
        given = auth.get("key", []) if isinstance(auth, Mapping) else []
        return {one["name"] for one in (given if isinstance(given, list) else [given]) if one.get("in") == "query"}

    def request(self, own, defaults=None):
        """What a `request` of the manifest asks for, with the defaults."""
        own, defaults = own or Mapping(), defaults or Mapping()
        path = own.get("path", defaults.get("path", ""))
        address = self.default(path)
        if "://" not in address:
            base = self.default(self.root.get("http", {}).get("base", ""))
            address = base.rstrip("/") + "/" + address.lstrip("/")
        parts = urllib.parse.urlsplit(address)
        made = Request(str(own.get("method", defaults.get("method", "GET"))), parts.netloc, parts.path,
                       getattr(path, "line", own.line("path") if isinstance(own, Mapping) else 1))
        if "\0" in parts.netloc or not parts.netloc:
            made.host = None
        shared = self.root.get("http", {}).get("headers")
        for sources, into in (((defaults.get("query"), own.get("query")), made.query),
                              ((shared, defaults.get("headers"), own.get("headers")), made.headers)):
            for source in sources:
                for name, value in (source or {}).items():
                    if isinstance(value, str) and re.fullmatch(r"\{\{\s*null\s*\}\}", value):
                        into.pop(name, None)
                    else:
                        into[name] = Sent(source.line(name), constant(value))
        for name, value in urllib.parse.parse_qsl(parts.query):
            made.query[name] = Sent(made.line, value)
        for kind in ("json", "form"):
            for source in (defaults.get(kind), own.get(kind)):
                if isinstance(source, Mapping):
                    made.body |= {name: Sent(source.line(name), constant(value)) for name, value in source.items()}
        return made


def constant(value):
    """A value as it is sent; None if only a run tells it."""
    if value is True or value is False:
        return str(value).lower()
    if isinstance(value, list):
        return ",".join(str(one) for one in value) if all(isinstance(one, str) and "{{" not in one for one in value) else None
    return str(value) if isinstance(value, str) and "{{" not in value else None


class Stream:
    def __init__(self, manifest, name, own):
        self.manifest, self.name, self.own = manifest, name, own or Mapping()
        self.defaults = manifest.root.get("defaults", Mapping())
        self.line = manifest.root["streams"].line(name)

    def get(self, key, otherwise=None):
        value = self.own.get(key, self.defaults.get(key, otherwise))
        return otherwise if value == "none" and key in ("page", "since", "deletes", "map") else value

    @property
    def endpoint(self):
        return self.own.get("endpoint")

    @property
    def loops(self):
        given = self.own.get("for_each", [])
        return given if isinstance(given, list) else [given]

    @property
    def reads(self):
        """Whether it sends requests of its own."""
        return "request" in self.own

    def request(self):
        made = self.manifest.request(self.own.get("request"), self.defaults.get("request"))
        page = self.get("page") or {}
        if isinstance(page, Mapping):
            if page.get("in", "query") == "query":
                for kind in ("number", "offset", "cursor"):
                    for key in ("param", "size_param"):
                        name = page.get(kind, {}).get(key) if isinstance(page.get(kind), Mapping) else None
                        if name:
                            size = page[kind].get("size") if key == "size_param" else None
                            made.query[str(name)] = Sent(page[kind].line(key), size and str(size))
        since = self.get("since") or {}
        for key in ("send", "until"):
            bound = since.get(key, {}) if isinstance(since, Mapping) else {}
            if isinstance(bound, Mapping):
                for place, into in (("query", made.query), ("headers", made.headers), ("header", made.headers)):
                    for name in bound.get(place) or {}:
                        into.setdefault(name, Sent(bound[place].line(name)))
        return made

    def programs(self, key):
        """The programs that stand under a key, with their lines."""
        value = self.get(key)
        return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Text)]
