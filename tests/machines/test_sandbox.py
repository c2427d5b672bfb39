"""The sandbox by itself: a plan in, walls up, a program run."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from walls import as_root, exists

from carrel.codec import decode, encode
from carrel.machines.sandbox.child import Child, Failure, read_failure, start_sandbox
from carrel.machines.sandbox.layout import (
    agent_env,
    host_layout,
    machine_uid,
    scratch,
    write_identity,
    write_settings,
)
from carrel.machines.sandbox.plan import Bind, SandboxPlan
from carrel.machines.sandbox.probe import explain, probe

pytestmark = pytest.mark.namespace


def make_plan(directory: Path, *argv: str, lower: Path | None = None) -> SandboxPlan:
    for name in ("disk/upper", "disk/work", "home"):
        (directory / name).mkdir(parents=True, exist_ok=True)
    layout = host_layout(())
    uid = machine_uid("mac_test") if as_root() else os.geteuid()
    return SandboxPlan(
        name="test",
        uid=uid,
        gid=uid if as_root() else os.getegid(),
        drop=as_root(),
        parent=os.getpid(),
        disk=str(directory / "disk"),
        home=str(directory / "home"),
        argv=argv,
        env=agent_env(),
        lower=str(lower) if lower else None,
        links=() if lower else layout.links,
        binds=layout.binds,
        tmpfs=scratch(64),
    )


def make_lower(directory: Path) -> Path:
    """An image: directories, two files that the agent owns, and this system's programs."""
    lower = directory / "image"
    layout = host_layout(())
    names = ["dev", "proc", "run", "tmp", "var/tmp", "home", "data"]
    for name in names + [bind.target.strip("/") for bind in layout.binds]:
        (lower / name).mkdir(parents=True, exist_ok=True)
    for name, destination in layout.links:
        (lower / name.strip("/")).symlink_to(destination)
    (lower / "data" / "file").write_text("of the image")
    (lower / "data" / "gone").write_text("of the image")
    if as_root():
        for path in (lower / "data", lower / "data" / "file", lower / "data" / "gone"):
            os.chown(path, machine_uid("mac_test"), machine_uid("mac_test"))
    return lower


def finish(child: Child) -> tuple[int, str, Failure | None]:
    """Wait for the end: status, what it said, and what failed."""
    failure = read_failure(_read(child.status))
    said = _read(child.console).decode()
    return child.process.wait(timeout=10), said, failure


def _read(fd: int) -> bytes:
    with os.fdopen(fd, "rb") as file:
        return file.read()


def launch_once(directory: Path) -> float:
    plan = make_plan(directory / "launch", "/bin/true")
    began = time.perf_counter()
    child = start_sandbox(plan)
    failure = _read(child.status)
    seconds = time.perf_counter() - began
    os.close(child.console)
    assert failure == b""
    assert child.process.wait(timeout=10) == 0
    return seconds


def test_a_plan_survives_its_json() -> None:
    plan = SandboxPlan(
        name="a",
        uid=1,
        gid=2,
        drop=True,
        parent=3,
        disk="/d",
        home="/h",
        argv=("x", "y"),
        env={"A": "b"},
        links=(("/bin", "usr/bin"),),
        binds=(Bind("/usr", "/usr"), Bind("/x", "/y", writable=True)),
        tmpfs=scratch(128),
        keep=(7,),
    )
    assert decode(SandboxPlan, json.loads(json.dumps(encode(plan)))) == plan


def test_the_exit_status_of_the_program_is_ours(tmp_path: Path) -> None:
    assert finish(start_sandbox(make_plan(tmp_path, "/bin/sh", "-c", "exit 7"))) == (7, "", None)
    status, _, failure = finish(start_sandbox(make_plan(tmp_path, "/bin/sh", "-c", "kill -9 $$")))
    assert (status, failure) == (137, None)


def test_orphans_are_reaped_and_do_not_outlive_the_program(tmp_path: Path) -> None:
    count = "ps -o stat= -e | grep -c Z"
    look = f"for _ in $(seq 200); do [ $({count}) = 0 ] && echo reaped && break; sleep 0.05; done"
    script = f"(sleep 60 &); (true &); {look}"
    began = time.monotonic()
    _, said, failure = finish(start_sandbox(make_plan(tmp_path, "/bin/sh", "-c", script)))
    assert (said, failure) == ("reaped\n", None)
    assert time.monotonic() - began < 30


def test_sigterm_reaches_the_program(tmp_path: Path) -> None:
    script = "trap 'echo got it; exit 3' TERM; echo ready; while :; do sleep 0.05; done"
    child = start_sandbox(make_plan(tmp_path, "/bin/sh", "-c", script))
    assert os.read(child.console, 100) == b"ready\n"
    child.process.send_signal(signal.SIGTERM)
    assert finish(child) == (3, "got it\n", None)


