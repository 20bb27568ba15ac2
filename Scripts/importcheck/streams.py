"""What the streams of a manifest ask for and expect: what a simulated source has to know."""
import dataclasses
import re

from . import expressions

# More pages than one, and a last one that is not full.
PAGES = 3
SIZE = 2


@dataclasses.dataclass
class Stream:
    """One stream, or a parent that is only read for another."""

    name: str
    definition: dict
    config: dict
    address: re.Pattern = None
    literal: int = 0
    path: list = dataclasses.field(default_factory=list)
    size: int = SIZE
    strategy: dict = None
    token: dict = None
    controls: list = None
    decoder: str = "JsonDecoder"

    def __post_init__(self):
        retriever = self.definition.get("retriever") or {}
        requester = retriever.get("requester") or {}
        self.parameters = retriever.get("$parameters") or {}
        parameters = {**(self.definition.get("$parameters") or {}), **self.parameters, **(requester.get("$parameters") or {})}
        base = expressions.pattern(requester.get("url_base") or requester.get("url"), self.config, parameters)
        path = expressions.pattern(requester.get("path") or "", self.config, parameters)
        whole = base.rstrip("/") + ("/" if path and not path.startswith("/") else "") + path if path else base
        # The slashes that a path begins with are sent as one.
        whole = re.sub(r"^([^/]*//[^/]*)/+", r"\1/", whole.split("\\?")[0])
        self.address = re.compile(whole.rstrip("/") + "/?")
        self.literal = len(whole.replace("[^?]*", ""))
        selector = retriever.get("record_selector") or {}
        self.path = [
            expressions.value(step, self.config, parameters=parameters) for step in
            (selector.get("extractor") or {}).get("field_path") or []
        ]
        decoder = retriever.get("decoder") or {}
        while decoder.get("type") in ("GzipDecoder", "ZipfileDecoder"):
            decoder = decoder.get("decoder") or {}
        self.decoder = decoder.get("type") or "JsonDecoder"
        paginator = retriever.get("paginator") or {}
        self.token = paginator.get("page_token_option")
        if paginator.get("type", "NoPagination") != "NoPagination":
            self.strategy = paginator.get("pagination_strategy")
            size = expressions.value((self.strategy or {}).get("page_size"), self.config, parameters=parameters)
            self.size = int(size) if str(size or "").isdigit() and int(size) > 0 else SIZE

    @property
    def schema(self):
        """The properties of a record; those of a schema that stands elsewhere are unknown."""
        loader = self.definition.get("schema_loader") or {}
        for one in loader if isinstance(loader, list) else [loader]:
            properties = (one.get("schema") or {}).get("properties")
            if isinstance(properties, dict):
                return properties
        return {}

    @property
    def keys(self):
        """Paths of the members that identify a record."""
        key = self.definition.get("primary_key") or []
        key = [key] if isinstance(key, str) else key
        return [[part] if isinstance(part, str) else list(part) for part in key]

    @property
    def bounds(self):
        """Where requests say from when on and until when, and whether it is the lower bound."""
        found = [(self.cursor[key], key.startswith("start")) for key in ("start_time_option", "end_time_option") if self.cursor.get(key)]
        names = {self.cursor.get("partition_field_start") or "start_time": True, self.cursor.get("partition_field_end") or "end_time": False}
        for option, template in self.templates:
            for field, isLower in names.items():
                if re.search(rf"stream_(interval|slice|partition).*\b{field}\b", template):
                    found.append((option, isLower))
        return found

    @property
    def routers(self):
        routers = (self.definition.get("retriever") or {}).get("partition_router") or []
        return [router.get("underlying_partition_router") or router for router in (routers if isinstance(routers, list) else [routers])]

    @property
    def parents(self):
        """Names of the streams that it is read for."""
        return [(parent.get("stream") or {}).get("name", "") for router in self.routers for parent in router.get("parent_stream_configs") or []]

    @property
    def partitions(self):
        """Where requests say for which part they are: what another part lists are other records."""
        found, names = [], set()
        for router in self.routers:
            for part in [router, *(router.get("parent_stream_configs") or [])]:
                names |= {str(part[key]) for key in ("cursor_field", "partition_field") if part.get(key)}
                found += [part["request_option"]] if part.get("request_option") else []
        return found + [option for option, template in self.templates if re.search(r"stream_(slice|partition)", template)
                        and any(re.search(rf"\b{re.escape(name)}\b", template) for name in names)]

    @property
    def templates(self):
        """What requests send beside paging and bounds, and where."""
        requester = (self.definition.get("retriever") or {}).get("requester") or {}
        for key, place in (("request_parameters", "request_parameter"), ("request_body_json", "body_json"), ("request_body_data", "body_data")):
            values = requester.get(key)
            for name, template in values.items() if isinstance(values, dict) else []:
                if isinstance(template, str):
                    yield {"inject_into": place, "field_name": name}, template

    @property
    def added(self):
        """Members that a transformation copies, and where a source has them."""
        found = {}
        for step in self.definition.get("transformations") or []:
            for field in step.get("fields") or [] if step.get("type") == "AddFields" else []:
                if len(field.get("path") or []) == 1 and (paths := expressions.paths(str(field.get("value")), "record")):
                    found[field["path"][0]] = ".".join(paths[0])
        return found

    @property
    def cursor(self):
        return self.definition.get("incremental_sync") or (self.definition.get("retriever") or {}).get("incremental_sync") or {}


def found(manifest, config):
    """All streams of a resolved manifest and, before them, the parents that they are read for; and what each is asked for."""
    streams, parents = [], {}

    def add(definition, name):
        retriever = definition.get("retriever") or {}
        routers = retriever.get("partition_router") or []
        for router in routers if isinstance(routers, list) else [routers]:
            group = router.get("underlying_partition_router") or router
            for parent in group.get("parent_stream_configs") or []:
                inner = parent.get("stream") or {}
                parents.setdefault(inner.get("name", ""), set()).add(str(parent.get("parent_key")))
                add(inner, inner.get("name", ""))
        if not any(stream.definition == definition for stream in streams):
            streams.append(Stream(name, definition, config))

    for definition in manifest.get("streams") or []:
        add(definition, definition.get("name", ""))
    for stream in streams:
        stream.asked = parents.get(stream.name, set())
    return streams
