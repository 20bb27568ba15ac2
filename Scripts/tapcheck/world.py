"""A world without a network: its own loopback, names that lead there, and a certificate that the taps trust.

Taps have their API's host written into them, and HTTPS. In namespaces of its own a process may answer for any host, and nothing
that it starts can reach the real one.
"""
import fcntl
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys

INSIDE = "PLUGHOST_TAPS_WORLD"
NAMESPACES = ["unshare", "--user", "--map-root-user", "--net", "--mount"]


class Impossible(Exception):
    """This machine cannot make such a world."""


def possible():
    """Looks whether this machine can make one."""
    if missing := [name for name in ("bwrap", "mount", "openssl", "unshare") if not shutil.which(name)]:
        raise Impossible(f"not installed: {', '.join(missing)}")
    if subprocess.run([*NAMESPACES, "true"], stderr=subprocess.DEVNULL).returncode:
        raise Impossible("user namespaces are not allowed on this machine (unshare)")


def enter():
    """Runs this script again in namespaces of its own; gives its exit code."""
    return subprocess.run([*NAMESPACES, sys.executable, *sys.argv], env={**os.environ, INSIDE: "yes"}).returncode


def make(folder, hosts):
    """Makes the world around this process: loopback is up, the hosts lead there, and `certificate` is theirs."""
    up()
    names = folder / "hosts"
    names.write_text("127.0.0.1 localhost\n" + "".join(f"127.0.0.1 {host}\n" for host in hosts))
    subprocess.run(["mount", "--bind", names, "/etc/hosts"], check=True)
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=taps of plughost", "-addext", "subjectAltName=" + ",".join(f"DNS:{host}" for host in hosts),
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    return certificate, key


def trust(environment, certificate):
    """Adds the certificate to those that a Python environment trusts."""
    for bundle in environment.glob("lib/python*/site-packages/certifi/cacert.pem"):
        own = bundle.with_suffix(".own")
        if not own.exists():
            own.write_bytes(bundle.read_bytes())
        bundle.write_bytes(own.read_bytes() + b"\n" + certificate.read_bytes())


def up():
    """Sets the loopback interface up: a new network has it, but down."""
    with socket.socket() as any_socket:
        # struct ifreq: a name, and flags; SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(any_socket, 0x8913, request))[1]
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14s", b"lo", flags | 1, b""))


def processes(text):
    """The processes whose command lines have a text in them, but for this one."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if os.fsencode(text) in words and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found
