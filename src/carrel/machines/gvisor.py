"""gVisor's `runsc`: where it is, what it is told, and the bundle it runs a machine from."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from carrel.errors import CarrelError, InvalidInput, RunError, Unavailable, Unsupported
from carrel.machines.bundle import guest_bundle
from carrel.machines.images import Image
from carrel.machines.lending import volume_places
from carrel.machines.paths import private_directory, runtime_directory
from carrel.machines.providers._guest import guest_argv
from carrel.machines.removal import remove_tree
from carrel.machines.sandbox.layout import agent_env, machine_identity
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_HOME, AGENT_UID, GUEST_BUNDLE
from carrel.machines.spec import Machine

__all__ = ["Runsc", "choose_root", "find_runsc", "root_of", "write_bundle"]

OLDEST = 2024
"""The year of the first release whose snapshots hold a desktop; Debian 12 has one of 2022."""

_ROOT = "runsc.root"
_FIX = "install gVisor's runsc of 2024 or later: Debian 13's package runsc, or CARREL_RUNSC=PATH"
_QUICK = 60.0
_MOUNTED = ("/dev", "/proc", "/run", "/sys", "/tmp")  # noqa: S108
_SETS = ("bounding", "effective", "permitted")
_NO_OPTION = "flag provided but not defined"
_WARNING = re.compile(r"[* ]*(seccomp )?warning:", re.IGNORECASE)
_RELEASE = re.compile(r"(20\d\d)\d{4}")


def find_runsc() -> str:
    """The program, new enough.

    Raises:
        Unavailable: There is none, or it is too old.
    """
    wish = os.environ.get("CARREL_RUNSC") or shutil.which("runsc")
    if wish is None or not Path(wish).is_file():
        raise Unavailable("runsc is not installed", op="gvisor", hint=_FIX)
    release = _release(wish)
    if release is not None and release < OLDEST:
        raise Unavailable(f"{wish} is of {release}, which is too old", op="gvisor", hint=_FIX)
    return str(Path(wish).absolute())


@cache
def _release(program: str) -> int | None:
    done = subprocess.run(
        [program, "--version"], capture_output=True, text=True, timeout=_QUICK, check=False
    )
    found = _RELEASE.search(done.stdout)
    return int(found[1]) if found else None


def root_of(machine: Machine) -> Path:
    """Where runsc has a machine's sandbox on record: whoever asks, as it was at its start.

    Raises:
        Unavailable: The directory is somebody else's by now.
    """
    try:
        root = Path((machine.directory / _ROOT).read_text())
    except FileNotFoundError:
        return runtime_directory("runsc")
    if root.exists() and not _is_own(root, machine):
        raise Unavailable(f"{root} belongs to somebody else", op="gvisor", hint=f"remove {root}")
    return root


def choose_root(machine: Machine) -> Path:
    """Say where that is from now on, for a machine that is about to start."""
    note = machine.directory / _ROOT
    if note.exists() and _is_own(root := Path(note.read_text()), machine):
        return root
    root = runtime_directory("runsc")
    draft = note.with_name(f".{note.name}.{os.getpid()}")
    draft.write_text(str(root))
    draft.replace(note)
    return root


def _is_own(root: Path, machine: Machine) -> bool:
    """Whether a directory is there, and of whom the machine's is; root may ask as well."""
    try:
        return root.lstat().st_uid == machine.directory.stat().st_uid and root.is_dir()
    except FileNotFoundError:
        return False


