#!/usr/bin/python3
"""Tries one way out of the sandbox, whose name is the first argument, and says what came of it.

Prints "out: …" where it got out, "held: …" where it did not. What the test knows, such as the path of a secret file outside, is in the
JSON file that the second argument names.
"""
import ctypes, errno, glob, json, mmap, os, resource, signal, socket, stat, struct, sys, time

libc = ctypes.CDLL(None, use_errno=True)
arm = os.uname().machine == "aarch64"


def call(x86, on_arm, *arguments):
    number = on_arm if arm else x86
    libc.syscall.restype = ctypes.c_long
    result = libc.syscall(ctypes.c_long(number), *[a if isinstance(a, (bytes, type(None), ctypes._SimpleCData)) or hasattr(a, "_obj") else ctypes.c_long(a) for a in arguments])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def contents(paths):
    for path in paths:
        try:
            with open(path, "rb") as file:
                yield path, file.read(1 << 20)
        except OSError:
            pass


def canary_in(paths):
    mark = known["canary"].encode()
    # Its own configuration is what it was told.
    found = [path for path, bytes in contents(paths) if mark in bytes]
    return found or None


def proxy(request):
    connection = socket.create_connection(("127.0.0.1", 3128), 20)
    connection.sendall(request.encode())
    answer = b""
    while True:
        piece = connection.recv(65536)
        if not piece:
            break
        answer += piece
        if request.startswith("CONNECT") and b"\r\n\r\n" in answer:
            break
    return answer.decode("latin1")


def through(request, marks=("secret page",)):
    answer = proxy(request)
    if any(mark in answer for mark in marks) or answer.startswith("HTTP/1.1 200 Connection"):
        return answer
    raise PermissionError(answer.split("\r\n")[0])


def dial(family, address, kind=socket.SOCK_STREAM):
    connection = socket.socket(family, kind)
    connection.settimeout(5)
    connection.connect(address)
    return "connected"


# What would harm the machine is opened and not written.
def write(path):
    with open(path, "w") as file:
        file.write("x")
    return path


def fill(path):
    with open(path, "wb") as file:
        for _ in range(2048):
            file.write(b"x" * (1 << 20))
        file.flush()
    return os.path.getsize(path)


def many_files(folder):
    for number in range(64):
        with open(f"{folder}/{number}", "wb") as file:
            for _ in range(32):
                file.write(b"x" * (1 << 20))
    return "2 GiB in files"


def fork_bomb():
    sys.stdout.write("started\n")
    sys.stdout.flush()
    # Its children only sleep: if the limit fails, a bomb that doubles takes the machine before it is seen.
    while True:
        try:
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        except OSError:
            time.sleep(0.01)


def fork_forty():
    for made in range(40):
        try:
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        except OSError as error:
            return f"{made}, {error.strerror}"
    return made + 1


def fork_memory():
    for _ in range(10):
        if os.fork() == 0:
            block = bytearray(60 << 20)
            for at in range(0, len(block), 4096):
                block[at] = 1
            time.sleep(600)
    time.sleep(600)


def allocate():
    blocks = []
    for _ in range(160):
        block = bytearray(64 << 20)
        blocks.append(block)
    return "10 GiB"


def shared_memory():
    import mmap

    blocks = []
    for _ in range(160):
        block = mmap.mmap(-1, 64 << 20)
        for at in range(0, 64 << 20, 4096):
            block[at] = 1
        blocks.append(block)
    return "10 GiB"


def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (0, 1, 2):
                os.close(number)
            time.sleep(6000)
        os._exit(0)
    os.wait()
    raise PermissionError("a daemon was left behind")


def ignore_end():
    import signal

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdout.write("started\n")
    sys.stdout.flush()
    time.sleep(6000)


def flood(file, text):
    while True:
        file.write(text)


def descriptors():
    held = []
    for name in os.listdir("/proc/self/fd"):
        try:
            held.append((int(name), os.readlink(f"/proc/self/fd/{name}")))
        except OSError:
            pass
    more = [(number, target) for number, target in held if number > 2 and not target.startswith("/proc/")]
    return more or None


def others():
    found = [path for path, text in contents(glob.glob("/proc/[0-9]*/cmdline")) if known["test"].encode() in text]
    return found or None


def raise_limits():
    for limit in (resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE):
        soft, hard = resource.getrlimit(limit)
        if hard == resource.RLIM_INFINITY:
            return f"no limit {limit}"
        try:
            resource.setrlimit(limit, (hard + 1, hard + 1))
            return f"raised {limit}"
        except (ValueError, OSError):
            pass
    return None


