"""Whether this system allows a sandbox, found out by making one."""

from __future__ import annotations

import errno
import os
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from select import select

from carrel.errors import CarrelError
from carrel.machines.removal import remove_tree
from carrel.machines.sandbox.child import Failure, Started, read_failure, start_sandbox
from carrel.machines.sandbox.layout import agent_env, host_layout, machine_uid, scratch
from carrel.machines.sandbox.plan import SandboxPlan

__all__ = ["PROBES", "Finding", "explain", "probe"]

PROBES = ".probe-"
"""How the directories of probes begin."""

_BOUND = 5.0
_SKELETON = ("dev", "home", "proc", "run", "tmp", "var/tmp")


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a sandbox cannot be made here, and the command that changes it."""

    reason: str
    fix: str | None = None


def probe(home: Path) -> Finding | None:
    """Make a sandbox with every wall there is, run a program in it, remove it.

    Args:
        home: Where machines are kept: their file system has to be good for an overlay.

    Returns:
        What is in the way; None when it worked.
    """
    if not hasattr(os, "pidfd_open"):
        return Finding("namespaces are a feature of Linux", "use another provider")
    # Named for its maker, so that what a killed one left is known for what it is.
    directory = Path(tempfile.mkdtemp(prefix=f"{PROBES}{os.getpid()}-", dir=home))
    try:
        return _try(directory)
    except CarrelError as error:
        return Finding(error.message, error.hint)
    finally:
        remove_tree(directory)


def _try(directory: Path) -> Finding | None:
    child = start_sandbox(_plan(directory))
    try:
        text = _read_until(child, time.monotonic() + _BOUND)
        if text is None:
            return Finding(f"a sandbox did not come up within {_BOUND:g} s")
        failure = read_failure(text)
        status = child.process.wait(timeout=_BOUND)
    finally:
        child.process.send_signal(signal.SIGKILL)
        child.process.wait()
        said = os.read(child.console, 4096).decode(errors="replace").strip()
        os.close(child.console)
        os.close(child.status)
    if failure is not None:
        return explain(failure)
    return None if status == 0 else Finding(f"a program in a sandbox ended with {status}: {said}")


def _read_until(child: Started, deadline: float) -> bytes | None:
    text = b""
    while True:
        ready, _, _ = select([child.status], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = os.read(child.status, 4096)
        if not part:
            return text
        text += part


def _plan(directory: Path) -> SandboxPlan:
    """An image with nothing in it, and this system's programs shown in that."""
    root = os.geteuid() == 0
    uid = machine_uid(directory.name) if root else os.geteuid()
    layout = host_layout(())
    lower = directory / "lower"
    for name in (*_SKELETON, *(bind.target.strip("/") for bind in layout.binds)):
        (lower / name).mkdir(parents=True, exist_ok=True)
    for name, destination in layout.links:
        (lower / name.strip("/")).symlink_to(destination)
    for name in ("disk/upper", "disk/work", "home"):
        (directory / name).mkdir(parents=True)
    return SandboxPlan(
        name="probe",
        uid=uid,
        gid=uid if root else os.getegid(),
        drop=root,
        parent=os.getpid(),
        disk=str(directory / "disk"),
        home=str(directory / "home"),
        lower=str(lower),
        binds=layout.binds,
        tmpfs=scratch(64),
        argv=("/bin/sh", "-c", "touch /home/agent/here && test -r /proc/self/status"),
        env=agent_env(),
    )


def explain(failure: Failure) -> Finding:
    """The step that failed, in words, with the command that fixes it where we know one."""
    if failure.errno in (errno.EPERM, errno.EACCES, errno.ENOSPC):
        for name, blocking, fix in _SWITCHES:
            if _read(name) == blocking:
                return Finding(f"user namespaces are switched off ({name}={blocking})", fix)
    if failure.step in ("namespaces", "map"):
        return _explain_namespaces(failure)
    if failure.step == "seccomp" and failure.errno == errno.ENOPKG:
        return Finding("the library libseccomp is missing", "sudo apt-get install libseccomp2")
    if failure.step == "mounts" and "overlay" in failure.message:
        return Finding(
            f"the kernel refuses an overlay for ordinary users: {failure.message}",
            "use Linux 5.11 or later, and set CARREL_HOME to a directory on ext4, xfs or btrfs",
        )
    if failure.step == "mounts" and "mount proc" in failure.message:
        return Finding(
            f"/proc cannot be mounted, as in a container that hides parts of it: {failure.message}",
            "docker run --security-opt systempaths=unconfined …, or run carrel outside",
        )
    if "mount_setattr" in failure.message and failure.errno == errno.ENOSYS:
        return Finding("the kernel is older than Linux 5.12", "use Linux 5.12 or later")
    return Finding(f"{failure.step}: {failure.message}")


def _explain_namespaces(failure: Failure) -> Finding:
    if failure.errno == errno.ENOSPC:
        return Finding(
            "there are too many namespaces already", "sudo sysctl user.max_user_namespaces=65536"
        )
    return Finding(
        f"user namespaces are refused: {failure.message}",
        "docker run --security-opt seccomp=unconfined …, or run carrel outside the container",
    )


_SWITCHES = (
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    (
        "kernel/unprivileged_userns_clone",
        "0",
        "sudo sysctl kernel.unprivileged_userns_clone=1",
    ),
    ("user/max_user_namespaces", "0", "sudo sysctl user.max_user_namespaces=65536"),
)


def _read(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return None
