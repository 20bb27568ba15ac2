"""Judges the golden records of a plug by the conventions of Plugs/README.md."""
import re

from . import jq
from .files import json_of, text_of

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(?P<zone>Z|[-+]\d\d:?\d\d)?")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
CAMEL = re.compile(r"[a-z][a-zA-Z0-9]*")
# What other plugs call otherwise. Right is what Plugs/README.md says.
OTHER_NAMES = {
    "status": "state", "type": "kind", "labels": "tags", "topics": "tags", "categories": "tags", "link": "url", "href": "url",
    "permalink": "url", "location": "place", "lang": "language", "created": "createdAt", "updated": "updatedAt",
    "modified": "updatedAt", "color": "colour", "favorite": "favourite", "organizer": "organiser", "mbid": "recordingMbid",
    "listenedAt": "playedAt",
}
# At the top of a record only: a person has a name, and a picture a description.
OTHER_NAMES_ON_TOP = {"name": "title", "description": "text"}
# Names of one thing that another record or account is, beside those that end in Id.
RELATIONS = {"id", "uri", "uid", "url", "title", "license", "inReplyTo", "boostOf", "quoteOf", "subject", "author", "addedBy",
             "organiser"}
# Measures that mean nothing without their unit: durationMs, distanceM.
MEASURES = {"duration", "elapsed", "distance", "ascent", "descent", "speed", "temperature", "deviation", "latency", "length",
            "weight", "altitude", "elevation", "asleep", "awake", "hrv"}
UNITS = ("minutes", "seconds", "grams")
# Nouns that have no plural, or are one.
UNCOUNTABLE = {"feedback", "gear", "sleep", "weight", "air", "rate", "readiness", "activity", "oxygen", "reputation"}


