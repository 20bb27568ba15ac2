"""What an imported plug has to do besides reading the same: its generated conformance, a second run, runs that are killed."""
import collections
import json
import random
import subprocess

from . import compare, host

PATIENCE = 120
KILLS = 4
# How long the program takes before it reads anything, in seconds.
START = 0.2


def check(plug, answers, endpoints, first, lasts):
    """What was found. `first` is the PDA into which the plug has been run twice, and `lasts` how many seconds that took."""
    report, _ = first.read(answers)
    found = {"scenarios": {}, "failures": [], "again": again(report, endpoints, first)}
    found["kills"], found["lost"] = killed(plug, answers, endpoints, first, lasts)
    try:
        # Without a recording the service is made of the plug alone.
        found["unrecorded"] = recorded(plug, answers, ["--state", first.folder / "state", "--connection", report["connection"]])
        found["scenarios"], found["failures"] = scenarios(plug)
    except subprocess.TimeoutExpired as error:
        found["failures"] = [f"'plughost {error.cmd[1]}' has not ended within {PATIENCE} s"]
    return found


def recorded(plug, answers, state):
    """Makes a fixture of the simulated source, as a plug's author does of a real one; says why, if there is none."""
    ended = plug.run("record", plug.path, "--name", "recorded", "--pages", 3, *state, *answers, patience=PATIENCE, good=range(256))
    return ended.stderr.strip()[-400:] if ended.returncode else None


def scenarios(plug):
    """Outcomes of all cases of `plughost test`, and what failed."""
    ended = plug.run("test", plug.path, "--json", good=(0, 1), patience=PATIENCE)
    cases = json.loads(ended.stdout.splitlines()[0])["cases"]
    failures = [f"{case['name']}: {case['message']}" for case in cases if case["outcome"] == "failed"]
    return collections.Counter(case["outcome"] for case in cases if case["kind"] == "conformance"), failures


def again(report, endpoints, pda):
    """The streams of which a run has posted something, although nothing is new and no record has the time in it."""
    posted = {name: counts["delivered"] + counts["queued"] for name, counts in report.get("streams", {}).items()}
    return sorted(f"{name} ({count})" for name, count in posted.items() if count and not compare.clocks(pda.records(endpoints[name])))


def killed(plug, answers, endpoints, first, lasts):
    """How many runs were killed before their end, and how the records then differ from those of runs that were not."""
    chance, kills = random.Random(plug.name), 0
    with host.PDA(plug, "killed") as pda:
        for _ in range(KILLS):
            process = subprocess.Popen(
                [plug.program, *map(str, pda.words(answers))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(chance.uniform(0, lasts + START))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
        pda.read(answers)
        for endpoint in sorted(set(endpoints.values())):
            there, here = plain(first.records(endpoint)), plain(pda.records(endpoint))
            if there != here:
                missing, more = there - here, here - there
                return kills, f"{endpoint}: {missing.total()} missing, {more.total()} too many, such as {next(iter(missing or more))[:300]}"
    return kills, None


def plain(records):
    """Records, each with how often it is there. Those with the time of reading in them are others in each run: they count once, without it."""
    without = compare.clocks(records) - {"_id"}
    left = [{name: value for name, value in record.items() if name not in without | ({"_id"} if without else set())} for record in records]
    texts = [json.dumps(record, sort_keys=True) for record in left]
    return collections.Counter(set(texts) if without else texts)
