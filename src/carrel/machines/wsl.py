"""The `wsl.exe` of Windows, called from a Linux that it keeps. Blocking: call it in a thread.

Commands, options and answers as in the source of WSL 2.6 (repository microsoft/WSL:
src/windows/common/WslClient.cpp). What it writes to a pipe is UTF-16.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from carrel.errors import CarrelError, InvalidInput, RunError, Unavailable
from carrel.machines.foreign.tool import (
    Condition,
    decode_words,
    find_program,
    run_tool,
    tool_environment,
)

__all__ = ["CONFIGURATION", "Wsl", "read_list"]

INSTALL = (
    "run Carrel in a Linux that WSL 2 keeps (wsl.exe --install), or name wsl.exe in CARREL_WSL"
)
_PLACE_HINT = "CARREL_WSL_HOME=/mnt/c/Users/YOU/carrel, a directory on a drive of Windows"
_UPDATE = "wsl.exe --update"
_QUICK = 60.0
_COPY_SECONDS = 1800.0
_ENTRY = re.compile(r"[* ] (\S+)\s+([A-Za-z]+)\s+([12])")
_HEADER = re.compile(r"\s*NAME\s+STATE\s+VERSION")
_CONDITIONS = {"Running": Condition.ON, "Stopped": Condition.OFF}

CONFIGURATION = """\
# Nothing of Windows comes in: no drive, no program, no path.
[automount]
enabled=false
mountFsTab=false

[interop]
enabled=false
appendWindowsPath=false

[network]
generateHosts=false
"""
"""The `/etc/wsl.conf` of every system of ours."""


class Wsl:
    """The program.

    Raises:
        Unavailable: It is not here.
    """

    name: str = "WSL"

    def __init__(self) -> None:
        self._program = find_program("wsl.exe", "CARREL_WSL", INSTALL)

    def environment(self) -> dict[str, str]:
        """With the way to Windows: without it no program of Windows can be started."""
        return tool_environment("WSL_INTEROP", "WSL_DISTRO_NAME")

    def _run(
        self, *words: str, timeout: float = _QUICK, feed: Iterable[bytes] | None = None
    ) -> str:
        return decode_words(run_tool([self._program, *words], self.environment(), timeout, feed))

    def about(self) -> str:
        """Ask for its version and its systems, and for the place of ours."""
        try:
            said = self._run("--version")
            self.systems()
        except CarrelError as error:
            hint = error.hint or _UPDATE
            raise Unavailable(error.message, op="wsl", hint=hint) from error
        number = re.search(r"\d+(\.\d+)+", said)
        if number is None:
            raise Unavailable(
                "wsl.exe does not tell its version", op="wsl", hint="wsl.exe --update"
            )
        place()
        return (
            f"WSL {number[0]} answers; its systems share one kernel, its network and its memory, "
            "so no isolation is promised"
        )

    def systems(self) -> Mapping[str, Condition]:
        """How every distribution is."""
        return read_list(self._run("--list", "--verbose"))

    def command(self, name: str, *argv: str) -> tuple[str, ...]:
        """As its root, without a shell of its own in between."""
        words = ("--distribution", name, "--user", "root", "--cd", "/", "--exec")
        return (self._program, *words, *argv)

    def bring_in(self, name: str, tar: Iterable[bytes], owner: str) -> None:
        """Make a distribution of a tree, which knows nothing of Windows; it stays off."""
        (place() / f"{name}.owner").write_text(owner)
        try:
            self._import(name, "-", tar)
            configure = ("/bin/sh", "-c", "cat > /etc/wsl.conf")
            run_tool(
                self.command(name, *configure),
                self.environment(),
                _QUICK,
                [CONFIGURATION.encode()],
            )
            # It is read when the system starts.
            self.turn_off(name, force=True)
        except CarrelError:
            self.discard(name)
            raise

    def _import(self, name: str, source: str, feed: Iterable[bytes] | None = None) -> None:
        where = self._windows_path(place() / name)
        words = ("--import", name, where, source, "--version", "2")
        self._run(*words, timeout=_COPY_SECONDS, feed=feed)

    def _windows_path(self, path: Path) -> str:
        """What Windows calls a file, which need not be there; its directory must."""
        translator = find_program("wslpath", "CARREL_WSLPATH", INSTALL)
        said = run_tool([translator, "-w", str(path.parent)], self.environment(), _QUICK)
        home = decode_words(said).strip().removesuffix("\\")
        return f"{home}\\{path.name}"

    def turn_on(self, name: str) -> None:
        """Whatever is run in it starts it."""
        run_tool(self.command(name, "/bin/true"), self.environment(), _QUICK)

    def turn_off(self, name: str, *, force: bool) -> None:
        """There is one way to end a distribution; what it has written is kept."""
        if not force:
            run_tool(self.command(name, "/bin/sync"), self.environment(), _QUICK)
        self._run("--terminate", name)

    def discard(self, name: str) -> None:
        """Unregister it, which deletes its disk, and remove its copies."""
        if name in self.systems():
            self._run("--unregister", name)
        shutil.rmtree(place() / name, ignore_errors=True)
        shutil.rmtree(_copies(name), ignore_errors=True)
        (place() / f"{name}.owner").unlink(missing_ok=True)

    def owner(self, name: str) -> str | None:
        """Whom a distribution was made for."""
        try:
            return (place() / f"{name}.owner").read_text()
        except FileNotFoundError:
            return None

    def keep(self, name: str, label: str) -> None:
        """Export it."""
        _copies(name).mkdir(exist_ok=True)
        draft, final = _copies(name) / f".{label}", _copies(name) / f"{label}.tar"
        self._run("--export", name, self._windows_path(draft), timeout=_COPY_SECONDS)
        draft.replace(final)

    def kept(self, name: str) -> tuple[str, ...]:
        """The labels of its copies."""
        return tuple(sorted(path.stem for path in _copies(name).glob("*.tar")))

    def drop(self, name: str, label: str) -> None:
        """Remove an export, and what an interrupted one has left."""
        for each in (f".{label}", f"{label}.tar"):
            (_copies(name) / each).unlink(missing_ok=True)

    def go_back(self, name: str, label: str) -> None:
        """Import a copy in its place."""
        copy = _copies(name) / f"{label}.tar"
        if name in self.systems():
            self._run("--unregister", name)
        self._import(name, self._windows_path(copy))


def place() -> Path:
    """Where the disks of our distributions are: Windows cannot have them in a Linux of its own.

    Raises:
        InvalidInput: Nobody has said where.
    """
    wish = os.environ.get("CARREL_WSL_HOME", "")
    if not wish.startswith("/"):
        raise InvalidInput(
            "nobody has said where on Windows the disks of WSL's machines are to be",
            op="wsl",
            hint=_PLACE_HINT,
        )
    path = Path(wish)
    path.mkdir(parents=True, exist_ok=True)
    return path


def _copies(name: str) -> Path:
    return place() / f"{name}.kept"


def read_list(text: str) -> dict[str, Condition]:
    """What `wsl.exe --list --verbose` says, whose words are the same in every language.

    Raises:
        RunError: It says something else.
    """
    found: dict[str, Condition] = {}
    for line in text.splitlines():
        if not line.strip() or _HEADER.fullmatch(line.rstrip()):
            continue
        entry = _ENTRY.fullmatch(line.rstrip())
        if entry is None:
            raise RunError(f"wsl.exe --list said {line[:100]!r}", op="wsl")
        found[entry[1]] = _CONDITIONS.get(entry[2], Condition.BROKEN)
    return found
