from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.errors import CarrelError, InvalidInput, Refused, RunError, TimedOut
from carrel.guest.egress import Egress
from carrel.machines import decisions, egress
from carrel.machines.addresses import is_own, normal_host, special_kind
from carrel.machines.egress import EgressPolicy, Mode, Rule
from carrel.stream import Connection, Stream, memory_pair


class Names:
    """A name server under the test's control that counts the questions."""

    def __init__(self, **answers: Sequence[str]) -> None:
        self.answers = {name.replace("_", "."): list(found) for name, found in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        found = self.answers.get(host)
        if found is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return found


def policy(
    mode: Mode, *rules: str, log: Path | None = None, names: Names | None = None
) -> EgressPolicy:
    return EgressPolicy(mode, map(Rule.parse, rules), log, resolve=names or Names())


@asynccontextmanager
async def attached(subject: EgressPolicy) -> AsyncIterator[Connection]:
    ours, theirs = memory_pair()
    with anyio.fail_after(20):
        async with (
            Connection(ours, initiator=True, handler=subject.handle),
            Connection(theirs, initiator=False) as inside,
        ):
            yield inside


async def go(inside: Connection, host: object, port: object) -> Stream:
    stream = await inside.open({"op": "egress", "id": "r", "args": {"host": host, "port": port}})
    await stream.receive_message()
    return stream


@asynccontextmanager
async def echo() -> AsyncIterator[int]:
    async def serve(client: SocketStream) -> None:
        async with client:
            try:
                while True:
                    await client.send(await client.receive())
            except anyio.EndOfStream:
                await client.send(b"!")

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(listener.serve, serve)
        yield listener.extra(SocketAttribute.local_port)
        tasks.cancel_scope.cancel()


async def talk(stream: Stream, data: bytes) -> bytes:
    async with stream:
        await stream.send(data, end=True)
        heard = b""
        while (item := await stream.receive()) is not None:
            assert isinstance(item.data, bytes)
            heard += item.data
        return heard


def lines(log: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


async def verdict(subject: EgressPolicy, host: str, port: int) -> str:
    """`allow`, or why not; nothing is connected to."""
    try:
        await subject._decide(decisions.Decision("out_1", host, port))
    except Refused as error:
        return str(error.context["reason"])
    return "allow"


# Rules


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("example.com:443", "example.com", 443),
        ("Example.COM.:443", "example.com", 443),
        ("example.com", "example.com", None),
        ("*.example.com:443", "*.example.com", 443),
        ("[::1]:8080", "::1", 8080),
        ("[2001:DB8:0::1]", "2001:db8::1", None),
        ("2001:db8::1", "2001:db8::1", None),
        ("10.0.0.0/8:22", "10.0.0.0/8", 22),
        ("[2001:db8::/32]:443", "2001:db8::/32", 443),
        ("10.1.2.3:22", "10.1.2.3", 22),
        ("[::ffff:10.1.2.3]:22", "10.1.2.3", 22),
        ("bücher.example:443", "xn--bcher-kva.example", 443),
        ("localhost:3000", "localhost", 3000),
    ],
)
def test_a_rule_is_read(text: str, host: str, port: int | None) -> None:
    rule = Rule.parse(text)
    assert (rule.host, rule.port) == (host, port)
    assert Rule.parse(str(rule)) == rule


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":443",
        "*",
        "*:443",
        "*.com:443",
        "*.*.example.com",
        "a*.example.com",
        "*.10.0.0.1",
        "example.com:",
        "example.com:0",
        "example.com:65536",
        "example.com:+1",
        "example.com:٤٤٣",
        "example.com:443:443",
        "http://example.com",
        "example.com/path",
        "exa mple.com",
        "-a.example",
        "a..b",
        "10.0.0.1/8:22",
        "10.0.0.0/33",
        "0x7f.1:80",
        "2130706433:80",
        "127.1:80",
        "127.0.0.01",
        "[::1",
        "[::1]8080",
        "[127.0.0.1]:80",
        "fe80::1%eth0",
        "faß.example",
        "a" * 64 + ".example",
        "\n",
        "a\0b",
    ],
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        Rule.parse(text)


