"""What packages of other people add: found, checked and used; and what they break, told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from third_party import install

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Env]:
    base = tmp_path_factory.mktemp("plugins")
    kept = {key: value for key, value in os.environ.items() if not key.startswith("CARREL_")}
    paths = [str(install(base / "site")), *filter(None, [kept.get("PYTHONPATH")])]
    settings = {
        **kept,
        "CARREL_HOME": str(base / "home"),
        "PYTHONPATH": os.pathsep.join(paths),
        "ACME_NOTES": str(base / "notes"),
    }
    yield settings
    for name in ("kiosk", "crash"):
        carrel(settings, "delete", "-f", name, check=None)


def carrel(env: Env, *args: str, check: int | None = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "carrel", *args]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    if check is not None:
        assert done.returncode == check, (args, done.stdout, done.stderr)
    return done


def notes(env: Env) -> list[str]:
    return Path(env["ACME_NOTES"]).read_text().splitlines()


def kinds(env: Env, name: str) -> list[str]:
    lines = carrel(env, "events", name, "--json").stdout.splitlines()
    return [json.loads(line)["kind"] for line in lines]


def test_a_provider_of_another_package_is_listed_beside_ours(env: Env) -> None:
    listed = {
        item["name"]: item
        for item in json.loads(carrel(env, "provider", "list", "--json").stdout)["providers"]
    }
    require_namespaces(bool(listed["namespace"]["usable"]), str(listed["namespace"]["reason"]))
    assert listed["acme"]["usable"] is True
    # One that cannot be loaded is told of, and nothing else suffers.
    assert listed["absent"]["usable"] is False
    assert "provider absent of acme-carrel cannot be loaded" in listed["absent"]["reason"]
    done = carrel(env, "up", "x", "--provider", "absent", check=3)
    assert "update or remove the package acme-carrel" in done.stderr


def test_a_template_of_another_package_is_listed_and_a_broken_one_told(env: Env) -> None:
    found = json.loads(carrel(env, "template", "list", "--json").stdout)
    by_name = {item["name"]: item for item in found["templates"]}
    assert by_name["kiosk"]["package"] == "acme-carrel"
    assert by_name["desktop"]["package"] is None
    assert any("odd" in each and "not a Template" in each for each in found["problems"])
    assert any("another template called desktop" in each for each in found["problems"])
    assert "made by acme" in carrel(env, "template", "show", "kiosk").stdout
    done = carrel(env, "init", "x", "-t", "odd", check=3)
    assert "template odd of acme-carrel cannot be loaded" in done.stderr


def test_a_machine_of_another_package_lives_and_its_hooks_are_called(env: Env) -> None:
    made = carrel(env, "init", "kiosk", "-t", "kiosk", "--provider", "acme")
    assert "kiosk is made: template kiosk, provider acme, image host" in made.stdout
    started = carrel(env, "start", "kiosk")
    # A hook that fails is told; what it was called for goes on.
    assert "hook acme-broken of acme-carrel failed: RuntimeError: out of order" in started.stderr
    assert carrel(env, "exec", "kiosk", "echo", "here").stdout == "here\n"
    stopped = carrel(env, "stop", "kiosk")
    assert stopped.stdout == "kiosk is stopped\n"
    assert "hook acme-broken of acme-carrel failed: SystemExit: 3" in stopped.stderr
    assert notes(env) == ["start kiosk acme None", "stop kiosk acme None"]
    assert kinds(env, "kiosk") == ["made", "started", "hook-failed", "stopped", "hook-failed"]


@pytest.mark.slow
def test_a_hook_that_never_ends_does_not_keep_a_machine_from_stopping(env: Env) -> None:
    carrel(env, "start", "kiosk")
    before = time.monotonic()
    done = carrel({**env, "ACME_HANGS": "1"}, "stop", "kiosk")
    assert time.monotonic() - before < 30
    assert done.stdout == "kiosk is stopped\n"
    assert "took longer than 10 s and is not waited for" in done.stderr


def test_hooks_hear_of_a_crash_and_its_cause(env: Env) -> None:
    carrel(env, "up", "crash", "--provider", "acme", "--image", "host")
    machine = json.loads(carrel(env, "status", "crash", "--json").stdout)
    os.kill(machine["pid"], signal.SIGKILL)
    until = time.monotonic() + 20
    while "crashed" not in kinds(env, "crash"):
        assert time.monotonic() < until
    assert "stop crash acme the keeper was killed" in notes(env)


def test_hooks_hear_of_a_crash_that_nobody_looks_at(env: Env) -> None:
    carrel(env, "up", "crash")
    pid = json.loads(carrel(env, "status", "crash", "--json").stdout)["pid"]
    guest = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]
    os.kill(int(guest), signal.SIGKILL)
    heard = Path(env["PYTHONPATH"].split(os.pathsep)[0]) / "acme_carrel" / "crashes"
    until = time.monotonic() + 20
    while not heard.exists() or not heard.read_text():
        assert time.monotonic() < until
        time.sleep(0.05)
    assert heard.read_text() == "stop crash acme the machine was killed (SIGKILL)\n"


@pytest.mark.slow
def test_a_provider_of_another_package_passes_the_conformance_suite(env: Env) -> None:
    command = [sys.executable, "-m", "carrel", "provider", "check", "acme", "--image", "host"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    assert " 0 failed" in done.stdout
