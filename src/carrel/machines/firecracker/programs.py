"""Where Firecracker and its jailer are, and of which version."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from carrel.errors import RunError, Unavailable

__all__ = ["Version", "find_firecracker", "find_jailer", "version_of"]

Version = tuple[int, int]

OLDEST: Version = (1, 10)
"""The first that tells a restored guest that its lines are cut. ACPI, by which Debian's kernel
finds its devices, came with 1.8."""

REPORTS: Version = (1, 14)
"""The first whose balloon can be told which pages are free."""

FIX = (
    "put firecracker and jailer of one release (github.com/firecracker-microvm/firecracker) on "
    "PATH, or CARREL_FIRECRACKER=PATH"
)
_VERSION = re.compile(r"\bv(\d+)\.(\d+)\.\d+")
_SECONDS = 30.0


def find_firecracker() -> Path:
    """The program, new enough.

    Raises:
        Unavailable: There is none, or it is too old.
    """
    wish = os.environ.get("CARREL_FIRECRACKER") or shutil.which("firecracker")
    if wish is None or not Path(wish).is_file():
        raise Unavailable("firecracker is not installed", op="firecracker", hint=FIX)
    # The jailer names its directory by the file itself, not by a link to it.
    program = Path(wish).resolve()
    found = version_of(program)
    if found < OLDEST:
        said = ".".join(map(str, found))
        raise Unavailable(f"{wish} is {said}, which is too old", op="firecracker", hint=FIX)
    return program


def find_jailer(firecracker: Path) -> Path:
    """The jailer of the same version: beside the program, or on the path.

    Raises:
        Unavailable: There is none.
    """
    beside = firecracker.with_name(firecracker.name.replace("firecracker", "jailer"))
    wish = str(beside) if beside.is_file() else shutil.which("jailer")
    if wish is None:
        raise Unavailable("jailer is not installed", op="firecracker", hint=FIX)
    jailer = Path(wish).resolve()
    if version_of(jailer) != version_of(firecracker):
        message = f"{wish} is not of the same version as {firecracker}"
        raise Unavailable(message, op="firecracker", hint=FIX)
    return jailer


def version_of(program: Path) -> Version:
    """What it says of itself.

    Raises:
        RunError: It says nothing that can be understood.
    """
    return _asked(program, program.stat().st_mtime_ns)


@cache
def _asked(program: Path, _written: int) -> Version:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        message = f"{program} does not run: {error}"
        raise RunError(message, op="firecracker", hint=FIX) from error
    found = _VERSION.search(done.stdout)
    if done.returncode != 0 or found is None:
        said = (done.stderr or done.stdout).strip()[-200:]
        message = f"{program} --version said {said!r}"
        raise RunError(message, op="firecracker", hint=FIX)
    return int(found[1]), int(found[2])
