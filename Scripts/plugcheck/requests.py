"""Judges what a plug asks for by the description: method, path, parameters, scopes, and the members its programs read."""
from . import consent, jq, lexicons
from .manifest import TEMPLATE, Mapping, Text
from .parameters import judge_query
from .reading import Reading
from .shapes import FREE, NULL, List, Object, alternatives

# Sent with every request, whatever a description says.
STANDARD_HEADERS = {"accept", "accept-language", "user-agent", "authorization", "content-type", "if-none-match", "if-modified-since"}
KEYS_OF_RECORDS = ("drop_if", "key", "version", "map")


class RequestCheck:
    def __init__(self, manifest, description, report, file):
        self.manifest, self.description, self.report, self.file = manifest, description, report, file
        self.records = {}     # stream -> the alternatives of its records
        self.bodies = []      # (the rules of a stream, its operation)

    def run(self):
        for stream in self.manifest.streams.values():
            self.stream(stream)
        self.account()
        self.shared_errors()
        consent.check(self.manifest, self.description, self.report, self.file)

    def mistake(self, line, text):
        self.report.mistake(self.file, line, text)

    def operation(self, request):
        """The operation of a request, with its parameters judged; None if there is none."""
        found, reason = self.description.find(request.method, request.host, request.path)
        if found is None:
            self.mistake(request.line, reason)
            return None
        self.report.count("requests of manifests")
        judge_query(found, request.query, self.mistake, self.report, self.manifest.key_parameters())
        for name, sent in request.headers.items():
            if name.lower() not in STANDARD_HEADERS and not any(
                    place == "header" and known.lower() == name.lower() for place, known in found.parameters):
                self.mistake(sent.line, f"{found.title} has no header '{name}' by the description")
            if name.lower() == "accept" and sent.value and found.types and not any(
                    sent.value.split(";")[0] == kind.split(";")[0] for kind in found.types):
                self.mistake(sent.line, f"{found.title} answers with {', '.join(sorted(set(found.types)))}, not '{sent.value}'")
        if request.body:
            self.body(found, request)
        return found

    def body(self, operation, request):
        if operation.body is None:
            return self.report.skip(self.file, request.line, f"the body of {operation.title} is not described")
        for name, sent in request.body.items():
            members = [one.member(name) for one in alternatives(operation.body, operation.document) if isinstance(one, Object)]
            if members and not any(members):
                self.mistake(sent.line, f"the body of {operation.title} has no member '{name}' by the description")

    def program(self, text, value, names, what):
        """Follows one program; gives what it gives."""
        try:
            reading = Reading(text, names)
            outputs = reading.run(value)
        except (jq.Unreadable, RecursionError) as error:
            self.report.skip(self.file, text.line, f"'{what}' cannot be followed: {error}")
            return [FREE]
        for offset, finding in reading.missing.items():
            self.mistake(text.line_at(offset), finding)
        for offset, reason in reading.unknown.items():
            self.report.skip(self.file, text.line_at(offset), reason)
        self.report.count("members read", len(reading.checked))
        return outputs

    def templates(self, value, names):
        """Follows the programs within the texts of a request."""
        if isinstance(value, (Mapping, list)):
            for one in value.values() if isinstance(value, Mapping) else value:
                self.templates(one, names)
        elif isinstance(value, Text):
            for match in TEMPLATE.finditer(value):
                inner = Text(match.group(1))
                inner.line = inner.first = value.line_at(match.start())
                self.program(inner, [NULL], names, "a template")

    def names(self, stream):
        """What programs of a stream see beside their input: the records that it is read for."""
        names = {one: [FREE] for one in ("config", "since", "until", "now", "headers", "vars", "grant", "pass", "page")}
        for loop in stream.loops:
            value = [FREE]
            if parent := self.manifest.streams.get(str(loop.get("in"))):
                names = {**self.names(parent), **names}
                value = self.records_of(parent)
            if isinstance(loop.get("as"), Text):
                names[str(loop["as"])] = value
            names["parent"] = value
        return names

    def records_of(self, stream):
        if stream.name not in self.records:
            self.records[stream.name] = [FREE]    # for a loop of streams
            self.stream(stream)
        return self.records[stream.name]

    def stream(self, stream):
        if stream.name in self.records and self.records[stream.name] != [FREE]:
            return
        self.records.setdefault(stream.name, [FREE])
        names = self.names(stream)
        inside = [FREE]
        for loop in stream.loops:
            parent = self.manifest.streams.get(str(loop.get("in")))
            value = self.records_of(parent) if parent else [FREE]
            for key in ("skip_if", "inside"):
                if isinstance(loop.get(key), Text):
                    given = self.program(loop[key], value, names, key)
                    inside = unfolded(given) if key == "inside" else inside
        if not stream.reads:
            self.records[stream.name] = inside
            return self.record_programs(stream, inside, names)
        self.templates(stream.own.get("request"), names)
        operation = self.operation(stream.request())
        if operation is None:
            return
        query = {name: sent.value for name, sent in stream.request().query.items()}
        operation = lexicons.of_collection(operation, query, self.description.lexicons)
        self.bodies.append((stream, operation))
        schema = operation.success()
        if schema is None:
            return self.report.skip(self.file, stream.line, f"what {operation.title} answers is not described")
        answer = alternatives(schema, operation.document)
        by_line = stream.get("decode") is not None
        if by_line:
            answer = unfolded(answer)
        records = self.programs(stream.programs("records"), answer, names, "records", answer)
        self.records[stream.name] = unfolded(records)
        self.record_programs(stream, self.records[stream.name], names)
        page = [Object(made={"last": self.records[stream.name], "count": [FREE]}, name="the page")] if by_line else answer
        self.page_programs(stream, page, names)

    def programs(self, programs, value, names, what, otherwise=None):
        outputs = [one for program in programs for one in self.program(program, value, names, what)]
        return outputs if programs else otherwise

    def record_programs(self, stream, record, names):
        for key in KEYS_OF_RECORDS:
            programs = [one for one in stream.programs(key) if one not in ("none", "content")]
            self.programs(programs, record, names, key)
        for holder, key in ((stream.get("since"), "field"), (stream.get("deletes"), "field")):
            if isinstance(holder, Mapping):
                given = holder.get(key)
                for one in given if isinstance(given, list) else [given]:
                    if isinstance(one, Text):
                        self.program(one, record, names, key)

    def page_programs(self, stream, page, names):
        given = stream.get("page")
        if not isinstance(given, Mapping):
            return
        programs = [given.get(key) for key in ("next", "more", "total", "pages")]
        programs += [given["cursor"].get("from")] if isinstance(given.get("cursor"), Mapping) else []
        for one in programs:
            if isinstance(one, Text):
                self.program(one, page, names, "page")

    def account(self):
        check = self.manifest.root.get("check")
        if not isinstance(check, Mapping):
            return
        value = [FREE]
        if "request" in check:
            operation = self.operation(self.manifest.request(check["request"]))
            schema = operation and operation.success()
            value = alternatives(schema, operation.document) if schema else [FREE]
        elif str(check.get("stream")) in self.manifest.streams:
            value = self.records.get(str(check["stream"]), [FREE])
        if isinstance(check.get("who"), Text):
            self.program(check["who"], value, {"config": [FREE], "headers": [FREE]}, "who")

    def shared_errors(self):
        """`error`, and the rules of `on`, read answers that tell of errors."""
        http = self.manifest.root.get("http", {})
        errors = [one for _, operation in self.bodies for one in operation.errors()]
        if isinstance(http.get("error"), Text):
            self.error_program(http["error"], errors)
        for rule in http.get("on", []):
            self.rule(rule, [operation for _, operation in self.bodies])
        for stream, operation in self.bodies:
            for rule in stream.own.get("on", []):
                self.rule(rule, [operation])

    def rule(self, rule, operations):
        statuses = rule["status"] if isinstance(rule.get("status"), list) else [rule.get("status")]
        good = any(str(one).startswith("2") for one in statuses)
        bad = any(not str(one).startswith("2") for one in statuses)
        value = [one for operation in operations if bad for one in operation.errors()]
        value += [one for operation in operations if good and operation.success()
                  for one in alternatives(operation.success(), operation.document)]
        for key in ("if", "wait"):
            if isinstance(rule.get(key), Text) and not rule[key][:1].isdigit():
                self.error_program(rule[key], value)

    def error_program(self, program, value):
        if not value:
            return self.report.skip(self.file, program.line, "answers that tell of errors are not described")
        self.program(program, value, {"headers": [FREE], "config": [FREE]}, "error")


def unfolded(value):
    """Outputs as records: a list stands for its elements."""
    return [inner for one in value for inner in (one.elements() if isinstance(one, List) else [one])]
