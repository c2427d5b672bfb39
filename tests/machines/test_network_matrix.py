"""The way out of machines on every engine: all that can be tried from inside, and who heard of it.

The host is one of the test's own, beside neighbours that all answer: what is not reached was
refused, and not merely absent.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

import anyio
import guest_attempts
import pytest
from engine_matrix import BOUND, ENGINES, Engine, Place, engine_ready, only_if_full
from little_internet import (
    METADATA4,
    METADATA6,
    METADATA_ELSEWHERE,
    OWN4,
    OWN6,
    PRIVATE4,
    PUBLIC4,
    PUBLIC6,
    Host,
    little_internet,
)

from carrel.machines.state import State

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.namespace, pytest.mark.image]

PUBLISHED, SERVED = 18080, 7000
ALLOW = (
    "granted.example:8080",
    "granted-six.example:8080",
    "inside.example:8080",
    "inside-six.example:8080",
    "inside-mapped.example:8080",
    "own.example:8080",
    "lan.example:8080",
    "metadata.google.internal:80",
    "many.example:8080",
    "flip.example:8080",
    "flop.example:8080",
    f"{PRIVATE4}:22",
    # However wide, it names nothing special within.
    "0.0.0.0/0:6000",
)
NO_RULE = "no rule names it"
NO_HOST = "is not a host name or a plain address"
OWN = "this computer itself"


class Case(NamedTuple):
    """A target, and why each policy refuses it; empty where it is reached."""

    host: str
    port: int
    nat: str
    allowlist: str = NO_RULE


CASES = (
    Case("granted.example", 8080, "", ""),
    Case("granted-six.example", 8080, "", ""),
    # Of several addresses only the good one is used.
    Case("many.example", 8080, "", ""),
    Case(PRIVATE4, 22, "is a private address", ""),
    Case(PUBLIC4, 6000, "", ""),
    # Out there, and nobody's grant.
    Case(PUBLIC4, 8080, ""),
    Case(PUBLIC6, 8080, ""),
    Case(PRIVATE4, 8080, "is a private address"),
    Case("ungranted.example", 8080, ""),
    Case("granted.example", 22, ""),
    Case("granted.example", 6000, ""),
    Case("lan.example", 8080, "is a private address", f"leads to {PRIVATE4}, a private address"),
    # The host's loopback, by all its names.
    Case("127.0.0.1", 8080, "is a loopback address"),
    Case("127.0.0.1", 6000, "is a loopback address"),
    Case("127.0.0.1", 53, "is a loopback address"),
    Case("127.0.0.1", PUBLISHED, "is a loopback address"),
    Case("127.7.7.7", 8080, "is a loopback address"),
    Case("localhost", 8080, "is a loopback address"),
    Case("0.0.0.0", 8080, "is an unspecified address"),
    Case("::", 8080, "is an unspecified address"),
    Case("::1", 8080, "is a loopback address"),
    Case("::ffff:127.0.0.1", 8080, "is a loopback address"),
    Case("64:ff9b::7f00:1", 8080, "is a loopback address"),
    Case("2130706433", 8080, NO_HOST, NO_HOST),
    Case("017700000001", 8080, NO_HOST, NO_HOST),
    Case("0177.0.0.1", 8080, NO_HOST, NO_HOST),
    Case("0x7f.1", 8080, NO_HOST, NO_HOST),
    Case("127.1", 8080, NO_HOST, NO_HOST),
    Case("127.0.0.1.", 8080, NO_HOST, NO_HOST),
    Case("inside.example", 8080, "127.0.0.1 is a loopback", "its name leads to 127.0.0.1"),
    Case("inside-six.example", 8080, "::1 is a loopback", "its name leads to ::1"),
    Case("inside-mapped.example", 8080, "127.0.0.1 is a loopback", "its name leads to 127.0.0.1"),
    # The host's own addresses.
    Case(OWN4, 8080, OWN),
    Case(OWN4, 6000, OWN),
    Case(OWN6, 8080, OWN),
    Case("198.51.100.255", 8080, OWN),
    Case("own.example", 8080, OWN, OWN),
    # Link-local, metadata services, and what is no single computer.
    Case(METADATA4, 80, "is a link-local address"),
    Case(METADATA4, 6000, "is a link-local address"),
    Case("169.254.7.7", 80, "is a link-local address"),
    Case("::ffff:169.254.169.254", 80, "is a link-local address"),
    Case("fe80::1", 8080, "is a link-local address"),
    Case("fe80::1%cable", 8080, NO_HOST, NO_HOST),
    Case(METADATA6, 80, "is a metadata address"),
    Case(METADATA_ELSEWHERE, 80, "is a metadata address"),
    Case(METADATA_ELSEWHERE, 6000, "is a metadata address"),
    Case("metadata.google.internal", 80, "is a link-local", f"its name leads to {METADATA4}"),
    Case("224.0.0.1", 8080, "is a multicast address"),
    Case("255.255.255.255", 8080, "is a reserved address"),
)
QUICK = {"gvisor": "allowlist"}
"""What of an engine's part is tried every time; `namespace` is tried whole."""

