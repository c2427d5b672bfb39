"""Lima's `limactl`: virtual machines on Linux and macOS. Blocking: call it in a thread.

Commands, flags and answers as in the source of Lima 2.0 (repository lima-vm/lima: cmd/limactl,
pkg/limatype, pkg/instance, templates/default.yaml).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput, RunError, Unavailable
from carrel.machines.foreign.copies import Copies, is_copy
from carrel.machines.foreign.tool import (
    Condition,
    decode_words,
    find_program,
    run_tool,
    tool_environment,
)

__all__ = ["CloudImage", "Instance", "Limactl", "template"]

INSTALL = "install Lima 2 or later (lima-vm.io), or name its limactl in CARREL_LIMACTL"
_OLDEST = 2
_QUICK = 60.0
_COPY_SECONDS = 600.0
_START_SECONDS = 660.0
_STOP_SECONDS = 240.0
_COPY = "a copy, of "
_CONDITIONS = {"Running": Condition.ON, "Stopped": Condition.OFF}
_DIGEST = re.compile(r"sha(256:[0-9a-f]{64}|512:[0-9a-f]{128})")


@dataclass(frozen=True, slots=True)
class CloudImage:
    """What instances start from: a cloud image of Linux, chosen by its user.

    Attributes:
        location: An address, or a path.
        digest: `sha256:…` or `sha512:…` of it; nothing where it is not known.
    """

    location: str
    digest: str = ""

    @classmethod
    def chosen(cls) -> CloudImage:
        """The one that the environment names.

        Raises:
            InvalidInput: There is none, or its digest is none.
        """
        location = os.environ.get("CARREL_LIMA_IMAGE", "")
        digest = os.environ.get("CARREL_LIMA_DIGEST", "")
        if not location:
            raise InvalidInput(
                "Lima's machines start from a cloud image of your choice, and none is named",
                op="lima",
                hint="CARREL_LIMA_IMAGE=URL-or-path of a cloud image of Debian's or Ubuntu's, and "
                "CARREL_LIMA_DIGEST=sha256:… to have it checked",
            )
        if digest and _DIGEST.fullmatch(digest) is None:
            raise InvalidInput(f"CARREL_LIMA_DIGEST={digest[:80]} is not sha256:… or sha512:…")
        return cls(location, digest)


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance as `limactl list` tells of it."""

    name: str
    condition: Condition
    message: str = ""
    cpus: int = 0
    memory: int = 0
    disk: int = 0


def template(image: CloudImage, disk_mb: int, message: str) -> str:
    """The template of an instance that shares nothing with its host. JSON is YAML, too."""
    entry: dict[str, Json] = {"location": image.location}
    if image.digest:
        entry["digest"] = image.digest
    wish: dict[str, Json] = {
        "minimumLimaVersion": "2.0.0",
        "images": [entry],
        "disk": f"{disk_mb}MiB",
        "plain": True,
        "mounts": [],
        "portForwards": [],
        "containerd": {"system": False, "user": False},
        "ssh": {"loadDotSSHPubKeys": False, "forwardAgent": False, "forwardX11": False},
        "video": {"display": "none"},
        "message": message,
    }
    return json.dumps(wish, indent=1)


