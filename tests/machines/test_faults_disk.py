"""A store on a disk that is full: a small one of its own, behind a loop device."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import pytest
from aftermath import NAME, World, eventually
from engine_matrix import BOUND, ENGINES, Engine, engine_ready, only_if_full

from carrel.errors import CarrelError, RunError
from carrel.machines.state import State

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.namespace, pytest.mark.image]

SIZE_MB = 128


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system that is soon full."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    home = tmp_path_factory.mktemp("disk")
    image, place = home / "disk", home / "small"
    place.mkdir()
    with image.open("wb") as file:
        file.truncate(SIZE_MB << 20)
    make = shutil.which("mkfs.ext4", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    assert make is not None
    subprocess.run([make, "-q", "-m", "0", str(image)], check=True)
    try:
        subprocess.run(["mount", "-o", "loop", image, place], check=True)
    except subprocess.CalledProcessError:
        # Where no loop device can be had, memory is as soon full.
        size = f"size={SIZE_MB}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)
        image.unlink()


@pytest.fixture(scope="module", params=ENGINES)
def engine(request: pytest.FixtureRequest, small: Path) -> Iterator[Engine]:
    # After the disk: an engine of its own sees what was mounted when it began.
    if request.param != "namespace":
        only_if_full(request.param)
    with engine_ready(request.param) as found:
        yield found


@pytest.fixture
async def world(engine: Engine, small: Path) -> AsyncIterator[World]:
    home = small / "store"
    found = World(home, engine)
    yield found
    (home / "fill").unlink(missing_ok=True)
    found.rows()
    for machine in found.machines.store.all():
        await found.machines.delete(machine.name)
    await found.expect_nothing_left()
    shutil.rmtree(home)


def fill(place: Path) -> Path:
    """Take all that is left of the disk."""
    path = place / "fill"
    with path.open("ab", 0) as file:
        for piece in (1 << 20, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(piece))
    return path


async def test_a_machine_on_a_full_disk_is_told_truly_stopped_and_deleted(world: World) -> None:
    with anyio.fail_after(BOUND):
        await world.machines.up(NAME, world.engine.spec)
        full = fill(world.home)
        assert (await world.status()).state is State.RUNNING
        await world.expect_usable()
        with suppress(RunError):  # where the home is written at a stop, it cannot be
            await world.machines.stop(NAME)
        if (await world.status()).state is State.RUNNING:
            await world.expect_usable()
            await world.machines.stop(NAME, force=True)
        assert (await world.status()).state is State.STOPPED
        # It cannot be started without room, and says so.
        with pytest.raises(CarrelError) as caught:
            await world.machines.up(NAME)
        said = f"{caught.value.message} {caught.value.hint}"
        assert "No space left" in said or "disk" in said, said
        assert caught.value.hint
        assert (await world.status()).state in (State.STOPPED, State.ERROR)
        assert not await world.is_usable()
        # Nor can another be made, and nothing of it is left.
        with pytest.raises(CarrelError) as caught:
            await world.machines.create("other", world.engine.spec)
        assert [row[1] for row in world.rows()] == [NAME]
        full.unlink()
        await world.machines.up(NAME)
        await world.expect_usable()
        full = fill(world.home)
        await world.expect_deletable()


async def test_a_machine_that_fills_the_disk_itself_is_told_and_deleted(world: World) -> None:
    with anyio.fail_after(BOUND):
        await world.machines.up(NAME, world.engine.spec)
        words = f"head -c {2 * SIZE_MB}M /dev/urandom > hog; sync; echo $?"
        # An engine may halt it, or end it.
        with anyio.move_on_after(60), suppress(CarrelError):
            async with world.machines.computer(NAME) as computer:
                await computer.run("sh", "-c", words)
        fill(world.home)
        told = await world.status()
        true = told.state in (State.PAUSED, State.ERROR) or await world.is_usable()
        await world.expect_deletable()
        assert true, told


async def test_a_machine_that_dies_on_a_full_disk_is_told_all_the_same(world: World) -> None:
    with anyio.fail_after(BOUND):
        await world.machines.up(NAME, world.engine.spec)
        record = world.record()
        assert record is not None
        full = fill(world.home)
        os.kill(record.pid, signal.SIGKILL)

        async def failed() -> bool:
            return (await world.status()).state is State.ERROR

        await eventually("it has failed", failed, 30)
        assert (await world.status()).cause == "the keeper was killed"
        full.unlink()
        await world.machines.up(NAME)
        await world.expect_usable()
        await world.expect_deletable()


async def test_the_command_line_says_in_words_that_the_disk_is_full(world: World) -> None:
    with anyio.fail_after(BOUND):
        fill(world.home)

        def up() -> subprocess.CompletedProcess[str]:
            return world.carrel("up", NAME, *world.wish)

        done = await anyio.to_thread.run_sync(up)
        assert done.returncode in (1, 3)
        assert "Traceback" not in done.stderr
        assert "No space left" in done.stderr or "full" in done.stderr, done.stderr
        assert world.rows() == []
