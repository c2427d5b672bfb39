"""Copies of virtual machines: of a desk in use, of many at once, and those that must not be."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import anyio
import pytest
from engine_desks import said, with_a_desk
from half_filled_form import fill_in_half, fork_and_go_on
from walls import eventually

from carrel.errors import RunError, Unavailable
from carrel.geometry import Size
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.qemu import prototype
from carrel.machines.qemu.accelerator import find_accelerator
from carrel.machines.qemu.attune import program
from carrel.machines.qemu.cpio import archive
from carrel.machines.qemu.kernel import Kernel, get_kernel
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from thorough import FULL

pytestmark = [
    *(pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop, pytest.mark.image),
    pytest.mark.skipif(not FULL, reason="takes minutes under TCG: make test FULL=1"),
]

DESK = MachineSpec(provider="qemu", size=Size(1024, 768), memory_mb=2048)
SMALL = MachineSpec(provider="qemu", image="minimal", size=Size(640, 480), memory_mb=256)
DRAW = "head -c 16 /dev/urandom | od -x"
# Process 1's helper, which asks for something that the kernel does not know, or does not answer.
REFUSED = program().replace(b"\xbe\x07\x52\x00\x00", b"\xbe\xff\x52\x00\x00")
SILENT = b"#!/bin/sh\nexec cat > /dev/null\n"


@pytest.fixture(autouse=True, scope="module")
def qemu() -> None:
    try:
        find_accelerator()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


async def test_forks_of_a_desk_with_a_half_filled_form_go_their_own_ways(tmp_path: Path) -> None:
    with anyio.fail_after(600):
        async with with_a_desk(tmp_path, DESK) as made:
            before = await fill_in_half(made, 5)
            # However slow it is, none of its parts gives the others up.
            told = await said(made, "desk", "tr '\\0' ' ' < /proc/$(pgrep -o chromium)/cmdline")
            assert "--ipc-connection-timeout=600" in told
            await fork_and_go_on(made, before, 120)


async def test_more_copies_at_once_than_there_are_processors(tmp_path: Path) -> None:
    names = [f"copy-{number:02}" for number in range(12)]
    with anyio.fail_after(400):
        async with with_a_desk(tmp_path, SMALL) as made:
            begun = anyio.current_time()
            forked = await made.fork("desk", names)
            print(f"{len(names)} copies in {anyio.current_time() - begun:.1f} s")
            assert {standing.observed.state for standing in forked} == {State.RUNNING}
            for own in ("hostname", "cat /etc/machine-id", DRAW):
                assert len({await said(made, name, own) for name in names}) == len(names), own


def _with_a_helper(kernel: Kernel, helper: bytes, place: Path) -> Kernel:
    """The same kernel, whose process 1 has another helper."""
    place.write_bytes(kernel.initrd.read_bytes() + archive({"bin/attune": (0o755, helper)}))
    return Kernel(kernel.image, place)


async def _refused_copy(made: Machines) -> set[str]:
    """Try to have a copy of `desk`; the ids of all machines that were there meanwhile."""
    seen: set[str] = set()

    async def watch() -> None:
        while True:
            seen.update(path.name for path in (made.store.home / "machines").glob("mac_*"))
            await anyio.sleep(0.05)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        with pytest.raises(RunError, match="copy did not get chance of its own, and is given up"):
            await made.fork("desk", ["copy"])
        tasks.cancel_scope.cancel()
    return seen


def _left_of(made: Machines, identity: str) -> list[str]:
    """What is still there of a machine: files, processes, sockets."""
    found = [*map(str, (made.store.home / "machines").glob(f"*{identity}*"))]
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            text = path.read_text(errors="replace")
            found += [text] if identity in text else []
    return found


@pytest.mark.parametrize("helper", [REFUSED, SILENT], ids=["refused", "silent"])
async def test_a_copy_without_chance_of_its_own_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helper: bytes
) -> None:
    assert helper != program()
    kernel = _with_a_helper(get_kernel(lambda stage, share: None), helper, tmp_path / "initrd")
    monkeypatch.setattr("carrel.machines.providers.qemu.get_kernel", lambda progress: kernel)
    kept = tmp_path / "prototypes"
    kept.mkdir()
    monkeypatch.setattr(prototype, "_home", lambda: kept)
    with anyio.fail_after(500):
        async with with_a_desk(tmp_path / "store", SMALL) as made:
            assert len(list(kept.iterdir())) == 1
            (copy,) = await _refused_copy(made) - {made.store.get("desk").id}
            assert [standing.machine.name for standing in await made.list()] == ["desk"]
            assert _left_of(made, copy) == []
            drawn = await said(made, "desk", DRAW)

            # The next of its kind does not begin as that one had: it starts anew.
            await made.up("next", SMALL)
            log = made.store.get("next").directory / "carrel.log"
            assert (
                "not begun as a machine that was kept: next did not get chance" in log.read_text()
            )
            assert await said(made, "next", DRAW) != drawn

            # Nor does a machine go on from a snapshot, only to draw the same again.
            await made.snapshot("desk", "kept")
            with pytest.raises(RunError, match="desk did not get chance of its own"):
                await made.restore("desk", "kept")
            assert (await made.status("desk")).observed.state is not State.RUNNING
            await made.up("desk")
            assert await said(made, "desk", "echo here") == "here\n"


FAVOUR = '    echo "$1" > "/proc/$guest/autogroup"\n'


async def test_the_guest_of_a_copy_goes_before_its_programs_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = (files("carrel.machines.qemu") / "init.sh").read_text()
    assert script.count(FAVOUR) == 1
    telling = script.replace(FAVOUR, f'{FAVOUR}    cat "/proc/$guest/autogroup"\n')
    kernel = get_kernel(lambda stage, share: None)
    own = tmp_path / "initrd"
    own.write_bytes(kernel.initrd.read_bytes() + archive({"init": (0o755, telling.encode())}))
    monkeypatch.setattr(
        "carrel.machines.providers.qemu.get_kernel", lambda progress: Kernel(kernel.image, own)
    )
    kept = tmp_path / "prototypes"
    kept.mkdir()
    monkeypatch.setattr(prototype, "_home", lambda: kept)
    with anyio.fail_after(400):
        async with with_a_desk(tmp_path / "store", SMALL) as made:
            (copy,) = await made.fork("desk", ["copy"])

            def urgency() -> list[str]:
                text = Keep(copy.machine.directory).console.read_text()
                return re.findall(r"/autogroup-\d+ nice (-?\d+)", text)

            assert urgency()[:1] == ["-10"]
            await eventually("it goes beside them", lambda: urgency() == ["-10", "0"], 60)
            # What it starts does not go before others.
            assert "nice 0" in await said(made, "copy", "cat /proc/self/autogroup")
