"""The way out of machines, decided on our side of the stream: deny by default, all of it logged.

A name is resolved here, the addresses it gave are checked here, and one that passed is the one
connected to: what a name server says a moment later changes nothing.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Literal

import anyio
from anyio import CapacityLimiter, to_thread
from anyio.abc import SocketStream

from carrel import codec
from carrel.errors import InvalidInput, Refused, RunError, TimedOut
from carrel.guest.tunnels import Traffic, explain_connect, splice
from carrel.ids import new_id
from carrel.machines.addresses import (
    Address,
    Network,
    as_address,
    enclosing,
    is_own,
    is_private,
    normal_host,
    special_kind,
    within,
)
from carrel.machines.decisions import Decision, DecisionLog
from carrel.machines.traffic import TrafficCount
from carrel.stream import Stream

__all__ = ["EgressPolicy", "Mode", "Resolve", "Rule", "normal_host"]

Mode = Literal["none", "allowlist", "nat"]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""All addresses of a name."""

RESOLVE_TIMEOUT = 5.0
CONNECT_TIMEOUT = 10.0
MAX_TUNNELS = 256
WEB_PORTS = (443, 80)

logger = logging.getLogger(__name__)

_PORT = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True)
class Rule:
    """One grant.

    Attributes:
        host: A name, `*.` and a name for everything below it, an address or a network.
        port: One port, or None for the web: 443 and 80.
    """

    host: str
    port: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "host", _normal_target(self.host))
        if self.port is not None and not 1 <= self.port <= 65535:
            raise InvalidInput(
                f"{self.port} is not a port", hint="write HOST:PORT, with 1 to 65535 for PORT"
            )

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Read `example.com:443`, `*.example.com`, `[::1]:8080` or `10.0.0.0/8:22`.

        Raises:
            InvalidInput: It is not a rule.
        """
        host, port = _split(text)
        if port is None:
            return cls(host)
        if _PORT.fullmatch(port) is None:
            raise InvalidInput(
                f"{text[:80]!r} has no port from 1 to 65535", hint="write HOST or HOST:PORT"
            )
        return cls(host, int(port))

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port is None else f"{host}:{self.port}"

    @property
    def network(self) -> Network | None:
        """The addresses it names, if it names addresses."""
        try:
            return ip_network(self.host)
        except ValueError:
            return None

    def allows_port(self, port: int) -> bool:
        """Whether it speaks of this port."""
        return port in WEB_PORTS if self.port is None else port == self.port

    def names(self, host: str) -> bool:
        """Whether it speaks of this name."""
        if self.host.startswith("*."):
            return host.endswith(self.host[1:])
        return self.network is None and host == self.host

    def covers(self, address: Address) -> bool:
        """Whether it speaks of this address.

        A wide network does not speak of what is special inside it: `0.0.0.0/0` is no grant of
        this computer's loopback, and `192.168.0.0/16` none of its own address there.
        """
        network = self.network
        if network is None or address not in network:
            return False
        if network.num_addresses == 1:
            return True
        around = enclosing(address)
        if not all(within(network, outer) for outer in around):
            return False
        return special_kind(address) is not None or not is_own(address)


def _split(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")) or ":" not in host:
            raise InvalidInput(f"{text[:80]!r} is not a rule", hint="write [ADDRESS]:PORT")
        return host, rest[1:] if rest else None
    if text.count(":") > 1:
        return text, None
    host, colon, port = text.partition(":")
    return host, port if colon else None


def _normal_target(host: str) -> str:
    hint = "write a name, *.NAME, an address or a network such as 10.0.0.0/8"
    try:
        if "*" in host:
            return _wildcard(host)
        if "/" in host:
            return str(ip_network(host))
        return normal_host(host)
    except (ValueError, InvalidInput) as error:
        raise InvalidInput(f"{host[:80]!r} is not a host for a rule: {error}", hint=hint) from error


def _wildcard(host: str) -> str:
    if not host.startswith("*.") or "*" in host[1:]:
        raise InvalidInput("a wildcard stands alone before the first dot")
    name = normal_host(host[2:])
    if as_address(name) is not None or "." not in name:
        raise InvalidInput("a wildcard stands before a name with a dot")
    return f"*.{name}"


@dataclass(frozen=True, slots=True)
class _Target:
    host: str
    port: int

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65535:
            raise InvalidInput("a port is a number from 1 to 65535")


def _read_wish(stream: Stream) -> Decision:
    """What a machine wants, and nothing it said beside that: it would be kept all along."""
    target = codec.decode(_Target, stream.header.get("args"), where="egress")
    stream.header = {"op": "egress"}
    # It comes from the machine and is shown to people.
    shown = target.host if target.host.isprintable() else ascii(target.host)
    return Decision(new_id("out"), shown[:253], target.port)


async def resolve(host: str, port: int) -> Sequence[str]:
    """Every address that this computer's resolver knows for a name."""
    look_up = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await to_thread.run_sync(look_up, abandon_on_cancel=True, limiter=_resolvers())
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


_limiter: CapacityLimiter | None = None


def _resolvers() -> CapacityLimiter:
    global _limiter  # noqa: PLW0603  slow name servers must not use up the threads that work
    if _limiter is None:
        _limiter = CapacityLimiter(32)
    return _limiter


_HINTS: dict[Mode, str | None] = {
    "none": "start the machine with --network allowlist --allow HOST:PORT",
    "allowlist": "grant it with --allow HOST:PORT",
    "nat": "grant that very address as well: --allow ADDRESS:PORT",
}


