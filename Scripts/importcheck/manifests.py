"""One manifest, read by both."""
import pathlib
import re
import tempfile
import traceback

import yaml

from . import compare, conformance, engine, host, recording, settings, source, streams


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML whose dates are texts."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in Loader.yaml_implicit_resolvers.items()
}


def small(node):
    """The manifest with small pages: what is compared does not depend on their size."""
    if isinstance(node, dict):
        made = {key: small(inner) for key, inner in node.items()}
        if made.get("type") in ("PageIncrement", "OffsetIncrement", "CursorPagination") and str(made.get("page_size", "")).isdigit():
            made["page_size"] = min(int(made["page_size"]), streams.SIZE)
        return made
    return [small(inner) for inner in node] if isinstance(node, list) else node


def check(name, path, program, fixtures=None):
    """What the comparison of one manifest gives: its streams, and a state for it and each of them.

    What the engine asked and gave is written into `fixtures`.
    """
    answer = {"name": name, "streams": {}, "whole": False}
    try:
        with tempfile.TemporaryDirectory(prefix="check-import-") as folder:
            return examine(answer, path, program, pathlib.Path(folder), fixtures)
    except host.Failed as error:
        answer["failed"] = str(error)
    except Exception as error:  # noqa: BLE001: one manifest must not end the others
        answer["failed"] = f"the check: {type(error).__name__}: {error}"[:600]
        answer["trace"] = traceback.format_exc()[-1500:]
    return answer


def examine(answer, path, program, folder, fixtures):
    whole = yaml.load(pathlib.Path(path).read_text(), Loader)
    manifest = small(whole)
    written = folder / "manifest.yaml"
    written.write_text(yaml.safe_dump(manifest, sort_keys=False, width=10**6, allow_unicode=True))
    plug = host.Plug(program, folder, re.sub(r"[^a-z0-9-]", "-", answer["name"].lower()))
    imported = plug.make(written)
    answer["whole"] = imported.get("whole", False)
    if not answer["whole"]:
        answer["failed"] = "not imported whole"
        return answer
    text = yaml.load((plug.path / "plug.yaml").read_text(), Loader)
    config = settings.config(manifest)
    settings.ofPlug(config, text, [])
    try:
        resolved = engine.resolved(manifest, config)
    except Exception as error:  # noqa: BLE001
        answer["failed"] = f"the engine refuses the manifest: {error}"[:600]
        return answer
    simulated = source.Source(resolved, config)
    server = source.Server(simulated)
    engine.lead(server.origin)
    names = {}
    for stream in resolved["streams"]:
        squashed = re.sub(r"[^a-z0-9]", "", stream["name"].lower())
        names[stream["name"]] = next((one for one in text["streams"] if re.sub(r"[^a-z0-9]", "", one) == squashed), None)
    theirs, ours, state, origins = [], [], None, set()
    failed = {"the engine": {}, "plughost": {}}
    with host.PDA(plug, "first") as pda:
        for _ in range(2):
            records, state, failures = engine.read(manifest, config, state)
            theirs.append((records, take(simulated)))
            origins |= {request.origin for request in theirs[-1][1]}
            failed["the engine"] = failures | failed["the engine"]
        for one in text.get("hosts", []):
            if "{" not in str(one) and "*" not in str(one):
                origins.add(f"https://{one}")
        values = settings.ofPlug(config, text, origins)
        answers = plug.answers(values, sorted(origins), server.origin)
        endpoints = {name: stream["endpoint"] for name, stream in text["streams"].items() if "endpoint" in stream}
        lasts = 0
        for _ in range(2):
            report, failures = pda.read(answers)
            failed["plughost"] = failures | failed["plughost"]
            lasts = max(lasts, report.get("seconds", 0))
            made = take(simulated)
            ours.append(({there: pda.records(endpoints[here]) if here in endpoints else [] for there, here in names.items()}, made))
        if fixtures:
            if manifest != whole:
                raise recording.Unusable(f"its pages are larger than {streams.SIZE} records")
            given = [record for found in theirs[0][0].values() for record in found]
            recording.write(plug, values, theirs[0][1], ours[0][1], given, fixtures)
        if "" not in failed["plughost"]:
            answer["conformance"] = conformance.check(plug, answers, endpoints, pda, lasts)
    answer["unknown"] = sorted(set(simulated.unknown))[:5]
    for who in failed:
        # What no stream is named for ends all of them.
        if "" in failed[who]:
            answer["failed"] = f"{who}: {failed[who]['']}"
    for there, here in names.items():
        found = differences(there, theirs, ours, simulated)
        found["engine failed"] = failed["the engine"].get(there)
        if here in failed["plughost"]:
            found["reasons"]["plughost fails: " + failed["plughost"][here].split("]")[0].lstrip("[")] = failed["plughost"][here]
        answer["streams"][there] = found
    answer["asked"] = sum(len(made) for _, made in theirs), sum(len(made) for _, made in ours)
    answer["records"] = sum(len(found) for found in theirs[0][0].values())
    return answer


def take(simulated):
    made, simulated.asked = simulated.asked, []
    return made


def free(name, simulated, at):
    """Places of a stream whose values may differ.

    Pages by offset overlap here. And where the second run begins is each one's own: the engine goes back to the last record,
    plughost to the end of what it has read.
    """
    places = set()
    for stream in simulated.streams:
        if stream.name == name and (stream.strategy or {}).get("type") == "OffsetIncrement":
            places.add(place(stream.token or {}))
        if stream.name == name and at:
            places |= {place(option) for option, _ in stream.bounds}
    return places


def isIncremental(name, simulated):
    """Whether a stream, or what it is read for, goes on in the second run where the first has ended."""
    found = [stream for stream in simulated.streams if stream.name == name]
    return any(stream.cursor or any(isIncremental(parent, simulated) for parent in stream.parents) for stream in found)


def place(option):
    kind = {"request_parameter": "query", "header": "header"}.get(option.get("inject_into"), "body")
    return f"{kind} {option.get('field_name') or (option.get('field_path') or [''])[0]}"


def differences(name, theirs, ours, simulated):
    """What differs in a stream, by run."""
    found = {"reasons": {}, "empty": 0, "records": len(theirs[0][0].get(name, []))}
    for at in range(2):
        def of(made):
            return [request for request in made[at][1] if request.streams and request.streams[0] == name]
        reasons, empty = compare.requests(of(theirs), of(ours), free(name, simulated, at), at == 1 and isIncremental(name, simulated))
        there = theirs[0][0].get(name, []) + (theirs[1][0].get(name, []) if at else [])
        reasons |= compare.records(there, ours[at][0].get(name, []))
        found["empty"] += empty
        for reason, example in reasons.items():
            found["reasons"].setdefault(reason if at == 0 else f"{reason} (second run)", example)
    return found
