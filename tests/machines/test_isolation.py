"""What must not be possible from inside a machine, tried from inside one."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from walls import (
    as_root,
    eventually,
    exists,
    first_process,
    python_inside,
    run_inside,
    running,
    use_home,
)

from carrel.errors import CarrelError
from carrel.machines.keep import Keep
from carrel.machines.state import State

pytestmark = [pytest.mark.namespace]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_home(tmp_path_factory.getbasetemp(), monkeypatch)


ORDINARY = 54321
"""A user id without a name, a home, or a range of others."""


@pytest.mark.anyio
async def test_nobody_inside_has_a_privilege_or_gets_one(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            text = await python_inside(provider, machine, "print(open('/proc/self/status').read())")
            first = await python_inside(provider, machine, "print(open('/proc/1/status').read())")
    for status in (text, first):
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            assert int(fields[name], 16) == 0
        assert fields["NoNewPrivs"] == "1"
        assert fields["Seccomp"] == "2"
        assert fields["Uid"].split() == ["1000"] * 4
        assert fields["Gid"].split() == ["1000"] * 4


@pytest.mark.anyio
async def test_a_machine_of_roots_runs_as_a_user_of_its_own(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            owner = Path(f"/proc/{first_process(machine)}/status").read_text()
            uids = next(line for line in owner.splitlines() if line.startswith("Uid:")).split()[1:]
            uid = int(uids[0])
            assert set(uids) == {str(uid)}
            if as_root():
                assert 0x7000_0000 <= uid < 0x8000_0000
                assert "Groups:\t \n" in owner
            else:
                assert uid == os.geteuid()


@pytest.mark.anyio
async def test_no_process_of_the_host_is_seen(home: Path) -> None:
    code = (
        "import os\n"
        "for p in sorted(int(p) for p in os.listdir('/proc') if p.isdigit()):\n"
        "    print(p, os.readlink(f'/proc/{p}/exe') if p > 1 else '')"
    )
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            seen = await python_inside(provider, machine, code)
    assert len(seen.splitlines()) == 3
    assert all("python" in line for line in seen.splitlines()[1:])


@pytest.mark.anyio
async def test_what_process_1_was_started_with_cannot_be_read(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET", "hunter2")
    code = (
        "import os\n"
        "for name in ('environ', 'mem', 'maps', 'root', 'cwd', 'fd'):\n"
        "    try: print(name, open(f'/proc/1/{name}', 'rb').read(100) if name not in "
        "('root', 'cwd', 'fd') else os.listdir(f'/proc/1/{name}'))\n"
        "    except PermissionError: pass\n"
        "print('hunter2' in str(dict(os.environ)))"
    )
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            assert await python_inside(provider, machine, code) == "False"


@pytest.mark.anyio
async def test_no_file_of_the_host_can_be_written(home: Path) -> None:
    name = f"carrel-test-{os.getpid()}"
    places = ["/", "/etc", "/usr", "/usr/bin", "/usr/local", "/opt", "/var", "/var/lib", "/var/tmp"]
    places += ["/tmp", "/run", "/dev", "/dev/shm", "/home", "/proc", "/home/agent"]
    code = (
        "import sys\n"
        f"for place in {places!r}:\n"
        "    try:\n"
        f"        open(place + '/{name}', 'w').close()\n"
        "        print(place)\n"
        "    except OSError: pass\n"
        "for path in ('/etc/passwd', '/etc/hostname', '/usr/bin/env', '/proc/sysrq-trigger',\n"
        "             '/proc/sys/kernel/core_pattern', '/run/carrel/guest/carrel/__init__.py'):\n"
        "    try: open(path, 'r+').close(); print(path)\n"
        "    except OSError: pass"
    )
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            written = (await python_inside(provider, machine, code)).splitlines()
            # What can be written is the machine's own: none of it shows here.
            private = {
                "/",
                "/var",
                "/var/lib",
                "/tmp",
                "/var/tmp",
                "/run",
                "/dev",
                "/dev/shm",
                "/home",
                "/home/agent",
            }
            assert set(written) <= private
            assert {"/tmp", "/dev/shm", "/home/agent"} <= set(written)
            assert not [place for place in places if Path(place, name).exists()]
            assert (Keep(machine.directory).home / name).exists()


@pytest.mark.anyio
async def test_the_homes_of_people_and_of_carrel_are_not_seen(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root's may lie below a directory that is shown: then it has to look empty.
    place = "/opt" if as_root() else "/var/tmp"
    person = Path(tempfile.mkdtemp(prefix="carrel-person-", dir=place))
    try:
        (person / "secret").write_text("mine")
        person.chmod(0o755)
        monkeypatch.setenv("HOME", str(person))
        paths = [str(person / "secret"), str(home), "/root", "/mnt", "/media", "/srv", "/boot"]
        paths += ["/sys/kernel", "/run/user/0", "/var/log/dpkg.log", "/var/spool/cron", __file__]
        code = f"import os\nprint([p for p in {paths!r} if os.path.exists(p)], os.listdir('/home'))"
        with anyio.fail_after(30):
            async with running(home) as (provider, machine):
                assert await python_inside(provider, machine, code) == "[] ['agent']"
                assert str(machine.directory) not in await python_inside(
                    provider, machine, "print(open('/proc/self/mounts').read())"
                )
    finally:
        shutil.rmtree(person)


@pytest.mark.anyio
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a service to offer there")
async def test_sockets_of_the_hosts_services_cannot_be_reached(home: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="carrel-service-", dir="/var/lib") as place:
        Path(place).chmod(0o755)
        with socket.socket(socket.AF_UNIX) as service:
            service.bind(f"{place}/socket")
            Path(place, "socket").chmod(0o777)
            service.listen()
            code = (
                "import socket\n"
                "try:\n"
                f"    socket.socket(socket.AF_UNIX).connect('{place}/socket')\n"
                "    print('reached')\n"
                "except OSError as error: print(type(error).__name__)"
            )
            with anyio.fail_after(30):
                async with running(home) as (provider, machine):
                    assert await python_inside(provider, machine, code) == "FileNotFoundError"


@pytest.mark.anyio
async def test_a_crash_is_no_business_of_the_hosts_and_its_command_line_none_of_the_machines(
    home: Path,
) -> None:
    code = (
        "import resource\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE), open('/proc/cmdline').read())"
    )
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            assert await python_inside(provider, machine, code) == "(1, 1)"


@pytest.mark.anyio
async def test_there_is_no_way_out(home: Path) -> None:
    code = (
        "import socket, sys\n"
        "for host in ('127.0.0.1', '127.0.0.2', '192.0.2.1', '169.254.169.254', '::1'):\n"
        "    try:\n"
        "        socket.create_connection((host, int(sys.argv[1])), 2)\n"
        "        print('reached', host)\n"
        "    except OSError: pass\n"
        "try: print(socket.getaddrinfo('example.org', 80))\n"
        "except OSError: pass\n"
        "print([name for _, name in socket.if_nameindex()])\n"
        "print(open('/proc/net/route').read().count('\\n'))\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "try: s.connect('\\0' + sys.argv[2]); print('reached the abstract socket')\n"
        "except OSError: pass"
    )
    name = f"carrel-test-{os.getpid()}"
    server, abstract = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX)
    with server, abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        port = str(server.getsockname()[1])
        socket.create_connection(("127.0.0.1", int(port)), 2).close()
        with anyio.fail_after(40):
            async with running(home) as (provider, machine):
                argv = ("/usr/bin/python3", "-I", "-c", code, port, name)
                done = await run_inside(provider, machine, *argv)
    assert str(done["out"]).splitlines() == ["['lo']", "1"], done


_REFUSED = r"""
import ctypes, errno, fcntl, os, socket, sys, termios
libc = ctypes.CDLL(None, use_errno=True)

