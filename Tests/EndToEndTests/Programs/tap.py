#!/usr/bin/python3
"""A program that speaks Singer's messages. Its source is the file that "source" of its configuration names, or a server at "url": a
list of things in the order in which they changed. What it does wrong, "fault" says."""
import json, os, signal, subprocess, sys, time, urllib.request

arguments = sys.argv[1:]


def given(name):
    if name not in arguments:
        return None
    with open(arguments[arguments.index(name) + 1]) as file:
        return json.load(file)


config = given("--config") or {}
state = given("--state")
fault = config.get("fault", "")
if "log" in config:
    with open(config["log"], "a") as log:
        log.write(json.dumps({"state": state, "arguments": arguments, "environment": sorted(os.environ)}) + "\n")

if "--help" in arguments:
    print("usage: tap.py --config FILE --state FILE --catalog FILE" + (" --properties FILE" if fault == "old" else ""))
    sys.exit(0)
if fault == "old" and "--discover" not in arguments and given("--properties") is None:
    # It takes no other catalogue.
    sys.exit(0)

SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}}}
if "--discover" in arguments:
    streams = [
        {"tap_stream_id": name, "stream": name, "key_properties": ["id"], "schema": SCHEMA, "metadata": [
            {"breadcrumb": [], "metadata": {"table-key-properties": ["id"], "replication-key": "changed", "inclusion": "available"}}]}
        for name in ("things", "notes")
    ]
    print(json.dumps({"streams": streams}))
    sys.exit(0)


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def tell(message):
    say(json.dumps(message))


def schema(name, key="id"):
    tell({"type": "SCHEMA", "stream": name, "schema": SCHEMA, "key_properties": [key], "bookmark_properties": ["changed"]})


def record(name, thing):
    # Digits as they are: what Python makes of them is not the source's.
    say('{"type": "RECORD", "stream": "%s", "record": %s}' % (name, thing if isinstance(thing, str) else json.dumps(thing)))


def bookmark(at):
    tell({"type": "STATE", "value": {"bookmarks": {"things": {"changed": at}}}})


begun = ((state or {}).get("bookmarks", {}).get("things", {})).get("changed", 0)
if "url" in config:
    with urllib.request.urlopen(config["url"]) as answer:
        lines = answer.read().decode().splitlines()
else:
    lines = config.get("lines", [])
if "stray" in config:
    try:
        urllib.request.urlopen(config["stray"])
    except OSError:
        pass
things = [(json.loads(line), line) for line in lines]
fresh = [(thing, line) for thing, line in things if thing["changed"] > begun]

if fault == "says a secret":
    sys.stderr.write("CRITICAL cannot log in with %s\n" % config["token"])
    sys.exit(1)
if fault == "names a secret":
    print(json.dumps({"type": config["token"]}))
    print(json.dumps({"type": "RECORD", "stream": config["token"], "record": {"id": 1}}), flush=True)
if fault == "prints a secret":
    say("logging in with " + config["token"])
    sys.exit(0)
if fault == "flood":
    for number in range(200000):
        sys.stderr.write("INFO %d: something that nobody needs to know\n" % number)
if fault == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if fault == "forks":
    subprocess.Popen(["/bin/sleep", "6007"], start_new_session=True)
if fault == "batch":
    schema("things")
    tell({"type": "BATCH", "stream": "things", "encoding": {"format": "jsonl"}, "manifest": ["file:///tmp/x.jsonl"]})
    time.sleep(6000)

selected = {entry["stream"] for entry in (given("--catalog") or {}).get("streams", []) if entry.get("selected")}
schema("things")
gives_notes = fault != "joined" or "things" in selected
if gives_notes:
    schema("notes")
every = int(config.get("every", 2))
if fault == "early" and fresh:
    bookmark(fresh[-1][0]["changed"])
for at, (thing, line) in enumerate(fresh):
    if fault == "half" and at == len(fresh) // 2:
        sys.stdout.write('{"type": "RECORD", "stream": "things", "rec')
        sys.stdout.flush()
        sys.exit(0)
    if fault == "dies" and at == len(fresh) // 2:
        sys.stdout.write('{"type": "RECORD", "stream": "things", "rec')
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "fails" and at == len(fresh) // 2:
        sys.stderr.write("INFO all is well\nCRITICAL the service has gone\n")
        sys.exit(3)
    if fault == "changes" and at == len(fresh) // 2:
        schema("things", "changed")
    if fault == "early and dies" and at == len(fresh) // 2:
        bookmark(fresh[-1][0]["changed"])
    if fault == "early and dies" and at == len(fresh) - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    record("things", line)
    if thing["id"] % 3 == 0 and gives_notes:
        record("notes", {"id": thing["id"], "changed": thing["changed"], "of": thing["id"]})
    if (at + 1) % every == 0 and not fault.startswith("early") and fault != "stateless":
        bookmark(thing["changed"])
    if "pause" in config:
        time.sleep(config["pause"])
if fault == "deaf":
    time.sleep(6000)
if fresh and fault not in ("stateless", "early and dies"):
    bookmark(fresh[-1][0]["changed"])