class RecordCheck:
    def __init__(self, manifest, report, folder):
        self.manifest, self.report, self.folder, self.shown = manifest, report, folder, folder.name
        self.records = {}    # endpoint -> [(file, line, record)], without deletions
        self.read()

    def read(self):
        for path in sorted(self.folder.glob("fixtures/*.golden.jsonl")):
            for number, line in enumerate(text_of(path).splitlines(), 1):
                golden = json_of(path, line)
                if "cursor" in golden:    # where the stream would go on
                    continue
                if golden["data"].get("deleted") is not True or "of" not in golden["data"]:
                    place = (f"{self.shown}/fixtures/{path.name}", number, golden["data"])
                    self.records.setdefault(golden["endpoint"], []).append(place)

    def run(self):
        ids = {record["id"]: endpoint for endpoint, places in self.records.items() for _, _, record in places if record.get("id")}
        for endpoint, places in self.records.items():
            shapes = {}
            for file, line, record in places:
                self.report.count("golden records")
                self.walk(record, "", file, line, shapes)
                self.relations(record, ids, file, line)
            self.coverage(endpoint, places, shapes)
        for stream in self.manifest.streams.values():
            self.stream(stream)

    def walk(self, value, path, file, line, shapes):
        def mistake(text):
            self.report.mistake(file, line, text)

        if isinstance(value, list):
            shapes.setdefault(path, set()).update({"values"} if value else set())
            for one in value:
                self.walk(one, path + "[]", file, line, shapes)
        elif isinstance(value, dict):
            shapes.setdefault(path, set()).add("values")
            names = tuple(sorted(value))
            known = shapes.setdefault(("names", path), names)
            if names != known:
                odd = ", ".join(sorted(set(names) ^ set(known)))
                mistake(f"'{path or 'the record'}' has or lacks {odd}, unlike other records: what a source lacks is null")
            for name, inner in value.items():
                self.named(name, inner, path, mistake, "givenName" in value)
                self.walk(inner, f"{path}.{name}", file, line, shapes)
        else:
            shapes.setdefault(path, set()).update({"values"} if value is not None else set())

    def named(self, name, value, path, mistake, person):
        where = f"'{path}.{name}'"
        if path == "" and name == "_id":
            return
        if not CAMEL.fullmatch(name):
            mistake(f"{where} is not in camel case")
        better = OTHER_NAMES.get(name) or (OTHER_NAMES_ON_TOP.get(name) if path == "" and not person else None)
        if better:
            mistake(f"{where} is called '{better}' in other plugs")
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        last = re.findall(r"[A-Z]+[a-z0-9]*|[a-z0-9]+", name)[-1:] or [""]
        if number and last[0].lower() in MEASURES and not name.startswith(UNITS):
            mistake(f"{where} has a unit: say so in its name, as in durationS, distanceM")
        if (name == "id" or name.endswith("Id")) and value is not None and not isinstance(value, str):
            mistake(f"{where} is {value!r}: an id is text")
        if name.endswith("Ids") and not all(isinstance(one, str) for one in value or []):
            mistake(f"{where} has ids that are no texts")
        if name.endswith("At") and value is not None:
            given = TIME.fullmatch(value) if isinstance(value, str) else None
            if not given or given["zone"] != "Z":
                mistake(f"{where} is {value!r}: a time is RFC 3339 in UTC")
        if isinstance(value, str):
            given = TIME.fullmatch(value)
            if given and not name.endswith(("At", "Locally", "Id")):
                mistake(f"{where} is a time: its name ends in 'At', or in 'Locally' if it has no zone")
            if given and name.endswith("Locally") and given["zone"]:
                mistake(f"{where} has a zone: its name ends in 'At'")
            day = DAY.fullmatch(value)
            if day and name != "day" and not name.endswith(("On", "Id")):
                mistake(f"{where} is a day: it is called 'day', or its name ends in 'On'")
            if (name == "day" or name.endswith("On")) and not day:
                mistake(f"{where} is {value!r}: a day is written 2026-11-24")

    def relations(self, record, ids, file, line):
        """What holds the id of another record says so in its name."""
        for name, value in record.items():
            values = value if isinstance(value, list) else [value]
            held = next((ids[one] for one in values if isinstance(one, str) and one in ids), None)
            # Short ids may be equal to any word by chance.
            if held and name not in RELATIONS and not name.endswith(("Id", "Ids")) and all(len(str(one)) > 3 for one in values):
                self.report.mistake(file, line, f"'.{name}' holds the id of {held}: its name ends in 'Id'")

    def coverage(self, endpoint, places, shapes):
        """Each member has a value in some record."""
        for path, met in shapes.items():
            if isinstance(path, str) and path and not met:
                self.report.mistake(f"{self.shown}/fixtures", 0, f"'{path}' of {endpoint} is null or empty in each golden record")

    def stream(self, stream):
        file = f"{self.shown}/plug.yaml"
        endpoint = stream.endpoint
        if not endpoint:
            return
        line = stream.own.line("endpoint")
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", endpoint):
            self.report.mistake(file, line, f"the endpoint '{endpoint}' is not in lower case with hyphens")
        last = endpoint.split("-")[-1]
        if not last.endswith("s") and last not in UNCOUNTABLE:
            self.report.mistake(file, line, f"the endpoint '{endpoint}' is not plural")
        namespace = self.manifest.root.get("namespace", self.manifest.plug)
        if f"{namespace}/{endpoint}" not in self.records:
            self.report.mistake(file, line, f"no fixture has a record of '{endpoint}'")
        for program in stream.programs("map"):
            self.ids_in_map(program, file)

    def ids_in_map(self, program, file):
        """A member that is nothing but another thing's id is called so."""
        try:
            tree = jq.parse(program)
        except (jq.Unreadable, RecursionError):
            return
        while tree[0] in ("bind", "pipe", "def"):
            tree = tree[-1]
        for key, value in tree[2] if tree[0] == "object" else []:
            source = value[2] if value[0] == "pipe" else value
            named = source[3] if source[0] == "member" else ""
            is_id = re.search(r"(_id|_uid|Id|Uid|ID)$|^id$", named if isinstance(named, str) else "")
            if is_id and key[0] == "text" and key[2] not in RELATIONS and not key[2].endswith(("Id", "Ids")):
                self.report.mistake(file, program.line_at(key[1]), f"'{key[2]}' holds '{named}': its name ends in 'Id'")