def attempt(name, number, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in args])
    print(name, "done" if result >= 0 else errno.errorcode[ctypes.get_errno()])

# x86_64 numbers; from 424 on they are everybody's
if os.uname().machine == "x86_64":
    for name, number in {"mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161,
            "setns": 308, "keyctl": 250, "add_key": 248, "request_key": 249, "bpf": 321,
            "perf_event_open": 298, "kexec_load": 246, "init_module": 175, "finit_module": 313,
            "open_by_handle_at": 304, "swapon": 167, "reboot": 169, "clock_settime": 227,
            "settimeofday": 164, "quotactl": 179, "syslog": 103, "iopl": 172, "ioperm": 173,
            "acct": 163, "fanotify_init": 300}.items():
        attempt(name, number, 0, 0, 0, 0, 0)
    attempt("userfaultfd", 323, 0)
    for flag in (0x80, 1 << 17, *(1 << bit for bit in range(25, 31))):
        attempt("unshare", 272, flag)
        if flag != 0x80:
            attempt("clone", 56, flag | 17, 0, 0, 0, 0)
    for value in (0x0100000, 0x0400000, 0x0200000, 0x8000000, 0xdeadbeef):
        attempt("personality", 135, value)
    # The upper half of a register means nothing to the kernel, and must not to the filter.
    attempt("ioctl-high", 16, 0, 0x100000000 | termios.TIOCSTI, 0)
    attempt("vsock-high", 41, 0x100000000 | 40, 1, 0)