def test_writes_go_to_the_private_layer_and_come_back(tmp_path: Path) -> None:
    lower = make_lower(tmp_path)
    script = "echo changed > /data/file; rm /data/gone; echo new > /data/new; cat /data/file"
    plan = make_plan(tmp_path, "/bin/sh", "-ec", script, lower=lower)
    assert finish(start_sandbox(plan)) == (0, "changed\n", None)
    assert (lower / "data" / "file").read_text() == "of the image"
    assert (lower / "data" / "gone").exists()
    assert not (lower / "data" / "new").exists()
    again = replace(plan, argv=("/bin/sh", "-c", "cat /data/file /data/new; ls /data"))
    assert finish(start_sandbox(again)) == (0, "changed\nnew\nfile\nnew\n", None)


def test_a_link_left_by_the_agent_leads_nowhere(tmp_path: Path) -> None:
    """The disk is the agent's: what it puts there must not decide where we mount or make things."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o777)
    outside.chmod(0o777)
    lower = make_lower(tmp_path)
    plan = make_plan(tmp_path, "/bin/true", lower=lower)
    (tmp_path / "disk" / "upper" / "run").symlink_to(outside)
    _, _, failure = finish(start_sandbox(plan))
    assert failure is not None
    assert (failure.step, failure.errno) == ("mounts", errno.ENOTDIR)
    assert list(outside.iterdir()) == []


def test_descriptors_are_not_inherited_unless_the_plan_says_so(tmp_path: Path) -> None:
    kept, other = os.open("/dev/null", os.O_RDONLY), os.open("/dev/zero", os.O_RDONLY)
    os.set_inheritable(other, True)
    script = "ls -l /proc/self/fd | grep -o '/dev/null' | sort | uniq -c; ls /proc/self/fd | wc -l"
    plan = replace(make_plan(tmp_path, "/bin/sh", "-c", script), keep=(kept,))
    try:
        _, said, failure = finish(start_sandbox(plan))
    finally:
        os.close(kept)
        os.close(other)
    assert failure is None
    # Standard input and the kept one; beside them output, errors and the listing itself.
    assert said.split() == ["2", "/dev/null", "5"]


def test_the_sandbox_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    """Also when that process dies while the walls go up."""
    code = (
        "import json, os, sys, time\n"
        "from carrel.codec import decode\n"
        "from carrel.machines.sandbox.child import start_sandbox\n"
        "from carrel.machines.sandbox.plan import SandboxPlan\n"
        "child = start_sandbox(decode(SandboxPlan, json.loads(sys.argv[1])))\n"
        "print(child.process.pid, flush=True)\n"
        "time.sleep(float(sys.argv[2]))\n"
        "os.kill(os.getpid(), 9)"
    )
    plan = json.dumps(encode(make_plan(tmp_path, "/bin/sleep", "60")))
    for delay in (0.0, 0.02, 0.04, 0.06, 0.08, 0.3):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, plan, str(delay)], capture_output=True, timeout=20
        )
        assert done.returncode == -signal.SIGKILL
        launcher = int(done.stdout)
        until = time.monotonic() + 20
        while exists(launcher) or _sleepers(tmp_path):
            assert time.monotonic() < until, f"left after {delay} s: {_sleepers(tmp_path)}"
            time.sleep(0.01)


def _sleepers(directory: Path) -> list[int]:
    """Processes whose file system is a sandbox of this directory."""
    found = []
    for path in Path("/proc").glob("[0-9]*/mountinfo"):
        try:
            if str(directory / "home") in path.read_text():
                found.append(int(path.parent.name))
        except (OSError, UnicodeDecodeError):
            continue
    return [pid for pid in found if exists(pid)]


def test_a_missing_source_names_itself(tmp_path: Path) -> None:
    plan = make_plan(tmp_path, "/bin/true")
    plan = replace(plan, binds=(*plan.binds, Bind("/no/such/thing", "/opt/thing")))
    status, _, failure = finish(start_sandbox(plan))
    assert status == 1
    assert failure is not None
    assert failure.step == "stage"
    assert "/no/such/thing" in failure.message


def test_the_hosts_root_shows_programs_and_nothing_else(tmp_path: Path) -> None:
    for name in ("usr", "etc", "home", "root", "srv", "work", "data", "opt"):
        (tmp_path / name).mkdir()
    for name in ("lib/mysql", "lib/xkb", "cache/fontconfig", "log"):
        (tmp_path / "var" / name).mkdir(parents=True)
    (tmp_path / "bin").symlink_to("usr/bin")
    layout = host_layout((tmp_path / "opt" / "person",), root=tmp_path)
    shown = {"/usr", "/etc", "/opt", "/var/lib/xkb", "/var/cache/fontconfig"}
    assert {bind.target for bind in layout.binds} == shown
    assert not any(bind.writable for bind in layout.binds)
    assert layout.links == (("/bin", "usr/bin"),)
    assert str(tmp_path / "opt" / "person") in layout.masks
    assert "/" not in host_layout((Path("/"),)).masks


def test_the_identity_of_a_machine_is_its_own(tmp_path: Path) -> None:
    etc = tmp_path / "etc"
    etc.mkdir()
    (etc / "passwd").write_text("root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n")
    (etc / "group").write_text("root:x:0:\nusers:x:100:ann\nann:x:1000:\nnogroup:x:65534:\n")
    (etc / "hosts").write_text("10.0.0.1 secret-host\n")
    (etc / "hostname").symlink_to("elsewhere")
    binds = write_identity(tmp_path / "mine", "mac_1", "desk", etc)
    assert [bind.target for bind in binds] == ["/etc/passwd", "/etc/group", "/etc/hosts"]
    passwd = (tmp_path / "mine" / "passwd").read_text()
    assert "ann" not in passwd
    assert passwd.splitlines()[-1].startswith("agent:x:1000:1000:")
    assert "nogroup" in (tmp_path / "mine" / "group").read_text()
    assert "secret-host" not in (tmp_path / "mine" / "hosts").read_text()
    first = (tmp_path / "mine" / "machine-id").read_text()
    write_identity(tmp_path / "mine", "mac_2", "desk", etc)
    assert (tmp_path / "mine" / "machine-id").read_text() != first


def test_settings_go_beside_those_that_a_program_has(tmp_path: Path) -> None:
    etc, mine = tmp_path / "etc", tmp_path / "mine"
    (etc / "chromium.d").mkdir(parents=True)
    (etc / "chromium.d" / "default-flags").write_text("theirs\n")
    (etc / "chromium.d" / "gone").symlink_to("nowhere")
    texts = {"chromium.d/sub/carrel": "ours\n", "gtk-2.0/gtkrc": "not installed\n"}
    for _ in range(2):
        binds = write_settings(mine, etc, texts)
    assert [bind.target for bind in binds] == ["/etc/chromium.d"]
    assert (mine / "chromium.d" / "default-flags").read_text() == "theirs\n"
    ours = mine / "chromium.d" / "sub" / "carrel"
    assert ours.read_text() == "ours\n"
    assert ours.parent.stat().st_mode & 0o777 == 0o755
    assert not (mine / "gtk-2.0").exists()
    assert not (etc / "chromium.d" / "sub").exists()


def test_user_ids_of_machines_differ_and_stay() -> None:
    ids = {machine_uid(f"mac_{number}") for number in range(2000)}
    assert len(ids) == 2000
    assert all(0x7000_0000 <= uid < 0x7800_0000 for uid in ids)
    assert machine_uid("mac_1") == machine_uid("mac_1")


def test_the_probe_makes_a_sandbox_and_leaves_nothing(tmp_path: Path) -> None:
    assert probe(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("failure", "reason", "fix"),
    [
        (Failure("namespaces", errno.ENOSPC, "x"), "too many namespaces", "max_user_namespaces"),
        (Failure("namespaces", errno.EPERM, "unshare"), "refused", "docker run"),
        (Failure("seccomp", errno.ENOPKG, "x"), "libseccomp", "libseccomp2"),
        (Failure("mounts", errno.EINVAL, "mount overlay on /tmp/root"), "overlay", "CARREL_HOME"),
        (Failure("mounts", errno.EPERM, "mount proc on x"), "/proc", "systempaths"),
        (Failure("stage", errno.ENOSYS, "mount_setattr x"), "older", "5.12"),
    ],
)
def test_failures_are_told_with_what_fixes_them(failure: Failure, reason: str, fix: str) -> None:
    finding = explain(failure)
    assert reason in finding.reason
    assert fix in str(finding.fix)


def test_a_switched_off_feature_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"kernel/apparmor_restrict_unprivileged_userns": "1"}
    monkeypatch.setattr("carrel.machines.sandbox.probe._read", values.get)
    finding = explain(Failure("stage", errno.EACCES, "mount propagation on /"))
    assert "apparmor_restrict_unprivileged_userns=1" in finding.reason
    assert finding.fix == "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"


def test_without_user_namespaces_the_probe_says_so(tmp_path: Path) -> None:
    """A real refusal: a user namespace that may have no more of them below."""
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from carrel.machines.sandbox._libc import Namespace, unshare\n"
        "uid, gid = os.geteuid(), os.getegid()\n"
        "unshare(Namespace.USER)\n"
        "Path('/proc/self/setgroups').write_text('deny')\n"
        "Path('/proc/self/uid_map').write_text(f'1000 {uid} 1')\n"
        "Path('/proc/self/gid_map').write_text(f'1000 {gid} 1')\n"
        "Path('/proc/sys/user/max_user_namespaces').write_text('0')\n"
        "from carrel.machines.sandbox.probe import probe\n"
        "print(probe(Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert "max_user_namespaces=0" in done.stdout, done.stdout + done.stderr
    assert "sudo sysctl user.max_user_namespaces" in done.stdout
