"""Runs of one tap through plughost: its plug is discovered, its runs are killed, and its records are counted."""
import json
import os
import re
import signal
import subprocess
import time
import urllib.parse
import urllib.request

import yaml

from . import world

APPLICATION = """\
info:
  headline: Records of a tap
  description: {text: Records that a tap has read from an API on this machine.}
  termsUrl: https://plugs.example.org/terms
  dataUsePurpose: They are counted.
  supportContact: ada@example.org
  graphics: {logo: {normal: https://plugs.example.org/logo.png}}
developer: {id: ada, name: Ada, url: https://plugs.example.org, country: United Kingdom}
"""
# Rounds of a tap: in each its API has more records, and each ends with a run that is not killed.
ROUNDS = 3
MOST_LIVES = 12
PATIENCE = 120


class Failed(Exception):
    """A tap is not read as it should be."""


class PDA:
    """A sandbox that knows some plugs."""

    def __init__(self, plughost, folder, plugs):
        self.plughost, self.folder = plughost, folder
        self.process = subprocess.Popen(
            [plughost, "sandbox", "--listen", "127.0.0.1:0", "--state", folder / "pda", "--json", "--plugs", *plugs],
            stdout=subprocess.PIPE, text=True,
        )
        ready = json.loads(self.process.stdout.readline() or "{}")
        if "url" not in ready:
            raise Failed("the sandbox does not start")
        self.url = ready["url"].rstrip("/")
        subprocess.run(
            [plughost, "pda", "login", "--pda", self.url, "--user", ready["owner"], "--password-file", ready["password_file"],
             "--out", folder / "owner"],
            check=True, capture_output=True,
        )

    def token(self, plug):
        file = self.folder / f"{plug}.token"
        command = [self.plughost, "sandbox", "token", plug, "--state", self.folder / "pda", "--out", file]
        subprocess.run(command, check=True, capture_output=True)
        return file

    def records(self, namespace, endpoint):
        """The identities of what has arrived."""
        found = []
        while True:
            query = urllib.parse.urlencode({"take": 1000, "skip": len(found)})
            request = urllib.request.Request(
                f"{self.url}/api/v2.6/data/{namespace}/{endpoint}?{query}",
                headers={"x-auth-token": (self.folder / "owner").read_text().strip()},
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                page = [record["data"]["_id"] for record in json.load(answer)]
            found += page
            if len(page) < 1000:
                return found

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Plug:
    """A tap's plug and what its runs need."""

    def __init__(self, plughost, folder, tap, environment, server):
        self.plughost, self.folder, self.tap, self.environment, self.server = plughost, folder, tap, environment, server
        self.path = folder / "plugs" / tap.package
        self.config = []
        self.endpoints = {}

    def command(self, *words):
        return [self.plughost, *words, "--state", self.folder / "state" / self.tap.package, "--allow-network", "127.0.0.0/8"]

    def discover(self):
        """Lets plughost write the plug, and keeps the streams that are looked at."""
        given = self.folder / f"{self.tap.package}.json"
        given.write_text(json.dumps(self.tap.config))
        ended = subprocess.run(
            [*self.command("singer", "discover"), self.environment / "bin" / self.tap.program, "--tap-config", given,
             "--host", self.tap.host, "--name", self.tap.package, "--into", self.path.parent],
            capture_output=True, text=True, timeout=PATIENCE,
        )
        if ended.returncode:
            raise Failed(f"singer discover ended with {ended.returncode}: {ended.stderr.strip()[-600:]}")
        manifest = yaml.safe_load((self.path / "plug.yaml").read_text())
        streams = manifest["streams"]
        own = {name: stream.get("tap_stream", name) for name, stream in streams.items()}
        manifest["streams"] = {name: stream for name, stream in streams.items() if own[name] in self.tap.streams}
        if missing := set(self.tap.streams) - set(own.values()):
            raise Failed(f"singer discover has not found {', '.join(sorted(missing))}, but {', '.join(sorted(own.values()))}")
        for name, stream in manifest["streams"].items():
            self.endpoints[own[name]] = stream["endpoint"]
            # Where a catalogue names no key, a person has to.
            stream.setdefault("key", self.tap.keys.get(own[name], [".id"]))
        manifest["application"] = yaml.safe_load(APPLICATION)
        manifest["application"]["info"]["name"] = self.tap.package
        manifest["released"] = "2026-01-01"
        (self.path / "plug.yaml").write_text(yaml.safe_dump(manifest, sort_keys=False))
        answers = dict(asked(self.tap.config))
        for name in manifest.get("config", {}):
            secret = self.folder / f"{self.tap.package}.{name}"
            value = answers[name]
            secret.write_text(value if isinstance(value, str) else json.dumps(value))
            self.config += ["--config", f"{name}=@{secret}"]
        return len(own)

    def start(self, pda, token):
        return subprocess.Popen(
            [*self.command("run", self.path), "--connection", "ada", "--pda", pda.url, "--token-file", token, "--json",
             "--wait", "1m", *self.config],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    def wanted(self, endpoint, count):
        stream = next(stream for stream, path in self.endpoints.items() if path == endpoint)
        keys = (self.tap.streams[stream](number) for number in range(1, count + 1))
        return {f"{self.tap.package}/{endpoint}/{key}" for key in keys if key is not None}

    def compare(self, pda, count, isWhole):
        """Nothing is there twice, and at the end of a round everything is there."""
        for endpoint in self.endpoints.values():
            stored = [identity.split("@")[0] for identity in pda.records(self.tap.package, endpoint)]
            wanted = self.wanted(endpoint, count)
            # A thing that changes is a record of its own each time: what is looked at here does not change, but for one.
            if len(set(stored)) != len(stored) and len(wanted) > 1:
                raise Failed(f"{endpoint}: {len(stored) - len(set(stored))} records are stored twice")
            if strange := set(stored) - wanted:
                raise Failed(f"{endpoint}: {len(strange)} records that nobody gave, such as {min(strange)}")
            if isWhole and (lost := wanted - set(stored)):
                raise Failed(f"{endpoint}: {len(lost)} records are missing, such as {min(lost)}")

    def run(self, pda, kills, chance):
        """Kills runs at random moments, until all has come all the same. Gives the number of runs, kills and records."""
        token = pda.token(self.tap.package)
        lives = killed = count = 0
        longest = 3.0
        for turn in range(ROUNDS):
            count += chance.randint(20, 60)
            self.server.count = count
            for life in range(MOST_LIVES):
                begun, answered = time.monotonic(), self.server.answered
                process = self.start(pda, token)
                lives += 1
                wanted = -(-kills * (turn + 1) // ROUNDS)
                if killed < wanted and life < MOST_LIVES - 1:
                    self.wait(process, begun + chance.uniform(0, longest), answered + chance.randint(0, count // 8 + 3), chance)
                    if process.poll() is None:
                        process.send_signal(signal.SIGKILL)
                        killed += 1
                output, errors = process.communicate(timeout=PATIENCE)
                self.lookForRest()
                self.compare(pda, count, isWhole=process.returncode == 0)
                if process.returncode == 0:
                    longest = time.monotonic() - begun
                    if killed >= wanted:
                        break
                elif process.returncode != -signal.SIGKILL:
                    raise Failed(f"a run ended with {process.returncode}: {errors.strip()[-800:]}")
            else:
                raise Failed(f"it does not come to an end within {MOST_LIVES} runs: {errors.strip()[-400:]}")
        report = json.loads(output)
        return lives, killed, sum(len(self.wanted(endpoint, count)) for endpoint in self.endpoints.values()), report

    def wait(self, process, until, answered, chance):
        """Waits for a moment: some time, or some answers of the API and a little longer."""
        byAnswers = chance.random() < 0.6
        while process.poll() is None:
            if byAnswers and self.server.answered >= answered:
                time.sleep(chance.uniform(0, 0.3))
                return
            if not byAnswers and time.monotonic() >= until:
                return
            time.sleep(0.003)

    def lookForRest(self):
        """The keeper ends the tap when plughost has gone."""
        deadline = time.monotonic() + 10
        while rest := world.processes(str(self.environment)):
            if time.monotonic() > deadline:
                raise Failed(f"{len(rest)} processes of the tap are left behind")
            time.sleep(0.01)


def asked(value, path=()):
    """The questions that `singer discover` makes of a configuration, and their answers: one for each value in it."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from asked(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value, 1):
            yield from asked(inner, (*path, str(number)))
    elif value is not None:
        yield re.sub("[^A-Za-z0-9]", "_", "_".join(path)), value


def environment(folder, tap):
    """Where a tap is installed."""
    return folder / "environments" / tap.package


def install(folder, tap, python):
    """Installs a tap; gives why it cannot be, or nothing."""
    place = environment(folder, tap)
    done = place / f"installed-{tap.version}"
    if done.exists():
        return None
    for command in (
        [python, "-m", "venv", "--clear", place],
        [place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", f"{tap.package}=={tap.version}"],
    ):
        ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PIP_NO_INPUT": "1"})
        if ended.returncode:
            return (ended.stderr.strip().splitlines() or ["no reason was given"])[-1]
    done.touch()
    return None
