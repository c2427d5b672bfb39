"""Volumes as a provider meets them: where they are, who has them, whose files they hold."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from carrel.errors import InvalidInput, NotFound, Unsupported, WrongState
from carrel.machines.keep import Keep
from carrel.machines.sandbox.plan import AGENT_HOME, GUEST_BUNDLE
from carrel.machines.spec import Machine, MachineSpec, parse_volume

__all__ = [
    "check_volumes",
    "lent",
    "locked",
    "make_place",
    "refuse_volumes",
    "require_lendable",
    "user_of",
    "volume_content",
    "volume_places",
    "volumes_home",
]

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OURS = ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run")
_OURS_TOO = ("/sbin", "/sys", "/usr", GUEST_BUNDLE)
_WHOLE = ("/home", AGENT_HOME, "/tmp", "/var", "/var/tmp")  # noqa: S108


def volumes_home(home: Path) -> Path:
    """Where the volumes of a store are."""
    return home / "volumes"


def volume_content(home: Path, name: str) -> Path:
    """What of a volume a machine sees."""
    return volumes_home(home) / name / "content"


def refuse_volumes(spec: MachineSpec, provider: str) -> None:
    """Refuse a wish for volumes, for a provider that cannot lend any.

    Raises:
        Unsupported: There is such a wish.
    """
    if spec.volumes:
        raise Unsupported(
            f"the {provider} provider cannot attach volumes",
            op="volume.attach",
            hint="use --provider namespace, docker or gvisor, or: carrel data sync",
        )


def check_volumes(spec: MachineSpec) -> None:
    """Refuse places that a machine needs for itself, and volumes within volumes.

    Raises:
        InvalidInput: There is such a place.
    """
    places = [parse_volume(text)[1] for text in spec.volumes]
    for place in places:
        below = any(Path(place).is_relative_to(ours) for ours in _OURS + _OURS_TOO)
        if below or place in _WHOLE or Path(GUEST_BUNDLE).is_relative_to(place):
            raise InvalidInput(
                f"a volume cannot be at {place}: the machine needs that place",
                op="volume.attach",
                hint="such as --at /srv/data",
            )
        for other in places:
            if other != place and Path(place).is_relative_to(other):
                raise InvalidInput(
                    f"a volume cannot be at {place}, inside the one at {other}",
                    op="volume.attach",
                    hint=f"--at a place outside {other}",
                )


def volume_places(machine: Machine) -> list[tuple[Path, str]]:
    """The directories that a machine is lent, and where it has them."""
    home = machine.directory.parents[1]
    found = [parse_volume(text) for text in machine.spec.volumes]
    return [(volume_content(home, name), place) for name, place in found]


def _note(home: Path, name: str) -> Path:
    """Says which machine was lent a volume last."""
    return volumes_home(home) / name / "user"


def make_place(layer: Path, image: Path, place: str, owner: tuple[int, int]) -> None:
    """Make the directory for a volume in a machine's own layer over an image.

    The agent may have put anything there, so no link is followed; what the image has gets the
    mode it has there. All is the agent's, or the kernel would not lay it over the image.

    Raises:
        InvalidInput: Something on the way is no directory.
    """
    here = os.open(layer, _DIRECTORY)
    part = ""
    try:
        for part in place.strip("/").split("/"):
            image /= part
            _make_like(image, here, part, owner)
            below = os.open(part, _DIRECTORY, dir_fd=here)
            os.close(here)
            here = below
    except OSError as error:
        if error.errno not in (errno.ENOTDIR, errno.ELOOP):
            raise
        raise InvalidInput(
            f"a volume cannot be at {place}: {part} is no directory there",
            op="volume.attach",
            hint="another place, such as --at /srv/data",
        ) from error
    finally:
        os.close(here)


def _make_like(original: Path, parent: int, name: str, owner: tuple[int, int]) -> None:
    mode = 0o755
    if original.is_symlink() or original.exists():
        if original.is_symlink() or not original.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "it is none in the image", name)
        mode = original.stat().st_mode & 0o777
    try:
        os.mkdir(name, mode, dir_fd=parent)
    except FileExistsError:
        return
    made = os.open(name, _DIRECTORY, dir_fd=parent)
    try:
        os.fchmod(made, mode)
        os.fchown(made, *owner)
    finally:
        os.close(made)


def user_of(home: Path, name: str) -> str | None:
    """The id of the running machine that has a volume."""
    try:
        machine = _note(home, name).read_text()
    except FileNotFoundError:
        return None
    return machine if Keep(home / "machines" / machine).is_held() else None


@contextmanager
def locked(home: Path, name: str) -> Iterator[None]:
    """Change who has a volume, one at a time, across all processes.

    Raises:
        NotFound: There is no such volume.
        WrongState: Another command is at it.
    """
    path = volumes_home(home) / name
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise _no_volume(name) from None
    try:
        _lock(handle, name)
        yield
    finally:
        os.close(handle)


def _no_volume(name: str) -> NotFound:
    return NotFound(f"there is no volume {name}", hint=f"carrel volume create {name}")


def _lock(handle: int, name: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WrongState(
            f"another command is attaching, deleting or starting a machine with the volume {name}",
            op="volume",
            hint="try again in a moment",
        ) from None


@contextmanager
def lent(machine: Machine, owner: tuple[int, int] | None) -> Iterator[None]:
    """Lend a machine its volumes, while it starts: from then on its keeper says that it has them.

    Args:
        machine: The machine.
        owner: The user and group that its agent is here, where that is not us.

    Raises:
        NotFound: There is no such volume.
        WrongState: Another machine that runs has one of them.
    """
    home = machine.directory.parents[1]
    if Keep(machine.directory).is_held():
        yield  # it runs, with what it has: its start is refused
        return
    _give_back(machine, home)
    with ExitStack() as stack:
        for text in machine.spec.volumes:
            name, _ = parse_volume(text)
            stack.enter_context(locked(home, name))
            _require_free(home, name, machine)
            _note(home, name).write_text(machine.id)
            content = volume_content(home, name)
            if owner is not None:
                hand_over(content, *owner)
        yield


def require_lendable(machine: Machine) -> None:
    """Refuse what `lent` would: a volume that is not there, or that another machine has.

    Raises:
        NotFound: There is no such volume.
        WrongState: Another machine that runs has one of them.
    """
    home = machine.directory.parents[1]
    for text in machine.spec.volumes:
        name, _ = parse_volume(text)
        if not (volumes_home(home) / name).is_dir():
            raise _no_volume(name)
        _require_free(home, name, machine)


def _require_free(home: Path, name: str, machine: Machine) -> None:
    other = user_of(home, name)
    if other is None or other == machine.id:
        return
    from carrel.machines.store import Store

    called = next((each.name for each in Store(home).all() if each.id == other), other)
    raise WrongState(
        f"the volume {name} is attached to {called}, which runs",
        op="machine.start",
        hint=f"carrel stop {called}, or: carrel volume detach {name} {machine.name}",
    )


def _give_back(machine: Machine, home: Path) -> None:
    """Note that a machine that starts anew has no other volumes any more."""
    for note in volumes_home(home).glob("*/user"):
        # Who is at it takes it anyway, or deletes it.
        with suppress(WrongState, NotFound, FileNotFoundError), locked(home, note.parent.name):
            if note.read_text() == machine.id:
                note.unlink()


def hand_over(tree: Path, uid: int, gid: int) -> None:
    """Give all of a directory to a user; the directory itself last, as a sign that it is done."""
    if (tree.stat().st_uid, tree.stat().st_gid) == (uid, gid):
        return
    for _, folders, files, handle in os.fwalk(tree, topdown=False, follow_symlinks=False):
        for name in (*folders, *files):
            os.chown(name, uid, gid, dir_fd=handle, follow_symlinks=False)
    os.chown(tree, uid, gid)
