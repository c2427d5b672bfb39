"""A machine's own disk: a plain file of a file system that holds what differs from its image."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from carrel.machines.qemu.disks import DEFAULT_MB, file_system

__all__ = ["copy_sparse", "make_layer"]

_PIECE = 16 << 20


def make_layer(path: Path, size_mb: int) -> None:
    """Make an empty one; of its size only what is written takes room. `init.sh` does the rest."""
    with tempfile.TemporaryDirectory(prefix=".layer-", dir=path.parent) as place:
        Path(place).chmod(0o755)
        file_system(Path(place), path, (size_mb or DEFAULT_MB) << 20, journal=True)
    path.chmod(0o600)


def copy_sparse(source: Path, target: Path) -> None:
    """Copy a file, its holes as holes. Where the file system can, nothing is copied at all."""
    with source.open("rb") as taken, target.open("wb") as made:
        size = os.fstat(taken.fileno()).st_size
        os.ftruncate(made.fileno(), size)
        at = 0
        while at < size:
            try:
                at = os.lseek(taken.fileno(), at, os.SEEK_DATA)
            except OSError:  # nothing but a hole from here on
                return
            end = os.lseek(taken.fileno(), at, os.SEEK_HOLE)
            while at < end:
                at += os.copy_file_range(
                    taken.fileno(), made.fileno(), min(_PIECE, end - at), at, at
                )
