"""How many bytes went between a machine and the network since its start, for others to read."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Never

import anyio

from carrel.guest.tasks import task_group
from carrel.guest.tunnels import Traffic
from carrel.machines.keep import Keep
from carrel.machines.provider import Metrics, Provider
from carrel.machines.spec import Machine

__all__ = ["TrafficCount", "read_traffic", "with_network"]

_EVERY = 1.0


class TrafficCount:
    """Counts what a machine's connections carry, ended ones and those that go on.

    Args:
        path: The file to keep it in; None to keep it nowhere.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._ended = Traffic()
        self._open: list[Traffic] = []
        self._written = 0.0
        self._write()

    @asynccontextmanager
    async def counting(self, traffic: Traffic) -> AsyncIterator[None]:
        """Count one connection while it lasts and for ever after."""
        self._open.append(traffic)
        try:
            async with task_group() as tasks:
                tasks.start_soon(self._write_often)
                yield
                tasks.cancel_scope.cancel()
        finally:
            self._open.remove(traffic)
            self._ended.received += traffic.received
            self._ended.sent += traffic.sent
            self._write()

    async def _write_often(self) -> Never:
        while True:
            await anyio.sleep(_EVERY)
            # However many connections there are, one of them does it.
            if time.monotonic() - self._written >= _EVERY:
                self._write()

    def _write(self) -> None:
        self._written = time.monotonic()
        if self._path is None:
            return
        every = (self._ended, *self._open)
        text = f"{sum(each.received for each in every)} {sum(each.sent for each in every)}\n"
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            draft.write_text(text)
            draft.replace(self._path)
        except OSError:
            # A full disk costs figures, not the connection; the next time may be better.
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def with_network(machine: Machine, provider: Provider, found: Metrics) -> Metrics:
    """Figures of a machine, and what went through its keeper: its way out and published ports.

    What goes straight to its guest is not counted: files, programs' output, `carrel forward`.
    """
    keep = Keep(machine.directory)
    if not provider.capabilities.contains or not keep.is_held():
        return found
    nothing = machine.spec.network == "none" and not machine.spec.ports
    counted = (0, 0) if nothing else read_traffic(keep.traffic)
    received, sent = counted or (None, None)
    return replace(found, network_received_bytes=received, network_sent_bytes=sent)


def read_traffic(path: Path) -> tuple[int, int] | None:
    """Bytes that a machine received and sent; None where nobody counts them."""
    try:
        received, sent = map(int, path.read_text().split())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return received, sent