@given(st.one_of(st.text(max_size=60), st.from_regex(r"[a-z0-9.:/\[\]*-]{0,40}", fullmatch=True)))
@example("*.")
@example("[]:1")
@example("1.2.3.4/")
def test_any_text_is_a_rule_that_survives_a_round_trip_or_is_refused(text: str) -> None:
    try:
        rule = Rule.parse(text)
    except InvalidInput:
        return
    assert Rule.parse(str(rule)) == rule


@given(st.ip_addresses())
def test_an_address_names_itself_and_nothing_else(address: object) -> None:
    rule = Rule.parse(f"[{address}]:5" if ":" in str(address) else f"{address}:5")
    plain = ip_address(rule.host)
    assert rule.covers(plain)
    assert not rule.covers(type(plain)(int(plain) ^ 1))


@pytest.mark.parametrize(
    "host",
    [
        "0x7f.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "127.1",
        "127.0.0.1.",
        "127.0.0.01",
        "1.2.3",
        "１２７.0.0.1",
        "127。0。0。1",
        "[::1]",
        "::1%lo",
        "fe80::1%1",
        "a b",
        "a\nb",
        "",
        ".",
        "a.0x1",
        "example.com..",
        "x" * 600,
    ],
)
def test_odd_forms_of_addresses_and_names_are_refused(host: str) -> None:
    with pytest.raises(InvalidInput):
        normal_host(host)


@given(st.text(max_size=80))
def test_a_normal_host_stays_as_it_is(text: str) -> None:
    try:
        host = normal_host(text)
    except InvalidInput:
        return
    assert normal_host(host) == host
    assert host.isascii()
    assert host == host.lower()


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("127.0.0.1", "loopback"),
        ("::1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::127.0.0.1", "loopback"),
        ("64:ff9b::7f00:1", "loopback"),
        ("2002:7f00:1::", "loopback"),
        ("169.254.169.254", "link-local"),
        ("::ffff:169.254.169.254", "link-local"),
        ("fe80::1", "link-local"),
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "unspecified"),
        ("::", "unspecified"),
        ("224.0.0.1", "multicast"),
        ("ff02::1", "multicast"),
        ("255.255.255.255", "reserved"),
        ("fd00:ec2::254", "metadata"),
        ("100.100.100.200", "metadata"),
        ("10.0.0.1", None),
        ("9.9.9.9", None),
        ("2620:fe::fe", None),
    ],
)
def test_special_addresses_are_known_however_they_hide(address: str, kind: str | None) -> None:
    assert special_kind(ip_address(address)) == kind


def test_this_computers_own_addresses_are_known() -> None:
    assert is_own(ip_address("127.0.0.1"))
    assert not is_own(ip_address("192.0.2.77"))
    found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    for entry in found:
        assert is_own(ip_address(entry[4][0]))


OTHERS = """
from ipaddress import ip_address
from carrel.machines.addresses import is_own
for text in ("198.51.100.1", "198.51.100.2", "2001:db8::2", "203.0.113.7", "8.8.8.8"):
    print(is_own(ip_address(text)))
"""


