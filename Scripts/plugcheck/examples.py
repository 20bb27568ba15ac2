"""Where a provider has no description that programs can read: the names in the fixtures' answers are compared with the names in its
documented and recorded examples."""
from .files import json_of
from .fixtures import bodies, exchanges


class ExampleCheck:
    def __init__(self, examples, report, folder):
        self.report, self.folder = report, folder
        self.known, self.told = set(), set()
        for path in examples:
            names(json_of(path), self.known)

    def run(self):
        for path in sorted(self.folder.glob("fixtures/*.json")):
            for exchange, line in exchanges(path):
                if exchange["response"].get("status", 200) < 300:
                    self.answer(exchange["response"], f"{self.folder.name}/fixtures/{path.name}", line)

    def answer(self, response, file, line):
        found = set()
        for body in bodies(response):
            names(body, found)
        self.report.count("names of answers in examples", len(found & self.known))
        for name in sorted(found - self.known - self.told):
            self.told.add(name)    # once for each plug
            self.report.skip(file, line, f"'{name}' is in no example of the provider")


def names(value, into):
    """Collects the names of all members."""
    if isinstance(value, dict):
        for name, inner in value.items():
            into.add(name)
            names(inner, into)
    elif isinstance(value, list):
        for inner in value:
            names(inner, into)
