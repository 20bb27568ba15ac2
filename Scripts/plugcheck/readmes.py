"""Judges the README of a plug: its parts, and whether what it says is what the manifest and the golden records say."""
import json
import re

from .consent import oauth2
from .files import text_of
from .manifest import Mapping

ROWS = ("Data", "Account", "Cost", "Limits", "Later runs", "Writes to")
WORD = re.compile(r"`([^`]+)`")


class ReadmeCheck:
    def __init__(self, manifest, records, report, folder):
        self.manifest, self.records, self.report = manifest, records, report
        self.file = f"{folder.name}/README.md"
        path = folder / "README.md"
        self.text = text_of(path) if path.is_file() else ""
        self.lines = self.text.splitlines()
        self.closed = (manifest.root.get("status") or {}).get("state") == "closed"

    def mistake(self, line, text):
        self.report.mistake(self.file, line, text)

    def run(self):
        if not self.text:
            return self.mistake(1, "there is no README")
        if self.lines[0] != f"# {self.manifest.plug}":
            self.mistake(1, f"the heading is not '# {self.manifest.plug}'")
        self.table()
        self.keys()
        self.configuration()
        self.fields()
        self.example()
        notes = self.section("Good to know")
        if not notes:
            self.mistake(1, "there is no section 'Good to know'")
        elif not re.search(r"\bfixtures?\b", notes[1]):
            self.mistake(notes[0], "'Good to know' does not say what the fixtures are made of")

    def section(self, title):
        """The line of a heading and the text below it; None if there is none."""
        match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.text, re.MULTILINE | re.DOTALL)
        return match and (self.text.count("\n", 0, match.start()) + 1, match.group(1))

    def row(self, name):
        for number, line in enumerate(self.lines, 1):
            if line.startswith(f"| {name} |"):
                return number, line.split("|", 2)[2].strip(" |")
        return None

    def table(self):
        for name in ROWS:
            if not self.row(name):
                self.mistake(3, f"the table has no row '{name}'")
        if self.manifest.root.get("status") and not self.row("Status"):
            self.mistake(3, "the manifest has a 'status', and the table has no row 'Status'")
        if status := self.row("Status"):
            state = (self.manifest.root.get("status") or {}).get("state", "")
            if self.closed != ("closed" in status[1]):
                self.mistake(status[0], f"'Status' says '{status[1]}', the manifest '{state}'")
        if written := self.row("Writes to"):
            namespace = self.manifest.root.get("namespace", self.manifest.plug)
            said = [one.replace("…", namespace) for one in WORD.findall(written[1])]
            real = list(dict.fromkeys(f"{namespace}/{one.endpoint}" for one in self.manifest.streams.values() if one.endpoint))
            if sorted(said) != sorted(real):
                self.mistake(written[0], f"'Writes to' says {', '.join(said)}; the manifest writes to {', '.join(real)}")
        if limits := self.row("Limits"):
            for limit in self.manifest.root.get("http", {}).get("limits", []):
                number = str(limit.get("rate", "")).split("/")[0]
                if number.isdigit() and not re.search(rf"(?<![\d,]){int(number):,}(?!,?\d)", limits[1]):
                    self.mistake(limits[0], f"'Limits' does not say that the plug sends {int(number):,} in {limit['rate'].split('/')[1]}")

    def keys(self):
        """How to get keys stands in 'Keys', with the minutes that it takes."""
        auth = self.manifest.root.get("auth", "none")
        section = self.section("Keys")
        if auth != "none" and not section:
            self.mistake(1, "there is no section 'Keys', and the manifest has 'auth'")
        if section and not self.closed and "minute" not in section[1]:
            self.mistake(section[0], "'Keys' does not say how many minutes it takes")
        for given in oauth2(auth):
            for scope in given.get("scopes", []):
                if scope not in self.text and scope.rsplit("/", 1)[-1] not in self.text:
                    self.mistake(section[0] if section else 1, f"the scope '{scope}' is not named")

    def configuration(self):
        config = self.manifest.root.get("config") or {}
        section = self.section("Configuration")
        if config and not section and not self.closed:
            return self.mistake(1, "there is no section 'Configuration', and the manifest has 'config'")
        if not section:
            return
        said = {}
        for offset, line in enumerate(section[1].splitlines(), 1):
            cells = [one.strip() for one in line.split("|")]
            if len(cells) > 4 and WORD.match(cells[1]):
                said |= {name: (section[0] + offset, cells[3]) for name in WORD.findall(cells[1])}
        for name in config.keys() - said.keys():
            self.mistake(section[0], f"'Configuration' does not name '{name}'")
        for name, (line, default) in said.items():
            if name not in config:
                self.mistake(line, f"the manifest has no configuration '{name}'")
                continue
            real = config[name].get("default")
            shown = {True: "true", False: "false", None: ""}.get(real, real)
            if default.strip("`") != str(shown):
                self.mistake(line, f"the default of '{name}' is {shown or 'none'}, not {default or 'none'}")

    def fields(self):
        """Each member is told of, and each that is told of is there."""
        known = set()
        for endpoint, places in self.records.items():
            members = {name for _, _, record in places for name in names_of(record)} - {"_id"}
            known |= members
            for name in sorted(members):
                if not re.search(rf"`{re.escape(name)}`", self.text):
                    self.mistake(1, f"'{name}' of {endpoint} is not told of")
        inside = False
        for number, line in enumerate(self.lines, 1):
            inside = inside and line.startswith("|") or line.startswith("| field |")
            if inside and not line.startswith(("| field |", "|---")):
                for name in WORD.findall(line.split("|")[1]):
                    if name not in known:
                        self.mistake(number, f"no golden record has a member '{name}'")

    def example(self):
        """The example is a golden record, word by word."""
        blocks = list(re.finditer(r"^```json\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL))
        if len(blocks) != 1:
            return self.mistake(1, f"there is to be one example record, not {len(blocks)}")
        line = self.text.count("\n", 0, blocks[0].start()) + 1
        try:
            record = json.loads(blocks[0].group(1))
        except ValueError as error:
            return self.mistake(line, f"the example is no JSON: {error}")
        if not any(record == one for places in self.records.values() for _, _, one in places):
            near = next((one for places in self.records.values() for _, _, one in places if one.get("_id") == record.get("_id")), None)
            odd = near and ", ".join(sorted(name for name in near.keys() | record.keys() if near.get(name) != record.get(name)))
            self.mistake(line, f"the example is no golden record: {odd} differ" if near else "the example is no golden record")


def names_of(value):
    """The names of all members, at any depth."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from names_of(inner)
    elif isinstance(value, list):
        for one in value:
            yield from names_of(one)


def catalogue(root, manifests, report):
    """Judges the table of Plugs/README.md: a row for each plug, which says what is closed."""
    path = root / "README.md"
    if not path.is_file():
        return
    rows = {}
    for number, line in enumerate(text_of(path).splitlines(), 1):
        if match := re.match(r"\| \[([a-z0-9-]+)\]\(\1\) \|", line):
            rows[match.group(1)] = (number, line)
    file = "README.md"
    for plug, manifest in manifests.items():
        if plug not in rows:
            report.mistake(file, 1, f"the table has no row for '{plug}'")
            continue
        number, line = rows[plug]
        status = manifest.root.get("status") or Mapping()
        if ("**closed**" in line) != (status.get("state") == "closed"):
            report.mistake(file, number, f"the row of '{plug}' and the manifest's 'status' say different things")
        successor = status.get("successor")
        if successor and successor not in manifests:
            report.mistake(f"{plug}/plug.yaml", status.line("successor"), f"there is no plug '{successor}'")
        if successor and successor not in line:
            report.mistake(file, number, f"the row of '{plug}' does not name its successor '{successor}'")
    for plug, (number, _) in rows.items():
        if plug not in manifests:
            report.mistake(file, number, f"there is no plug '{plug}'")
