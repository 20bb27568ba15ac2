"""What the original engine asked and gave, as a fixture that the imported plug is tested with where there is no engine."""
import base64
import datetime
import json
import shutil

from . import compare


class Unusable(Exception):
    """The comparison makes no fixture."""


def write(plug, config, theirs, ours, records, into):
    """Writes NAME.json and NAME.golden.jsonl.

    The conversation is the engine's, in the order in which plughost asks; of plughost there is only the page behind the last, which
    the engine leaves out. The records are the engine's: plughost gives each its `_id`.
    """
    made = {compare.asked(request): request for request in theirs}
    exchanges = []
    for request in ours:
        if not any(request.streams):
            continue
        known = made.get(compare.asked(request))
        if known is None and not request.isEmpty:
            raise Unusable(f"the engine has not asked for {request.url}")
        exchanges.append(exchange(known or request))
    fixture = {"config": config, "now": now(theirs), "exchanges": exchanges}
    path = plug.path / "fixtures" / f"{plug.name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(fixture, indent=1) + "\n")
    plug.run("test", plug.path, "--update", "--no-conformance")
    golden = path.with_suffix(".golden.jsonl")
    lines = [json.loads(line) for line in golden.read_text().splitlines()]
    given = [{name: value for name, value in line["data"].items() if name != "_id"} for line in lines if "data" in line]
    if {compare.plain(record) for record in given} != {compare.plain(record) for record in records}:
        raise Unusable("the fixture does not give the engine's records")
    into.mkdir(parents=True, exist_ok=True)
    for one in (path, golden):
        shutil.copy(one, into / one.name)


def exchange(request):
    status, headers, body = request.answer
    written = {"request": {"method": request.method, "url": request.url}, "response": {"status": status}}
    if request.body:
        written["request"]["body"] = request.json if request.json is not None else request.body.decode()
    if headers:
        written["response"]["headers"] = headers
    try:
        written["response"]["body"] = json.loads(body)
    except ValueError:
        written["response"]["bodyBase64"] = base64.b64encode(body).decode()
    return written


def now(requests):
    """When the engine has read: the time that its requests name as their end, so that the plug's name the same."""
    clock = datetime.datetime.now(datetime.timezone.utc)
    found = {match.group() for request in requests for _, value in request.query for match in compare.TIME.finditer(value)
             if value.endswith("Z") and abs(datetime.datetime.fromisoformat(value) - clock) < datetime.timedelta(minutes=5)}
    if len(found) > 1:
        raise Unusable(f"the engine has read at different times: {', '.join(sorted(found))}")
    return found.pop() if found else clock.strftime("%Y-%m-%dT%H:%M:%SZ")
