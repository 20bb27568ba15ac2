#!/usr/bin/env python3
"""The source and the PDA that every benchmark talks to, each a process of its own on loopback.

    bench/servers.py source|pda|keeping-pda

The port is the first line of the output. The keeping PDA also keeps what it was sent, so that it can be compared.
"""
import functools
import json
import re
import socket
import sys
import threading

from http_connection import Connection

PAGE = 1000
RECORD = (
    '{"id":%d,"sequence":%d,"created_at":"2026-11-%02dT%02d:%02d:%02d.250Z","kind":"card-purchase",'
    '"amount":%d.%02d,"currency":"EUR","account":{"id":"acc_%012d","name":"Ana Luísa Tavares","kind":"current"},'
    '"place":{"name":"Livraria Central","latitude":40.640506,"longitude":-8.653754},'
    '"tags":["books","weekend","shared"],"note":"Two copies of \\"The Book of Disquiet\\", one for Inês"}'
)
FIRST = 1 << 64     # unless asked otherwise, every id is larger than 64 bits hold


def record(number, first):
    n = number
    return RECORD % (first + n, n, n % 28 + 1, n % 24, n % 60, n * 7 % 60, n % 900, n % 100, n % 997)


def page(start, total, first, host):
    items = ",".join(record(number, first) for number in range(start, min(start + PAGE, total)))
    link = f"http://{host}/purchases?total={total}&first={first}&from={start + PAGE}"
    following = f'"{link}"' if start + PAGE < total else "null"
    return f'{{"items":[{items}],"next":{following}}}'.encode()


def serve_source(connection):
    while asked := connection.request():
        query = dict(pair.split("=") for pair in asked[1].partition("?")[2].split("&"))
        start, first = int(query.get("from", 0)), int(query.get("first", FIRST))
        connection.answer(200, page(start, int(query["total"]), first, asked[2]["host"]))


SEQUENCE = re.compile(rb'"sequence":(\d+)')
STORED = {"records": 0, "requests": 0, "bytes": 0, "sum": 0}
KEPT = []
LOCK = threading.Lock()


def serve_pda(connection, keep=False):
    """Echoes. Records of the benchmarks hold no arrays of objects and no spaces between tokens, so nothing needs to be
    parsed: a string cannot contain what separates two of them, its quote would be escaped."""
    while asked := connection.request():
        method, target, _, body = asked
        if method == "GET":
            with LOCK:
                connection.answer(200, b"[" + b",".join(KEPT) + b"]" if target == "/kept" else json.dumps(STORED).encode())
                KEPT.clear()
                STORED.update(dict.fromkeys(STORED, 0))
            continue
        records = body[2:-2].split(b'},{"')
        with LOCK:
            STORED["records"] += len(records)
            STORED["requests"] += 1
            STORED["bytes"] += len(body)
            STORED["sum"] += sum(map(int, SEQUENCE.findall(body)))
            if keep:
                KEPT.append(body)
        before = b'{"endpoint":"bench/purchases","recordId":"6f2d9a0e-3c64-4a0b-9e0f-1f6a6b1c7d11","data":{'
        between = b'},"links":[]},' + before + b'"'
        connection.answer(201, b"[" + before + between.join(records) + b'},"links":[]}]')


def serve(kind):
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    handler = {
        "source": serve_source, "pda": serve_pda, "keeping-pda": functools.partial(serve_pda, keep=True),
    }[kind]

    def talk(connected):
        try:
            handler(Connection(connected))
        except OSError:
            pass
        finally:
            connected.close()

    while True:
        threading.Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()


if __name__ == "__main__":
    serve(sys.argv[1])
