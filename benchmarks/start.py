"""From nothing to a desk: ours by phases, and the same programs started by hand."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
from anyio import to_thread
from Xlib import X
from Xlib.display import Display

from benchmarks.desks import Bench
from benchmarks.report import Row, ratio
from carrel.actions import Screenshot
from carrel.computer import Computer
from carrel.geometry import Size
from carrel.guest.screen import Screen
from carrel.guest.xserver import ROOM
from carrel.machines.auto import choose_provider
from carrel.machines.images import resolve_image
from carrel.machines.keep import Keep
from carrel.machines.sandbox.family import descendants
from carrel.machines.spec import MachineSpec
from carrel.stream import connect_unix

__all__ = ["by_hand", "measure"]

SIZE = Size(1280, 800)
SERVER = ("Xvfb", "-screen", "0", f"{ROOM}x24", "-extension", "GLX", "-nolisten", "tcp", "-noreset")
CPU = "processor time"
PHASES = ("choice", "prepare", "walls and interpreter", "X answers", "first frame", "ready")
# The engine by hand: the same image, mounts and privileges as `carrel.machines.sandbox` gives a
# machine, with the tools of util-linux; without its control groups, its system call filter and, as
# root, its user namespace.
WALLS = """
set -e
tree=$1/tree
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$tree"
for place in tmp run var/tmp; do mount -t tmpfs -o nosuid,nodev tmpfs "$tree/$place"; done
mount -t proc -o nosuid,nodev,noexec proc "$tree/proc"
mount -t tmpfs -o nosuid,noexec,mode=755 tmpfs "$tree/dev"
for name in full null random tty urandom zero; do
    : > "$tree/dev/$name"
    mount --bind "/dev/$name" "$tree/dev/$name"
done
mkdir "$tree/dev/pts" "$tree/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$tree/dev/pts"
mount -t tmpfs -o nosuid,nodev,mode=1777 tmpfs "$tree/dev/shm"
for name in cmdline kallsyms kcore keys key-users timer_list sysrq-trigger; do
    if [ -e "$tree/proc/$name" ]; then mount --bind /dev/null "$tree/proc/$name"; fi
done
mount --bind "$1/home" "$tree/home"
hostname by-hand
cd "$tree"
pivot_root . .
umount -l .
shift 2
exec setpriv --no-new-privs --bounding-set -all --inh-caps -all "$@"
"""
# The same by bubblewrap, a program made for it: about as many walls in one process.
BUBBLE = """
set -e
mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/upper,workdir=$1/work" "$1/tree"
tree=$1/tree home=$1/home
shift 2
exec bwrap --unshare-all --die-with-parent --cap-drop ALL --hostname by-hand --bind "$tree" / \\
    --tmpfs /tmp --tmpfs /run --tmpfs /var/tmp --proc /proc --dev /dev --bind "$home" /home -- "$@"