def smuggle():
    # A second request for another host in the connection of a first one.
    body = f"GET http://{known['forbidden']}/ HTTP/1.1\r\nHost: {known['forbidden']}\r\n\r\n"
    return through(
        f"GET http://{known['allowed']}/ HTTP/1.1\r\nHost: {known['forbidden']}\r\nConnection: keep-alive\r\n"
        f"Transfer-Encoding: identity\r\n\r\n{body}"
    )


def sticky_terminal():
    import fcntl

    master, slave = os.openpty()
    fcntl.ioctl(slave, 0x5412, b"x")
    return "typed"


def user_namespace():
    libc.unshare.restype = ctypes.c_int
    if libc.unshare(0x10000000) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    return "namespace"


def cloned_namespace():
    return call(56, 220, 0x10000000 | 17, 0, 0, 0, 0)


def mount(source, target, kind, flags):
    return call(165, 40, source, target, kind, flags, None)


def abstract_socket():
    return dial(socket.AF_UNIX, "\0" + known["abstract"])


def handle():
    buffer = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + b"\0" * 128)
    number = ctypes.c_int()
    call(303, 264, -100, b"/", ctypes.byref(buffer), ctypes.byref(number), 0)
    return "handle"


def escape_by_link(path):
    os.symlink(known["file"], path)
    return open(path).read()


def hidden_memory():
    memory, block = mmap.mmap(-1, 2 << 30), b"z" * (4 << 20)
    for start in range(0, 2 << 30, len(block)):
        memory[start:start + len(block)] = block
        memory.madvise(mmap.MADV_DONTNEED, start, len(block))
        time.sleep(0.01)


