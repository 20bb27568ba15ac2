"""Judges the fixtures of a plug by the description: their requests must exist, and their answers must be such answers."""
import json
import urllib.parse

from . import lexicons
from .consent import oauth2
from .files import json_of, text_of
from .manifest import Mapping, Sent
from .parameters import judge_query
from .validate import faults


class FixtureCheck:
    def __init__(self, manifest, description, report, folder):
        self.manifest, self.description, self.report = manifest, description, report
        self.folder, self.shown = folder, folder.name
        self.tokens = {str(given[key]["url"]) for given in oauth2(manifest.root.get("auth")) for key in ("token", "revoke", "device")
                       if isinstance(given.get(key), Mapping) and "url" in given[key]}

    def run(self):
        for path in sorted(self.folder.glob("fixtures/*.json")):
            self.fixture(path, f"{self.shown}/fixtures/{path.name}")

    def fixture(self, path, file):
        for exchange, line in exchanges(path):
            self.exchange(exchange, file, line)

    def exchange(self, exchange, file, line):
        request, response = exchange["request"], exchange["response"]
        url = urllib.parse.urlsplit(request["url"])
        if request["url"].split("?")[0] in self.tokens:
            return self.report.count("requests for tokens")

        def mistake(at, text):
            self.report.mistake(file, at, text)

        operation, reason = self.description.find(request.get("method", "GET"), url.netloc, url.path)
        if operation is None:
            return mistake(line, reason)
        self.report.count("requests of fixtures")
        query = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        judge_query(operation, {name: Sent(line, value) for name, value in query.items()}, mistake, self.report,
                    self.manifest.key_parameters())
        operation = lexicons.of_collection(operation, query, self.description.lexicons)
        self.answer(operation, response, file, line)

    def answer(self, operation, response, file, line):
        status = response.get("status", 200)
        schema = operation.schema(status)
        if schema is None:
            if status != 304:
                self.report.skip(file, line, f"what {operation.title} answers with {status} is not described")
            return
        for body in bodies(response):
            self.report.count("answers of fixtures")
            for path, kind, text in faults(body, schema, operation.document):
                tell = self.report.skip if kind == "unsure" else self.report.mistake
                tell(file, line, f"{operation.title}: {kind}: {text}")


def bodies(response):
    """The JSON values of an answer: one, or one for each line."""
    if "body" in response:
        return [response["body"]]
    values = []
    for line in response.get("bodyText", "").splitlines():
        try:
            values.append(json.loads(line))
        except ValueError:
            return []    # HTML, or cut off: a fixture may say so on purpose
    return values


def exchanges(path):
    """The exchanges of a fixture, each with the line of its URL."""
    text, start = text_of(path), 0
    for exchange in json_of(path, text).get("exchanges", []):
        url = json.dumps(exchange["request"]["url"], ensure_ascii=False)
        start = max(text.find(url, start), start) + 1
        yield exchange, text.count("\n", 0, start) + 1
