"""Tries the checks themselves: a sample without mistakes, then one mistake at a time, each of which must be found where it is."""
import pathlib
import shutil
import tempfile

from . import catalogue
from .report import Report

# Two plugs with the descriptions of their providers: one by OpenAPI, one by a Google discovery document.
SAMPLE = pathlib.Path(__file__).resolve().parent / "sample"

# (file, what stands there, the mistake, what must be said)
MISTAKES = [
    # requests of manifests
    ("Plugs/shelf/plug.yaml", "path: /people/me/books", "path: /people/me/boks", "has no path '/v1/people/me/boks'"),
    ("Plugs/shelf/plug.yaml", "path: /people/me/books", "method: POST, path: /people/me/books", "has no POST for '/v1/people/{person}/books'"),
    ("Plugs/shelf/plug.yaml", "base: https://api.shelf.example", "base: https://app.shelf.example", "not at app.shelf.example"),
    ("Plugs/shelf/plug.yaml", "sort: added", "srot: added", "shelf/plug.yaml:34: GET /v1/people/{person}/books has no parameter 'srot' by the description; did you mean 'sort'?"),
    ("Plugs/shelf/plug.yaml", "sort: added", "sort: title", "parameter 'sort' of GET /v1/people/{person}/books takes added, rated"),
    ("Plugs/shelf/plug.yaml", "size_param: limit", "size_param: limits", "has no parameter 'limits'"),
    ("Plugs/shelf/plug.yaml", "param: page_token", "param: token", "has no parameter 'token'"),
    ("Plugs/shelf/plug.yaml", "size: 100", "size: 1000", "parameter 'limit' of GET /v1/people/{person}/books is at most 100"),
    ("Plugs/shelf/plug.yaml", "query: {since: time}", "query: {after: time}", "has no parameter 'after'"),
    ("Plugs/shelf/plug.yaml", "fields: \"id,title,added_at\"", "fields: \"id,tilte,added_at\"", "parameter 'fields' of GET"),
    ("Plugs/shelf/plug.yaml", "X-Shelf-Version: \"2\"", "X-Shelf-Verison: \"2\"", "has no header 'X-Shelf-Verison'"),
    ("Plugs/shelf/plug.yaml", "scopes: [books.read]", "scopes: [book.read]", "has no scope 'book.read'"),
    ("Plugs/shelf/plug.yaml", "shelf.example/token", "shelf.example/tokens", "has token at https://shelf.example/token"),
    ("Plugs/agenda/plug.yaml", "query: {mine: true}", "query: {}", "requires the parameter 'mine'"),
    # members that programs read
    ("Plugs/shelf/plug.yaml", "records: .data.items", "records: .data.itmes", "has no member 'itmes' by the description; did you mean 'items'?"),
    ("Plugs/shelf/plug.yaml", "from: .data.next", "from: .data.nxt", "has no member 'nxt'"),
    ("Plugs/shelf/plug.yaml", "field: .added_at", "field: .addedat", "has no member 'addedat'"),
    ("Plugs/shelf/plug.yaml", "key: .id", "key: .idd", "has no member 'idd'"),
    ("Plugs/shelf/plug.yaml", "version: .revision", "version: .revison", "has no member 'revison'"),
    ("Plugs/shelf/plug.yaml", "author: (.writers[0].name", "author: (.writers[0].nmae", "shelf/plug.yaml:45: Writer has no member 'nmae'"),
    ("Plugs/shelf/plug.yaml", "// .editor.name", "// .editr.name", "has no member 'editr'"),
    ("Plugs/shelf/plug.yaml", "tags: [.subjects[]?", "tags: [.subject[]?", "has no member 'subject'"),
    ("Plugs/shelf/plug.yaml", "by \\(.publisher)", "by \\(.publsher)", "has no member 'publsher'"),
    ("Plugs/shelf/plug.yaml", "bookId: book.id", "bookId: book.idd", "has no member 'idd'"),
    ("Plugs/shelf/plug.yaml", "books/{{ book.id }}/notes", "books/{{ book.di }}/notes", "has no member 'di'"),
    ("Plugs/shelf/plug.yaml", "who: .name", "who: .nmae", "Person has no member 'nmae'"),
    ("Plugs/shelf/plug.yaml", "error: .fault.text", "error: .fault.txt", "has no member 'txt'"),
    ("Plugs/shelf/plug.yaml", "title: .title", "title: .title.en", "'.en' is read from text"),
    ("Plugs/agenda/plug.yaml", "startsAt: .start.dateTime", "startsAt: .start.datetime", "EventTime has no member 'datetime'"),
    # fixtures
    ("Plugs/shelf/fixtures/shelf.json", "people/me/books?", "people/me/boks?", "has no path"),
    ("Plugs/shelf/fixtures/shelf.json", "sort=added", "sorted=added", "has no parameter 'sorted'"),
    ("Plugs/shelf/fixtures/shelf.json", "\"revision\": 3", "\"revision\": \"3\"", "shelf/fixtures/shelf.json:4: GET /v1/people/{person}/books: type: .data.items[0].revision is '3', by the description integer"),
    ("Plugs/shelf/fixtures/shelf.json", "\"publisher\": \"Example Press\"", "\"publsher\": \"Example Press\"", "unknown: .data.items[0].publsher"),
    ("Plugs/shelf/fixtures/shelf.json", "\"id\": 9007199254740993,", "", "missing: .data.items[0] lacks 'id', which Thing requires"),
    ("Plugs/shelf/fixtures/shelf.json", "2026-10-02T08:15:00+02:00", "2 October", "by the description date-time"),
    ("Plugs/shelf/fixtures/shelf.json", "\"state\": \"lent\"", "\"state\": \"gone\"", "by the description one of here, lent"),
    ("Plugs/agenda/fixtures/agenda.json", "\"count\": \"12\"", "\"count\": 12", "type: .items[0].count is 12, by the description string"),
    # records
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "\"id\":\"9007199254740993\"", "\"id\":9007199254740993", "shelf/fixtures/shelf.golden.jsonl:1: '.id' is 9007199254740993: an id is text"),
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "\"bookId\":\"9007199254740993\"", "\"book\":\"9007199254740993\"", "'.book' holds the id of shelf/books"),
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "2026-10-02T06:15:00Z", "2026-10-02T08:15:00+02:00", "a time is RFC 3339 in UTC"),
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "\"lengthPages\":310", "\"length\":310", "'.length' has a unit"),
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "\"createdAt\":\"2026-10-02T06:15:00Z\"", "\"created_at\":\"2026-10-02T06:15:00Z\"", "not in camel case"),
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "\"tags\":[\"maths\"]", "\"labels\":[\"maths\"]", "'.labels' is called 'tags' in other plugs"),
    ("Plugs/shelf/fixtures/shelf.golden.jsonl", "\"author\":\"Ada Example\"", "\"author\":null", "'.author' of shelf/books is null or empty"),
    ("Plugs/shelf/plug.yaml", "endpoint: books", "endpoint: Books", "not in lower case with hyphens"),
    ("Plugs/shelf/plug.yaml", "endpoint: notes", "endpoint: note", "is not plural"),
    ("Plugs/shelf/plug.yaml", "endpoint: notes", "endpoint: remarks", "no fixture has a record of 'remarks'"),
    ("Plugs/shelf/plug.yaml", "bookId: book.id", "book: book.id", "'book' holds 'id': its name ends in 'Id'"),
    # manifests and READMEs
    ("Plugs/shelf/plug.yaml", "headline: Your books", "headline: \"\"", "'application.info.headline' is missing or empty"),
    ("Plugs/shelf/plug.yaml", "published: true", "published: false", "'published' is false, and the service is not closed"),
    ("Plugs/shelf/README.md", "| Cost | none |\n", "", "the table has no row 'Cost'"),
    ("Plugs/shelf/README.md", "`shelf/notes`", "`shelf/remarks`", "'Writes to' says shelf/books, shelf/remarks"),
    ("Plugs/shelf/README.md", "at most 60", "at most 90", "'Limits' does not say that the plug sends 60 in 1h"),
    ("Plugs/shelf/README.md", "Two minutes", "Soon", "how many minutes it takes"),
    ("Plugs/shelf/README.md", "`books.read`", "`read`", "the scope 'books.read' is not named"),
    ("Plugs/shelf/README.md", "| `start` |", "| `begin` |", "the manifest has no configuration 'begin'"),
    ("Plugs/shelf/README.md", "`2020-01-01`", "`2021-01-01`", "the default of 'start' is 2020-01-01"),
    ("Plugs/shelf/README.md", "| `author` |", "| `writer` |", "no golden record has a member 'writer'"),
    ("Plugs/shelf/README.md", "| `author` |", "| |", "'author' of shelf/books is not told of"),
    ("Plugs/shelf/README.md", "\"title\": \"Tables\"", "\"title\": \"Table\"", "the example is no golden record: title differ"),
    ("Plugs/shelf/README.md", "The fixture is written", "All is written", "does not say what the fixtures are made of"),
    ("Plugs/README.md", "| [shelf](shelf) |", "| shelf |", "no row for 'shelf'"),
    ("Plugs/README.md", "[agenda](agenda) | events", "[agenda](agenda) | **closed**", "the row of 'agenda' and the manifest's 'status'"),
]


def run():
    """Tells what was not found; gives the exit code."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "sample"
        shutil.copytree(SAMPLE, root)
        if accused := told(root):
            failures += [f"the sample has no mistakes, but: {one}" for one in accused]
        for name, before, after, wanted in MISTAKES:
            text = (root / name).read_text()
            if before not in text:
                failures.append(f"{name} has no '{before}'")
                continue
            (root / name).write_text(text.replace(before, after, 1))
            found = told(root)
            if not any(wanted in one for one in found):
                failures.append(f"{name}: '{before}' → '{after}' is not found; said is: {found}")
            (root / name).write_text(text)
    for one in failures:
        print(f"check-plugs: self-test: {one}")
    print(f"check-plugs: self-test: {len(MISTAKES)} mistakes, {len(failures)} failures")
    return 1 if failures else 0


def told(root):
    found = Report()
    catalogue.check(root / "Plugs", root / "providers", found)
    return [f"{file}:{line}: {text}" for file, line, text in found.mistakes]
