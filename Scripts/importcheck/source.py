"""A simulated source on loopback: it answers as a manifest's streams expect, and notes what it was asked."""
import csv
import gzip
import http.server
import io
import itertools
import json
import re
import sys
import threading
import urllib.parse

from airbyte_cdk.sources.declarative.datetime.datetime_parser import DatetimeParser

from . import expressions, members, records, settings, streams

MISSING = object()

class Request:
    """What the source is asked; the origin is the one that was meant."""

    def __init__(self, method, origin, target, headers, body):
        parts = urllib.parse.urlsplit(target)
        self.method, self.origin, self.path, self.body = method, origin, parts.path, body
        self.query = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
        self.headers = headers
        self.url = origin + target
        self.isEmpty = False
        self.streams = []

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def parameter(self, option):
        """The value at a place of the manifest's language; `None` for none."""
        name, place = option.get("field_name") or "", option.get("inject_into")
        if place == "header":
            return self.headers.get(name)
        if place == "body_json":
            return members.at(self.json, option.get("field_path") or name.split("."))
        pairs = urllib.parse.parse_qsl(self.body.decode(errors="replace")) if place == "body_data" else self.query
        return next((value for key, value in pairs if key == name), None)


class Source:
    """The answers to a manifest's requests."""

    def __init__(self, manifest, config):
        self.config, self.manifest = config, manifest
        self.streams = streams.found(manifest, config)
        self.logins = list(logins(manifest))
        self.pages, self.asked, self.unknown = {}, [], []
        self.lock = threading.Lock()
        for stream in self.streams:
            stream.controls = controls(stream)

    def answer(self, request):
        """Status, headers and body."""
        with self.lock:
            self.asked.append(request)
            request.answer = self.made(request)
            return request.answer

    def made(self, request):
        if login := self.login(request):
            return 200, {}, json.dumps(login).encode()
        address = (request.origin + request.path).rstrip("/")
        fits = [stream for stream in self.streams if stream.address.fullmatch(address) or stream.address.fullmatch(urllib.parse.unquote(address))]
        if not fits:
            self.unknown.append(address)
            return 404, {}, b'{"message": "Not Found"}'
        best = max(stream.literal for stream in fits)
        fits = [stream for stream in fits if stream.literal == best]
        request.streams = [stream.name for stream in fits]
        first = next((stream for stream in fits if stream.strategy), fits[0])
        paged = first.strategy and first.controls is not None
        begin, size = (self.begin(first, request), first.size) if paged else (0, 2)
        total = first.size * (streams.PAGES - 1) + 1 if paged else 2
        # A feed has the newest first.
        isFeed = any(stream.cursor.get("is_data_feed") for stream in fits)
        order = reversed(range(total)) if isFeed else range(total)
        indices = [index for index in order if self.isWithin(fits, request, index)]
        shown = indices[begin:begin + size]
        request.isEmpty = begin > 0 and not shown
        parts = sorted({str(request.parameter(option)) for stream in fits for option in stream.partitions})
        listed = [records.record(fits, "\0".join([address, *parts]), index) for index in shown]
        body, headers = {}, {}
        for stream in fits:
            body = nested(body, stream.path, listed)
        if first.strategy:
            self.lead(first, request, body, headers, begin + size, begin + size < len(indices), listed)
        return 200, headers, written(first.decoder, body, listed)

    # MARK: - Pages

    def begin(self, stream, request):
        """Where the page that is asked for begins."""
        if not stream.strategy:
            return 0
        kind, option = stream.strategy.get("type"), stream.token or {}
        if kind in ("PageIncrement", "OffsetIncrement"):
            value = request.parameter(option)
            if value is None or not str(value).lstrip("-").isdigit():
                return 0
            if kind == "OffsetIncrement":
                return int(value)
            return max(int(value) - int(stream.strategy.get("start_from_page") or 0), 0) * stream.size
        for pair in request.query:
            if pair[0] == "begin-of-source":
                return int(pair[1])
        for value in itertools.chain((value for _, value in request.query), leaves(request.json), request.headers.values(),
                                     request.path.split("/"),
                                     (value for _, value in urllib.parse.parse_qsl(request.body.decode(errors="replace")))):
            if (stream.name, str(value)) in self.pages:
                return self.pages[stream.name, str(value)]
        return 0

    def lead(self, stream, request, body, headers, following, more, listed):
        """Says in an answer how it goes on, and remembers the token that says so."""
        if stream.strategy.get("type") != "CursorPagination" or stream.controls is None:
            return
        query = [pair for pair in request.query if pair[0] != "begin-of-source"] + [("begin-of-source", str(following))]
        address = f"{request.origin}{request.path}?{urllib.parse.urlencode(query)}"
        put, linked = stream.controls
        for path, kind, last in put:
            value = {"token": f"token{following}of{stream.name[:20].replace(' ', '')}", "url": address, "number": following}.get(kind, kind) if more else last
            if value is not MISSING and isinstance(body, dict):
                members.put(body, path, value)
        if linked and more:
            headers["Link"] = f'<{address}>; rel="next"'
        token = expressions.value(
            stream.strategy.get("cursor_value"), self.config, response=body, headers=linkOf(headers),
            last_record=listed[-1] if listed else {}, last_page_size=len(listed), parameters=stream.parameters)
        if more and token not in (None, "", {}):
            self.pages[stream.name, str(token)] = following

    # MARK: - Bounds

    @staticmethod
    def isWithin(fits, request, index):
        """Whether a record lies within the bounds that are asked for."""
        time = settings.begin() + records.age(index)
        for stream in fits:
            format_ = stream.cursor.get("datetime_format")
            for option, isLower in stream.bounds if format_ else []:
                bound = records.read(request.parameter(option), format_)
                # A record's time is as exact as the bound.
                mine = records.read(DatetimeParser().format(time, format_), format_)
                # A day that is asked for alone is that day.
                isDay = option.get("field_name") in ("date", "day") and len(stream.bounds) == 1
                if bound and (mine < bound if isLower else mine > bound) or isDay and bound and time.date() != bound.date():
                    return False
        return True

    # MARK: - Credentials

    def login(self, request):
        """The answer to a request for a token; `None` for another."""
        for address, paths in self.logins:
            pattern = expressions.pattern(address, self.config, {})
            if re.fullmatch(pattern.rstrip("/") + "/?", (request.origin + request.path).rstrip("/")):
                body = {"expires_in": 3600, "token_type": "Bearer"}
                for path in paths:
                    members.put(body, path, "token-of-source")
                return body
        return None