class Runsc:
    """The program, told where it keeps the state of its sandboxes.

    Args:
        root: There; this user's own place by default.
        shared: What is written to the directories it is lent goes there, not to its own memory.
    """

    def __init__(self, root: Path | None = None, *, shared: bool = False) -> None:
        self._overlaid = "root" if shared else "all"
        self.program = find_runsc()
        self.root = root or runtime_directory("runsc")

    def command(self, *words: str) -> list[str]:
        """A command line for one of its subcommands."""
        options = [f"--root={self.root}", "--network=none", "--ignore-cgroups"]
        # Everything written stays in the sandbox's own memory: a snapshot holds all of it.
        options += [f"--overlay2={self._overlaid}:memory", "--host-uds=none"]
        if os.geteuid() != 0:
            options.append("--rootless")
        return [self.program, *options, *words]

    def call(self, *words: str, timeout: float = _QUICK) -> str:
        """Run a subcommand to its end.

        Raises:
            RunError: It failed; with its words.
            Unsupported: It does not know one of the options.
        """
        try:
            done = subprocess.run(
                self.command(*words), capture_output=True, text=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            raise RunError(f"runsc {words[0]} did not end within {timeout:g} s") from None
        if done.returncode != 0:
            raise _failure(words[0], done.stderr or done.stdout)
        return done.stdout

    def try_out(self) -> None:
        """Run a program in a sandbox, for real.

        Raises:
            RunError: That does not work here.
        """
        with tempfile.TemporaryDirectory(prefix="carrel-probe-") as place:
            self.call("do", f"--cwd={place}", "/bin/true")

    def status(self, container: str) -> str | None:
        """`running`, `paused`, `stopped`; None where there is no such sandbox."""
        try:
            found = json.loads(self.call("state", container))
        except RunError:
            return None
        return str(found.get("status"))

    def call_host(self, container: str, name: str) -> None:
        """Give a running sandbox a host name.

        Raises:
            RunError: It could not.
        """
        # Nothing of what its owner has set: this one has a privilege.
        wish = {
            "args": ["/bin/hostname", name],
            "cwd": "/",
            "env": ["PATH=/usr/bin:/bin"],
            "user": {"uid": 0, "gid": 0},
            "capabilities": {kind: ["CAP_SYS_ADMIN"] for kind in _SETS},
            "noNewPrivileges": True,
        }
        with tempfile.NamedTemporaryFile("w", prefix="carrel-process-") as file:
            json.dump(wish, file)
            file.flush()
            self.call("exec", f"--process={file.name}", container)

    def forget(self, container: str) -> None:
        """Remove what is left of a sandbox."""
        if any(self.root.glob(f"*{container}*")):
            self.call("delete", "--force", container)


def _failure(subcommand: str, said: str) -> CarrelError:
    """Why a subcommand failed, by all that it said: warnings may stand before the reason."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if unknown := next((line for line in lines if _NO_OPTION in line), None):
        return Unsupported(
            f"runsc {subcommand} is too old: {unknown[:300]}", op="gvisor", hint=_FIX
        )
    reasons = [line for line in lines if not _WARNING.match(line)]
    reason = next(iter(reasons or lines), "no reason given")
    return RunError(f"runsc {subcommand} failed: {reason[:300]}", op="gvisor")


def write_bundle(machine: Machine, image: Image) -> Path:
    """Write what runsc runs this machine from: the directory."""
    bundle = private_directory(machine.directory / "bundle")
    (bundle / "config.json").write_text(json.dumps(_config(machine, image), indent=1))
    return bundle


def _config(machine: Machine, image: Image) -> dict[str, object]:
    spec = machine.spec
    half = max(spec.memory_mb // 2, 32) << 20
    root, shown = (image.rootfs, []) if not spec.volumes else _own_root(machine, image)
    agent = [f"uid={AGENT_UID}", f"gid={AGENT_GID}", "mode=700"]
    return {
        "ociVersion": "1.0.2",
        "hostname": machine.name,
        "process": {
            "terminal": False,
            "user": {"uid": AGENT_UID, "gid": AGENT_GID},
            "args": guest_argv(image.python, spec, "--first", "--stdio"),
            "env": [f"{name}={value}" for name, value in agent_env(extra=spec.env).items()],
            "cwd": AGENT_HOME,
            "capabilities": {},
            "noNewPrivileges": True,
            "rlimits": [
                {"type": "RLIMIT_NOFILE", "soft": 4096, "hard": 65536},
                {"type": "RLIMIT_CORE", "soft": 0, "hard": 0},
            ],
        },
        "root": {"path": str(root), "readonly": False},
        "mounts": [
            *shown,
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
            _mount("/sys", "sysfs", ["nosuid", "noexec", "nodev", "ro"]),
            _mount("/dev/shm", "tmpfs", ["mode=1777", f"size={half}"]),  # noqa: S108
            _mount("/tmp", "tmpfs", ["mode=1777", f"size={half}"]),  # noqa: S108
            _mount("/var/tmp", "tmpfs", ["mode=1777", f"size={half}"]),  # noqa: S108
            _mount("/run", "tmpfs", ["mode=755"]),
            _mount(f"/run/user/{AGENT_UID}", "tmpfs", agent),
            _mount(AGENT_HOME, "tmpfs", [*agent, f"size={half}"]),
            _bind(guest_bundle(), GUEST_BUNDLE),
            *_identity(machine),
            *(_bind(path, at, writable=True) for path, at in volume_places(machine)),
        ],
        "linux": {
            "namespaces": [{"type": name} for name in ("pid", "network", "ipc", "uts", "mount")],
        },
    }


def _own_root(machine: Machine, image: Image) -> tuple[Path, list[dict[str, object]]]:
    """A root that shows an image, in which runsc may make the places of volumes.

    It makes them in the directory that it is given as root, and the image is everybody's.
    """
    root = machine.directory / "root"
    remove_tree(root)
    places = [place for _, place in volume_places(machine)]
    shown = list(_show(image.rootfs, root, "", places))
    for place in places:
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
    return root, shown


def _show(
    image: Path, target: Path, inside: str, places: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Make a directory like one of an image, in which volumes have places: each thing a mount."""
    target.mkdir()
    target.chmod(0o755)
    for entry in sorted(image.iterdir()):
        path, own = f"{inside}/{entry.name}", target / entry.name
        if entry.is_symlink():
            if any(Path(place).is_relative_to(path) for place in places):
                raise InvalidInput(f"{path} is a link in the machine: no volume can be there")
            own.symlink_to(entry.readlink())
        elif any(place.startswith(f"{path}/") for place in places):
            yield from _show(entry, own, path, places)
        elif path not in (*places, *_MOUNTED):
            yield _bind(entry, path)


def _mount(target: str, kind: str, options: Sequence[str]) -> dict[str, object]:
    return {"destination": target, "type": kind, "source": kind, "options": list(options)}


def _bind(source: Path, target: str, *, writable: bool = False) -> dict[str, object]:
    return {
        "destination": target,
        "type": "bind",
        "source": str(source),
        "options": ["rw" if writable else "ro", "bind", "nosuid", "nodev"],
    }


def _identity(machine: Machine) -> list[dict[str, object]]:
    path = machine.directory / "machine-id"
    path.write_text(machine_identity(machine.id) + "\n")
    path.chmod(0o644)
    return [_bind(path, "/etc/machine-id")]
