"""A guest elsewhere that refuses our token, is not there, or comes back."""

from __future__ import annotations

import json
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.desktop


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        number = probe.getsockname()[1]
        assert isinstance(number, int)
        return number


@pytest.fixture
def token(tmp_path: Path) -> Path:
    return write_token(tmp_path / "token")


def write_token(path: Path, mode: int = 0o600) -> Path:
    path.write_text(secrets.token_urlsafe(24))
    path.chmod(mode)
    return path


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "store"))


@contextmanager
def guest(port: int, token: Path) -> Iterator[Path]:
    """A guest process on loopback, as it would run on another system; yields what it says."""
    log = token.with_suffix(".log")
    command = [sys.executable, "-m", "carrel.guest", "--listen", f"127.0.0.1:{port}"]
    command += ["--token-file", str(token), "--home", str(token.parent)]
    with log.open("w") as said, subprocess.Popen(command, stderr=said) as process:
        try:
            until = time.monotonic() + 20
            while "listening on" not in log.read_text():
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < until, "the guest does not listen"
                time.sleep(0.05)
            yield log
        finally:
            process.terminate()


def carrel(*args: str, check: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "carrel", *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == check, (args, done.stdout, done.stderr)
    return done


def up(port: int, token: Path, check: int = 0) -> subprocess.CompletedProcess[str]:
    address = ("--url", f"tcp://127.0.0.1:{port}", "--token-file", str(token))
    return carrel("up", "there", "--provider", "remote", *address, "--network", "nat", check=check)


def test_a_wrong_token_is_named_and_leaves_nothing_on_record(
    tmp_path: Path, port: int, token: Path
) -> None:
    wrong = write_token(tmp_path / "wrong")
    with guest(port, token):
        told = up(port, wrong, check=1).stderr
        assert "does not accept this token" in told
        assert f"try: put into {wrong} the token that its guest was started with" in told
        assert json.loads(carrel("status", "--json").stdout)["machines"] == []
        assert "there is running" in up(port, token).stdout
        assert carrel("do", "screen").stdout == "1280x800\n"


def test_a_guest_that_is_not_there_yet_leaves_nothing_on_record(port: int, token: Path) -> None:
    told = up(port, token, check=1).stderr
    assert f"try: start it there (python3 -m carrel.guest --listen 127.0.0.1:{port} " in told
    assert json.loads(carrel("status", "--json").stdout)["machines"] == []


def test_a_guest_that_comes_back_is_reached_again(port: int, token: Path) -> None:
    with guest(port, token):
        up(port, token)
    told = carrel("do", "screen", check=2).stderr
    assert "and it is reached again; carrel delete there forgets it" in told
    assert "and it is reached again" in carrel("status", "there").stdout
    assert json.loads(carrel("status", "there", "--json").stdout)["state"] == "lost"
    with guest(port, token):
        assert carrel("do", "screen").stdout == "1280x800\n"


def test_a_token_that_others_may_read_is_warned_of(tmp_path: Path, port: int, token: Path) -> None:
    with guest(port, token) as log:
        assert "chmod" not in log.read_text()
    shared = write_token(tmp_path / "shared", 0o644)
    with guest(port, shared) as log:
        assert f"chmod 600 {shared}" in log.read_text()
