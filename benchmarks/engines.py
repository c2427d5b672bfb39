"""Machines of other engines: their start beside the engine by hand, and forks of live desks."""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import anyio
from anyio import to_thread

from benchmarks.desks import Bench, until
from benchmarks.report import Row, limit, ratio
from benchmarks.start import SERVER, SIZE
from carrel.computer import Computer
from carrel.errors import CarrelError
from carrel.ids import new_id
from carrel.machines.docker.api import EngineApi, engine_socket
from carrel.machines.docker.container import container_wish
from carrel.machines.docker.transfer import engine_image
from carrel.machines.gvisor import Runsc, write_bundle
from carrel.machines.images import resolve_image
from carrel.machines.keep import GIVEN, LINE
from carrel.machines.provider import get_provider
from carrel.machines.qemu.command import Place, command
from carrel.machines.qemu.cpio import archive
from carrel.machines.qemu.disks import base_disk, make_layer
from carrel.machines.qemu.kernel import get_kernel
from carrel.machines.spec import Machine, MachineSpec

__all__ = ["measure"]

PAGE = "<title>Form</title><input autofocus size=60>"
_TOUCHED = 2 << 30
XVFB = [*SERVER, "-displayfd", "1"]

Hands = dict[str, Callable[[Bench, MachineSpec], float]]
"""Ways to have an engine start an X server without us: milliseconds until it answers."""


async def measure(bench: Bench) -> list[Row]:
    rows: list[Row] = []
    hands: dict[str, Hands] = {
        "docker": {"by hand": _docker_by_hand, "through its bare API": _docker_api},
        "gvisor": {"by hand": _gvisor_by_hand},
        "qemu": {"by hand": _qemu_by_hand},
    }
    if shutil.which("docker") is None:
        print("engines: docker by hand is left out: there is no program docker")
        del hands["docker"]["by hand"]
    for name, ways in hands.items():
        health = await get_provider(name).probe()
        if not health.usable:
            print(f"engines: {name} is left out: {health.reason}")
            continue
        spec = MachineSpec(provider=name, size=SIZE, memory_mb=2048)
        answers, ready = [], []
        hand: dict[str, list[float]] = {way: [] for way in ways}
        # The first start gives the engine its image.
        for turn in range(bench.rounds(5, 2) + 1):
            server, whole = await _start(bench, spec)
            others = {
                way: await to_thread.run_sync(begin, bench, spec) for way, begin in ways.items()
            }
            if turn:
                answers.append(server)
                ready.append(whole)
                for way, other in others.items():
                    hand[way].append(other)
        for way, floor in hand.items():
            what = f"{name}: X answers, against the engine {way}"
            target = ratio(1.3) if way == "by hand" else None
            rows.append(Row("engines", what, "ms", answers, floor, target))
        rows.append(Row("engines", f"{name}: the whole desk is ready", "ms", ready))
        if get_provider(name).capabilities.fork:
            rows += await _forks(bench, spec)
    return rows


async def _start(bench: Bench, spec: MachineSpec) -> tuple[float, float]:
    """Milliseconds until its X server answers, and until the whole desk does."""
    started = time.time()
    await bench.machines.up("engine", spec)
    try:
        async with bench.machines.computer("engine") as computer:
            await computer.cursor()
            ready = (time.time() - started) * 1000
            told = await computer.shell("stat -c %.Y /tmp/carrel-desk-*/display")
        written = float(str(told.raise_for_error().data["stdout"]))
        # One that began where another had come to has it from there.
        server = (written - started) * 1000
        return (server if 0 < server < ready else ready), ready
    finally:
        with anyio.CancelScope(shield=True):
            await bench.machines.delete("engine")


async def _forks(bench: Bench, spec: MachineSpec) -> list[Row]:
    """A desk with a browser on a half-filled form: begun anew, and copied."""
    machines = bench.machines
    cold, first, each = [], [], []
    for _ in range(bench.rounds(3, 1)):
        started = time.perf_counter()
        await machines.up("engine", spec)
        try:
            async with machines.computer("engine") as computer:
                await _open_form(computer)
                cold.append((time.perf_counter() - started) * 1000)
                # What it was still loading would be measured in the copy.
                await computer.wait_stable()
            first.append(await _fork(bench, 1))
            each.append(await _fork(bench, 4) / 4)
        finally:
            with anyio.CancelScope(shield=True):
                for standing in await machines.list():
                    await machines.delete(standing.machine.name)
    name = f"{spec.provider}: desk with Chromium open"
    target = limit(1000, "ms") if spec.provider == "qemu" else None
    return [
        Row("engines", f"{name}, one copy, against a new one", "ms", first, cold, target),
        Row("engines", f"{name}, each of four copies, against a new one", "ms", each, cold),
    ]


async def _open_form(computer: Computer) -> None:
    await computer.write_file("form.html", PAGE)
    await computer.open("chromium", "/home/agent/form.html")

    async def shown() -> bool:
        return any("Form" in window.title for window in await computer.windows())

    await until("Chromium shows its window", shown, 400)


