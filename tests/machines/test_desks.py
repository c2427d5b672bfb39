"""What a desk leaves when its guest is killed, and who removes it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.guest.desk_home import HELD, PREFIX, make_home
from carrel.guest.parts import carries
from carrel.guest.server_start import MARK
from carrel.machines.desks import abandoned_desks, clear_desks

BOUND = 60.0


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary files of this test's own, of a short name."""
    path = tmp_path_factory.mktemp("t")
    if len(str(path)) > 60:
        pytest.skip(f"{path} is too long for the sockets of a desk")
    monkeypatch.setenv("TMPDIR", str(path))
    return path


def wait_until(true: Callable[[], object]) -> None:
    until = time.monotonic() + BOUND
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def cleared_here(place: Path) -> list[str]:
    return [each for each in clear_desks() if each.startswith(str(place))]


def abandoned_here(place: Path) -> list[Path]:
    return [path for path in abandoned_desks() if path.parent == place]


@contextmanager
def guest(place: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The real program, with a desk of its own on this system."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "s"))
        listener.listen()
        command = [sys.executable, "-m", "carrel.guest", "--listen-fd", str(listener.fileno())]
        process = subprocess.Popen(
            [*command, "--size", "640x480"],
            pass_fds=(listener.fileno(),),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def desks(place: Path) -> list[Path]:
    return sorted(place.glob(f"{PREFIX}*"))


def programs(mark: str) -> list[int]:
    wanted = f"{MARK}={mark}".encode()
    found = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal())
    return [pid for pid in found if carries(pid, wanted)]


@pytest.mark.desktop
def test_a_killed_guest_leaves_its_desk_for_the_next_to_clear(place: Path) -> None:
    with guest(place) as process:
        wait_until(lambda: [path for path in desks(place) if (path / "bus").exists()])
        home = desks(place)[0]
        assert programs(home.name)
        assert abandoned_here(place) == []
        assert cleared_here(place) == []
        assert (home / "bus").exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert abandoned_here(place) == [home]
        assert cleared_here(place) == [
            f"{home}: the directory of a desk whose guest was killed",
        ]
        assert not home.exists()
        wait_until(lambda: not programs(home.name))
    assert cleared_here(place) == []


@pytest.mark.desktop
def test_a_guest_that_is_asked_to_end_leaves_nothing(place: Path) -> None:
    with guest(place) as process:
        wait_until(lambda: [path for path in desks(place) if (path / "bus").exists()])
        process.send_signal(signal.SIGTERM)
        process.wait(BOUND)
    assert desks(place) == []


def test_what_has_no_mark_is_another_users_or_a_link_stays(place: Path) -> None:
    unmarked = place / f"{PREFIX}unmarked"
    unmarked.mkdir()
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / HELD).touch()
    (place / f"{PREFIX}link").symlink_to(elsewhere)
    trick = place / f"{PREFIX}trick"
    trick.mkdir()
    (trick / HELD).symlink_to(elsewhere / HELD)
    (place / f"{PREFIX}file").touch()
    foreign = place / f"{PREFIX}foreign"
    foreign.mkdir()
    (foreign / HELD).touch()
    if os.geteuid() == 0:
        os.chown(foreign, 65534, 65534)
    else:
        (foreign / HELD).unlink()
    assert cleared_here(place) == []
    assert len(desks(place)) == 5


def test_one_is_not_cleared_by_a_program_on_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, held = make_home()
    os.close(held)
    monkeypatch.setenv(MARK, Path(path).name)
    assert cleared_here(place) == []
    monkeypatch.delenv(MARK)
    assert len(cleared_here(place)) == 1


def test_a_home_that_is_cleared_while_it_is_made_is_made_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment between making and locking is somebody else's, too."""
    import carrel.guest.desk_home as desk_home

    real = desk_home._hold
    seen: list[str] = []

    def slow(path: str) -> int | None:
        if not seen:
            seen.append(path)
            Path(path).parent.rmdir()
        return real(path)

    monkeypatch.setattr(desk_home, "_hold", slow)
    path, held = make_home()
    assert Path(path, HELD).exists()
    assert not Path(seen[0]).parent.exists()
    os.close(held)
    assert len(cleared_here(place)) == 1