@pytest.mark.namespace
@pytest.mark.skipif(shutil.which("ip") is None, reason="needs iproute2")
def test_every_address_of_this_computer_is_its_own_also_second_ones_and_ranges() -> None:
    steps = (
        "ip link set lo up",
        "ip addr add 198.51.100.1/24 dev lo",
        "ip addr add 198.51.100.2/24 dev lo",
        "ip addr add 198.51.100.3/24 dev lo",
        "ip addr add 2001:db8::1/64 dev lo",
        "ip addr add 2001:db8::2/64 dev lo",
        "ip route add local 203.0.113.0/24 dev lo",
    )
    program = f"{shlex.quote(sys.executable)} -c {shlex.quote(OTHERS)}"
    done = subprocess.run(
        [
            "unshare",
            "--user",
            "--map-root-user",
            "--net",
            "sh",
            "-ec",
            "\n".join((*steps, program)),
        ],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.split() == ["True", "True", "True", "True", "False"]


# Decisions


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("host", "port", "expected"),
    [
        ("example.com", 443, "allow"),
        ("EXAMPLE.com.", 443, "allow"),
        ("example.com", 80, "allow"),
        ("example.com", 22, "no rule names it"),
        ("www.example.com", 443, "no rule names it"),
        ("notexample.com", 443, "no rule names it"),
        ("a.wild.example", 8443, "allow"),
        ("a.b.wild.example", 8443, "allow"),
        ("wild.example", 8443, "no rule names it"),
        ("a.wild.example", 443, "no rule names it"),
        ("evilwild.example", 8443, "no rule names it"),
        ("10.1.2.3", 22, "allow"),
        ("::ffff:10.1.2.3", 22, "allow"),
        ("11.1.2.3", 22, "no rule names it"),
        ("10.1.2.3", 23, "no rule names it"),
        ("93.184.216.34", 443, "no rule names it"),
        ("localhost", 3000, "allow"),
        ("127.0.0.1", 3000, "no rule names it"),
        ("unknown.example", 443, "no rule names it"),
    ],
)
async def test_an_allowlist_takes_what_it_names_and_nothing_else(
    host: str, port: int, expected: str
) -> None:
    names = Names(
        example_com=["93.184.216.34"],
        a_wild_example=["93.184.216.35"],
        a_b_wild_example=["93.184.216.35"],
        localhost=["127.0.0.1"],
    )
    rules = ("example.com", "*.wild.example:8443", "10.0.0.0/8:22", "localhost:3000")
    assert await verdict(policy("allowlist", *rules, names=names), host, port) == expected


@pytest.mark.anyio
@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "10.0.0.5",
        "192.168.1.1",
        "172.20.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "fe80::1",
        "fd12::1",
        "0.0.0.0",
        "224.0.0.1",
        "64:ff9b::a00:5",
    ],
)
async def test_a_named_host_never_leads_inside(address: str) -> None:
    subject = policy("allowlist", "example.com:443", names=Names(example_com=[address]))
    assert "its name leads to" in await verdict(subject, "example.com", 443)


@pytest.mark.anyio
async def test_a_name_leads_inside_where_a_rule_names_that_address() -> None:
    names = Names(db_corp=["10.0.0.5"])
    assert await verdict(policy("allowlist", "db.corp:22", names=names), "db.corp", 22) != "allow"
    both = policy("allowlist", "db.corp:22", "10.0.0.5:22", names=names)
    assert await verdict(both, "db.corp", 22) == "allow"
    other_port = policy("allowlist", "db.corp:22", "10.0.0.5:23", names=names)
    assert await verdict(other_port, "db.corp", 22) != "allow"


@pytest.mark.anyio
async def test_localhost_that_is_elsewhere_is_refused() -> None:
    subject = policy("allowlist", "localhost:80", names=Names(localhost=["93.184.216.34"]))
    assert "localhost is 93.184.216.34" in await verdict(subject, "localhost", 80)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("rule", "address", "expected"),
    [
        ("0.0.0.0/0:80", "93.184.216.34", "allow"),
        ("0.0.0.0/0:80", "127.0.0.1", "no rule names it"),
        ("0.0.0.0/0:80", "169.254.169.254", "no rule names it"),
        ("0.0.0.0/0:80", "10.0.0.1", "no rule names it"),
        ("::/0:80", "::1", "no rule names it"),
        ("100.64.0.0/10:80", "100.100.100.200", "no rule names it"),
        ("64:ff9b::/96:80", "64:ff9b::7f00:1", "no rule names it"),
        ("127.0.0.0/8:80", "127.0.0.5", "allow"),
        ("169.254.169.254:80", "169.254.169.254", "allow"),
    ],
)
async def test_a_wide_network_does_not_name_what_is_special_inside_it(
    rule: str, address: str, expected: str
) -> None:
    parsed = Rule(*((rule.rpartition(":")[0]), 80))
    assert await verdict(EgressPolicy("allowlist", [parsed]), address, 80) == expected


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("public.example", "allow"),
        ("93.184.216.34", "allow"),
        ("10.9.9.9", "10.9.9.9 is a private address"),
        ("lan.example", "10.9.9.9 is a private address"),
        ("10.7.7.7", "allow"),
        ("printer.example", "its name leads to 10.7.7.8, a private address"),
        ("2620:fe::fe", "allow"),
        ("127.0.0.1", "127.0.0.1 is a loopback address"),
        ("::ffff:127.0.0.1", "127.0.0.1 is a loopback address"),
        ("localhost", "127.0.0.1 is a loopback address"),
        ("169.254.169.254", "169.254.169.254 is a link-local address"),
        ("0.0.0.0", "0.0.0.0 is an unspecified address"),
        ("mixed.example", "allow"),
        ("2130706433", "'2130706433' is not a host name or a plain address"),
    ],
)
async def test_nat_takes_everything_that_is_public_and_the_addresses_of_rules(
    host: str, expected: str
) -> None:
    names = Names(
        public_example=["93.184.216.34"],
        localhost=["127.0.0.1", "::1"],
        mixed_example=["127.0.0.1", "93.184.216.34"],
        lan_example=["10.9.9.9"],
        printer_example=["10.7.7.8"],
    )
    subject = policy("nat", "10.7.7.7:80", "printer.example:80", names=names)
    assert await verdict(subject, host, 80) == expected


