"""WSL's machines by contract: a `wsl.exe` that takes only what Windows' does, over real systems."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import fake_wsl
import pytest
from engine_desks import new_machine
from engine_desks import said_in as said
from hypothesis import given
from hypothesis import strategies as st
from light import IMAGE, light_home, quick_place

from carrel.actions import Click
from carrel.computer import Computer
from carrel.errors import InvalidInput, NotFound, RunError, Unavailable, Unsupported
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.auto import AUTO_ORDER
from carrel.machines.check import run_checks
from carrel.machines.foreign import Condition
from carrel.machines.lifecycle import quiet
from carrel.machines.paths import data_home
from carrel.machines.provider import Isolation, Metrics
from carrel.machines.providers.wsl import WslProvider
from carrel.machines.spec import MachineSpec
from carrel.machines.state import State
from carrel.machines.wsl import CONFIGURATION, Wsl, read_list
from carrel.policy.policy import Policy
from carrel.policy.rules import Verdict
from thorough import FULL

pytestmark = [pytest.mark.anyio, pytest.mark.image, pytest.mark.desktop]

SPEC = MachineSpec(provider="wsl", image=IMAGE, size=Size(800, 600), pids=300, network="nat")
BOUND = 180


class Windows:
    """What keeps the distributions, asked by somebody else than our code."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def ask(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [self.place / "wsl.exe", *words], capture_output=True, timeout=60, check=False
        )

    def distributions(self) -> dict[str, str]:
        lines = self.ask("--list", "--verbose").stdout.decode("utf-16-le").splitlines()[1:]
        rows = [line[2:].split() for line in lines]
        return {name: state for name, state, _ in rows if name != fake_wsl.HOST}

    @property
    def disks(self) -> Path:
        return self.place / "drive"


@pytest.fixture(scope="module")
def windows() -> Iterator[Windows]:
    with quick_place() as place, pytest.MonkeyPatch.context() as patch:
        light_home(place / "carrel")
        fake_wsl.install(place)
        patch.setenv("XDG_DATA_HOME", str(data_home().parent))
        patch.setenv("CARREL_HOME", str(place / "carrel"))
        patch.setenv("HOME", str(place))
        patch.setenv("PATH", f"{place}:{os.environ['PATH']}")
        patch.setenv("CARREL_WSL_HOME", str(place / "drive"))
        patch.delenv("CARREL_WSL", raising=False)
        yield Windows(place)
        fake_wsl.remove_all(place)


async def test_a_desk_in_a_distribution_is_used_and_kept_and_sees_nothing_of_windows(
    windows: Windows, tmp_path: Path
) -> None:
    provider = WslProvider()
    machine = new_machine(tmp_path, SPEC)
    name = f"carrel-{machine.id}"
    with anyio.fail_after(BOUND):
        await provider.prepare(SPEC, quiet)
        await provider.create(machine)
        try:
            assert windows.distributions() == {name: "Stopped"}
            root = windows.disks / name / "root"
            assert (root / "etc/wsl.conf").read_text() == CONFIGURATION
            await provider.start(machine, quiet)
            assert windows.distributions() == {name: "Running"}
            async with Computer(lambda: provider.channel(machine)) as computer:
                assert (await computer.screenshot()).size == Size(800, 600)
                await computer.write_file("note.txt", "before")
            # The system has a directory that all others share, and the desk has not.
            shown = windows.ask("-d", name, "--exec", "/bin/ls", "/mnt/wsl").stdout
            assert shown == b"shared-by-all\n"
            assert await said(provider, machine, "ls /mnt/wsl") == ""
            # Windows' drives are in neither: they were there before its configuration was.
            assert windows.ask("-d", name, "--exec", "/bin/ls", "/mnt/c").stdout == b""
            assert await said(provider, machine, "ls /mnt/c; id -u") == "1000\n"
            status = await said(provider, machine, "cat /proc/self/status /proc/self/limits")
            assert "CapBnd:\t0000000000000000" in status
            assert re.search(r"Max processes +300 +300", status)
            observed = await provider.inspect(machine)
            assert observed.state is State.RUNNING
            assert any("memory is not enforced" in note for note in observed.notes)
            assert await provider.metrics(machine) == Metrics()
            await provider.snapshot(machine, "one")
            await said(provider, machine, "echo after > note.txt")
            await provider.restore(machine, "one")
            assert await provider.snapshots(machine) == ("one",)
            assert await said(provider, machine, "cat note.txt") == "before"
            copies = windows.disks / f"{name}.kept"
            assert [path.name for path in copies.iterdir()] == ["one.tar"]
            await provider.delete_snapshot(machine, "one")
            assert (list(copies.iterdir()), await provider.snapshots(machine)) == ([], ())
            with pytest.raises(Unsupported):
                await provider.pause(machine)
            # Somebody ends it in Windows.
            assert windows.ask("--terminate", name).returncode == 0
            while (await provider.inspect(machine)).state is not State.ERROR:  # noqa: ASYNC110
                await anyio.sleep(0.1)
        finally:
            with anyio.CancelScope(shield=True):
                await provider.delete(machine)
        assert windows.distributions() == {}
        assert list(windows.disks.iterdir()) == []


