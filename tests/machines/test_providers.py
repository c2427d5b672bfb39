"""The shipped conformance suite, run on every provider this system can have."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from engine_desks import require_passed

from carrel.geometry import Size
from carrel.machines.check import CheckResult, run_checks
from carrel.machines.provider import get_provider
from carrel.machines.spec import MachineSpec
from namespaces import require_namespaces

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.desktop]


async def check(name: str, spec: MachineSpec) -> list[CheckResult]:
    with anyio.fail_after(400):
        results = [result async for result in run_checks(name, spec)]
    for result in results:
        print(f"{result.outcome:8}{result.seconds:6.2f} s  {result.title}  {result.detail}")
    assert [result for result in results if result.outcome == "failed"] == []
    return results


@pytest.mark.namespace
@pytest.mark.image
async def test_namespace_passes_with_the_desktop_image() -> None:
    health = await get_provider("namespace").probe()
    require_namespaces(health.usable, health.reason)
    results = await check("namespace", MachineSpec(size=Size(1024, 768)))
    require_passed("namespace", results)
    assert len(results) >= 40


@contextmanager
def guest_on_tcp(folder: Path) -> Iterator[MachineSpec]:
    """A guest process on loopback, as it would run on another system."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    token = folder / "token"
    token.write_text(secrets.token_urlsafe(24))
    command = [sys.executable, "-m", "carrel.guest", "--listen", f"127.0.0.1:{port}"]
    command += ["--token-file", str(token), "--home", str(folder), "--size", "1024x768"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as guest:
        try:
            deadline = time.monotonic() + 20
            while not _answers(port):
                assert guest.poll() is None, guest.stderr and guest.stderr.read().decode()
                assert time.monotonic() < deadline, "the guest does not listen"
                time.sleep(0.05)
            url = f"tcp://127.0.0.1:{port}"
            yield MachineSpec(provider="remote", url=url, token_file=str(token), network="nat")
        finally:
            guest.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


async def test_remote_passes_as_far_as_it_promises(tmp_path: Path) -> None:
    with guest_on_tcp(tmp_path) as spec:
        results = await check("remote", spec)
    outcomes = {result.id: result.outcome for result in results}
    assert outcomes["typed_text_arrives_in_a_program"] == "passed"
    assert outcomes["a_killed_machine_is_told_truly"] == "skipped"


@pytest.fixture
def own_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A display with a window manager that stands for the user's own."""
    reader, writer = os.pipe()
    options = "-noreset -screen 0 1024x768x24 -nolisten tcp -displayfd"
    command = ["Xvfb", *options.split(), str(writer)]
    with subprocess.Popen(command, pass_fds=(writer,), stderr=subprocess.DEVNULL) as server:
        os.close(writer)
        with os.fdopen(reader) as told:
            display = f":{told.readline().strip()}"
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setenv("HOME", str(tmp_path))
        with subprocess.Popen(["openbox"], env={**os.environ}) as manager:
            yield display
            manager.terminate()
        server.terminate()


async def test_host_passes_as_far_as_it_promises(own_screen: str) -> None:
    results = await check("host", MachineSpec(provider="host", network="nat"))
    outcomes = {result.id: result.outcome for result in results}
    assert outcomes["starts_and_answers"] == "passed"
    assert outcomes["nobody_inside_has_privileges"] == "skipped"
