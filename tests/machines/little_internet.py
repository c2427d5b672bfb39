"""A network that is this test's alone: a host with neighbours that all answer, and a name server.

Run as a program it is that host: in a network and a mount namespace of its own, one cable away
from another namespace in which everything else is, metadata services and private addresses too.
Who is contacted writes it down, so that nobody has to be believed.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

OWN4, OWN6 = "198.51.100.1", "2001:db8:1::1"
GATEWAY4, GATEWAY6 = "198.51.100.2", "2001:db8:1::2"
PUBLIC4, PUBLIC6 = "203.0.113.5", "2001:db8:2::5"
PRIVATE4 = "10.9.9.9"
METADATA4, METADATA6, METADATA_ELSEWHERE = "169.254.169.254", "fd00:ec2::254", "100.100.100.200"
OUTSIDE = (PUBLIC4, PUBLIC6, PRIVATE4, METADATA4, METADATA6, METADATA_ELSEWHERE)
PORTS = (22, 80, 6000, 8080)

NAMES: dict[str, Sequence[str]] = {
    "granted.example": [PUBLIC4],
    "granted-six.example": [PUBLIC6],
    "ungranted.example": [PUBLIC4],
    "inside.example": ["127.0.0.1"],
    "inside-six.example": ["::1"],
    "inside-mapped.example": ["::ffff:127.0.0.1"],
    "own.example": [OWN4],
    "lan.example": [PRIVATE4],
    "metadata.google.internal": [METADATA4],
    "many.example": [METADATA4, "127.0.0.1", PUBLIC4],
}
FLIPPING = {"flip.example": [PUBLIC4, "127.0.0.1"], "flop.example": [METADATA4, PUBLIC4]}
"""Names that have another address each time they are asked for."""

_A, _AAAA = 1, 28


class Heard:
    """What reached somebody, one JSON line each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def note(self, **facts: object) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(handle, json.dumps(facts).encode() + b"\n")
        os.close(handle)

    def all(self, kind: str) -> list[dict[str, object]]:
        if not self._path.exists():
            return []
        lines = [json.loads(line) for line in self._path.read_text().splitlines()]
        return [line for line in lines if line["kind"] == kind]


class Host:
    """The running thing, seen from a test."""

    def __init__(self, place: Path, pid: int, outside: int) -> None:
        self.heard = Heard(place / "heard.jsonl")
        self.pid = pid
        self._outside = outside

    def command(self, *words: str) -> list[str]:
        """A command line that runs on this host."""
        return ["nsenter", f"--target={self.pid}", "--net", "--mount", "--", *words]

    def fetch(self, url: str, *, outside: bool = False) -> str:
        """What a page says to somebody on this host, or outside; empty where nobody answers."""
        words = ["curl", "-gsS", "-m", "10", "--noproxy", "*", url]
        where = ["nsenter", f"--target={self._outside if outside else self.pid}", "--net", "--"]
        done = subprocess.run([*where, *words], capture_output=True, text=True, timeout=30)
        return done.stdout

    def listeners(self, port: int) -> list[str]:
        """The addresses that this host listens at with a port, as its kernel says."""
        words = self.command("cat", "/proc/net/tcp", "/proc/net/tcp6")
        told = subprocess.run(words, capture_output=True, text=True, check=True, timeout=30).stdout
        rows = [line.split() for line in told.splitlines()]
        return [row[1] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "0A"]


