"""The X server that is started before anything else is loaded."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import RunError, Unavailable
from carrel.geometry import Size
from carrel.guest import server_start
from carrel.guest.desk import Desk, DeskOptions
from carrel.guest.server_start import (
    abandon,
    from_arguments,
    start_server,
    take_over,
    write_cookies,
)

ARGUMENTS = ["--listen-fd", "3", "--size", "800x600", "--home", "/"]


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path_factory.mktemp("d")
    if len(str(path)) > 60:
        pytest.skip("the temporary directory's name is too long")
    monkeypatch.setenv("TMPDIR", str(path))
    return path


def test_only_what_the_interpreter_has_loaded_already_is_needed() -> None:
    code = (
        "import sys; from carrel.guest import server_start, without_tls\n"
        "heavy = {'typing', 'collections', 'enum', 're', 'subprocess', 'shutil', 'pathlib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", code],
        env={"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


def test_the_arguments_of_a_provider_start_a_server_that_answers(place: Path) -> None:
    started = from_arguments(ARGUMENTS)
    assert started is not None
    try:
        assert Path(started.home).parent == place
        assert Path(started.home).stat().st_mode & 0o777 == 0o700
        assert (Path(started.home) / "Xauthority").stat().st_mode & 0o777 == 0o600
        assert select.select([started.announced], [], [], 20)[0]
        assert os.read(started.announced, 16).strip().isdigit()
    finally:
        abandon(started)
    assert list(place.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        os.kill(started.pid, 0)


def test_a_server_is_handed_over_to_the_program_this_process_becomes(place: Path) -> None:
    code = (
        "import os, select, sys; from carrel.guest.server_start import *\n"
        "started = take_over(sys.argv)\n"
        "select.select([started.announced], [], [], 20)\n"
        "told = os.read(started.announced, 16).strip().isdigit(), sys.argv[1:]\n"
        "same = started.cookie in open(f'{started.home}/server-authority', 'rb').read()\n"
        "inherited = [os.get_inheritable(fd) for fd in (started.announced, started.held)]\n"
        "abandon(started)\n"
        "print(*told, same, inherited, len(started.cookie))"
    )
    begin = (
        "import os, sys; from carrel.guest.server_start import *\n"
        f"words = hand_over(from_arguments({ARGUMENTS!r}))\n"
        f"os.execv(sys.executable, [sys.executable, '-S', '-P', '-c', {code!r}, 'a', *words, 'b'])"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-S", "-P", "-c", begin],
        env={"PYTHONPATH": paths, "PATH": os.environ["PATH"], "TMPDIR": str(place)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == "True ['a', 'b'] True [False, False] 16\n"
    assert list(place.iterdir()) == []


def test_nothing_is_taken_over_where_nothing_was_handed() -> None:
    assert take_over(list(ARGUMENTS)) is None


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--help"],
        ["-h", *ARGUMENTS],
        [*ARGUMENTS, "--display", ":0"],
        [*ARGUMENTS, "--disp=:0"],
        ["--size", "800x600"],
        ["--listen-fd", "3"],
        ["--listen-fd", "3", "--size"],
        ["--listen-fd", "3", "--size", "large"],
        ["--listen-fd", "3", "--size", "-800x600"],
    ],
)
def test_anything_else_is_looked_at_more_closely_first(place: Path, arguments: list[str]) -> None:
    assert from_arguments(arguments) is None
    assert list(place.iterdir()) == []


def test_wrong_arguments_leave_no_server_behind(place: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "carrel.guest", *ARGUMENTS, "--no-such-thing"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 2
    assert "--no-such-thing" in done.stderr
    assert list(place.iterdir()) == []


def test_a_server_that_cannot_be_started_leaves_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_start, "_tether", list)
    with pytest.raises(FileNotFoundError):
        start_server("no-such-server", 800, 600)
    assert list(place.iterdir()) == []


@pytest.mark.anyio
async def test_a_desk_takes_over_a_server_that_dies_and_says_so(place: Path) -> None:
    started = start_server("Xvfb", 800, 600)
    os.kill(started.pid, 9)
    desk = Desk(DeskOptions(Size(800, 600)), started)
    # It may have answered before it was killed.
    with pytest.raises((RunError, Unavailable), match=r"killed by signal 9|cannot connect"):
        await desk.start()
    await desk.stop()
    assert list(place.iterdir()) == []


@given(st.dictionaries(st.text("0123456789", max_size=5), st.binary(min_size=1, max_size=40)))
def test_every_cookie_is_found_again(cookies: dict[str, bytes]) -> None:
    directory = Path(os.environ.get("TMPDIR", "/tmp"))
    path = directory / f"cookies-{os.getpid()}"
    try:
        write_cookies(str(path), cookies)
        assert _read_cookies(path.read_bytes()) == {
            (family, number): cookie
            for number, cookie in cookies.items()
            for family in (256, 65535)
        }
    finally:
        path.unlink(missing_ok=True)


def _read_cookies(data: bytes) -> dict[tuple[int, str], bytes]:
    found = {}
    while data:
        family, data = int.from_bytes(data[:2], "big"), data[2:]
        fields = []
        for _ in range(4):
            length = int.from_bytes(data[:2], "big")
            fields.append(data[2 : 2 + length])
            data = data[2 + length :]
        found[family, fields[1].decode()] = fields[3]
    return found


def test_connecting_to_a_display_starts_no_program() -> None:
    code = (
        "import sys\n"
        "sys.addaudithook(lambda event, _: print(event) if event == 'subprocess.Popen' else None)\n"
        "from carrel.guest.program import _know_the_processor\n"
        "_know_the_processor()\n"
        "import Xlib.support.unix_connect\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout == ""


def test_a_process_without_tls_has_its_errors_and_nothing_that_works() -> None:
    code = (
        "import json, sys\n"
        "from carrel.guest.without_tls import do_without_tls\n"
        "do_without_tls()\n"
        "import ssl, anyio.streams.tls, anyio._backends._asyncio\n"
        "told = [issubclass(ssl.SSLError, OSError), ssl.SSLError is ssl.SSLError,"
        " '_ssl' in sys.modules]\n"
        "for use in (lambda: ssl.SSLContext(1), lambda: ssl.create_default_context(),"
        " lambda: ssl.OP_ALL):\n"
        "    try: use()\n"
        "    except (RuntimeError, AttributeError) as error: told.append('TLS' in str(error))\n"
        "print(json.dumps(told))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert json.loads(done.stdout) == [True, True, False, True, True, True]
