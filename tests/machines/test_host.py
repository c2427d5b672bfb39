"""The provider without walls, on a display of our own making."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from walls import eventually, exists, make_machine, quiet, use_home

from carrel.computer import Computer
from carrel.errors import Unavailable, Unsupported
from carrel.machines.keep import Keep
from carrel.machines.provider import Isolation
from carrel.machines.providers.host import HostProvider
from carrel.machines.sandbox.family import descendants
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State

pytestmark = [pytest.mark.desktop]


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_home(tmp_path_factory.getbasetemp(), monkeypatch)


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "640x480x24", "-noreset"]
    with subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL) as server:
        os.close(writer)
        with os.fdopen(reader) as file:
            name = f":{file.readline().strip()}"
        monkeypatch.setenv("DISPLAY", name)
        try:
            yield name
        finally:
            server.terminate()


@pytest.mark.anyio
async def test_the_guest_uses_the_display_there_is(home: Path, display: str) -> None:
    provider = HostProvider()
    machine = make_machine(home, provider="host", network="nat")
    with anyio.fail_after(60):
        health = await provider.probe()
        assert health.usable
        assert health.isolation is Isolation.NONE
        provider.check_spec(machine.spec)
        await provider.create(machine)
        try:
            await provider.start(machine, quiet)
            assert (await provider.inspect(machine)).state is State.RUNNING
            async with Computer(lambda: provider.channel(machine)) as computer:
                info = await computer.info()
                assert info["display"] == display
                frame = await computer.screenshot()
                assert frame.image.startswith(b"\x89PNG")
                await computer.start_process("sleep", "60")
            record = Keep(machine.directory).read_record()
            assert record is not None
            below = descendants(record.pid)
            assert len(below) >= 2
            await provider.kill(machine)
            await eventually("all have ended", lambda: not any(map(exists, below)))
            assert (await provider.inspect(machine)).state is State.STOPPED
        finally:
            await provider.delete(machine)
    assert not machine.directory.exists()


@pytest.mark.anyio
async def test_without_a_display_it_says_so(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    provider = HostProvider()
    health = await provider.probe()
    assert not health.usable
    assert "DISPLAY" in health.reason
    with pytest.raises(Unavailable, match="DISPLAY"):
        await provider.prepare(MachineSpec(provider="host", network="nat"), quiet)


@pytest.mark.parametrize("wish", [{"network": "none"}, {"network": "allowlist", "allow": ("a:1",)}])
def test_promises_it_cannot_keep_are_refused(wish: dict[str, object]) -> None:
    spec = MachineSpec(provider="host", **wish)  # type: ignore[arg-type]
    with pytest.raises(Unsupported, match="cannot be promised") as caught:
        HostProvider().check_spec(spec)
    assert "--network nat" in str(caught.value.hint)
    assert not HostProvider.capabilities.contains


@pytest.mark.anyio
async def test_what_it_cannot_do_is_refused(home: Path) -> None:
    machine = make_machine(home, provider="host", network="nat")
    for operation in (HostProvider().pause, HostProvider().resume):
        with pytest.raises(Unsupported):
            await operation(machine)