def leaves(node):
    if isinstance(node, dict):
        for inner in node.values():
            yield from leaves(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from leaves(inner)
    elif isinstance(node, (str, int)):
        yield node


def linkOf(headers):
    """Headers as expressions see them: the links of `Link` by their names."""
    if "Link" not in headers:
        return {}
    url = headers["Link"].split(">")[0].lstrip("<")
    return {"link": {"next": {"url": url, "rel": "next"}}, "Link": headers["Link"]}


def logins(node):
    """Addresses that give tokens, and where in the answer these stand."""
    if isinstance(node, dict):
        if node.get("type") == "OAuthAuthenticator" and node.get("token_refresh_endpoint"):
            names = [node.get("access_token_name") or "access_token"]
            yield node["token_refresh_endpoint"], [[name] for name in names]
        elif node.get("type") == "SessionTokenAuthenticator":
            requester = node.get("login_requester") or {}
            base, path = requester.get("url_base") or requester.get("url") or "", requester.get("path") or ""
            yield base.rstrip("/") + ("/" if path and not path.startswith("/") else "") + path, [node.get("session_token_path") or []]
        for inner in node.values():
            yield from logins(inner)
    elif isinstance(node, list):
        for inner in node:
            yield from logins(inner)


def nested(body, path, listed):
    """A body with the records at a path; `*` is each element of a list."""
    if not path:
        return list(listed) if body == {} else body
    if not isinstance(body, dict):
        return body
    step, rest = path[0], path[1:]
    if step == "*":
        return [single(one, rest) for one in listed]
    inner = body.get(step, {})
    return {**body, step: nested(inner if isinstance(inner, dict) else {}, rest, listed) if inner == {} or isinstance(inner, dict) else inner}


def single(one, path):
    """A record beneath a path."""
    for step in reversed(path):
        one = [one] if step == "*" else {step: one}
    return one


def written(decoder, body, listed):
    if decoder == "JsonlDecoder":
        return b"".join(json.dumps(one).encode() + b"\n" for one in listed)
    if decoder == "CsvDecoder":
        text = io.StringIO()
        writer = csv.DictWriter(text, list(listed[0]) if listed else ["id"])
        writer.writeheader()
        writer.writerows(listed)
        return text.getvalue().encode()
    if decoder == "XmlDecoder":
        # The engine's own library, both ways.
        import xmltodict
        return xmltodict.unparse(body).encode()
    if decoder == "IterableDecoder":
        return b"".join(f"line {number}\n".encode() for number in range(len(listed)))
    return json.dumps(body).encode()


def controls(stream):
    """What an answer says for the engine to go on, and on the last page to end; `None` where nothing does.

    Gives members with their values on a page with a next one and on the last one, and whether a Link header leads on.
    """
    strategy = stream.strategy or {}
    if strategy.get("type") in ("PageIncrement", "OffsetIncrement"):
        return [], False
    if strategy.get("type") != "CursorPagination":
        return None
    token, stop = str(strategy.get("cursor_value") or ""), strategy.get("stop_condition")
    places = expressions.paths(f"{token} {stop}", "response")
    places = [place for place in places if not any(other != place and other[:len(place)] == place for other in places)]
    places = [place for place in places if place != stream.path[:len(place)]][:3]
    linked = "headers" in f"{token}{stop}"
    record = {**records.record([stream], "sample", 0)}
    url = "https://own.example.org/next?begin-of-source=1&after=token1&$skiptoken=token1&page=2"

    def given(choice, isMore):
        """The token that leads on, `False` where it ends."""
        body = nested({}, stream.path, [record])
        for place, value in zip(places, choice):
            if value is not MISSING and isinstance(body, dict):
                members.put(body, place, value)
        headers = linkOf({"Link": f'<{url}>; rel="next"'}) if linked and isMore else {}
        context = dict(response=body, headers=headers, last_record=record, last_page_size=stream.size, parameters=stream.parameters)
        try:
            if stop and expressions.truth(expressions.strict(stop, stream.config, **context)):
                return False
            value = expressions.strict(token, stream.config, **context)
            # What the engine cannot evaluate it sends as it stands.
            return None if "{{" in str(value) else False if value in (None, "", {}, [], 0) else str(value)
        except Exception:  # noqa: BLE001: such an answer would end the engine
            return None

    isAddress = (stream.token or {}).get("type") == "RequestPath"
    kinds = {"url": url, "token": "token1", "number": 2, True: True, False: False, 50: 50}
    following = kinds | {"url": re.sub(r"[12](?=&|$)", "3", url), "token": "token3", "number": 3}

    def leads(choice):
        # Each page has a token of its own, unless that is its last record's.
        first, next_ = (given([values[kind] for kind in choice], True) for values in (kinds, following))
        return bool(first) and (first != next_ or not expressions.paths(token, "response"))

    order = ["url", "token", "number", True, False, 50] if isAddress else ["token", "number", "url", True, False, 50]
    more = next((choice for choice in itertools.product(order, repeat=len(places)) if leads(choice)), None)
    if more is None:
        return None
    ends = [None, False, True, "", 0, 1, 99, MISSING]
    last = next((choice for choice in itertools.product(ends, repeat=len(places)) if given(choice, False) is False), None)
    if last is None:
        return None
    return list(zip(places, more, last)), linked


class Server:
    """The source on a port of loopback. `Forwarded` says which origin a request was meant for."""

    def __init__(self, source):
        def answer(handler):
            body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
            meant = re.match(r'host="([^"]*)";proto=(\w+)', handler.headers.get("Forwarded", ""))
            origin = f"{meant.group(2)}://{meant.group(1)}" if meant else "http://unknown"
            request = Request(handler.command, origin, handler.path, {k: v for k, v in handler.headers.items()}, body)
            status, headers, body = source.answer(request)
            if "gzip" in request.path:
                body = gzip.compress(body)
            handler.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers, "Content-Length": str(len(body))}.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(body)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *request):
                # A run that is killed closes its connections.
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(*request)

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
