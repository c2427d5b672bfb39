"""The files of a machine whose disk is a layer on its image's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from carrel.machines.spec import Machine

__all__ = ["Layered"]


@dataclass(frozen=True, slots=True)
class Layered:
    """Where they are, of one machine."""

    machine: Machine

    @property
    def base(self) -> Path:
        """The image's disk that its own is a layer on, for ever: no newer one fits under it."""
        return self._base.readlink()

    def rest_on(self, disk: Path) -> None:
        """Say which that is."""
        self._base.unlink(missing_ok=True)
        self._base.symlink_to(disk)

    @property
    def _base(self) -> Path:
        return self.machine.directory / "base.ext4"

    @property
    def initrd(self) -> Path:
        """What its kernel unpacks."""
        return self.machine.directory / "initrd"
