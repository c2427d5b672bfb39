"""A guest that already listens somewhere: we connect, and never start or stop it."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

import anyio
from anyio.abc import ByteStream

from carrel.computer import Computer
from carrel.errors import (
    CarrelError,
    InvalidInput,
    MachineLost,
    NotFound,
    Refused,
    Unsupported,
)
from carrel.machines.lending import refuse_volumes
from carrel.machines.provider import (
    Capabilities,
    Health,
    Isolation,
    Metrics,
    Progress,
    RefusesTheRest,
)
from carrel.machines.spec import Machine, MachineSpec
from carrel.machines.state import TRY, Observed, State, way_on
from carrel.stream import connect_tcp

__all__ = ["RemoteProvider"]

REACH = 5.0
"""Seconds to reach a guest before it counts as lost."""


class RemoteProvider(RefusesTheRest):
    """Connects by `tcp://HOST:PORT` and a token.

    Deleting forgets the address; the guest over there keeps running.
    """

    name: ClassVar[str] = "remote"
    isolation: ClassVar[Isolation] = Isolation.NONE
    capabilities: ClassVar[Capabilities] = Capabilities(owns=False, contains=False, images=False)

    async def probe(self) -> Health:
        """Always usable: whether a given guest answers is that machine's own state."""
        return Health(True, Isolation.NONE, "connects to a guest elsewhere; its walls are its own")

    def check_spec(self, spec: MachineSpec) -> None:
        """Refuse a wish without an address, or with promises that are not ours to keep."""
        refuse_volumes(spec, self.name)
        _address(spec)
        if spec.token_file is None:
            raise InvalidInput("a remote machine needs a token", hint="--token-file FILE")
        if spec.network != "nat":
            raise Unsupported(
                f"network={spec.network} cannot be promised for a machine we do not run",
                hint="say --network nat to accept whatever network it has",
            )

    async def prepare(self, spec: MachineSpec, progress: Progress) -> None:
        """Read the token once, so that a wrong path is told early."""
        _token(spec)

    async def create(self, machine: Machine) -> None:
        """Nothing is kept but the record."""

    async def start(self, machine: Machine, progress: Progress) -> None:
        """See that the guest answers."""
        observed = await self.inspect(machine)
        if observed.state is not State.RUNNING:
            raise MachineLost(
                f"{machine.name} does not answer: {observed.cause}",
                op="machine.start",
                hint=way_on(observed),
            )

    async def stop(self, machine: Machine, grace: float) -> None:
        """Refused: it is not ours to stop."""
        raise Unsupported(
            f"{machine.name} runs elsewhere and is stopped there",
            op="machine.stop",
            hint=f"carrel delete {machine.name} forgets it",
        )

    async def kill(self, machine: Machine) -> None:
        """Nothing of ours runs."""

    async def delete(self, machine: Machine) -> None:
        """Nothing of ours is kept."""

    async def inspect(self, machine: Machine) -> Observed:
        """Ask the guest itself."""
        try:
            with anyio.fail_after(REACH):
                async with Computer(lambda: self.channel(machine)) as computer:
                    info = await computer.info()
        except Refused as error:
            way = f"put into {machine.spec.token_file} the token that its guest was started with"
            return Observed(State.LOST, error.message, notes=(TRY + way,))
        except (TimeoutError, CarrelError) as error:
            silent = f"no answer within {REACH:.0f} seconds"
            cause = error.message if isinstance(error, CarrelError) else silent
            return Observed(State.LOST, cause, notes=(TRY + _start_there(machine),))
        started = info.get("started_at")
        state = State.RUNNING if info.get("phase") == "ready" else State.CREATING
        return Observed(state, started_at=started if isinstance(started, int | float) else None)

    async def recover(self, machine: Machine) -> None:
        """Nothing of ours is left behind."""

    async def channel(self, machine: Machine) -> ByteStream:
        """Connect and show the token."""
        host, port = _address(machine.spec)
        return await connect_tcp(host, port, _token(machine.spec))

    async def metrics(self, machine: Machine) -> Metrics:
        """Unknown from here."""
        return Metrics()

    async def console(self, machine: Machine) -> str:
        """Refused: it is kept over there."""
        raise Unsupported(
            f"the console of {machine.name} is where it runs",
            op="machine.logs",
            hint="look there, at what its guest was started from",
        )

    async def collect(self, home: Path, known: frozenset[str]) -> tuple[str, ...]:
        """Nothing is ever left."""
        return ()


def _start_there(machine: Machine) -> str:
    host, port = _address(machine.spec)
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return (
        f"start it there (python3 -m carrel.guest --listen {address} --token-file FILE) and it is "
        f"reached again; carrel delete {machine.name} forgets it"
    )


def _address(spec: MachineSpec) -> tuple[str, int]:
    parts = urlsplit(spec.url or "")
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme != "tcp" or not parts.hostname or port is None:
        what = f"{spec.url!r} is not the address of a guest" if spec.url else "there is no address"
        raise InvalidInput(what, hint="--url tcp://127.0.0.1:7077")
    return parts.hostname, port


def _token(spec: MachineSpec) -> str:
    path = Path(spec.token_file or "").expanduser()
    try:
        return path.read_text().strip()
    except OSError as error:
        raise NotFound(
            f"cannot read the token in {path}: {error.strerror}",
            hint="--token-file FILE with what the guest there was started with",
        ) from error