async def test_a_distribution_of_nobody_is_collected_and_a_failed_import_leaves_none(
    windows: Windows, tmp_path: Path
) -> None:
    provider = WslProvider()
    home = tmp_path / "machines"
    with anyio.fail_after(BOUND):
        mine, theirs = f"carrel-{new_id('mac')}", f"carrel-{new_id('mac')}"
        home.mkdir()
        (home / ".wsl").touch()
        windows.disks.mkdir(exist_ok=True)
        for name, owner in ((mine, home), (theirs, tmp_path / "others")):
            (windows.disks / name).mkdir()
            fake_wsl.register({**fake_wsl.registry(), name: str(windows.disks / name)})
            (windows.disks / f"{name}.owner").write_text(str(owner))
        removed = await provider.collect(home, frozenset())
        assert removed == (f"wsl system of the deleted machine {mine.removeprefix('carrel-')}",)
        assert list(windows.distributions()) == [theirs]
        Wsl().discard(theirs)
        Wsl().discard(theirs)
        with pytest.raises(RunError, match="Importing the distribution failed"):
            Wsl().bring_in(mine, [b"this is no tar" * 100], "nobody")
        assert windows.distributions() == {}
        assert list(windows.disks.iterdir()) == []


async def test_the_probe_of_wsl_says_what_is_missing_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CARREL_WSL", raising=False)
    monkeypatch.delenv("CARREL_WSL_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    provider = WslProvider()
    absent = await provider.probe()
    assert (absent.usable, absent.reason) == (False, "wsl.exe is not installed")
    assert "wsl.exe --install" in (absent.fix or "")
    fake_wsl.install(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.defpath}")
    placeless = await provider.probe()
    assert not placeless.usable
    assert "CARREL_WSL_HOME=/mnt/c" in (placeless.fix or "")
    monkeypatch.setenv("CARREL_WSL_HOME", str(tmp_path / "drive"))
    found = await provider.probe()
    assert found.usable
    assert "WSL 2.6.1.0 answers" in found.reason
    assert "no isolation is promised" in found.reason
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows/inbox").touch()
    old = await provider.probe()
    assert (old.usable, old.fix) == (False, "wsl.exe --update")
    assert "Invalid command line argument: --version" in old.reason


@pytest.mark.parametrize("network", ["none", "allowlist"])
def test_a_network_that_wsl_cannot_promise_is_refused(network: str) -> None:
    allow = ("example.org:443",) if network == "allowlist" else ()
    with pytest.raises(Unsupported, match="share one network") as caught:
        WslProvider().check_spec(replace(SPEC, network=network, allow=allow))  # type: ignore[arg-type]
    assert "--network nat" in (caught.value.hint or "")


async def test_what_is_done_on_wsl_is_asked_about_as_on_ones_own_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CARREL_WSL", raising=False)
    assert (await WslProvider().probe()).isolation is WslProvider.isolation is Isolation.NONE
    policy = Policy.for_isolation(WslProvider.isolation)
    assert policy == Policy.for_isolation("none")
    assert policy.judge(Click(1, 1)).verdict is Verdict.ASK
    assert "wsl" not in AUTO_ORDER


def test_what_else_wsl_cannot_do_is_refused() -> None:
    assert not WslProvider.capabilities.contains
    with pytest.raises(NotFound, match="wsl provider has no image called 'host'"):
        WslProvider().check_spec(replace(SPEC, image="host"))
    with pytest.raises(Unsupported, match="volumes"):
        WslProvider().check_spec(replace(SPEC, volumes=("data:/srv/data",)))
    WslProvider().check_spec(SPEC)


def test_the_disks_of_distributions_are_on_a_drive_of_windows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from carrel.machines import wsl

    for wish in ("", "C:\\Users\\me"):
        monkeypatch.setenv("CARREL_WSL_HOME", wish)
        with pytest.raises(InvalidInput, match="nobody has said where"):
            wsl.place()


NAMES = st.from_regex(r"[A-Za-z0-9._-]{1,30}", fullmatch=True)
STATES = st.sampled_from(["Running", "Stopped", "Installing", "Converting"])


@given(st.dictionaries(NAMES, STATES), st.booleans())
def test_a_list_is_read_whatever_the_names(told: dict[str, str], first: bool) -> None:
    width = max([4, *map(len, told)]) + 4
    lines = [f"  {'NAME':{width}}{'STATE':16}VERSION"]
    lines += [f"{'* '[not first]} {name:{width}}{state:16}2" for name, state in told.items()]
    conditions = {"Running": Condition.ON, "Stopped": Condition.OFF}
    expected = {name: conditions.get(state, Condition.BROKEN) for name, state in told.items()}
    assert read_list("\r\n".join(lines)) == expected


@pytest.mark.parametrize("text", ["Debian", "Es sind keine Distributionen installiert.", "* A B C"])
def test_a_list_that_is_something_else_is_an_error(text: str) -> None:
    with pytest.raises(RunError, match=r"wsl\.exe --list said"):
        read_list(text)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["--launch", "x"], "Invalid command line argument: --launch"),
        (["--import", "x", "C:\\tmp"], "Invalid command line argument"),
        (["--import", "x", "/tmp/x", "-", "--version", "2"], "cannot find the path"),
        (["--terminate", "nobody"], "There is no distribution with the supplied name."),
        (["--list", "--json"], "Invalid command line argument"),
    ],
)
def test_the_fake_takes_what_wsl_takes_and_nothing_else(
    words: list[str], answer: str, tmp_path: Path
) -> None:
    fake_wsl.install(tmp_path)
    env = {"HOME": str(tmp_path), "PATH": os.defpath}
    done = subprocess.run(
        [tmp_path / "wsl.exe", *words], capture_output=True, env=env, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 255
    assert answer in done.stdout.decode("utf-16-le")


def test_wsl_that_is_not_there_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CARREL_WSL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"wsl\.exe is not installed"):
        Wsl()


@pytest.mark.skipif(not FULL, reason="takes some minutes: make test FULL=1")
async def test_wsl_passes_the_conformance_suite_as_far_as_it_promises(
    windows: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARREL_HOME")  # with a whole desk, of the real image
    with anyio.fail_after(1200):
        wish = replace(SPEC, image="desktop", size=Size(1024, 768), pids=400)
        results = [result async for result in run_checks("wsl", wish)]
    assert [result for result in results if result.outcome == "failed"] == []
    skipped = [result for result in results if result.outcome == "skipped"]
    assert {result.detail.partition(" a ")[0] for result in skipped} == {
        "wsl promises no isolation",
        *(f"wsl cannot {what}" for what in ("pause", "fork", "lend", "tell")),
    }
    assert windows.distributions() == {}
