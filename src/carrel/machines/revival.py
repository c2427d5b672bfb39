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
from typing import TYPE_CHECKING, NoReturn

import anyio

from carrel.errors import CarrelError
from carrel.guest.restarts import FIRST_DELAY, LONGEST_DELAY, STEADY
from carrel.machines import interpreter
from carrel.machines.keep import Keep
from carrel.machines.linelog import note
from carrel.machines.spec import Machine
from carrel.machines.state import State

if TYPE_CHECKING:
    from carrel.machines.lifecycle import Machines

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
    "CARREL_HOME",
    "CARREL_RUNSC",
    "DOCKER_HOST",
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


def prepare(directory: Path, restart: str) -> None:
    """Before a start, keep of our surroundings what a later start needs: a keeper has none."""
    path = directory / _SURROUNDINGS
    if restart == "never":
        path.unlink(missing_ok=True)
        return
    kept = {name: os.environ[name] for name in _NAMES if name in os.environ}
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump(kept, file)


def leave_reviver(keep: Keep, restart: str, lived: float) -> None:
    """As a keeper whose machine has died, see to its next life."""
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


async def _revive(directory: Path) -> None:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.store import Store

    machines = Machines(Store(directory.parent.parent))
    while True:
        await anyio.sleep(read_deaths(directory).delay)
        machine = await _to_revive(machines, directory.name)
        if machine is None:
            return
        try:
            await machines.up(machine.name)
        except CarrelError as error:
            note(directory, _WHO, f"it could not be started again: {error}")
            _count_again(directory)
            if read_deaths(directory).in_a_row > MOST_IN_A_ROW:
                return
        else:
            note(directory, _WHO, f"it was started again (restart {machine.spec.restart})")
            return


def _count_again(directory: Path) -> None:
    deaths = read_deaths(directory).one_more(0.0)
    _path(directory).write_text(json.dumps(asdict(deaths)))


async def _to_revive(machines: Machines, identity: str) -> Machine | None:
    """The machine, if it is still there, still dead, and still wanted alive."""
    for machine in machines.store.all():
        if machine.id == identity and machine.spec.restart != "never":
            standing = await machines.status(machine.name)
            return machine if standing.observed.state is State.ERROR else None
    return None