@pytest.mark.anyio
async def test_nat_refuses_this_computers_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "is_own", lambda address: str(address) == "203.0.113.9")
    assert "this computer" in await verdict(policy("nat"), "203.0.113.9", 22)
    named = policy("allowlist", "me.example:22", names=Names(me_example=["203.0.113.9"]))
    assert "this computer" in await verdict(named, "me.example", 22)
    wide = EgressPolicy("allowlist", [Rule("203.0.113.0/24", 22)])
    assert await verdict(wide, "203.0.113.9", 22) == "no rule names it"
    exact = EgressPolicy("allowlist", [Rule("203.0.113.9", 22)])
    assert await verdict(exact, "203.0.113.9", 22) == "allow"


@pytest.mark.anyio
async def test_only_the_good_addresses_of_a_mixed_name_are_used() -> None:
    subject = policy("nat", names=Names(mixed_example=["127.0.0.1", "::1", "93.184.216.34"]))
    found = await subject._decide(decisions.Decision("out_1", "mixed.example", 80))
    assert [str(address) for address in found] == ["93.184.216.34"]


@pytest.mark.anyio
async def test_without_network_nothing_is_allowed_or_looked_up() -> None:
    names = Names(example_com=["93.184.216.34"])
    assert "no network" in await verdict(policy("none", names=names), "example.com", 443)
    refused = await verdict(policy("allowlist", "a.example", names=names), "example.com", 443)
    assert refused == "no rule names it"
    assert names.asked == []


# Carrying


@pytest.mark.anyio
async def test_an_allowed_connection_carries_bytes_and_is_logged_before_and_after(
    tmp_path: Path,
) -> None:
    log = tmp_path / "egress.jsonl"
    async with echo() as port:
        names = Names(localhost=["127.0.0.1"])
        subject = policy("allowlist", f"localhost:{port}", log=log, names=names)
        async with attached(subject) as inside:
            stream = await go(inside, "LocalHost.", port)
            assert [line["verdict"] for line in lines(log)] == ["allow"]
            assert await talk(stream, b"hello" * 10_000) == b"hello" * 10_000 + b"!"
            while len(lines(log)) < 2:  # noqa: ASYNC110
                await anyio.sleep(0.01)
    first, last = lines(log)
    assert (first["host"], first["port"], first["address"]) == ("LocalHost.", port, "127.0.0.1")
    assert (last["verdict"], last["reason"]) == ("closed", "")
    assert (last["bytes_in"], last["bytes_out"]) == (50_001, 50_000)
    assert last["id"] == first["id"]
    assert set(first) == {
        *("id", "at", "host", "port", "verdict", "reason", "address", "bytes_in", "bytes_out")
    }


@pytest.mark.anyio
async def test_a_refusal_reaches_the_machine_and_the_log(tmp_path: Path) -> None:
    log = tmp_path / "egress.jsonl"
    async with attached(policy("allowlist", "a.example", log=log)) as inside:
        with pytest.raises(Refused, match="no rule names it"):
            await go(inside, "b.example", 443)
    (line,) = lines(log)
    assert (line["verdict"], line["host"], line["reason"]) == (
        "deny",
        "b.example",
        "no rule names it",
    )


