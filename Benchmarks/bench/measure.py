"""What the benchmarks share: starting the servers, running programs and counting what they cost, running plughost."""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import typing

SERVERS = pathlib.Path(__file__).with_name("servers.py")

MANIFEST = """\
plug: bench
api: 1
version: 1.0.0
hosts: ["127.0.0.1:{port}"]
http: {{base: "http://127.0.0.1:{port}"}}
streams:
  purchases:
    endpoint: purchases
    request: {{path: /purchases, query: {{total: {total}, first: "{first}"}}}}
    records: .items
    page: {{next: .next}}
    key: [.id]
    version: none
    map: >-
      {program}
"""


@contextlib.contextmanager
def servers(*kinds):
    """Runs servers and gives their ports."""
    running = []
    try:
        for kind in kinds:
            running.append(subprocess.Popen([sys.executable, SERVERS, kind], stdout=subprocess.PIPE, text=True))
        yield [int(process.stdout.readline()) for process in running]
    finally:
        for process in running:
            process.terminate()
            process.wait()


def token(port):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    now = int(time.time())
    claims = {"iss": f"127.0.0.1:{port}", "iat": now, "exp": now + 30 * 86400, "application": "bench"}
    return f'{part({"alg": "RS256", "typ": "JWT"})}.{part(claims)}.{"A" * 342}'


class Cost(typing.NamedTuple):
    """What programs cost."""

    status: int         # the worst one
    cpu: float          # seconds of all, user and system, with the children they waited for
    peak: float         # the sum of their peaks of memory in bytes, with the pages of their code
    own: float          # the most memory that is theirs alone (RssAnon) at a time, in bytes, looked at 200 times a second
    seconds: float      # until the last one ended


def median(costs):
    """The median of each figure."""
    return Cost(*(statistics.median(values) for values in zip(*costs)))


def measured(commands, output, **options):
    """Runs programs, each reading what the one before it writes; the last one's output goes to a file. Gives their `Cost`.

    A process of its own starts them: the system counts the starting process' size as a child's, and this one may hold
    all records.
    """
    asked = {"commands": [[str(word) for word in command] for command in commands], "output": str(output),
             "options": {name: str(value) for name, value in options.items()}}
    ended = subprocess.run([sys.executable, "-S", "-E", __file__], input=json.dumps(asked), capture_output=True, text=True)
    if ended.returncode:
        sys.exit(f"bench: nothing was measured:\n{ended.stderr}")
    return Cost(*json.loads(ended.stdout))


def own_memory(process):
    """How much memory is a process' alone, in bytes; 0 where it has ended."""
    try:
        with open(f"/proc/{process.pid}/status") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon:")), 0)
    except OSError:
        return 0


def watch(running, over, most):
    """Keeps the most memory that processes have for themselves together."""
    while not over.wait(0.005):
        most[0] = max(most[0], sum(own_memory(process) for process in running))


def measure(commands, output, options):
    """What `measured` gives, in this process."""
    begun = time.perf_counter()
    running, previous = [], subprocess.DEVNULL
    with open(output, "wb") as file:
        for number, command in enumerate(commands):
            last = number == len(commands) - 1
            errors = subprocess.STDOUT if last else file
            process = subprocess.Popen(
                command, stdin=previous, stdout=file if last else subprocess.PIPE, stderr=errors, **options)
            if previous is not subprocess.DEVNULL:
                previous.close()    # or the writer would not notice that its reader is gone
            previous = process.stdout
            running.append(process)
        status, cpu, peak, most, over = 0, 0.0, 0, [0], threading.Event()
        watcher = threading.Thread(target=watch, args=(running, over, most))
        watcher.start()
        for process in running:
            _, ended, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(ended)
            status = status or process.returncode
            cpu += usage.ru_utime + usage.ru_stime
            peak += usage.ru_maxrss * 1024
        seconds = time.perf_counter() - begun
        over.set()
        watcher.join()
    return status, cpu, peak, most[0], seconds


def plughost_command(plughost, folder, state, source, pda, total, program, first=1 << 64):
    """Writes a plug and a token; gives the command that runs them."""
    (folder / "plug.yaml").write_text(MANIFEST.format(port=source, total=total, program=program, first=first))
    (folder / "token").write_text(token(pda))
    (folder / "token").chmod(0o600)
    return [plughost, "run", folder, "--pda", f"http://127.0.0.1:{pda}", "--token-file", folder / "token",
            "--allow-network", "127.0.0.0/8", "--state", state, "--json"]


def asked(port, path):
    """What the PDA answers; afterwards it begins to count anew."""
    asking = http.client.HTTPConnection("127.0.0.1", port)
    asking.request("GET", path)
    answer = json.loads(asking.getresponse().read())
    asking.close()
    return answer


if __name__ == "__main__":
    print(json.dumps(measure(**json.load(sys.stdin))))
