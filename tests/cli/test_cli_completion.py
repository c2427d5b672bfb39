"""Shell completion, as a shell asks for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store


def complete(line: str, env: dict[str, str]) -> list[str]:
    """What bash would offer for the last word."""
    words = line.split(" ")
    asked = {
        **env,
        "_CARREL_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "carrel"], env=asked, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return [answer.partition(",")[2] for answer in done.stdout.split("\n") if answer]


@pytest.fixture
def env(home: Path, plain_env: dict[str, str]) -> dict[str, str]:
    store = Store(home)
    for name in ("desk", "web-1"):
        store.complete(store.add(name, MachineSpec()))
    return {**plain_env, "CARREL_HOME": str(home)}


def test_commands_and_machines_complete(env: dict[str, str]) -> None:
    assert complete("carrel stat", env) == ["status"]
    assert complete("carrel do dou", env) == ["double-click"]
    assert complete("carrel status ", env) == ["desk", "web-1"]
    assert complete("carrel stop desk w", env) == ["web-1"]
    assert complete("carrel do -m d", env) == ["desk"]
    assert complete("carrel do click -m w", env) == ["web-1"]
    assert complete("carrel exec de", env) == ["desk"]
    assert "--json" in complete("carrel status --", env)


def test_what_machines_are_made_with_completes(env: dict[str, str]) -> None:
    assert complete("carrel init x -t mcp", env) == ["mcp-server"]
    assert complete("carrel init x --preset is", env) == ["isolated"]
    assert complete("carrel start w", env) == ["web-1"]
    assert complete("carrel config get mem", env) == ["memory"]
    assert complete("carrel config set desk me", env) == ["memory"]
    assert complete("carrel config get de", env) == ["desk"]


def test_labels_of_snapshots_complete(env: dict[str, str]) -> None:
    store = Store(Path(env["CARREL_HOME"]))
    kept = store.add("kept", MachineSpec(provider="gvisor"))
    for label in ("before-checkout", "fresh"):
        (kept.directory / "snapshots" / label).mkdir(parents=True)
    store.complete(kept)
    assert complete("carrel restore kept ", env) == ["before-checkout", "fresh"]
    assert complete("carrel snapshot kept f", env) == ["fresh"]
    assert complete("carrel snapshot kept --delete b", env) == ["before-checkout"]
    assert complete("carrel restore nobody ", env) == []
    assert complete("carrel restore desk ", env) == []


def test_a_secret_is_completed_by_its_variable_and_never_by_its_value(env: dict[str, str]) -> None:
    known = {**env, "DOOR_KEY": "hush", "DOOR_PIN": "4711"}
    assert complete("carrel run --set-secret DOOR_", known) == ["DOOR_KEY", "DOOR_PIN"]
    assert complete("carrel run --set-secret pin=DOOR_P", known) == ["pin=DOOR_PIN"]
    assert "--set-secret" in complete("carrel run --set", known)
    assert "--set-secret" in complete("carrel resume --set", known)


def test_ways_to_fail_complete(env: dict[str, str]) -> None:
    assert complete("carrel run --fail-", env) == ["--fail-fast", "--fail-on-doubt"]


def test_completion_is_silent_when_the_store_cannot_be_read(env: dict[str, str]) -> None:
    home = Path(env["CARREL_HOME"])
    (home / "carrel.db").write_bytes(b"no database" * 1000)
    assert complete("carrel status ", env) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_asks_this_command(carrel: Carrel, shell: str) -> None:
    done = carrel("completion", shell)
    assert done.exit_code == 0
    assert "_CARREL_COMPLETE" in done.stdout
    assert json.loads(carrel("completion", shell, "--json").stdout)["shell"] == shell


def test_bash_takes_the_script(carrel: Carrel) -> None:
    done = subprocess.run(
        ["bash", "-c", carrel("completion", "bash").stdout + "\ncomplete -p carrel"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "carrel" in done.stdout
