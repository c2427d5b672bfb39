"""Programs deployed where all that a machine wrote is in its memory, and goes with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import anyio
import pytest
from engine_desks import said, with_a_desk

from carrel.errors import NotFound, Unavailable
from carrel.geometry import Size
from carrel.machines import gvisor, spares
from carrel.machines.apps import Apps
from carrel.machines.attention import faults_of
from carrel.machines.deploy import Deployment, deploy, latest_process, remove
from carrel.machines.keep import Keep
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop, pytest.mark.image]

SPEC = MachineSpec(provider="gvisor", size=Size(640, 480), memory_mb=1024, restart="on-failure")
FETCHED = Path(__file__).parents[2] / ".venv/gvisor/runsc"


@pytest.fixture(autouse=True, scope="module")
def runsc() -> None:
    if "CARREL_RUNSC" not in os.environ and FETCHED.exists():
        os.environ["CARREL_RUNSC"] = str(FETCHED)
    try:
        gvisor.find_runsc()
    except Unavailable as error:
        pytest.skip(f"{error.message}: {error.hint}")


def machines(home: Path) -> AbstractAsyncContextManager[Machines]:
    return with_a_desk(home, SPEC)


async def put(made: Machines, tmp_path: Path, word: str, *, again: bool = False) -> None:
    source = tmp_path / "web"
    source.mkdir(exist_ok=True)
    (source / "main.py").write_text(f"import time\nprint({word!r})\ntime.sleep(600)\n")
    await put_all(made, Deployment("web", source, replacing=again))


async def put_all(made: Machines, wish: Deployment) -> None:
    machine = made.store.get("desk")
    async with made.computer("desk") as computer:
        await deploy(computer, machine, wish, lambda stage, share: None, lambda line: None)


async def until(look: Callable[[], Awaitable[object]], seconds: float = 60) -> None:
    with anyio.fail_after(seconds):
        while not await look():  # noqa: ASYNC110 (nothing in this process will tell)
            await anyio.sleep(0.1)


async def runs(made: Machines) -> bool:
    if (await made.status("desk")).observed.state != "running":
        return False
    async with made.computer("desk") as computer:
        process = await latest_process(computer, "web")
    return process is not None and process["running"] is True


async def crash(made: Machines) -> None:
    record = Keep(made.store.get("desk").directory).read_record()
    assert record is not None
    assert record.guest_pid is not None
    os.kill(record.guest_pid, signal.SIGKILL)

    async def revived() -> bool:
        now = Keep(made.store.get("desk").directory).read_record()
        alive = (await made.status("desk")).observed.state == "running"
        return now is not None and now.pid != record.pid and alive

    await until(revived)


def copies(made: Machines) -> list[str]:
    return sorted(p.name for p in (made.store.get("desk").directory / "deployed").iterdir())


async def test_an_app_is_there_again_after_its_machine_has_died(tmp_path: Path) -> None:
    with anyio.fail_after(300):
        async with machines(tmp_path) as made:
            await put(made, tmp_path, "first")
            await crash(made)
            await until(lambda: runs(made))
            assert "first" in await said(made, "desk", "cat apps/web/main.py")
            # What the home holds that was kept at a stop is the older one by then.
            await made.restart("desk")
            await until(lambda: runs(made))
            await put(made, tmp_path, "second", again=True)
            assert len(copies(made)) == 1
            await crash(made)
            await until(lambda: runs(made))
            assert "second" in await said(made, "desk", "cat apps/web/main.py")
            async with made.computer("desk") as computer:
                await remove(computer, made.store.get("desk"), "web")
            assert copies(made) == []
            assert await said(made, "desk", "ls -A apps") == ""


async def test_an_app_too_large_to_be_kept_is_told_when_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spares, "LARGEST", 10)
    with anyio.fail_after(200):
        async with machines(tmp_path) as made:
            await put(made, tmp_path, "first")
            assert copies(made) == []
            assert await runs(made)
            await crash(made)

            async def told() -> bool:
                return bool(faults_of(made.store.get("desk")))

            await until(told)
            (note,) = [n for n in (await made.status("desk")).observed.notes if "its app" in n]
            assert note.startswith("its app web could not be started: there is no directory ~/apps")
            await put(made, tmp_path, "again", again=True)
            await until(lambda: runs(made))

            async def untold() -> bool:
                return not faults_of(made.store.get("desk"))

            await until(untold)


async def test_what_is_deployed_goes_back_with_the_machine(tmp_path: Path) -> None:
    with anyio.fail_after(300):
        async with machines(tmp_path) as made:
            await made.snapshot("desk", "empty")
            await put(made, tmp_path, "first")
            await made.snapshot("desk", "first")
            await put(made, tmp_path, "second", again=True)
            assert len(copies(made)) == 2
            async with made.computer("desk") as computer:
                await remove(computer, made.store.get("desk"), "web")
            await made.restore("desk", "first")
            assert [app.name for app in Apps(made.store.get("desk")).all()] == ["web"]
            assert await runs(made)
            await crash(made)
            await until(lambda: runs(made))
            assert "first" in await said(made, "desk", "cat apps/web/main.py")
            await made.restore("desk", "empty")
            assert Apps(made.store.get("desk")).all() == ()
            assert not await runs(made)
            assert len(copies(made)) == 1
            await made.delete_snapshot("desk", "first")
            assert copies(made) == []


async def test_a_node_project_is_refused_where_there_is_no_node(tmp_path: Path) -> None:
    source = tmp_path / "ticker"
    source.mkdir()
    (source / "package.json").write_text('{"scripts": {"start": "node tick.js"}}')
    with anyio.fail_after(120):
        async with machines(tmp_path) as made:
            with pytest.raises(NotFound, match=r"no program 'node' .*image desktop") as caught:
                await put_all(made, Deployment("ticker", source))
            assert "node has Python and Node.js" in str(caught.value.hint)
            assert Apps(made.store.get("desk")).all() == ()
            assert await said(made, "desk", "ls -A apps") == ""


async def test_a_copy_of_a_machine_keeps_its_apps_when_it_dies(tmp_path: Path) -> None:
    with anyio.fail_after(200):
        async with machines(tmp_path) as made:
            await put(made, tmp_path, "first")
            await made.fork("desk", ["other"])
            await made.delete("desk")
            directory = made.store.get("other").directory
            (copied,) = (directory / "deployed").iterdir()
            assert "first" in (copied / "main.py").read_text()
