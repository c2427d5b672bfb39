"""Words to process 1 of a virtual machine: what it is not to share with the one it was."""

from __future__ import annotations

import os
import secrets
import select
import time
from pathlib import Path

from carrel.errors import MachineLost, RunError, TimedOut
from carrel.machines.qemu.card import card_address
from carrel.machines.sandbox.layout import machine_identity
from carrel.machines.spec import Machine

__all__ = ["Introduction", "say"]

_PATIENCE = 60.0
_MOST_HEARD = 64 << 10
_URGENT = 3
"""Seconds for which the guest goes before other programs: it has first questions to answer."""


def say(pipe: Path, *lines: str) -> None:
    """Speak to process 1, which may hear it later."""
    handle = os.open(f"{pipe}.in", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        os.write(handle, "".join(f"{line}\n" for line in lines).encode())
    finally:
        os.close(handle)


class Introduction:
    """A machine that has woken up is told its name, identity, time, some chance and its card.

    Args:
        machine: Which.
        pipe: The pipe to its process 1.
    """

    def __init__(self, machine: Machine, pipe: Path) -> None:
        self._machine = machine
        self._pipe = pipe
        self._token = secrets.token_hex(8)

    def send(self) -> None:
        """Say it. Said before the machine runs, it is what it hears first."""
        address = card_address(self._machine)
        say(
            self._pipe,
            f"urgent {_URGENT}",
            f"clock {time.time():.0f}",
            f"name {self._machine.name}",
            f"identity {machine_identity(self._machine.id)}",
            f"entropy {secrets.token_hex(32)}",
            *([f"card {address}"] if address else []),
            f"heard {self._token}",
        )

    def wait(self) -> None:
        """Wait until process 1 has done all that.

        Raises:
            TimedOut: It never said so.
            MachineLost: Its QEMU is gone.
            RunError: It said that it could not.
        """
        until = time.monotonic() + _PATIENCE
        handle = os.open(f"{self._pipe}.out", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            heard = b""
            while (lacking := self._lacking(heard)) is None:
                left = until - time.monotonic()
                if left <= 0 or not select.select([handle], [], [], left)[0]:
                    raise TimedOut(
                        f"{self._machine.name} does not take its own name", op="qemu.wake"
                    )
                part = os.read(handle, 4096)
                if not part:
                    raise MachineLost(f"{self._machine.name} died while it woke", op="qemu.wake")
                # An answer is a short line, and what else is said there is not for us.
                heard = (heard + part)[-_MOST_HEARD:]
        finally:
            os.close(handle)
        if lacking:
            raise RunError(
                f"{self._machine.name} did not get {lacking}, and is given up",
                op="qemu.wake",
                hint="try again; it would have repeated what is the other machine's alone",
            )

    def _lacking(self, heard: bytes) -> str | None:
        """What process 1 says that it did not get; None while it has said nothing."""
        for line in heard.decode(errors="replace").split("\n")[:-1]:
            token, _, lacking = line.strip().partition(" ")
            if token == self._token:
                return lacking[:200]
        return None