for name, number in {"open_tree": 428, "move_mount": 429, "fsopen": 430, "fsmount": 432,
        "mount_setattr": 442, "open_tree_attr": 467}.items():
    attempt(name, number, 0, 0, 0, 0, 0)
for name, number in {"clone3": 435, "io_uring_setup": 425, "io_uring_enter": 426,
        "io_uring_register": 427}.items():
    attempt(name, number, 0, 0, 0, 0, 0)
for family in (3, 4, 5, 9, 17, 29, 31, 38, 40, 44):
    try: socket.socket(family, socket.SOCK_STREAM); print("socket", family, "done")
    except OSError as error: print("socket", errno.errorcode[error.errno])
master, slave = os.openpty()
for request in (termios.TIOCSTI, 0x541C):
    try: fcntl.ioctl(slave, request, b"x"); print("ioctl done")
    except OSError as error: print("ioctl", errno.errorcode[error.errno])
"""


@pytest.mark.anyio
async def test_dangerous_system_calls_are_refused(home: Path) -> None:
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            said = (await python_inside(provider, machine, _REFUSED)).splitlines()
    answers: dict[str, set[str]] = {}
    for line in said:
        name, *_, answer = line.split()
        answers.setdefault(name, set()).add(answer)
    absent = {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd"}
    for name, answer in answers.items():
        if name in absent:
            assert answer == {"ENOSYS"}, name
        elif name in ("socket", "vsock-high"):
            assert answer == {"EAFNOSUPPORT"}, name
        else:
            assert answer == {"EPERM"}, name
    assert len(answers) > 10


@pytest.mark.anyio
async def test_a_machine_that_runs_is_given_another_name_from_outside_alone(home: Path) -> None:
    async with running(home) as (provider, machine):
        show = "import os; print(os.uname().nodename, open('/etc/hosts').readline().split())"
        await provider.rename(replace(machine, name="other"))
        told = "other ['127.0.0.1', 'localhost', 'other']"
        assert await python_inside(provider, machine, show) == told
        change = "import socket; socket.sethostname('mine')"
        done = await run_inside(provider, machine, "/usr/bin/python3", "-I", "-c", change)
        assert "not permitted" in str(done["err"])
        assert await python_inside(provider, machine, show) == told
    assert socket.gethostname() != "other"
    with pytest.raises(CarrelError, match="not running"):
        await provider.rename(machine)


@pytest.mark.anyio
async def test_ordinary_programs_are_not_disturbed(home: Path) -> None:
    code = (
        "import ctypes, multiprocessing, os, pty, socket, subprocess, tempfile, threading\n"
        "if __name__ == '__main__':\n"
        "    threading.Thread(target=print, args=('thread',)).start()\n"
        "    a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'\n"
        "    s = socket.create_server(('127.0.0.1', 0))\n"
        "    socket.create_connection(s.getsockname()).close()\n"
        "    assert subprocess.check_output(['sh', '-c', 'echo $HOME']) == b'/home/agent\\n'\n"
        "    assert multiprocessing.Pool(2).map(abs, [-1, -2]) == [1, 2]\n"
        "    pty.openpty()\n"
        "    assert ctypes.CDLL(None).personality(0xffffffff) == 0\n"
        "    assert os.uname().nodename == 'desk'\n"
        "    assert os.getlogin if os.path.exists('/dev/tty') else False\n"
        "    import pwd; assert pwd.getpwuid(os.getuid()).pw_name == 'agent'\n"
        "    open('/dev/shm/x', 'w').write('y' * 100)\n"
        "    print(os.path.expanduser('~'))"
    )
    with anyio.fail_after(30):
        async with running(home) as (provider, machine):
            assert await python_inside(provider, machine, code) == "thread\n/home/agent"


@pytest.mark.anyio
async def test_a_fork_bomb_stays_inside(home: Path) -> None:
    code = (
        "import os, time\n"
        "n = 0\n"
        "try:\n"
        "    while n < 500:\n"
        "        if os.fork() == 0: time.sleep(30); os._exit(0)\n"
        "        n += 1\n"
        "except OSError: pass\n"
        "print(n, flush=True)\n"
        "os.kill(0, 9)"
    )
    with anyio.fail_after(40):
        async with running(home, pids=64) as (provider, machine):
            done = await run_inside(
                provider, machine, "setsid", "-w", "/usr/bin/python3", "-I", "-c", code
            )
            assert 1 <= int(str(done["out"])) < 64
            observed = await provider.inspect(machine)
            assert observed.state is State.RUNNING
            if Keep(machine.directory).read_record().cgroups:
                assert any(note.startswith("process limit reached") for note in observed.notes)


@pytest.mark.anyio
async def test_a_memory_hog_is_killed_and_told(home: Path) -> None:
    code = "x = []\nfor _ in range(60): x.append(bytearray(10 << 20))"
    with anyio.fail_after(100):
        async with running(home, memory_mb=128) as (provider, machine):
            observed = await provider.inspect(machine)
            if any(note.startswith("memory limit not enforced: ") for note in observed.notes):
                assert not as_root()
                return
            done = await run_inside(provider, machine, "/usr/bin/python3", "-I", "-c", code)
            assert done["code"] == -9
            observed = await provider.inspect(machine)
            assert observed.state is State.RUNNING
            assert any(note.startswith("memory limit reached: 1 ") for note in observed.notes)
            # Who looks later finds it in the log.
            said = "keeper: memory limit reached: 1 "
            while said not in await provider.console(machine):  # noqa: ASYNC110 (a process)
                await anyio.sleep(0.1)
            # It is not why the machine ends much later.
            await anyio.sleep(11)
            os.kill(first_process(machine), 9)
            await eventually("its end", lambda: not Keep(machine.directory).is_held())
            observed = await provider.inspect(machine)
            assert observed.cause == "the machine was killed (SIGKILL)"
            assert any(note.startswith("memory limit reached: 1 ") for note in observed.notes)


@pytest.mark.anyio
async def test_a_machine_that_ends_as_it_meets_its_limit_says_so(home: Path) -> None:
    code = "x = []\nfor _ in range(60): x.append(bytearray(10 << 20))"
    with anyio.fail_after(60):
        async with running(home, memory_mb=128) as (provider, machine):
            if not Keep(machine.directory).read_record().cgroups:
                assert not as_root()
                return
            await run_inside(provider, machine, "/usr/bin/python3", "-I", "-c", code)
            os.kill(first_process(machine), 9)
            await eventually("its end", lambda: not Keep(machine.directory).is_held())
            cause = (await provider.inspect(machine)).cause
            assert cause is not None
            assert cause.startswith("the machine was killed (SIGKILL); memory limit reached: 1 ")


@pytest.mark.anyio
async def test_memory_file_systems_are_bounded(home: Path) -> None:
    code = (
        "import os\n"
        "for place in ('/tmp', '/dev/shm', '/run', '/var/tmp', '/home', '/'):\n"
        "    s = os.statvfs(place); print(s.f_blocks * s.f_frsize >> 20)"
    )
    with anyio.fail_after(30):
        async with running(home, memory_mb=128) as (provider, machine):
            sizes = (await python_inside(provider, machine, code)).split()
    assert sizes == ["64", "64", "64", "64", "1", "1"]


@pytest.mark.anyio
async def test_no_mount_of_a_machine_shows_on_the_host(home: Path) -> None:
    before = Path("/proc/self/mountinfo").read_text()
    with anyio.fail_after(30):
        async with running(home) as (_, machine):
            assert Path("/proc/self/mountinfo").read_text() == before
            inside = first_process(machine)
            os.kill(Keep(machine.directory).read_record().pid, 9)
            await eventually("process 1 is gone", lambda: not exists(inside))
    assert Path("/proc/self/mountinfo").read_text() == before


@pytest.mark.anyio
async def test_one_machine_does_not_see_another(home: Path) -> None:
    with anyio.fail_after(40):
        async with running(home) as (provider, one), running(home) as (_, two):
            await run_inside(provider, one, "sh", "-c", "echo mine > ~/mine; echo mine > /tmp/mine")
            done = await run_inside(provider, two, "ls", "/home/agent", "/tmp")
            assert "mine" not in str(done["out"])
            ids = {Path(f"/proc/{first_process(each)}").stat().st_uid for each in (one, two)}
            assert len(ids) == (2 if as_root() else 1)


def test_start_time_is_told(tmp_path: Path, record_property) -> None:
    """From the launcher's start to the guest's first instruction; the budget is 80 ms."""
    from test_sandbox import launch_once

    times: list[float] = []
    # Of several, the best: other work on this system is not what is measured.
    while len(times) < 3 or (min(times) >= 0.25 and len(times) < 15):
        times.append(launch_once(tmp_path))
    record_property("launch_ms", round(min(times) * 1000, 1))
    assert min(times) < 0.25


_PACKAGES = ("anyio", "idna", "typing_extensions", "Xlib", "six", "jeepney", "platformdirs")
_TOOLS = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")


def _runs_for_everybody() -> str | None:
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        code = "import sys; raise SystemExit(sys.version_info < (3, 11))"
        try:
            done = subprocess.run([python, "-I", "-c", code], user=ORDINARY, group=ORDINARY)
        except OSError:
            continue
        if done.returncode == 0:
            return python
    return None


def _copy_for_everybody(place: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("carrel", *_PACKAGES, *_TOOLS):
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        origin = Path(spec.origin)
        if origin.name == "__init__.py":
            shutil.copytree(origin.parent, place / "lib" / name, ignore=ignore)
        else:
            shutil.copy(origin, place / "lib")
    tests = Path(__file__).parent
    (place / "tests").mkdir()
    for name in (
        "walls.py",
        "test_isolation.py",
        "test_keeper.py",
        "test_launch_process.py",
        "test_sandbox.py",
        "test_cgroups.py",
    ):
        shutil.copy(tests / name, place / "tests")
    for name in ("conftest.py", "parsing.py"):
        shutil.copy(tests.parent / name, place / "tests")
    shutil.copy(tests.parent.parent / "pyproject.toml", place / "pyproject.toml")
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)


@pytest.mark.slow
@pytest.mark.skipif(not as_root(), reason="these tests already run as an ordinary user")
def test_all_of_this_holds_for_an_ordinary_user() -> None:
    python = _runs_for_everybody()
    if python is None:
        pytest.skip("no Python 3.11 that every user may run")
    place = Path(tempfile.mkdtemp(prefix="carrel-ordinary-"))
    try:
        place.chmod(0o755)
        (place / "lib").mkdir()
        _copy_for_everybody(place)
        scratch = place / "scratch"
        scratch.mkdir()
        os.chown(scratch, ORDINARY, ORDINARY)
        env = {"PATH": os.environ["PATH"], "HOME": str(scratch), "PYTHONPATH": str(place / "lib")}
        env |= {"PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(scratch)}
        command = [python, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "anyio.pytest_plugin"]
        began = time.monotonic()
        done = subprocess.run(
            [*command, str(place / "tests")],
            user=ORDINARY,
            group=ORDINARY,
            extra_groups=[],
            cwd=place,
            env=env,
            capture_output=True,
            text=True,
            timeout=900,
        )
        seconds = time.monotonic() - began
    finally:
        shutil.rmtree(place)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    assert " passed" in done.stdout
    print(json.dumps({"seconds": round(seconds, 1), "summary": done.stdout.splitlines()[-1]}))
