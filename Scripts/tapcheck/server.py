"""The APIs' server: HTTPS on the port where taps expect it."""
import http.server
import json
import ssl
import threading
import time
import urllib.parse

PAUSE = 0.02     # seconds: an answer takes a while, as a real one does


class Request:
    """What an API is asked."""

    def __init__(self, handler, body):
        parts = urllib.parse.urlsplit(handler.path)
        self.path = parts.path
        self.query = {name: values[0] for name, values in urllib.parse.parse_qs(parts.query).items()}
        self.host, self.headers, self.body = handler.headers["Host"].split(":")[0], handler.headers, body

    def number(self, name, default):
        return int(self.query.get(name, default))

    def link(self, **changes):
        """A Link header's next page: this request with other parameters."""
        query = urllib.parse.urlencode({**self.query, **changes})
        return {"Link": f'<https://{self.host}{self.path}?{query}>; rel="next"'}


class Missing(Exception):
    """There is no such thing in this API."""


class Server:
    """Answers for all hosts; `count` is how many records each of them has."""

    def __init__(self, apis, certificate, key):
        self.apis, self.count, self.answered, self.missing = apis, 0, 0, []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    request = Request(self, body)
                    answer = server.apis[request.host](request, server.count)
                    (value, headers), status = answer if isinstance(answer, tuple) else (answer, {}), 200
                except (Missing, KeyError):
                    server.missing.append(f"{self.headers['Host']}{self.path}")
                    value, headers, status = {"message": "Not Found"}, {}, 404
                time.sleep(PAUSE)
                text = json.dumps(value).encode()
                self.send_response(status)
                for name, content in {**headers, "Content-Type": "application/json", "Content-Length": len(text)}.items():
                    self.send_header(name, str(content))
                self.end_headers()
                self.wfile.write(text)
                server.answered += 1

            do_POST = do_GET

            def log_message(self, *_):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A program that was killed in the middle of a request is what this is about."""

        self.server = Quiet(("127.0.0.1", 443), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
