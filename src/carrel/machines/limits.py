"""What all machines together may have of this computer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from carrel.errors import Refused
from carrel.machines.amounts import amount_words
from carrel.machines.paths import USER_FILE, config_home
from carrel.machines.spec import MachineSpec

__all__ = ["HostLimits", "is_promised", "load_limits"]

PROMISED_MB = MachineSpec().memory_mb
"""A machine that may use more than this was meant to: its memory counts in full. One that may use
as much as any desk counts by what it uses, which is far less."""

LEAST_LEFT_MB = 256
"""What must be left of this computer's memory for another machine to begin with."""

_VARIABLES = "CARREL_HOST_"
_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class HostLimits:
    """The most that machines may have.

    Attributes:
        memory_mb: All of them together; None where it is unknown.
        cpus: Each of them.
        check: Whether anything is refused at all.
        settings: Which of them its user has set, as `host.memory`; the others are the computer's.
    """

    memory_mb: int | None
    cpus: int
    check: bool = True
    settings: frozenset[str] = field(default=frozenset(), compare=False)

    def require_fit(self, spec: MachineSpec) -> None:
        """Refuse one machine that is larger than this computer.

        Raises:
            Refused: It is.
        """
        if not self.check:
            return
        if spec.cpus > self.cpus:
            raise self._refusal(
                f"{spec.cpus} processors are more than the {self.cpus} {self._whose('host.cpus')}",
                f"--cpus {self.cpus}",
            )
        if self.memory_mb is not None and spec.memory_mb > self.memory_mb:
            raise self._refusal(
                f"{amount_words(spec.memory_mb)} of memory are more than the "
                f"{amount_words(self.memory_mb)} {self._whose('host.memory')}",
                f"--memory {amount_words(max(64, min(self.memory_mb, PROMISED_MB)))}",
            )

    def require_room(self, new: Iterable[MachineSpec], running: Iterable[MachineSpec]) -> None:
        """Refuse machines that would not fit beside those that run.

        Args:
            new: About to start.
            running: The wishes of all that run.

        Raises:
            Refused: They would not.
        """
        wanted = [*new]
        self.require_promise(wanted, running)
        left = available_mb()
        if self.check and left is not None and left < LEAST_LEFT_MB * len(wanted):
            raise self._refusal(
                f"this computer has {left} MB of memory left, too little for another machine",
                "stop one, or end other programs",
            )

    def require_promise(self, new: Sequence[MachineSpec], running: Iterable[MachineSpec]) -> None:
        """Refuse machines whose memory, where it counts in full, others that run have.

        Args:
            new: About to start.
            running: The wishes of all that run.

        Raises:
            Refused: They have, or one is larger than this computer.
        """
        for spec in new:
            self.require_fit(spec)
        if not self.check:
            return
        taken, more = _promised(running), _promised(new)
        if self.memory_mb is not None and more and taken + more > self.memory_mb:
            raise self._refusal(
                f"{amount_words(more)} of memory would not fit: machines that run have "
                f"{amount_words(taken)} of {amount_words(self.memory_mb)}",
                "stop one, or ask for less",
            )

    def _whose(self, setting: str) -> str:
        return f"that {setting} allows" if setting in self.settings else "of this computer"

    def _refusal(self, message: str, hint: str) -> Refused:
        return Refused(
            message,
            op="machine.start",
            hint=f"{hint}; or carrel config set host.check false",
            context={"memory_mb": self.memory_mb, "cpus": self.cpus},
        )


def is_promised(spec: MachineSpec) -> bool:
    """Whether a machine's memory counts in full."""
    return spec.memory_mb > PROMISED_MB


def _promised(specs: Iterable[MachineSpec]) -> int:
    return sum(spec.memory_mb for spec in specs if is_promised(spec))


def _meminfo(name: str) -> int | None:
    if not _MEMINFO.exists():
        return None
    for line in _MEMINFO.read_text().splitlines():
        key, _, rest = line.partition(":")
        if key == name:
            return int(rest.split()[0]) // 1024
    return None


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_mb() -> int | None:
    """Memory that programs could still have now; None where this system does not tell."""
    return _meminfo("MemAvailable")


def _load_host() -> dict[str, object]:
    # Every start comes here, and on most computers nothing is set.
    if not (config_home() / USER_FILE).exists() and not any(
        name.startswith(_VARIABLES) for name in os.environ
    ):
        return {}
    from carrel.machines.settings import load_host

    return load_host()


def load_limits() -> HostLimits:
    """The limits as this computer and its user set them.

    Raises:
        InvalidInput: The user's file holds what it may not.
    """
    values = _load_host()
    memory, cpus = values.get("host.memory"), values.get("host.cpus")
    return HostLimits(
        memory if isinstance(memory, int) else _meminfo("MemTotal"),
        cpus if isinstance(cpus, int) else _processors(),
        values.get("host.check") is not False,
        frozenset(values),
    )
