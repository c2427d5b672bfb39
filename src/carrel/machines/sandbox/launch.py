"""The program that becomes a sandbox: `python -m carrel.machines.sandbox.launch PLAN_FD STATUS_FD`.

Three processes. The launcher, on the host's side, waits. Its child is process 1 of the machine,
behind every wall, and waits too. The child of that is the program of the plan. Whoever dies takes
along those below: the kernel sees to it, not this code.

On `STATUS_FD` comes a JSON object with the step that failed, or nothing when the program started.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from carrel.codec import decode
from carrel.machines.sandbox import mounts
from carrel.machines.sandbox._libc import (
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    Namespace,
    drop_capabilities,
    prctl,
    sethostname,
    unshare,
)
from carrel.machines.sandbox.plan import AGENT_GID, AGENT_UID, SandboxPlan
from carrel.machines.sandbox.seccomp import Filter

__all__ = ["main"]

_NAMESPACES = (
    Namespace.USER
    | Namespace.MOUNT
    | Namespace.PID
    | Namespace.NET
    | Namespace.IPC
    | Namespace.UTS
    | Namespace.CGROUP
)
_MOST_FILES = 65536


class _StepError(Exception):
    def __init__(self, step: str, error: OSError) -> None:
        super().__init__(step)
        self.step = step
        self.error = error


@contextmanager
def _step(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _StepError(name, error) from error


def main() -> NoReturn:
    """Read the plan, become the sandbox, end as its program ended."""
    plan_fd, status_fd = int(sys.argv[1]), int(sys.argv[2])
    with os.fdopen(plan_fd, "rb") as file:
        plan = decode(SandboxPlan, json.load(file))
    os.set_inheritable(status_fd, False)
    try:
        status = _run(plan, status_fd)
    except _StepError as failure:
        _report(status_fd, failure)
        status = 1
    os._exit(status)


def _report(status_fd: int, failure: _StepError) -> None:
    error = failure.error
    message = {"step": failure.step, "errno": error.errno, "message": str(error)}
    os.write(status_fd, json.dumps(message).encode())


def _run(plan: SandboxPlan, status_fd: int) -> int:
    _die_with(plan.parent)
    with _step("cgroup"):
        _join(plan.cgroups)
    with _step("seccomp"):
        filters = Filter()
    if plan.drop:
        with _step("stage"):
            _hand_over(plan)
            unshare(Namespace.MOUNT)
            mounts.stage(plan)
        with _step("drop"):
            _become(plan)
            _die_with(plan.parent)
    with _step("namespaces"):
        unshare(_NAMESPACES)
    with _step("map"):
        _map_ids(plan)
    if not plan.drop:
        with _step("stage"):
            mounts.stage(plan)
    return _fork_first(plan, filters, status_fd)


def _die_with(parent: int) -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # The parent may have died before the line above took effect.
    if os.getppid() != parent:
        os._exit(1)


def _join(cgroups: tuple[str, ...]) -> None:
    for directory in cgroups:
        fd = os.open(f"{directory}/cgroup.procs", os.O_WRONLY)
        os.write(fd, b"0")
        os.close(fd)


def _hand_over(plan: SandboxPlan) -> None:
    for directory in (plan.disk, f"{plan.disk}/upper", f"{plan.disk}/work", plan.home):
        os.chown(directory, plan.uid, plan.gid, follow_symlinks=False)


def _become(plan: SandboxPlan) -> None:
    os.setgroups([])
    os.setresgid(plan.gid, plan.gid, plan.gid)
    os.setresuid(plan.uid, plan.uid, plan.uid)
    # Without this, the files in /proc/self would belong to root and the maps could not be written.
    prctl(PR_SET_DUMPABLE, 1)


def _map_ids(plan: SandboxPlan) -> None:
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{AGENT_UID} {plan.uid} 1")
    _write("/proc/self/gid_map", f"{AGENT_GID} {plan.gid} 1")


def _write(path: str, text: str) -> None:
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def _fork_first(plan: SandboxPlan, filters: Filter, status_fd: int) -> int:
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        os._exit(_first(plan, filters, status_fd, theirs))
    theirs.close()
    os.close(status_fd)
    for fd in plan.keep:
        os.close(fd)
    with _step("capabilities"):
        drop_capabilities()
    _forward_sigterm(pid)
    # From here the child dies with us, and knows that we were alive when it asked for that.
    if ours.recv(1) == b"?":
        ours.send(b"!")
    ours.close()
    return _wait_for(pid)


def _forward_sigterm(pid: int) -> None:
    def forward(number: int, _: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, number)

    signal.signal(signal.SIGTERM, forward)


def _wait_for(pid: int) -> int:
    _, status = os.waitpid(pid, 0)
    return _exit_status(status)


def _exit_status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _first(plan: SandboxPlan, filters: Filter, status_fd: int, parent: socket.socket) -> int:
    try:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        parent.send(b"?")
        if parent.recv(1) != b"!":
            return 1
        parent.close()
        _set_up(plan)
        _confine(plan, filters)
        guest = _start_guest(plan, status_fd)
    except _StepError as failure:
        _report(status_fd, failure)
        return 1
    os.close(status_fd)
    for fd in plan.keep:
        os.close(fd)
    return _reap_until(guest)


def _set_up(plan: SandboxPlan) -> None:
    with _step("mounts"):
        mounts.build(plan)
    with _step("root"):
        mounts.enter()
    with _step("host name"):
        sethostname(plan.name)
    with _step("loopback"):
        _raise_loopback()
    os.umask(0o022)


def _raise_loopback() -> None:
    get_flags, set_flags, up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        answer = fcntl.ioctl(any_socket, get_flags, request)
        flags = struct.unpack("16sH14s", answer)[1]
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14s", b"lo", flags | up, b""))


def _confine(plan: SandboxPlan, filters: Filter) -> None:
    with _step("limits"):
        # Not 0: only 1 also keeps a crash from a program of the host's that takes core dumps.
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
        if plan.processes:
            _, most = resource.getrlimit(resource.RLIMIT_NPROC)
            most = plan.processes if most == resource.RLIM_INFINITY else min(most, plan.processes)
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    with _step("capabilities"):
        drop_capabilities()
    with _step("seccomp"):
        filters.load()
    # The agent has the same user id; it is not to read host paths out of this process.
    prctl(PR_SET_DUMPABLE, 0)


def _start_guest(plan: SandboxPlan, status_fd: int) -> int:
    with _step("fork"):
        pid = os.fork()
    if pid:
        return pid
    try:
        with _step("start"):
            _exec(plan, status_fd)
    except _StepError as failure:
        _report(status_fd, failure)
    os._exit(127)


def _exec(plan: SandboxPlan, status_fd: int) -> None:
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    kept = {0, 1, 2, status_fd, *plan.keep}
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        if int(name) not in kept:
            _close(int(name))
    for fd in plan.keep:
        os.set_inheritable(fd, True)
    os.chdir(plan.env.get("HOME", "/"))
    os.execvpe(plan.argv[0], list(plan.argv), dict(plan.env))  # noqa: S606


def _close(fd: int) -> None:
    try:
        os.close(fd)
    except OSError:
        return  # the descriptor that listed the directory


def _reap_until(guest: int) -> int:
    """Be process 1: take in orphans until the guest ends; the kernel ends everything else then."""
    _forward_sigterm(guest)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == guest:
            return _exit_status(status)


if __name__ == "__main__":
    main()