async def _fork(bench: Bench, count: int) -> float:
    """Milliseconds until every copy answers."""
    names = [f"copy-{number}" for number in range(count)]
    await to_thread.run_sync(_touch_memory)
    started = time.perf_counter()
    await bench.machines.fork("engine", names)
    for name in names:
        async with bench.machines.computer(name) as computer:
            await computer.cursor()
    took = (time.perf_counter() - started) * 1000
    for name in names:
        await bench.machines.delete(name)
    return took


def _touch_memory() -> None:
    """Have this system own the memory that copies will take.

    Where it is a virtual machine itself, its host takes back what is not used, and gives it again
    page by page, which takes seven times as long as to copy a machine's memory.
    """
    block = bytes(1 << 24)
    touched = os.memfd_create("touched")
    for _ in range(_TOUCHED // len(block)):
        os.write(touched, block)
    os.close(touched)


def _machine(bench: Bench, spec: MachineSpec) -> Machine:
    identity = new_id("mac")
    place = Path(tempfile.mkdtemp(prefix="by-hand-", dir=bench.store.home))
    return Machine(identity, "by-hand", spec, place, time.time())


def _gvisor_by_hand(bench: Bench, spec: MachineSpec) -> float:
    machine, runsc = _machine(bench, spec), Runsc()
    bundle = write_bundle(machine, resolve_image(spec.image))
    config = json.loads((bundle / "config.json").read_text())
    config["process"]["args"] = XVFB
    (bundle / "config.json").write_text(json.dumps(config))
    command = runsc.command("run", f"--bundle={bundle}", machine.id)
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        return _until_it_speaks(process.stdout.fileno(), started)
    finally:
        with suppress(CarrelError):
            runsc.call("kill", machine.id, "KILL")
        process.kill()
        process.wait(20)
        with suppress(CarrelError):
            runsc.forget(machine.id)
        shutil.rmtree(machine.directory)


def _qemu_by_hand(bench: Bench, spec: MachineSpec) -> float:
    """The same kernel, disk and devices, and an X server as the only program in it."""
    machine = _machine(bench, spec)
    image, place = resolve_image(spec.image), Place(machine)
    make_layer(place.layer, base_disk(image), 0)
    for end in ("in", "out"):
        os.mkfifo(f"{place.words}.{end}")
    memory = f"memory-backend-memfd,id=ram,share=on,size={spec.memory_mb}M"
    started = time.perf_counter()
    words = command(place, image, get_kernel(lambda stage, share: None), memory)
    alone = f"exec chroot /machine {shlex.join(XVFB)} > /machine/dev/line\n"
    with place.initrd.open("ab") as file:
        file.write(archive({"etc/carrel/start": (0o644, alone.encode())}))
    ours, theirs = socket.socketpair()
    monitor = bench.store.home / "by-hand"
    process = subprocess.Popen(
        [
            word.replace(LINE, str(theirs.fileno())).replace(f"fd={GIVEN}", f"path={monitor}")
            for word in words
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=(theirs.fileno(),),
    )
    theirs.close()
    try:
        return _until_it_speaks(ours.fileno(), started)
    finally:
        process.kill()
        process.wait(20)
        ours.close()
        shutil.rmtree(machine.directory)


def _docker_by_hand(bench: Bench, spec: MachineSpec) -> float:
    """`docker run` with the walls and limits that it has options for."""
    limits = ["--network=none", "--cap-drop=ALL", "--security-opt=no-new-privileges"]
    limits += [f"--memory={spec.memory_mb}m", f"--pids-limit={spec.pids}", "--log-driver=none"]
    name, image = new_id("mac"), engine_image(resolve_image(spec.image))
    command = [
        "docker",
        "-H",
        f"unix://{engine_socket()}",
        "run",
        "--rm",
        f"--name={name}",
        *limits,
        image,
        *XVFB,
    ]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        return _until_it_speaks(process.stdout.fileno(), started)
    finally:
        EngineApi(engine_socket()).delete(f"/containers/{name}", force="true")
        process.wait(20)
        process.stdout.close()


def _docker_api(bench: Bench, spec: MachineSpec) -> float:
    machine, api = _machine(bench, spec), EngineApi(engine_socket())
    wish = {**container_wish(machine), "Cmd": XVFB}
    started = time.perf_counter()
    api.post("/containers/create", wish, name=machine.id)
    try:
        with api.attach(machine.id) as line:
            api.post(f"/containers/{machine.id}/start")
            return _until_it_speaks(line.fileno(), started)
    finally:
        api.delete(f"/containers/{machine.id}", force="true")
        shutil.rmtree(machine.directory)


def _until_it_speaks(descriptor: int, started: float) -> float:
    """Milliseconds until an X server has said its display number."""
    ready, _, _ = select.select([descriptor], [], [], 60)
    if not ready or not os.read(descriptor, 64):
        raise SystemExit("benchmarks: the X server did not start")
    return (time.perf_counter() - started) * 1000
