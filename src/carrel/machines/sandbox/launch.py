"""Becoming a sandbox.

Three processes. The launcher, on the host's side, waits. Its child is process 1 of the machine,
behind every wall, and waits too. The child of that is the program of the plan. Whoever dies takes
along those below: the kernel sees to it, not this code.

On the status descriptor comes the step that failed, or nothing when the program started.

A keeper forks its launcher; whoever may have threads starts one, see `child.start_sandbox`. What is
needed is loaded before the walls go up, and nothing more: every start waits for this module.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the enumerations of `signal` cost 6 ms
import fcntl
import gc
import marshal
import os
import resource
import struct
import sys
from types import SimpleNamespace

from carrel.guest.server_start import from_arguments, hand_over
from carrel.machines.sandbox import mounts
from carrel.machines.sandbox._libc import (
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    Namespace,
    drop_capabilities,
    internet_socket,
    prctl,
    set_title,
    sethostname,
    unshare,
)
from carrel.machines.sandbox._places import AGENT_GID, AGENT_UID
from carrel.machines.sandbox.seccomp import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

    from carrel.machines.sandbox.plan import SandboxPlan

__all__ = ["TITLE", "become", "die_with", "fork", "join", "main", "read_plan"]

TITLE = "carrel.machines.sandbox.launch"
"""What `ps` shows for the launcher and for process 1."""

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


class _Step:
    """Names what is being done, for whoever reads of its failure."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, OSError):
            raise _StepError(self._name, error) from error


def main() -> NoReturn:
    """Read the plan, become the sandbox: for an interpreter of its own."""
    plan_fd, status_fd = int(sys.argv[-2]), int(sys.argv[-1])
    with open(plan_fd, "rb") as file:
        plan = read_plan(marshal.load(file))  # noqa: S302 - our parent's words
    os.set_inheritable(status_fd, False)
    become(plan, status_fd)


def read_plan(told: dict[str, object]) -> SandboxPlan:
    """A plan that came as plain data, with the attributes of one."""
    parts = {
        name: [SimpleNamespace(**each) for each in told[name]]  # type: ignore[attr-defined]
        for name in ("binds", "tmpfs", "late_binds")
    }
    plan: SandboxPlan = SimpleNamespace(**{**told, **parts})  # type: ignore[assignment]
    return plan


def fork(plan: SandboxPlan) -> tuple[int, int, int]:
    """Start the plan's program from a copy of this process, which must have one thread.

    Returns:
        The launcher's number, and the read ends of its console and its status.
    """
    read_console, write_console = os.pipe()
    read_status, write_status = os.pipe()
    plan.parent = os.getpid()  # type: ignore[misc]
    pid = os.fork()
    if pid == 0:
        try:
            _leave(plan, write_console, write_status)
            become(plan, write_status)
        except BaseException:  # noqa: BLE001 (a copy must never go on as its original)
            sys.excepthook(*sys.exc_info())
        os._exit(1)
    os.close(write_console)
    os.close(write_status)
    return pid, read_console, read_status