class EgressPolicy:
    """Decides about, logs and carries a machine's connections to the outside.

    Args:
        mode: `none` refuses everything; `allowlist` takes what a rule names; `nat` every public
            address, and of this computer and private networks the addresses that a rule names.
        rules: For `allowlist`, and for `nat`.
        log: A file for one JSON line per decision and one per ended connection.
        count: Counts the bytes that are carried.
        resolve: How names become addresses.
    """

    def __init__(
        self,
        mode: Mode,
        rules: Iterable[Rule] = (),
        log: Path | None = None,
        *,
        count: TrafficCount | None = None,
        resolve: Resolve = resolve,
    ) -> None:
        self._mode = mode
        self._rules = tuple(rules)
        self._log = DecisionLog(log)
        self._count = count or TrafficCount(None)
        self._resolve = resolve
        self._tunnels = 0

    async def handle(self, stream: Stream) -> None:
        """Serve one `egress` stream: decide, log, connect, carry.

        Raises:
            Refused: The policy forbids it.
            RunError: It was allowed and did not work.
        """
        decision = _read_wish(stream)
        if self._tunnels >= MAX_TUNNELS:
            raise self._refuse(decision, f"more than {MAX_TUNNELS} connections at once")
        self._tunnels += 1
        try:
            addresses = await self._decide(decision)
            await self._carry(stream, decision, addresses)
        finally:
            self._tunnels -= 1

    def _refuse(self, decision: Decision, reason: str) -> Refused:
        self._log.write(decision.made("deny", reason))
        return Refused(
            f"{decision.host} port {decision.port} is not allowed: {reason}",
            hint=_HINTS[self._mode],
            context={"host": decision.host, "port": decision.port, "reason": reason},
        )

    async def _decide(self, decision: Decision) -> list[Address]:
        """The addresses that may be connected to; at least one."""
        if self._mode == "none":
            raise self._refuse(decision, "this machine has no network")
        try:
            host = normal_host(decision.host)
        except InvalidInput as error:
            raise self._refuse(decision, error.message) from error
        literal = as_address(host)
        # A name nobody granted is not even looked up: questions carry data out, too.
        if self._mode == "allowlist" and literal is None and not self._names(host, decision.port):
            raise self._refuse(decision, "no rule names it")
        candidates = [literal] if literal is not None else await self._look_up(host, decision)
        judged = [
            (self._objection(address, host, decision.port), address) for address in candidates
        ]
        allowed = [address for objection, address in judged if objection is None]
        if not allowed:
            raise self._refuse(decision, judged[0][0] or "it has no address")
        return allowed

    def _names(self, host: str, port: int) -> bool:
        return any(rule.names(host) and rule.allows_port(port) for rule in self._rules)

    async def _look_up(self, host: str, decision: Decision) -> list[Address]:
        try:
            with anyio.fail_after(RESOLVE_TIMEOUT):
                found = await self._resolve(host, decision.port)
        except TimeoutError as error:
            self._log.write(decision.made("fail", "its name was not resolved in time"))
            raise TimedOut(f"the name {host} was not resolved in time") from error
        except (OSError, UnicodeError) as error:
            self._log.write(decision.made("fail", "its name has no address"))
            raise RunError(f"the name {host} has no address", retryable=True) from error
        # A zone says which of our links an address is on: nothing a machine may choose.
        addresses = [address for text in found if (address := as_address(text)) is not None]
        if not addresses:
            raise self._refuse(decision, "its name leads to no usable address")
        return addresses

    def _objection(self, address: Address, host: str, port: int) -> str | None:
        """Why this address may not be connected to; None when it may."""
        rules = [rule for rule in self._rules if rule.allows_port(port)]
        if any(rule.covers(address) for rule in rules):
            return None
        named = any(rule.names(host) for rule in rules)
        if self._mode == "allowlist" and not named:
            return "no rule names it"
        if named and host == "localhost":
            return None if address.is_loopback else f"localhost is {address} here"
        what = _not_out_there(address)
        if what is None:
            return None
        return f"its name leads to {address}, {what}" if named else f"{address} is {what}"

    async def _carry(self, stream: Stream, decision: Decision, addresses: list[Address]) -> None:
        self._log.write(decision.made("allow", "", str(addresses[0])))
        try:
            connection, address = await _connect(decision, addresses)
        except RunError as error:
            self._log.write(decision.made("fail", error.message, str(addresses[0])))
            raise
        traffic = Traffic()
        try:
            async with connection, self._count.counting(traffic):
                await stream.send_message({"result": {}})
                await splice(stream, connection, traffic)
        finally:
            # A program that leaves after the whole answer has broken nothing off.
            reason = "" if traffic.ended else "broken off"
            done = decision.made("closed", reason, str(address))
            self._note(done.carried(traffic.received, traffic.sent))

    def _note(self, done: Decision) -> None:
        try:
            self._log.write(done)
        except Refused as error:  # what it tells has happened already
            logger.warning("the end of a connection is not logged: %s", error)


def _not_out_there(address: Address) -> str | None:
    """Why it is no public address of somebody else; None where it is one."""
    kind = special_kind(address) or ("private" if is_private(address) else None)
    if kind is not None:
        return f"{_article(kind)} address"
    return "this computer itself" if is_own(address) else None


def _article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


async def _connect(decision: Decision, addresses: list[Address]) -> tuple[SocketStream, Address]:
    """Connect to the first address that answers, in bounded time."""
    failure: RunError | None = None
    where = f"{decision.host} port {decision.port}"
    with anyio.move_on_after(CONNECT_TIMEOUT):
        for address in addresses:
            try:
                return await anyio.connect_tcp(str(address), decision.port), address
            except OSError as error:
                failure = explain_connect(where, error)
    raise failure or TimedOut(f"{where} did not answer in time")