def page_tables():
    # Each page of a table stands for 2 MiB of memory that is never written to.
    memory = mmap.mmap(-1, 256 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
    for start in range(0, 256 << 30, 2 << 20):
        memory[start]
    time.sleep(60)


def fill_sockets():
    ends, block = [], b"x" * 65536
    children = [pid for pid in (os.fork() for _ in range(3)) if pid]
    try:
        while True:
            for end in socket.socketpair():
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
                end.setblocking(False)
                ends.append(end)
                try:
                    while end.send(block):
                        pass
                except BlockingIOError:
                    pass
    except OSError:
        time.sleep(60)


def memory_at_end():
    print("begun", flush=True)
    asked = []
    signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
    while not asked:
        time.sleep(0.01)
    taken = []
    for _ in range(3):
        if os.fork() == 0:
            break
    while True:
        taken.append(b"x" * (1 << 20))
        if len(taken) > 150:
            time.sleep(60)


ways = {
    "finding a secret in its environment": lambda: known["canary"] in str(os.environ) or None,
    "finding a secret in other processes' environments": lambda: canary_in(glob.glob("/proc/[0-9]*/environ")),
    "finding a secret in command lines": lambda: canary_in(glob.glob("/proc/[0-9]*/cmdline")),
    "seeing the processes of this machine": others,
    "reading a file of the user": lambda: open(known["file"]).read(),
    "reading it through a link": lambda: escape_by_link("/tmp/link"),
    "reading it through the root of the first process": lambda: open("/proc/1/root" + known["file"]).read(),
    "reading it through a working directory": lambda: open("/proc/self/cwd/../../.." + known["file"]).read(),
    "linking to it": lambda: os.link(known["file"], "/tmp/hard"),
    "reading the passwords of the system": lambda: open("/etc/shadow").read(),
    "reading the homes of others": lambda: [n for n in os.listdir("/home") if n != "program"] or None,
    "reading the home of root": lambda: os.listdir("/root"),
    "writing into the system": lambda: write("/usr/bin/mine"),
    "writing into the configuration of the system": lambda: write("/etc/mine"),
    "writing at the top": lambda: write("/mine"),
    "writing into the devices": lambda: write("/dev/mine"),
    "writing into its own program": lambda: write(__file__),
    "changing the kernel's settings": lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY),
    "pressing the magic key": lambda: os.open("/proc/sysrq-trigger", os.O_WRONLY),
    "making a device": lambda: os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0)) or open("/tmp/disk", "rb").read(1),
    "reading the memory of the machine": lambda: open("/dev/mem", "rb").read(1) or open("/proc/kcore", "rb").read(1),
    "mounting": lambda: mount(b"none", b"/tmp", b"tmpfs", 0),
    "mounting the system for writing": lambda: mount(None, b"/usr", None, 32 | 4096),
    "changing the root": lambda: os.chroot("/tmp"),
    "opening files by their handles": handle,
    "inheriting descriptors": descriptors,
    "connecting to this machine": lambda: dial(socket.AF_INET, ("127.0.0.1", known["port"])),
    "connecting to this machine by IPv6": lambda: dial(socket.AF_INET6, ("::1", known["port"])),
    "connecting to the internet": lambda: dial(socket.AF_INET, ("1.1.1.1", 443)),
    "sending to a name server": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("1.1.1.1", 53)),
    "connecting to a socket of the user": lambda: dial(socket.AF_UNIX, known["socket"]),
    "connecting to a socket without a file": abstract_socket,
    "connecting to the machine below": lambda: socket.socket(40, socket.SOCK_STREAM).connect((2, 1024)),
    "reading the packets of the network": lambda: socket.socket(17, socket.SOCK_RAW, socket.htons(3)),
    "sending raw packets": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "asking the kernel for ciphers": lambda: socket.socket(38, socket.SOCK_SEQPACKET),
    "asking the proxy for another host": lambda: through("CONNECT example.org:443 HTTP/1.1\r\n\r\n"),
    "asking the proxy for another port": lambda: through(f"GET http://{known['forbidden']}/ HTTP/1.1\r\n\r\n"),
    "asking the proxy for the machine's credentials": lambda: through("CONNECT 169.254.169.254:443 HTTP/1.1\r\n\r\n"),
    "asking the proxy for an address in one number": lambda: through(f"GET http://2130706433:{known['port']}/ HTTP/1.1\r\n\r\n"),
    "asking the proxy for an address in IPv6": lambda: through(f"GET http://[::ffff:127.0.0.1]:{known['port']}/ HTTP/1.1\r\n\r\n"),
    "asking the proxy with a user before the host": lambda: through(f"GET http://{known['allowed']}@{known['forbidden']}/ HTTP/1.1\r\n\r\n"),
    "asking the proxy with another host in the header": smuggle,
    "asking the proxy for a name of this machine": lambda: through(f"GET http://localhost:{known['port']}/ HTTP/1.1\r\n\r\n"),
    "tracing another process": lambda: call(101, 117, 16, 1, 0, 0),
    "letting itself be traced": lambda: call(101, 117, 0, 0, 0, 0) == 0,
    "reading the memory of another process": lambda: call(310, 270, 1, None, 0, None, 0, 0) == 0,
    "killing a process outside": lambda: os.kill(known["pid"], 0) or "it hears",
    "typing into a terminal": sticky_terminal,
    "adding a key": lambda: call(248, 217, b"user", b"name", b"value", 5, -3),
    "reading keys": lambda: call(250, 219, 0, -3, 0),
    "loading a program into the kernel": lambda: call(321, 280, 0, None, 0),
    "handling faults of pages": lambda: call(323, 282, 0),
    "asking the kernel by a ring": lambda: call(425, 425, 1, None),
    "measuring the processor": lambda: call(298, 241, None, 0, -1, -1, 0),
    "making a user namespace": user_namespace,
    "making a namespace with a process": cloned_namespace,
    "entering a namespace": lambda: call(308, 268, os.open("/proc/1/ns/net", os.O_RDONLY), 0),
    "making a file in memory": lambda: call(319, 279, b"x", 0),
    "making memory that others share": lambda: call(29, 194, 0, 1 << 20, 0o1600),
    "becoming root": lambda: os.setuid(0),
    "restarting the machine": lambda: call(169, 142, 0xFEE1DEAD, 672274793, 0, None),
    "calling by other numbers": lambda: (not arm) and libc.syscall(0x40000000 + 39) > 0 or None,
    "raising its limits": raise_limits,
    "forking without end": fork_bomb,
    "making forty processes": fork_forty,
    "taking memory in many processes": fork_memory,
    "taking 10 GiB of memory": allocate,
    "taking 10 GiB of shared memory": shared_memory,
    "taking shared memory and hiding it": hidden_memory,
    "taking memory for tables of pages": page_tables,
    "filling sockets": fill_sockets,
    "taking memory when it is asked to end": memory_at_end,
    "filling the disk with a file": lambda: fill("/home/program/large"),
    "filling the disk with many files": lambda: many_files("/tmp"),
    "filling the shared memory": lambda: many_files("/dev/shm"),
    "flooding stdout": lambda: flood(sys.stdout, "x" * 100 + "\n"),
    "flooding stderr": lambda: flood(sys.stderr, "x" * 100 + "\n"),
    "writing a line without an end": lambda: flood(sys.stdout, "x" * 4096),
    "running for ever": lambda: time.sleep(6000),
    "leaving a daemon behind": daemon,
    "not ending when it is asked to": ignore_end,
}

if __name__ == "__main__":
    way = sys.argv[1]
    if way == "--list":
        print("\n".join(ways))
        sys.exit(0)
    known = json.load(open(sys.argv[2]))
    known["file"], known["canary"] = known["file"], known["canary"][::-1]
    try:
        result = ways[way]()
        if result is None:
            print("held: nothing was found")
        else:
            print("out:", str(result)[:200])
    except (OSError, MemoryError, ValueError) as error:
        print("held:", type(error).__name__, str(error)[:200].replace("\n", " "))
