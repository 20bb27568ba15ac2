"""Just enough HTTP/1.1 for a source and a PDA that shall not be what is measured."""
import socket


class Connection:
    """One kept-alive HTTP/1.1 connection, read as little as it takes."""

    def __init__(self, connected):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket, self.file = connected, connected.makefile("rb", buffering=1 << 18)

    def request(self):
        line = self.file.readline()
        if not line:
            return None
        method, target, _ = line.decode("latin-1").split(" ", 2)
        headers = {}
        while (line := self.file.readline()) not in (b"\r\n", b"\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if headers.get("expect", "").lower() == "100-continue":
            self.socket.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in headers.get("transfer-encoding", ""):
            chunks = []
            while size := int(self.file.readline().split(b";")[0], 16):
                chunks.append(self.file.read(size))
                self.file.readline()
            self.file.readline()
            return method, target, headers, b"".join(chunks)
        return method, target, headers, self.file.read(int(headers.get("content-length", 0)))

    def answer(self, status, body):
        head = f"HTTP/1.1 {status} OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)