"""


async def measure(bench: Bench) -> list[Row]:
    spec = MachineSpec(provider="namespace", image="desktop", size=SIZE)
    phases: dict[str, list[float]] = {name: [] for name in (*PHASES, CPU)}
    bare: dict[str, list[float]] = {"X answers": [], "first frame": [], "ready": [], CPU: []}
    walls: list[float] = []
    bubble: list[float] = []
    # The first start makes the guest's bundle and tries a sandbox; that is not every day's start.
    await _start(bench, spec)
    for _ in range(bench.rounds(15, 2)):
        for name, value in (await _start(bench, spec)).items():
            phases[name].append(value)
        for name, value in (await to_thread.run_sync(_start_bare)).items():
            bare[name].append(value)
        walls.append(await to_thread.run_sync(_start_walls, bench.store.home, WALLS))
        if shutil.which("bwrap") is not None:
            bubble.append(await to_thread.run_sync(_start_walls, bench.store.home, BUBBLE))
    return _rows(phases, bare, walls, bubble)


def _rows(
    phases: dict[str, list[float]],
    bare: dict[str, list[float]],
    walls: list[float],
    bubble: list[float],
) -> list[Row]:
    totals = {
        name: [
            sum(phases[each][turn] for each in PHASES[: index + 1]) for turn in range(len(walls))
        ]
        for index, name in enumerate(PHASES)
    }
    section = "start"
    answers = totals["X answers"]
    what = "X answers, against the same walls by hand"
    rows = [Row(section, what, "ms", answers, walls, ratio(1.3))]
    if bubble:
        rows.append(Row(section, "X answers, against bubblewrap", "ms", answers, bubble))
    else:
        print("start: bubblewrap is left out: there is no program bwrap")
    rows.append(Row(section, "X answers, against no isolation", "ms", answers, bare["X answers"]))
    for name, told in (("first frame", "first frame"), ("ready", "window manager ready")):
        what = f"{told}, against no isolation"
        rows.append(Row(section, what, "ms", totals[name], bare[name]))
    rows += [Row(section, f"  of it {name}", "ms", phases[name]) for name in PHASES]
    what = "processor time of all until ready, against no isolation"
    return [*rows, Row(section, what, "ms", phases[CPU], bare[CPU])]


async def _start(bench: Bench, spec: MachineSpec) -> dict[str, float]:
    """Milliseconds of each phase of one start, told apart by the files it leaves."""
    before = _own_processor_time()
    marks = [time.time()]
    await choose_provider()
    marks.append(time.time())
    frame: list[float] = []
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_first_frame, bench.store.machines_home, frame)
            made = await bench.machines.up("start", spec)
            ready = time.time()
        record = Keep(made.machine.directory).read_record()
        assert record is not None
        spent = _own_processor_time() - before + _processor_time(record.pid)
        keep = Keep(made.machine.directory)
        inside = await _inside(bench)
        marks += [keep.socket.stat().st_mtime, *inside, *frame]
        marks.append(max(ready, frame[0]))
    finally:
        with anyio.CancelScope(shield=True):
            await bench.machines.delete("start")
    pairs = zip(PHASES, marks, marks[1:], strict=False)
    # Files are stamped with the kernel's last tick, up to 4 ms late.
    phases = {name: max(0.0, (after - before) * 1000) for name, before, after in pairs}
    return {**phases, CPU: spent}


def _own_processor_time() -> float:
    """Milliseconds of this process and of its children that have ended."""
    times = os.times()
    return (times.user + times.system + times.children_user + times.children_system) * 1000


def _processor_time(ancestor: int) -> float:
    """Milliseconds that the threads of a process and of all below it were running."""
    total = 0
    for pid in (ancestor, *descendants(ancestor)):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            # It may have ended since it was listed.
            with suppress(FileNotFoundError, ProcessLookupError):
                total += int((thread / "schedstat").read_text().split()[0])
    return total / 1e6


async def _first_frame(home: Path, frame: list[float]) -> None:
    """Ask for a picture as soon as there is anybody to ask."""
    others = set(home.glob("*/guest.sock"))
    found: set[Path] = set()
    while not found:
        await anyio.sleep(0.002)
        found = set(home.glob("*/guest.sock")) - others
    async with Computer(lambda: connect_unix(found.pop())) as computer:
        await computer.screenshot()
    frame.append(time.time())


async def _inside(bench: Bench) -> list[float]:
    """When the guest started its X server, and when that wrote its number into its pipe."""
    pattern = "/tmp/carrel-desk-*/"
    async with bench.machines.computer("start") as computer:
        command = f"stat -c %.Y {pattern}server-authority {pattern}display"
        result = (await computer.shell(command)).raise_for_error()
    return [float(line) for line in str(result.data["stdout"]).split()]


@contextmanager
def by_hand(command: list[str]) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A started X server that has said its display number."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        [*command, "-displayfd", str(writer)], pass_fds=[writer], stderr=subprocess.DEVNULL
    )
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], 20)
        number = os.read(reader, 16).decode().strip() if ready else ""
        if not number:
            raise SystemExit(f"benchmarks: {command[0]} did not start an X server")
        yield f":{number}", server
    finally:
        os.close(reader)
        server.terminate()
        try:
            server.wait(1)
        except subprocess.TimeoutExpired:
            # `unshare` is deaf while it waits; killed, it takes its child along.
            server.kill()
            server.wait(10)


def _start_bare() -> dict[str, float]:
    """X server, window manager, one picture: nothing around them."""
    started = time.perf_counter()

    def elapsed() -> float:
        return (time.perf_counter() - started) * 1000

    with by_hand(list(SERVER)) as (display, server):
        marks = {"X answers": elapsed()}
        manager = subprocess.Popen(
            ["openbox", "--sm-disable"],
            env={**os.environ, "DISPLAY": display},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            screen = Screen(display)
            screen.shoot(Screenshot())
            marks["first frame"] = elapsed()
            _wait_for_manager(display)
            marks["ready"] = elapsed()
            marks[CPU] = _processor_time(server.pid) + _processor_time(manager.pid)
            screen.close()
        finally:
            manager.terminate()
            manager.wait(10)
    return marks


def _wait_for_manager(name: str) -> None:
    display = Display(name)
    check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
    deadline = time.monotonic() + 20
    while display.screen().root.get_full_property(check, X.AnyPropertyType) is None:
        if time.monotonic() > deadline:
            raise SystemExit("benchmarks: openbox did not start")
        time.sleep(0.002)
    display.close()


def _start_walls(home: Path, script: str) -> float:
    """Milliseconds until an X server answers within walls that a script makes."""
    rootfs = resolve_image("desktop").rootfs
    place = Path(tempfile.mkdtemp(prefix="by-hand-", dir=home))
    for name in ("upper", "work", "tree", "home"):
        (place / name).mkdir()
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    spaces = ["--mount", "--pid", "--fork", "--kill-child"]
    # Bubblewrap makes the others itself.
    spaces += ["--net", "--ipc", "--uts"] if script is WALLS else []
    program = ["sh", "-c", script, "sh", str(place), str(rootfs)]
    try:
        started = time.perf_counter()
        with by_hand(["unshare", *user, *spaces, *program, *SERVER]):
            return (time.perf_counter() - started) * 1000
    finally:
        shutil.rmtree(place)