WAYS = ("by_connect", "by_get", "by_socks")

# Everything but the proxy.
DIRECT = [
    ["direct", host, port]
    for host in ("127.0.0.1", "::1", OWN4, OWN6, PUBLIC4, PUBLIC6, PRIVATE4, METADATA4, METADATA6)
    for port in (80, 8080)
]
PACKETS = [
    *(["datagram", host, port] for host in (OWN4, PUBLIC4, PUBLIC6) for port in (53, 8080)),
    *(["ping", host, 0] for host in (OWN4, PUBLIC4)),
    *(["raw", PUBLIC4, number] for number in (1, 17, 255)),
    ["frames", "", 3],
    ["name", "granted.example", 0],
]
SERVICES = (
    "/run/docker.sock",
    "/var/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
)


@pytest.fixture(scope="module")
def internet() -> Iterator[Host]:
    if os.geteuid() != 0:
        pytest.skip("only root can make a network of its own")
    for program in ("ip", "nsenter", "curl"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    with ExitStack() as stack:
        place = Path(os.environ.get("TMPDIR", "/tmp")) / f"carrel-net-{os.getpid()}"
        stack.callback(shutil.rmtree, place, ignore_errors=True)
        yield stack.enter_context(little_internet(place))


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param not in ("namespace", *QUICK):
        only_if_full(request.param)
    with engine_ready(request.param) as found:
        yield found


@asynccontextmanager
async def desk(place: Place, host: Host, network: str, *options: str) -> AsyncIterator[Path]:
    """A machine whose keeper is on that host; its directory."""
    if QUICK.get(place.engine.name, network) != network:
        only_if_full(place.engine.name)
    words = place.command("up", "desk", *place.wish, "--network", network, *options)
    begun = host.command(*words)
    try:
        done = await anyio.run_process(begun, env=place.env, check=False)
        assert done.returncode == 0, done.stderr.decode()
        yield place.machines.store.get("desk").directory
    finally:
        with anyio.CancelScope(shield=True):
            if place.machines.store.all():
                await place.machines.delete("desk")


async def try_all(place: Place, wishes: list[list[object]]) -> list[str]:
    """What a program inside says came of its wishes."""
    async with place.machines.computer("desk") as computer:
        program = Path(guest_attempts.__file__).read_text()
        done = await computer.run("python3", "-c", program, stdin=json.dumps(wishes).encode())
    assert done.exit.code == 0, done.stderr.decode()
    return list(json.loads(done.stdout))


def decisions(directory: Path) -> list[dict[str, object]]:
    path = directory / "egress.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def written(host: str) -> str:
    """An address has many forms, and SOCKS carries none of them."""
    try:
        return ip_address(host).compressed
    except ValueError:
        return host


async def expect(place: Place, host: Host, directory: Path, reasons: dict[Case, str]) -> None:
    """Try every case in every way: only what has no reason against it is reached, by anybody."""
    before = len(host.heard.all("tcp"))
    wishes: list[list[object]] = [[way, case.host, case.port] for case in reasons for way in WAYS]
    told = await try_all(place, wishes)
    answers = dict(zip([tuple(wish) for wish in wishes], told, strict=True))
    reached = 0
    for case, reason in reasons.items():
        logged = [
            line
            for line in decisions(directory)
            if (written(str(line["host"])), line["port"]) == (written(case.host), case.port)
        ]
        for way in WAYS:
            answer = answers[way, case.host, case.port]
            if reason:
                assert answer.startswith("refused"), f"{way} {case}: {answer}"
            else:
                assert answer.startswith("reached outside"), f"{way} {case}: {answer}"
                reached += 1
        denied = [str(line["reason"]) for line in logged if line["verdict"] == "deny"]
        if reason:
            assert len(denied) == len(logged) >= len(WAYS), f"{case}: {logged}"
            assert all(reason in each for each in denied), f"{case}: {denied}"
        else:
            assert not denied, f"{case}: {denied}"
    heard = host.heard.all("tcp")[before:]
    assert len(heard) == reached
    assert {each["who"] for each in heard} == {"outside"}
    assert not {each["to"] for each in heard} - {PUBLIC4, PUBLIC6, PRIVATE4}


async def expect_no_other_way(place: Place, host: Host, directory: Path) -> None:
    """Nothing is reached without the proxy: no address, no packet, no service of the host."""
    before = {kind: len(host.heard.all(kind)) for kind in ("tcp", "udp", "dns")}
    x11 = Path("/tmp/.X11-unix")
    with ExitStack() as stack:
        x11.mkdir(mode=0o1777, exist_ok=True)
        display = x11 / f"X{os.getpid()}"
        for address in (str(display), f"\0{display}"):
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(address)
            server.listen()
        stack.callback(display.unlink)
        paths = [str(display), f"@{display}", *SERVICES]
        paths += [str(directory / name) for name in ("guest.sock", "keeper.sock")]
        paths += [os.environ.get("DOCKER_HOST", "unix:///none").removeprefix("unix://")]
        wishes = [*DIRECT, *PACKETS, *(["unix", path, 0] for path in paths)]
        told = await try_all(place, wishes)
    got = {str(wish): answer for wish, answer in zip(wishes, told, strict=True)}
    assert {w: a for w, a in got.items() if not a.startswith("refused")} == {}
    assert {kind: len(host.heard.all(kind)) for kind in before} == before


async def expect_no_rebinding(place: Place, host: Host, directory: Path) -> None:
    """A name that leads elsewhere each time is followed only where it may lead."""
    before = {kind: len(host.heard.all(kind)) for kind in ("tcp", "dns")}
    wishes: list[list[object]] = [
        [way, name, 8080] for name in ("flip.example", "flop.example") for way in WAYS * 3
    ]
    told = await try_all(place, wishes)
    assert {answer.split()[0] for answer in told} == {"reached", "refused"}
    reached = {answer for answer in told if answer.startswith("reached")}
    assert reached == {f"reached outside {PUBLIC4}"}
    assert len(host.heard.all("dns")) > before["dns"]
    assert {each["to"] for each in host.heard.all("tcp")[before["tcp"] :]} == {PUBLIC4}
    reasons = {
        str(line["reason"])
        for line in decisions(directory)
        if str(line["host"]).startswith(("flip", "flop")) and line["verdict"] == "deny"
    }
    assert len(reasons) == 2
    assert any("127.0.0.1" in reason for reason in reasons)
    assert any(METADATA4 in reason for reason in reasons)


async def test_an_allowlist_lets_out_what_it_names_and_nothing_else(
    engine: Engine, internet: Host, tmp_path: Path
) -> None:
    place = Place(tmp_path, engine)
    rules = [word for rule in ALLOW for word in ("--allow", rule)]
    with anyio.fail_after(BOUND):
        async with desk(place, internet, "allowlist", *rules) as directory:
            asked = len(internet.heard.all("dns"))
            await expect(place, internet, directory, {case: case.allowlist for case in CASES})
            # A question carries data out, too: what is not granted is not even asked for.
            names = {each["name"] for each in internet.heard.all("dns")[asked:]}
            assert "granted.example" in names
            assert "ungranted.example" not in names
            await expect_no_rebinding(place, internet, directory)
            await expect_no_other_way(place, internet, directory)


async def test_nat_lets_out_to_all_but_this_computer_and_what_is_special(
    engine: Engine, internet: Host, tmp_path: Path
) -> None:
    place = Place(tmp_path, engine)
    with anyio.fail_after(BOUND):
        async with desk(place, internet, "nat") as directory:
            await expect(place, internet, directory, {case: case.nat for case in CASES})
            await expect_no_rebinding(place, internet, directory)
            await expect_no_other_way(place, internet, directory)


async def test_a_network_card_is_no_way_out(internet: Host, tmp_path: Path) -> None:
    only_if_full("qemu")
    with engine_ready("qemu") as engine, anyio.fail_after(BOUND):
        place = Place(tmp_path, engine)
        async with desk(place, internet, "nat", "--mac", "auto") as directory:
            async with place.machines.computer("desk") as computer:
                cards = await computer.list_files("/sys/class/net")
            assert "eth0" in {str(card["name"]) for card in cards}
            await expect(place, internet, directory, {case: case.nat for case in CASES})
            await expect_no_other_way(place, internet, directory)


async def test_without_a_network_nobody_hears_of_the_machine_and_its_ports_come_and_go(
    engine: Engine, internet: Host, tmp_path: Path
) -> None:
    place = Place(tmp_path, engine)
    with anyio.fail_after(BOUND):
        async with desk(place, internet, "none", "-p", f"{PUBLISHED}:{SERVED}") as directory:
            before = {kind: len(internet.heard.all(kind)) for kind in ("tcp", "udp", "dns")}
            wishes: list[list[object]] = [[way, c.host, c.port] for c in CASES for way in WAYS]
            told = await try_all(place, wishes)
            assert {answer for answer in told if not answer.startswith("refused")} == set()
            assert {kind: len(internet.heard.all(kind)) for kind in before} == before
            await expect_no_other_way(place, internet, directory)
            await expect_published_on_loopback_only(place, internet)
            standing = await place.machines.stop("desk")
            assert standing.observed.state is State.STOPPED
            assert internet.listeners(PUBLISHED) == []
            assert internet.fetch(f"http://127.0.0.1:{PUBLISHED}/") == ""


async def expect_published_on_loopback_only(place: Place, host: Host) -> None:
    async with place.machines.computer("desk") as computer:
        await computer.write_file("index.html", "from inside")
        words = ("-m", "http.server", "-b", "127.0.0.1", str(SERVED))
        await computer.start_process("python3", *words)

        async def page() -> str:
            return await anyio.to_thread.run_sync(host.fetch, f"http://127.0.0.1:{PUBLISHED}/")

        while await page() != "from inside":  # noqa: ASYNC110 - a program that starts
            await anyio.sleep(0.1)
    assert host.listeners(PUBLISHED) == [f"0100007F:{PUBLISHED:04X}"]
    for address in (OWN4, f"[{OWN6}]", "[::1]"):
        assert host.fetch(f"http://{address}:{PUBLISHED}/") == ""
    for address in (OWN4, f"[{OWN6}]"):
        assert host.fetch(f"http://{address}:{PUBLISHED}/", outside=True) == ""
        # There is a way from out there: it is the port that is not.
        assert host.fetch(f"http://{address}:8080/", outside=True).startswith("host ")