@pytest.mark.anyio
async def test_a_name_that_changes_after_the_check_is_not_asked_again() -> None:
    class Rebinding(Names):
        async def __call__(self, host: str, port: int) -> Sequence[str]:
            self.asked.append(host)
            return ["127.0.0.1"] if len(self.asked) == 1 else ["127.0.0.2"]

    names = Rebinding()
    async with (
        echo() as port,
        attached(policy("allowlist", f"localhost:{port}", names=names)) as inside,
    ):
        assert await talk(await go(inside, "localhost", port), b"x") == b"x!"
    assert names.asked == ["localhost"]


@pytest.mark.anyio
async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    async with echo() as port:
        names = Names(localhost=["127.0.0.9", "127.0.0.1"])
        async with attached(policy("allowlist", f"localhost:{port}", names=names)) as inside:
            assert await talk(await go(inside, "localhost", port), b"x") == b"x!"


@pytest.mark.anyio
async def test_a_failure_outside_is_an_error_and_logged(tmp_path: Path) -> None:
    log = tmp_path / "egress.jsonl"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    rules = (f"127.0.0.1:{port}", "gone.example")
    async with attached(policy("allowlist", *rules, log=log)) as inside:
        with pytest.raises(RunError, match="nothing listens"):
            await go(inside, "127.0.0.1", port)
        with pytest.raises(RunError, match="no address"):
            await go(inside, "gone.example", 443)
    assert [line["verdict"] for line in lines(log)] == ["allow", "fail", "fail"]


@pytest.mark.anyio
async def test_slow_names_and_connections_end_in_bounded_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def forever(*_: object) -> Sequence[str]:
        await anyio.sleep_forever()
        raise AssertionError

    monkeypatch.setattr(egress, "RESOLVE_TIMEOUT", 0.05)
    monkeypatch.setattr(egress, "CONNECT_TIMEOUT", 0.05)
    subject = EgressPolicy("allowlist", [Rule("slow.example"), Rule("10.1.1.1")], resolve=forever)
    async with attached(subject) as inside:
        with pytest.raises(TimedOut, match="resolved"):
            await go(inside, "slow.example", 443)
        monkeypatch.setattr(egress.anyio, "connect_tcp", forever)
        with pytest.raises(TimedOut, match="did not answer"):
            await go(inside, "10.1.1.1", 443)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("host", "port", "error"),
    [
        ("example.com", 0, InvalidInput),
        ("example.com", 70_000, InvalidInput),
        ("example.com", "443", InvalidInput),
        (5, 443, InvalidInput),
        ("a\x1b[31mb", 443, Refused),
        ("x" * 100_000, 443, Refused),
    ],
)
async def test_bad_wishes_are_refused(
    tmp_path: Path, host: object, port: object, error: type[CarrelError]
) -> None:
    async with attached(policy("nat", log=tmp_path / "log")) as inside:
        with pytest.raises(error) as caught:
            await go(inside, host, port)
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 1000


@pytest.mark.anyio
async def test_leaving_after_the_whole_answer_breaks_nothing_off(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def answer(client: anyio.abc.SocketStream) -> None:
        async with client:
            await client.send(b"all of it")

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, answer)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        rule = f"127.0.0.1:{port}"
        with anyio.fail_after(10):
            async with attached(policy("allowlist", rule, log=log)) as inside:
                async with await go(inside, "127.0.0.1", port) as stream:
                    while await stream.receive() is not None:
                        pass
                while len(lines(log)) < 2:  # noqa: ASYNC110
                    await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert lines(log)[1]["verdict"] == "closed"
    assert lines(log)[1].get("reason", "") == ""
    assert lines(log)[1]["bytes_in"] == 9


@pytest.mark.anyio
async def test_a_reset_by_the_machine_closes_the_connection_and_is_logged(tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with (
        echo() as port,
        attached(policy("allowlist", f"127.0.0.1:{port}", log=log)) as inside,
    ):
        async with await go(inside, "127.0.0.1", port) as stream:
            await stream.send(b"abc")
            await stream.receive()
        while len(lines(log)) < 2:  # noqa: ASYNC110
            await anyio.sleep(0.01)
    assert lines(log)[1]["verdict"] == "closed"
    assert lines(log)[1]["reason"] == "broken off"
    assert lines(log)[1]["bytes_out"] == 3


@pytest.mark.anyio
async def test_too_many_connections_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "MAX_TUNNELS", 2)
    async with echo() as port, attached(policy("allowlist", f"127.0.0.1:{port}")) as inside:
        first = await go(inside, "127.0.0.1", port)
        await go(inside, "127.0.0.1", port)
        with pytest.raises(Refused, match="at once"):
            await go(inside, "127.0.0.1", port)
        await talk(first, b"x")
        while True:
            try:
                await go(inside, "127.0.0.1", port)
                break
            except Refused:
                await anyio.sleep(0.01)


