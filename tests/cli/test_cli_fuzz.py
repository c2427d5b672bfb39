"""No arguments whatever bring out a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import invoke
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from carrel.errors import RunError

WORDS = [
    *("up", "status", "stop", "delete", "exec", "cp", "forward", "logs", "do", "image", "provider"),
    *("build", "list", "check", "completion", "bash", "shot", "click", "drag", "scroll", "type"),
    *("key", "elements", "window", "windows", "focus", "clipboard", "set", "get", "screen"),
    *("wait", "open", "shell", "files", "read", "write", "act", "move", "resize"),
    *("--json", "--help", "-m", "--settle", "--size", "--memory", "--cpus", "--pids", "--network"),
    *("--allow", "--env", "--url", "--provider", "--image", "--token-file", "--grace", "--yes"),
    *("-o", "--region", "--format", "--stable", "--timeout", "--cwd", "-t", "-i", "--", "--count"),
    *("desk", "namespace", "remote", "0x0", "1000000000x1000000000", "0", "-1", "10", "1e999"),
    *("nan", "a:b", "desk:/tmp/x", "../..", "a/b", "a\nb", "$(id)", "; rm -rf x", "\udcff\udc80"),
    *(
        "",
        " ",
        "\0",
        "\x1b[31m",
        "x" * 5000,
        "é",
        "10,10",
        "0,0,0,0",
        "ctrl+l",
        '{"type":"cursor"}',
    ),
]

ARGUMENTS = st.lists(
    st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=()), max_size=12), max_size=8
)


@pytest.fixture(autouse=True)
def no_machine_is_made(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Only parsing is under test here: an engine that would really start says no."""

    async def refuse(*args: object, **options: object) -> None:
        raise RunError("not in this test")

    monkeypatch.chdir(home.parent)
    monkeypatch.setattr("carrel.machines.lifecycle.Machines.up", refuse)
    monkeypatch.setattr("carrel.machines.images.build", refuse)
    monkeypatch.setattr("carrel.machines.check.run_checks", refuse_checks)
    yield
    assert not list((home / "machines").glob("mac_*"))


async def refuse_checks(*args: object, **options: object) -> object:
    raise RunError("not in this test")
    yield


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(ARGUMENTS)
@example(["up", "../../etc"])
@example(["up", "a\nb"])
@example(["up", "$(id)"])
@example(["up", "\udcff"])
@example(["delete", "x" * 5000])
@example(["exec", "--", "--"])
@example(["exec", "desk", "--cwd"])
@example(["cp", "", ""])
@example(["cp", "\udcff", "desk:\udcff"])
@example(["status", "--", "--json"])
def test_arguments_never_bring_out_a_traceback(arguments: list[str]) -> None:
    done = invoke(arguments)
    assert done.exit_code in (0, 1, 2, 3), (arguments, done.output)
    assert "Traceback" not in done.output
    assert "internal error" not in done.output, (arguments, done.output)


@pytest.mark.parametrize(
    "name", ["a/b", "../x", "a\nb", "$(id)", "a;b", "A", "", "-", "a_b", "x" * 41, "é", "\udcff"]
)
@pytest.mark.parametrize("command", ["up", "status", "stop", "delete", "logs", "exec"])
def test_a_bad_name_is_refused_in_words(command: str, name: str) -> None:
    rest = ["true"] if command == "exec" else []
    done = invoke([command, "--", name, *rest])
    assert done.exit_code == 2
    assert "machine name" in done.stderr or "UTF-8" in done.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--size", "0x0"],
        ["--size", "1000000000x1000000000"],
        ["--size", "10"],
        ["--memory", "0"],
        ["--memory", "999999999GB"],
        ["--pids", "0"],
        ["--pids", "1000000000000"],
        ["--cpus", "-1"],
        ["--cpus", "9" * 5000],
        ["--network", "all"],
        ["--network", "allowlist"],
        ["--network", "none", "--allow", "example.org:443"],
        ["--env", "novalue"],
        ["--provider", "nonsense"],
        ["--provider", "\udcff"],
        ["--provider", "host"],
    ],
    ids=lambda options: " ".join(options)[:40].encode("ascii", "replace").decode(),
)
def test_a_bad_option_of_up_is_a_usage_error(options: list[str]) -> None:
    done = invoke(["up", *options])
    assert done.exit_code == 2, done.output
    assert "error: " in done.stderr
    assert "internal" not in done.stderr


def test_bytes_that_are_no_text_reach_no_machine(home: Path, plain_env: dict[str, str]) -> None:
    """As a shell gives them: the program sees surrogates."""
    env = {**plain_env, "CARREL_HOME": str(home)}
    for arguments in ([b"up", b"\xff"], [b"do", b"type", b"\xff\xfe"], [b"exec", b"d", b"\x80"]):
        done = subprocess.run(
            [os.fsencode(sys.executable), b"-m", b"carrel", *arguments],
            env=env,
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 2
        assert b"UTF-8" in done.stderr or b"machine name" in done.stderr
        assert b"Traceback" not in done.stderr
