"""What two readers asked and delivered, and where it differs."""
import collections
import datetime
import json
import re
import urllib.parse

# What a client of HTTP sends of its own accord.
TECHNICAL = {"host", "user-agent", "accept-encoding", "connection", "content-length", "forwarded", "traceparent", "transfer-encoding",
             "cache-control", "keep-alive", "if-none-match", "if-modified-since"}
TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?|(?<!\d)1\d{9}(?:\d{3})?(?!\d)")


def timeless(text):
    """A text in which a time about now is written as such: nobody reads at the same moment as another."""
    now = datetime.datetime.now(datetime.timezone.utc)

    def shown(match):
        word = match.group()
        try:
            day = datetime.datetime.fromtimestamp(int(word[:10]), datetime.timezone.utc) if word.isdigit() \
                else datetime.datetime.fromisoformat(word[:10]).replace(tzinfo=datetime.timezone.utc)
        except ValueError:
            return word
        return "(now)" if day > now - datetime.timedelta(days=2) else word

    return TIME.sub(shown, text)


def asked(request, free=()):
    """What counts of a request, as a mapping of places to values; the values at places that are free are not looked at."""
    parts = {"method": request.method, "address": request.origin + urllib.parse.unquote(timeless(request.path))}
    counted = collections.Counter()
    for name, value in request.query:
        counted[name] += 1
        parts[f"query {name}" + (f" ({counted[name]})" if counted[name] > 1 else "")] = timeless(value)
    for name, value in request.headers.items():
        name = name.lower()
        if name not in TECHNICAL and not (name == "accept" and value in ("*/*", "application/json")) and not (name == "content-type" and not request.body):
            parts[f"header {name}"] = timeless(value).split(";")[0] if name == "content-type" else timeless(value)
    if request.body:
        content = request.json
        if isinstance(content, dict):
            for name, value in content.items():
                parts[f"body {name}"] = timeless(json.dumps(value, sort_keys=True))
        elif content is None and "=" in (text := request.body.decode(errors="replace")):
            for name, value in urllib.parse.parse_qsl(text, keep_blank_values=True):
                parts[f"body {name}"] = timeless(value)
        else:
            parts["body"] = timeless(request.body.decode(errors="replace"))
    return frozenset((place, "(any)" if place in free else value) for place, value in parts.items())


def requests(theirs, ours, free, mayBeFewer=False):
    """Differences of requests: reasons with an example, and how many only read a last, empty page.

    Ours may be fewer where the other begins further back.
    """
    wanted = {asked(request, free): request for request in theirs}
    made = {asked(request, free): request for request in ours}
    missing = [key for key in wanted if key not in made]
    more = [key for key in made if key not in wanted and not made[key].isEmpty]
    empty = sum(key not in wanted and made[key].isEmpty for key in made)
    reasons = {}
    for key in missing if not mayBeFewer else []:
        reasons.setdefault(*reason(key, more, "not asked"))
    for key in more:
        reasons.setdefault(*reason(key, missing, "asked", turned=True))
    return reasons, empty


def reason(key, others, alone, turned=False):
    """Why a request has no counterpart: what it has that the most similar one of the other side has not."""
    mine = dict(key)
    near = [dict(other) for other in others if dict(other)["address"] == mine["address"]] or [dict(other) for other in others]
    best = min(near, key=lambda other: len(set(other.items()) ^ set(mine.items())), default=None)
    shown = " ".join(f"{name}={value}" for name, value in sorted(mine.items()))
    if best is None:
        return f"requests that only {'plughost' if turned else 'the engine'} makes", shown[:500]
    places = [place for place in sorted(set(mine) | set(best)) if mine.get(place) != best.get(place)]
    theirs, ours = (best, mine) if turned else (mine, best)
    example = "; ".join(f"{place}: {theirs.get(place)!r} there, {ours.get(place)!r} here" for place in places[:4])
    return "requests differ in " + ", ".join(places[:4]), f"{mine['address']}: {example}"[:700]


def plain(record, without=()):
    """A record in one form, without the identity that a PDA's has and the members that are the time."""
    members = {"source_id" if name == "_id" and "source_id" not in record else name: value for name, value in record.items()}
    return json.dumps(exact({name: value for name, value in members.items() if name not in without}), sort_keys=True)


def exact(value):
    """A value whose numbers are equal where a PDA takes them for equal: `1.0` is `1`, and `true` is none."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: exact(inner) for name, inner in value.items()}
    return [exact(inner) for inner in value] if isinstance(value, list) else value


def clocks(records_):
    """Members that hold the time of the reading."""
    return {name for record in records_ for name, value in record.items() if isinstance(value, str) and "(now)" in timeless(value)}


def records(theirs, ours):
    """Differences of records: reasons with an example."""
    without = clocks(theirs)
    wanted = {plain(record, without) for record in theirs}
    made = {plain({name: value for name, value in record.items() if name != "_id"}, without) for record in ours}
    if wanted == made:
        return {}
    missing, more = sorted(wanted - made), sorted(made - wanted)
    if missing and more:
        first = json.loads(missing[0])
        second = min((json.loads(one) for one in more[:200]), key=lambda one: sum(first.get(name) != one.get(name) for name in set(first) | set(one)))
        places = [name for name in sorted(set(first) | set(second)) if first.get(name, "(missing)") != second.get(name, "(missing)")]
        example = "; ".join(f"{name}: {first.get(name, '(missing)')!r} there, {second.get(name, '(missing)')!r} here" for name in places[:5])
        return {"records differ in " + ", ".join(places[:3]): example[:700]}
    if missing:
        return {"records are missing": f"{len(missing)} of {len(wanted)}, such as {missing[0][:400]}"}
    return {"records that the engine does not have": f"{len(more)} beside {len(wanted)}, such as {more[0][:400]}"}
