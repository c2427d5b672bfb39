"""`carrel data` on a real machine."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]
LARGE = 300_000_000


def carrel(env: Env, *args: str, check: int | None = 0) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([*CARREL, *args], env=env, input=b"", capture_output=True, timeout=120)
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str, check: int = 0) -> dict[str, object]:
    done = carrel(env, *args, "--json", check=check)
    found = json.loads(done.stdout.splitlines()[0])
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one running machine, `desk`."""
    settings = {**plain_env, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    carrel(settings, "up", "--image", "host", "--size", "800x600", "--provider", "namespace")
    yield settings
    carrel(settings, "delete", "desk", check=None)


@pytest.fixture(scope="module")
def home(env: Env) -> Path:
    """The machine's home, as this system has it."""
    return Path(str(document(env, "status", "desk")["directory"])) / "home"


def test_a_directory_is_synced_in_and_out_again(env: Env, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "css").mkdir(parents=True)
    (site / "index.html").write_text("<p>hello</p>")
    (site / "css/main.css").write_text("p {}")
    (site / "start").symlink_to("index.html")
    into = ("data", "sync", "desk", "--source", str(site), "--dest", ":site")
    dry = carrel(env, *into, "--dry-run").stdout.decode()
    assert "send new: css/main.css (4 bytes)" in dry
    assert "link: start" in dry
    assert b"2 files synced and checked by hash" in carrel(env, *into).stdout
    assert carrel(env, *into).stdout == b"nothing to do: 2 files the same already\n"
    assert carrel(env, "exec", "desk", "--", "cat", "site/start").stdout == b"<p>hello</p>"
    carrel(env, "exec", "desk", "--", "sh", "-c", "echo made > site/inside; rm site/start")
    back = ("data", "sync", "desk", "--source", "desk:site", "--dest", str(site), "--delete")
    found = document(env, *back)
    assert (found["files"], found["deleted"], found["failed"]) == (1, 1, [])
    assert (site / "inside").read_text() == "made\n"
    assert not (site / "start").is_symlink()


def test_what_is_refused_is_told_and_fails_the_command(env: Env, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "plain").write_text("plain")
    into = ("data", "sync", "desk", "--source", str(tmp_path), "--dest", ":refusing")
    done = carrel(env, *into, check=1)
    assert b"not synced: pipe: a device, pipe or socket" in done.stderr
    found = document(env, *into, check=1)
    assert found["refused"] == [{"name": "pipe", "why": "a device, pipe or socket"}]
    assert carrel(env, "exec", "desk", "--", "ls", "refusing").stdout == b"plain\n"


@pytest.mark.parametrize(
    ("source", "dest", "said"),
    [
        ("a", "b", b"one of --source and --dest is inside the machine"),
        (":a", ":b", b"one of --source and --dest is inside the machine"),
        (":a", "other:b", b"one of --source and --dest is inside the machine"),
        ("a", "other:b", b"other is not desk"),
        ("a", ":", b"a path is missing"),
        ("/nowhere", ":x", b"there is no /nowhere here"),
        (":/nowhere", "x", b"there is no /nowhere in the machine"),
    ],
)
def test_sides_that_make_no_sense_are_wrong_usage(
    env: Env, source: str, dest: str, said: bytes
) -> None:
    done = carrel(env, "data", "sync", "desk", "--source", source, "--dest", dest, check=2)
    assert said in done.stderr


def test_data_is_listed_with_sizes(env: Env) -> None:
    script = "mkdir -p listed/d/e; printf 12345 > listed/d/five; printf 1 > listed/one"
    script += "; printf 12 > listed/d/e/two"
    carrel(env, "exec", "desk", "--", "sh", "-c", script)
    lines = carrel(env, "data", "list", "desk", "listed").stdout.decode().splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [["d/", "7", "bytes"], ["one", "1", "bytes"]]
    found = document(env, "data", "list", "desk", "desk:listed", "-r", "--checksum")
    assert isinstance(found["entries"], list)
    sizes = {item["name"]: item["size"] for item in found["entries"]}
    assert sizes == {"d": 7, "d/e": 2, "d/e/two": 2, "d/five": 5, "one": 1}
    names = {item["name"]: item.get("sha256") for item in found["entries"]}
    assert names == {
        "d": None,
        "d/e": None,
        "d/e/two": hashlib.sha256(b"12").hexdigest(),
        "d/five": hashlib.sha256(b"12345").hexdigest(),
        "one": hashlib.sha256(b"1").hexdigest(),
    }
    assert carrel(env, "data", "list", "desk", "nowhere", check=2).stderr


MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
sys.stderr.write(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
sys.exit(done.returncode)
"""
"""Runs a command and says last how much memory it had at most. Not we ourselves: a child counts
what whoever started it had, and we may have much."""


@pytest.mark.slow
def test_a_large_file_resumes_after_a_kill_on_either_side_and_then_crosses_in_blocks(
    env: Env, home: Path, tmp_path: Path
) -> None:
    source = tmp_path / "large"
    with source.open("wb") as file:
        for _ in range(LARGE // 1_000_000):
            file.write(os.urandom(1_000_000))
    into = ("data", "sync", "desk", "--source", str(source), "--dest", ":kept/large")
    killed = subprocess.Popen([*CARREL, *into], env=env)
    partial = _partial(home / "kept", 60_000_000)
    killed.send_signal(signal.SIGKILL)
    killed.wait(10)
    assert not (home / "kept/large").exists()
    begun = partial.stat().st_size
    assert begun < LARGE

    keeper = int(str(document(env, "status", "desk")["pid"]))
    lost = subprocess.Popen([*CARREL, *into], env=env, stderr=subprocess.PIPE)
    _partial(home / "kept", begun + 60_000_000)
    os.kill(keeper, signal.SIGKILL)
    _, said = lost.communicate(timeout=60)
    assert lost.returncode == 1
    assert b"run it again: it goes on where it stopped" in said
    carrel(env, "up", "desk")
    assert partial.stat().st_size > begun
    begun = partial.stat().st_size
    assert begun < LARGE

    words = [sys.executable, "-S", "-c", MEASURED, *CARREL, *into, "--json"]
    again = subprocess.run(words, env=env, capture_output=True, check=True)
    found = json.loads(again.stdout)
    assert int(again.stderr.split()[-1]) * 1024 < 150_000_000
    assert found["files"] == 1
    assert found["crossed"] <= LARGE - begun + 1_000_000
    seen = carrel(env, "exec", "desk", "--", "sha256sum", "kept/large").stdout.split()[0]
    assert seen.decode() == _sha256(source)
    assert not partial.exists()

    carrel(env, "exec", "desk", "--", "sh", "-c", "printf other | dd of=kept/large conv=notrunc")
    out = ("data", "sync", "desk", "--source", ":kept", "--dest", str(tmp_path))
    found = document(env, *out)
    assert (found["files"], found["crossed"]) == (1, 256 * 1024)
    assert source.read_bytes()[:5] == b"other"


def _partial(folder: Path, size: int) -> Path:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for path in folder.glob(".carrel-sync-*"):
            if path.stat().st_size >= size:
                return path
        time.sleep(0.005)
    raise AssertionError("no copy was begun")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
