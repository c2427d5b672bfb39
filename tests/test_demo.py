"""`make demo` as it is run: without a network, and beside what its user has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OFFLINE = ("unshare", "--net")

pytestmark = [pytest.mark.image, pytest.mark.namespace, pytest.mark.slow]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    # The image, which takes minutes to build, is shared.
    kept = {key: value for key, value in os.environ.items() if not key.startswith("CARREL_")}
    return {
        **kept,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "CARREL_RUNS": str(tmp_path / "runs"),
    }


def run(environment: dict[str, str], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


def carrel(environment: dict[str, str], folder: Path, *words: str) -> dict[str, object]:
    done = run(environment, folder, sys.executable, "-m", "carrel", *words, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def machines(environment: dict[str, str], folder: Path) -> list[tuple[str, str]]:
    listed = carrel(environment, folder, "status")["machines"]
    assert isinstance(listed, list)
    return [(machine["name"], machine["id"]) for machine in listed]


def test_the_demo_needs_no_network_and_touches_no_desk_of_its_user(
    environment: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    alone = run(environment, tmp_path, *OFFLINE, "true")
    if alone.returncode != 0:
        pytest.skip(f"no network namespace to be had: {alone.stderr.strip()}")
    carrel(environment, tmp_path, "init", "demo")
    before = machines(environment, tmp_path)
    try:
        done = run(environment, tmp_path, *OFFLINE, sys.executable, str(ROOT / "scripts" / "demo"))
        assert done.returncode == 0, done.stdout + done.stderr
        assert "The page itself says: Reserved for Ada Lovelace" in done.stdout
        assert b"<html" in (tmp_path / "demo-replay.html").read_bytes()
        assert machines(environment, tmp_path) == before
        assert [name for name, _ in before] == ["demo"]
    finally:
        run(environment, tmp_path, sys.executable, "-m", "carrel", "delete", "--yes", "demo")
