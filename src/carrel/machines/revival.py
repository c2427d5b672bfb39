"""Starting a machine again that ended by itself, where its owner wants that.

A keeper whose machine has died leaves a process behind that waits a little, longer after each
death in a row, and brings the machine up as anybody would: under its lock, and only if it is
still dead and still to be revived.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

import anyio

from carrel.errors import CarrelError
from carrel.guest.restarts import FIRST_DELAY, LONGEST_DELAY, STEADY, Restart
from carrel.machines import interpreter
from carrel.machines.keep import Keep
from carrel.machines.linelog import note

__all__ = ["Deaths", "leave_reviver", "main", "prepare", "read_deaths"]

MODULE = "carrel.machines.revival"
MOST_IN_A_ROW = 10
"""Deaths in a row after which `on-failure` gives up; `always` never does."""

_WHO = "revival"
_SURROUNDINGS = "surroundings.json"
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
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(kept, file)


def leave_reviver(keep: Keep, lived: float) -> None:
    """As a keeper whose machine has died, see to its next life, as its owner wants it now."""
    restart = _policy(keep.directory)
    if restart == "never":
        return
    deaths = read_deaths(keep.directory).one_more(lived)
    _path(keep.directory).write_text(json.dumps(asdict(deaths)))
    if restart == "on-failure" and deaths.in_a_row > MOST_IN_A_ROW:
        note(
            keep.directory, _WHO, f"it died {deaths.in_a_row} times in a row, and is left as it is"
        )
        return
    surroundings = json.loads((keep.directory / _SURROUNDINGS).read_text())
    subprocess.Popen(
        interpreter.command(MODULE, str(keep.directory)),
        env={**interpreter.environment(), **surroundings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        close_fds=True,
    )


def main() -> NoReturn:
    """Bring one machine back."""
    directory = Path(sys.argv[-1])
    anyio.run(_revive, directory)
    sys.exit(0)


def _policy(directory: Path) -> Restart:
    from carrel.machines.store import Store

    machines = Store(directory.parent.parent).all()
    return next((m.spec.restart for m in machines if m.id == directory.name), "never")


async def _revive(directory: Path) -> None:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.store import Store

    machines = Machines(Store(directory.parent.parent))
    while True:
        await anyio.sleep(read_deaths(directory).delay)
        try:
            standing = await machines.revive(directory.name)
        except (CarrelError, OSError) as error:
            note(directory, _WHO, f"it could not be started again: {error}")
        else:
            if standing is not None:
                policy = standing.machine.spec.restart
                note(directory, _WHO, f"it was started again (restart {policy})")
            return
        _count_again(directory)
        deaths = read_deaths(directory).in_a_row
        if deaths > MOST_IN_A_ROW and _policy(directory) != "always":
            note(directory, _WHO, f"died {deaths} times in a row: left as it is")
            return


def _count_again(directory: Path) -> None:
    deaths = read_deaths(directory).one_more(0.0)
    _path(directory).write_text(json.dumps(asdict(deaths)))