@pytest.mark.anyio
async def test_what_cannot_be_logged_does_not_happen(tmp_path: Path) -> None:
    async with echo() as port:
        log = tmp_path / "no" / "log"
        async with attached(policy("allowlist", f"127.0.0.1:{port}", log=log)) as inside:
            with pytest.raises(Refused, match="cannot be logged"):
                await go(inside, "127.0.0.1", port)


def test_the_log_begins_anew_at_its_limit_and_keeps_one_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decisions, "MAX_LOG", 2000)
    log = decisions.DecisionLog(tmp_path / "log")
    for number in range(50):
        log.write(decisions.Decision("out_1", f"host{number}", 1).made("deny", "because"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log", "log.1"]
    assert all(path.stat().st_size <= 2000 for path in tmp_path.iterdir())
    assert lines(tmp_path / "log")[-1]["host"] == "host49"
    assert (tmp_path / "log").stat().st_mode & 0o077 == 0


@pytest.mark.anyio
async def test_the_systems_own_resolver_knows_localhost() -> None:
    with anyio.fail_after(10):
        assert set(await egress.resolve("localhost", 80)) <= {"127.0.0.1", "::1"}


@pytest.mark.anyio
async def test_a_program_in_the_machine_gets_out_where_allowed_and_nowhere_else(
    tmp_path: Path,
) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")

    async def page(client: SocketStream) -> None:
        async with client:
            await client.receive()
            await client.send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")

    way_out = Egress()
    log = tmp_path / "log"

    async def fetch(url: str, *options: str) -> bytes:
        env = {"PATH": os.environ["PATH"], **way_out.env(), "no_proxy": "", "NO_PROXY": ""}
        command = ["curl", "-s", "-m", "10", *options, url]
        return (await anyio.run_process(command, check=False, env=env)).stdout

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        anyio.create_task_group() as tasks,
    ):
        port = listener.extra(SocketAttribute.local_port)
        tasks.start_soon(listener.serve, page)
        await tasks.start(way_out.serve)
        subject = policy("allowlist", f"127.0.0.1:{port}", log=log)
        async with attached(subject) as inside, way_out.attached(inside):
            socks = ["--socks5-hostname", f"127.0.0.1:{way_out.port}"]
            assert await fetch(f"http://127.0.0.1:{port}/") == b"hello"
            assert await fetch(f"http://127.0.0.1:{port}/", "-p") == b"hello"
            assert await fetch(f"http://127.0.0.1:{port}/", *socks) == b"hello"
            assert b"no rule names it" in await fetch("http://example.com/")
            assert b"no rule names it" in await fetch(f"http://127.0.0.2:{port}/")
        tasks.cancel_scope.cancel()
    verdicts = [line["verdict"] for line in lines(log)]
    assert (verdicts.count("allow"), verdicts.count("deny")) == (3, 2)


@pytest.mark.anyio
async def test_what_a_machine_says_beside_its_wish_is_not_kept() -> None:
    seen: list[Stream] = []

    async def handle(stream: Stream) -> None:
        seen.append(stream)
        await subject.handle(stream)

    async with echo() as port:
        subject = policy("allowlist", f"127.0.0.1:{port}")
        ours, theirs = memory_pair()
        with anyio.fail_after(20):
            async with (
                Connection(ours, initiator=True, handler=handle),
                Connection(theirs, initiator=False) as inside,
            ):
                args = {"host": "127.0.0.1", "port": port}
                padding = [[] for _ in range(100_000)]
                stream = await inside.open({"op": "egress", "args": args, "padding": padding})
                await stream.receive_message()
                assert seen[0].header == {"op": "egress"}
                assert await talk(stream, b"hello") == b"hello!"
