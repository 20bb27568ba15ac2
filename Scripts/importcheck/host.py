"""Reads with plughost: the manifest is imported, and the plug runs into a PDA on this machine."""
import json
import re
import subprocess
import urllib.parse
import urllib.request

PATIENCE = 60


class Failed(Exception):
    """plughost has ended with an error."""


class Plug:
    """An imported manifest."""

    def __init__(self, program, folder, name):
        self.program, self.folder, self.name = program, folder, name
        self.path = folder / "plug"

    def run(self, *words, good=(0,), patience=PATIENCE):
        ended = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, timeout=patience)
        if ended.returncode not in good:
            raise Failed(f"'plughost {words[0]}' ended with {ended.returncode}: {(ended.stdout + ended.stderr).strip()[-600:]}")
        return ended

    def make(self, manifest):
        """Imports; gives the answer of the import."""
        ended = self.run("import", "airbyte", manifest, "--id", self.name, "-o", self.path, "--json", good=(0, 1, 65))
        answer = json.loads(ended.stdout.splitlines()[0])
        if answer.get("whole"):
            # An owner is shown nothing here, but a PDA wants to know when the plug was released.
            manifest = self.path / "plug.yaml"
            manifest.write_text(manifest.read_text().replace("\nversion: ", "\nreleased: 2026-01-01\nversion: ", 1))
        return answer

    def answers(self, config, origins, place):
        """The options that say what a person has answered, and that requests to these origins go to a place on this machine."""
        written = self.folder / "config.json"
        written.write_text(json.dumps(config))
        return ["--config-file", written, *(word for origin in origins for word in ("--source", f"{origin}={place}"))]


class PDA:
    """A PDA that knows the plug, and the state of a host that runs it into it."""

    def __init__(self, plug, name):
        self.plug, self.folder = plug, plug.folder / name
        self.folder.mkdir()
        self.process = subprocess.Popen(
            [plug.program, "sandbox", "--listen", "127.0.0.1:0", "--state", self.folder / "pda", "--json", "--plugs", plug.path],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = json.loads(self.process.stdout.readline() or "{}")
        if "url" not in ready:
            raise Failed("the sandbox does not start")
        self.url = ready["url"].rstrip("/")
        plug.run("pda", "login", "--pda", self.url, "--user", ready["owner"], "--password-file", ready["password_file"],
                 "--out", self.folder / "owner")
        plug.run("sandbox", "token", plug.path, "--state", self.folder / "pda", "--out", self.folder / "token")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def words(self, answers):
        """The words of a run into it."""
        return ["run", self.plug.path, "--pda", self.url, "--token-file", self.folder / "token", "--state", self.folder / "state",
                "--json", *answers]

    def read(self, answers):
        """One run; gives what it says, and what went wrong by stream where it says which."""
        try:
            ended = self.plug.run(*self.words(answers), good=range(256))
        except subprocess.TimeoutExpired:
            return {}, {"": f"it has not ended within {PATIENCE} s"}
        found = {}
        for code, message in re.findall(r"^error: (?:\[([^\]]*)\] )?(.*)$", ended.stderr, re.M):
            stream = re.match(r"stream '([^']*)'", message)
            found.setdefault(stream.group(1) if stream else "", f"[{code}] {message}"[:500])
        if ended.returncode and not found:
            found[""] = f"exit code {ended.returncode}: {(ended.stdout + ended.stderr).strip()[-500:]}"
        return json.loads(ended.stdout.splitlines()[0]) if ended.stdout.strip() else {}, found

    def records(self, endpoint):
        """What has arrived at an endpoint."""
        found, taken = [], 1000
        while taken == 1000:
            query = urllib.parse.urlencode({"take": 1000, "skip": len(found)})
            request = urllib.request.Request(
                f"{self.url}/api/v2.6/data/{self.plug.name}/{endpoint}?{query}",
                headers={"x-auth-token": (self.folder / "owner").read_text().strip()})
            with urllib.request.urlopen(request, timeout=60) as answer:
                page = [record["data"] for record in json.load(answer)]
            found += page
            taken = len(page)
        return found