class Limactl(Copies):
    """The program.

    Raises:
        Unavailable: It is not installed.
    """

    name: str = "Lima"

    def __init__(self) -> None:
        self._program = find_program("limactl", "CARREL_LIMACTL", INSTALL)

    def environment(self) -> dict[str, str]:
        """Its home, and whichever ssh it is to use."""
        return tool_environment("LIMA_HOME", "SSH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")

    def _run(self, *words: str, timeout: float = _QUICK, feed: str | None = None) -> str:
        data = None if feed is None else [feed.encode()]
        argv = [self._program, "--tty=false", *words]
        return decode_words(run_tool(argv, self.environment(), timeout, data))

    def about(self) -> str:
        """Ask for its version and its instances; root and old ones are refused."""
        try:
            said = self._run("--version").strip()
            self.instances()
        except CarrelError as error:
            raise Unavailable(error.message, op="lima", hint=error.hint or INSTALL) from error
        number = re.search(r"(\d+)\.\d+", said)
        if number is None or int(number[1]) < _OLDEST:
            raise Unavailable(f"{said} is too old", op="lima", hint=INSTALL)
        CloudImage.chosen()
        return f"{said} answers; its machines are virtual ones"

    def instances(self) -> dict[str, Instance]:
        """Every instance by its name."""
        return {found.name: found for found in read_list(self._run("list", "--json"))}

    def systems(self) -> Mapping[str, Condition]:
        """How every instance is."""
        return {name: found.condition for name, found in self.instances().items()}

    def command(self, name: str, *argv: str) -> tuple[str, ...]:
        """By Lima's own ssh, as the user it made, who may be root without a password."""
        words = ("shell", "--workdir", "/", name, "sudo", "-n", *argv)
        return (self._program, "--tty=false", *words)

    def create(self, name: str, wish: str) -> None:
        """Make an instance from a template; nothing runs yet."""
        self._run("create", f"--name={name}", "-", timeout=_START_SECONDS, feed=wish)

    def clone(self, old: str, new: str, changes: Mapping[str, Json]) -> None:
        """Copy an instance that is off; where that fails nothing is left."""
        try:
            self._run("clone", old, new, "--set", expression(changes), timeout=_COPY_SECONDS)
        except CarrelError:
            self.remove(new)
            raise

    def edit(self, name: str, changes: Mapping[str, Json]) -> None:
        """Change the template of an instance that is off."""
        self._run("edit", name, "--set", expression(changes))

    def turn_on(self, name: str) -> None:
        """Start it; returns when its ssh answers."""
        self._run("start", "--timeout=10m", name, timeout=_START_SECONDS)

    def turn_off(self, name: str, *, force: bool) -> None:
        """Have it shut down, or cut its power."""
        self._run("stop", *(["--force"] if force else []), name, timeout=_STOP_SECONDS)

    def discard(self, name: str) -> None:
        """Remove it and its copies."""
        self.remove(*self.with_copies(name))

    def remove(self, *names: str) -> None:
        """Remove these and no copies; Lima only warns of one that is not there."""
        if names:
            self._run("delete", "--force", *names)

    def owners(self, name: str) -> set[str]:
        """What it and its copies say whose it is."""
        found = self.instances()
        return {found[each].message.strip().removeprefix(_COPY) for each in self.with_copies(name)}

    def copy(self, old: str, new: str) -> None:
        """Clone it; a copy says of what it is one, and a machine of a copy what that was."""
        owner = self.instances()[old].message.removeprefix(_COPY)
        self.clone(old, new, {"message": f"{_COPY}{owner}" if is_copy(new) else owner})


def expression(changes: Mapping[str, Json]) -> str:
    """What `--set` takes: assignments in the language of yq, whose strings are JSON's."""
    return " | ".join(f".{key} = {json.dumps(value)}" for key, value in changes.items())


def read_list(text: str) -> list[Instance]:
    """What `limactl list --json` says: one instance a line.

    Raises:
        RunError: It says something else.
    """
    found = []
    for line in filter(None, text.splitlines()):
        try:
            told = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RunError(f"limactl list said {line[:100]!r}", op="lima") from error
        if not isinstance(told, dict) or not isinstance(told.get("name"), str):
            raise RunError(f"limactl list told of no instance: {line[:100]!r}", op="lima")
        found.append(
            Instance(
                told["name"],
                _CONDITIONS.get(str(told.get("status")), Condition.BROKEN),
                str(told.get("message", "")),
                _number(told.get("cpus")),
                _number(told.get("memory")),
                _number(told.get("disk")),
            )
        )
    return found


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
