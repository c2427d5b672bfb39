"""What follows a machine's end that nobody asked for: it is told, and the machine started again.

A keeper whose machine has died leaves a process behind, which tells the end. Where the machine's
owner wants that, it then waits a little, longer after each death in a row, and brings the machine
up as anybody would: under its lock, and only if it is still dead and still to be revived.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

import anyio

from carrel.errors import CarrelError
from carrel.guest.restarts import FIRST_DELAY, LONGEST_DELAY, STEADY, Restart
from carrel.machines import interpreter
from carrel.machines.keep import Keep
from carrel.machines.linelog import note

__all__ = [
    "Deaths",
    "forget_deaths",
    "leave_reviver",
    "main",
    "prepare",
    "read_deaths",
    "seconds_to_go",
]

MODULE = "carrel.machines.revival"
MOST_IN_A_ROW = 10
"""Deaths in a row after which `on-failure` gives up; `always` never does."""

_WHO = "revival"
_SURROUNDINGS = "surroundings.json"
_WAITS = "revival.json"
# Where things are and which engine is meant; no secrets.
_NAMES = (
    "HOME",
    "USER",
    "TMPDIR",
    "CARREL_FIRECRACKER",
    "CARREL_HOME",
    "CARREL_LIMACTL",
    "CARREL_LIMA_DIGEST",
    "CARREL_LIMA_IMAGE",
    "CARREL_LUME_IMAGE",
    "CARREL_LUME_JUMP",
    "CARREL_LUME_SHARE",
    "CARREL_LUME_SSH",
    "CARREL_LUME_URL",
    "CARREL_LUME_USER",
    "CARREL_RUNSC",
    "CARREL_WSL",
    "CARREL_WSL_HOME",
    "DOCKER_HOST",
    "LIMA_HOME",
    "SSH_AUTH_SOCK",
    "WSLENV",
    "WSL_DISTRO_NAME",
    "WSL_INTEROP",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
)


@dataclass(frozen=True, slots=True)
class Deaths:
    """How often a machine has died without having lived for long in between."""

    in_a_row: int = 0

    def one_more(self, lived: float) -> Deaths:
        """After it lived for so many seconds."""
        return Deaths(1 if lived >= STEADY else self.in_a_row + 1)

    @property
    def delay(self) -> float:
        """Seconds until it is started again."""
        return float(min(FIRST_DELAY * 2.0 ** min(self.in_a_row - 1, 16), LONGEST_DELAY))


def _path(directory: Path) -> Path:
    return directory / "deaths.json"


def read_deaths(directory: Path) -> Deaths:
    """Of the machine with that directory; damage counts as none."""
    try:
        told = json.loads(_path(directory).read_text())
        return Deaths(int(told["in_a_row"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Deaths()


def prepare(directory: Path) -> None:
    """Before a start, keep of our surroundings what a later start needs: a keeper has none."""
    path = directory / _SURROUNDINGS
    kept = {name: os.environ[name] for name in _NAMES if name in os.environ}
    if places := os.environ.get("PYTHONPATH"):
        # Hooks and providers of other packages may be there, and a keeper is in another directory.
        kept["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, places.split(os.pathsep)))
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(kept, file)


def forget_deaths(directory: Path) -> None:
    """Somebody starts the machine: how often it has died before counts no more."""
    _path(directory).unlink(missing_ok=True)


def seconds_to_go(directory: Path) -> float | None:
    """Until a dead machine is started again; None where no process waits to do that."""
    try:
        told = json.loads((directory / _WAITS).read_text())
        words = Path(f"/proc/{int(told['pid'])}/cmdline").read_bytes().split(b"\0")
        is_there = MODULE.encode() in words and os.fsencode(directory) in words
        return max(0.0, float(told["at"]) - time.time()) if is_there else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def leave_reviver(keep: Keep, lived: float) -> None:
    """As a keeper whose machine has died, have that told, and its next life seen to.

    By a process of its own: what others do at a machine's end may take long, and a keeper has none
    of its owner's surroundings.
    """
    surroundings = json.loads((keep.directory / _SURROUNDINGS).read_text())
    subprocess.Popen(
        interpreter.command(MODULE, str(keep.directory), str(lived)),
        env={**interpreter.environment(), **surroundings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        close_fds=True,
    )


def main() -> NoReturn:
    """Tell the end of one machine, and bring it back where its owner wants that."""
    import site

    directory, lived = Path(sys.argv[-2]), float(sys.argv[-1])
    site.main()  # where hooks and providers of other packages are installed
    if directory.is_dir():  # else it was deleted, and its store may be as well
        anyio.run(_follow, directory, lived)
    sys.exit(0)


def _policy(directory: Path) -> Restart:
    from carrel.machines.store import Store

    machines = Store(directory.parent.parent).all()
    return next((m.spec.restart for m in machines if m.id == directory.name), "never")


async def _follow(directory: Path, lived: float) -> None:
    from carrel.machines.clearing import tell_end
    from carrel.machines.store import Store

    at = None
    try:
        if _policy(directory) != "never":
            _count(directory, lived)
            at = _next_try(directory)
    except OSError as error:  # a start would need the disk, too
        note(directory, _WHO, f"it is not started again: {error}")
    try:
        await tell_end(Store(directory.parent.parent), directory.name)
    except (CarrelError, OSError) as error:
        note(directory, _WHO, f"its end could not be told: {error}")
    await _revive(directory, at)


def _count(directory: Path, lived: float) -> None:
    deaths = read_deaths(directory).one_more(lived)
    _path(directory).write_text(json.dumps(asdict(deaths)))


def _next_try(directory: Path) -> float | None:
    """When it is to be started again, which is written down; None where it is left dead."""
    deaths = read_deaths(directory)
    if deaths.in_a_row > MOST_IN_A_ROW and _policy(directory) != "always":
        note(directory, _WHO, f"it died {deaths.in_a_row} times in a row, and is left as it is")
        return None
    at = time.time() + deaths.delay
    (directory / _WAITS).write_text(json.dumps({"pid": os.getpid(), "at": at}))
    return at


async def _revive(directory: Path, at: float | None) -> None:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.store import Store

    machines = Machines(Store(directory.parent.parent))
    while at is not None:
        await anyio.sleep(max(0.0, at - time.time()))
        try:
            standing = await machines.revive(directory.name)
        except (CarrelError, OSError) as error:
            note(directory, _WHO, f"it could not be started again: {error}")
        else:
            if standing is not None:
                policy = standing.machine.spec.restart
                note(directory, _WHO, f"it was started again (restart {policy})")
            return
        _count(directory, 0.0)
        at = _next_try(directory)