def _leave(plan: SandboxPlan, console: int, status_fd: int) -> None:
    """Have nothing more in common with the process this is a copy of."""
    gc.disable()
    set_title(TITLE)
    for number in (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP):
        _signal.signal(number, _signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    os.dup2(console, 1)
    os.dup2(console, 2)
    _close_all_but({0, 1, 2, status_fd, *plan.keep})


def become(plan: SandboxPlan, status_fd: int) -> NoReturn:
    """Become the sandbox, and end as its program ended."""
    try:
        status = _run(plan, status_fd)
    except _StepError as failure:
        _report(status_fd, failure)
        status = 1
    os._exit(status)


def _report(status_fd: int, failure: _StepError) -> None:
    error = failure.error
    told = f"{failure.step}\n{error.errno or ''}\n{error}"
    os.write(status_fd, told.encode(errors="surrogateescape"))


def _run(plan: SandboxPlan, status_fd: int) -> int:
    die_with(plan.parent)
    with _Step("cgroup"):
        join(plan.cgroups)
    with _Step("seccomp"):
        filters = Filter()
    if plan.drop:
        with _Step("stage"):
            _give_directories(plan)
            unshare(Namespace.MOUNT)
            mounts.stage(plan)
        with _Step("drop"):
            _become(plan)
            die_with(plan.parent)
    with _Step("namespaces"):
        unshare(_NAMESPACES)
    with _Step("map"):
        _map_ids(plan)
    if not plan.drop:
        with _Step("stage"):
            mounts.stage(plan)
    return _fork_first(plan, filters, status_fd)


def die_with(parent: int) -> None:
    """Have the kernel end this process with its parent, also if that is dead already."""
    prctl(PR_SET_PDEATHSIG, _signal.SIGKILL)
    # The parent may have died before the line above took effect.
    if os.getppid() != parent:
        os._exit(1)


def join(cgroups: tuple[str, ...]) -> None:
    """Move this process into control groups."""
    for directory in cgroups:
        fd = os.open(f"{directory}/cgroup.procs", os.O_WRONLY)
        os.write(fd, b"0")
        os.close(fd)


def _give_directories(plan: SandboxPlan) -> None:
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
    asked, ask = os.pipe()
    answer, answered = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(asked)
        os.close(answered)
        os._exit(_first(plan, filters, status_fd, ask, answer))
    for fd in (ask, answer, status_fd, *plan.keep):
        os.close(fd)
    with _Step("capabilities"):
        drop_capabilities()
    _forward_sigterm(pid)
    # From here the child dies with us, and knows that we were alive when it asked for that.
    if os.read(asked, 1) == b"?":
        os.write(answered, b"!")
    os.close(asked)
    os.close(answered)
    return _wait_for(pid)


def _forward_sigterm(pid: int) -> None:
    def forward(number: int, _: FrameType | None) -> None:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return  # it has ended by itself

    _signal.signal(_signal.SIGTERM, forward)


def _wait_for(pid: int) -> int:
    _, status = os.waitpid(pid, 0)
    return _exit_status(status)


def _exit_status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def _first(plan: SandboxPlan, filters: Filter, status_fd: int, ask: int, answer: int) -> int:
    try:
        prctl(PR_SET_PDEATHSIG, _signal.SIGKILL)
        os.write(ask, b"?")
        if os.read(answer, 1) != b"!":
            return 1
        os.close(ask)
        os.close(answer)
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
    with _Step("mounts"):
        mounts.build(plan)
    with _Step("root"):
        mounts.enter()
    with _Step("host name"):
        sethostname(plan.name)
    with _Step("loopback"):
        _raise_loopback()
    os.umask(0o022)


def _raise_loopback() -> None:
    get_flags, set_flags, up = 0x8913, 0x8914, 1
    any_socket = internet_socket()
    try:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        answer = fcntl.ioctl(any_socket, get_flags, request)
        flags = struct.unpack("16sH14s", answer)[1]
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14s", b"lo", flags | up, b""))
    finally:
        os.close(any_socket)


def _confine(plan: SandboxPlan, filters: Filter) -> None:
    with _Step("limits"):
        # Not 0: only 1 also keeps a crash from a program of the host's that takes core dumps.
        resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))
        if plan.processes:
            _, most = resource.getrlimit(resource.RLIMIT_NPROC)
            most = plan.processes if most == resource.RLIM_INFINITY else min(most, plan.processes)
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    with _Step("capabilities"):
        drop_capabilities()
    with _Step("seccomp"):
        filters.load()
    # The agent has the same user id; it is not to read host paths out of this process.
    prctl(PR_SET_DUMPABLE, 0)


def _start_guest(plan: SandboxPlan, status_fd: int) -> int:
    with _Step("fork"):
        pid = os.fork()
    if pid:
        return pid
    try:
        with _Step("start"):
            _exec(plan, status_fd)
    except _StepError as failure:
        _report(status_fd, failure)
    os._exit(127)


def _exec(plan: SandboxPlan, status_fd: int) -> None:
    os.setsid()
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    _close_all_but({0, 1, 2, status_fd, *plan.keep})
    os.chdir(plan.env.get("HOME", "/"))
    ahead = _start_server(plan) if plan.desk else ()
    for fd in plan.keep:
        os.set_inheritable(fd, True)
    os.execvpe(plan.argv[0], [*plan.argv, *ahead], dict(plan.env))  # noqa: S606


def _start_server(plan: SandboxPlan) -> tuple[str, ...]:
    """Start the desk's X server while there is an interpreter: the guest's own takes as long."""
    os.environ.clear()
    os.environ.update(plan.env)
    started = from_arguments(list(plan.argv))
    return hand_over(started) if started is not None else ()


def _close_all_but(kept: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        if int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:
                continue  # the descriptor that listed the directory


def _reap_until(guest: int) -> int:
    """Be process 1: take in orphans until the guest ends; the kernel ends everything else then."""
    _forward_sigterm(guest)
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == guest:
            return _exit_status(status)