@contextmanager
def little_internet(place: Path) -> Iterator[Host]:
    """Have it, at a directory."""
    place.mkdir()
    words = ["unshare", "--net", "--mount", "--propagation", "private"]
    words += [sys.executable, __file__, str(place)]
    with (
        (place / "log").open("wb") as log,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            told = process.stdout.readline()
            assert told, (place / "log").read_text()
            yield Host(place, process.pid, int(told))
        finally:
            process.kill()


# What follows runs as the program.


def _serve(who: str, heard: Heard, extra: Sequence[socket.socket] = ()) -> None:
    """Answer on every port that all use, and write down who came."""
    watched = selectors.DefaultSelector()
    for port in PORTS:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            mine = socket.socket(socket.AF_INET6, kind)
            mine.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            mine.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            mine.bind(("::", port))
            watched.register(mine, selectors.EVENT_READ, _greet if kind == 1 else _echo)
            if kind == socket.SOCK_STREAM:
                mine.listen(64)
    for mine in extra:
        watched.register(mine, selectors.EVENT_READ, _answer_names)
    while True:
        for key, _ in watched.select():
            key.data(key.fileobj, who, heard)


def _greet(listener: socket.socket, who: str, heard: Heard) -> None:
    client, peer = listener.accept()
    with client:
        client.settimeout(3)
        here = client.getsockname()
        address = here[0].removeprefix("::ffff:")
        heard.note(kind="tcp", who=who, to=address, port=here[1], sender=peer[0])
        body = f"{who} {address}".encode()
        try:
            client.recv(65536)
            head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
            client.sendall(head + body)
        except OSError:
            return  # it only wanted to know whether somebody listens


def _echo(mine: socket.socket, who: str, heard: Heard) -> None:
    data, peer = mine.recvfrom(65536)
    heard.note(kind="udp", who=who, port=mine.getsockname()[1], sender=peer[0])
    mine.sendto(data, peer)


_asked: Counter[str] = Counter()


def _answer_names(mine: socket.socket, who: str, heard: Heard) -> None:
    query, peer = mine.recvfrom(4096)
    labels, at = [], 12
    while size := query[at]:
        labels.append(query[at + 1 : at + 1 + size].decode())
        at += 1 + size
    name, (kind,) = ".".join(labels).lower(), struct.unpack_from(">H", query, at + 1)
    heard.note(kind="dns", name=name)
    addresses = list(NAMES.get(name, ()))
    if name in FLIPPING and kind == _A:
        addresses = [FLIPPING[name][_asked[name] % 2]]
        _asked[name] += 1
    family = socket.AF_INET6 if kind == _AAAA else socket.AF_INET
    right = [each for each in addresses if (":" in each) is (kind == _AAAA)]
    known = name in NAMES or name in FLIPPING
    head = query[:2] + struct.pack(">HHHHH", 0x8180 | (0 if known else 3), 1, len(right), 0, 0)
    records = b"".join(_record(kind, socket.inet_pton(family, each)) for each in right)
    mine.sendto(head + query[12 : at + 5] + records, peer)


def _record(kind: int, address: bytes) -> bytes:
    # Of the name at byte 12, to be forgotten at once.
    return struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(address)) + address


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def _connect(outside: int) -> None:
    _ip("link", "set", "lo", "up")
    _ip("link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", str(outside))
    _ip("addr", "add", f"{OWN4}/24", "broadcast", "+", "dev", "cable")
    _ip("addr", "add", f"{OWN6}/64", "dev", "cable", "nodad")
    _ip("link", "set", "cable", "up")
    there = ["nsenter", f"--target={outside}", "--net", "--", "ip"]
    mine = [f"{GATEWAY4}/24", f"{GATEWAY6}/64", *OUTSIDE]
    steps = [["link", "set", "lo", "up"], ["link", "set", "cable", "up"]]
    steps += [["addr", "add", each, "dev", "cable"] for each in mine]
    for step in steps:
        more = ["nodad"] if ":" in step[2] and step[0] == "addr" else []
        subprocess.run([*there, *step, *more], check=True)
    _ip("route", "add", "default", "via", GATEWAY4)
    _ip("-6", "route", "add", "default", "via", GATEWAY6)


def _own_names(place: Path) -> None:
    """Have this host ask our name server, and nobody else."""
    for name, text in {
        "resolv.conf": "nameserver 127.0.0.1\noptions timeout:2 attempts:2\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    }.items():
        mine = place / name
        mine.write_text(text)
        subprocess.run(["mount", "--bind", mine, f"/etc/{name}"], check=True)


def _wait_for_neighbours() -> None:
    until = time.monotonic() + 20
    for address in OUTSIDE:
        while True:
            try:
                with socket.create_connection((address, PORTS[0]), 2) as asked:
                    asked.sendall(b"?")
                    # Whoever has answered has written it down before.
                    assert asked.recv(100)
                break
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.02)


def main() -> None:
    place = Path(sys.argv[1])
    # None of it outlives whoever wanted it.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    heard = Heard(place / "heard.jsonl")
    if sys.argv[2:] == ["outside"]:
        _serve("outside", heard)
    unshare = shutil.which("unshare") or "unshare"
    with subprocess.Popen([unshare, "--net", sys.executable, __file__, place, "outside"]) as child:
        until = time.monotonic() + 20
        mine = os.readlink("/proc/self/ns/net")  # noqa: PTH115
        while os.readlink(f"/proc/{child.pid}/ns/net") == mine:  # noqa: PTH115
            assert time.monotonic() < until
            time.sleep(0.01)
        _connect(child.pid)
        _own_names(place)
        names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        names.bind(("127.0.0.1", 53))
        _wait_for_neighbours()
        (place / "heard.jsonl").unlink()
        print(child.pid, flush=True)
        _serve("host", heard, [names])


if __name__ == "__main__":
    main()
