"""`carrel bench screens` and what else is said of it, as real commands."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from carrel.bench.suites.screens.shot import Shot, write_shot
from carrel.bench.suites.screens.truth import Run, Truth
from carrel.geometry import Box, Size

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]
SIZE = Size(300, 200)


def carrel(env: Env, *args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*CARREL, *args], env=env, capture_output=True, timeout=60, text=True)
    assert done.returncode == status, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str) -> dict[str, object]:
    found = json.loads(carrel(env, *args, "--json").stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """One screen that somebody caught, of an application of the catalogue."""
    pytest.importorskip("rapidocr")
    picture = Image.new("RGB", (SIZE.width, SIZE.height), "white")
    ImageDraw.Draw(picture).text((20, 20), "Transfer money", "black", font_size=24)
    out = io.BytesIO()
    picture.save(out, "png")
    truth = Truth(SIZE, (Run("Transfer money", Box(18, 18, 200, 30)),))
    place = tmp_path / "kept"
    write_shot(Shot("tk", SIZE, "program", truth, image=out.getvalue()), place)
    return place


def files(place: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in place.rglob("*")}


def test_screens_that_were_caught_are_looked_at_without_a_desk(
    env: Env, shots: Path, tmp_path: Path
) -> None:
    before = files(shots)
    out = tmp_path / "out"
    args = ("bench", "screens", "--shots", str(shots), "--out", str(out))
    # xterm is there to be caught wherever the tests are run, and must not be.
    found = document(env, *args, "--only", "tk", "--only", "xterm")
    assert found["shots"] == 1
    assert found["missing"] == {f"xterm@{SIZE}": f"it is not in {shots}"}
    assert files(shots) == before
    assert not (out / "shots").exists()
    assert document(env, "status")["machines"] == []
    # Results are not written over.
    written = files(out)
    again = carrel(env, *args, "--only", "tk", status=2)
    assert f"there are results in {out} already" in again.stderr
    assert files(out) == written


def test_a_directory_without_screens_is_a_slip(env: Env, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    args = ("--shots", str(empty), "--out", str(tmp_path / "out"), "--size", "640x480")
    done = carrel(env, "bench", "screens", *args, "--only", "xterm", status=2)
    assert "there is no screen to look at" in done.stderr
    assert f"xterm@640x480: it is not in {empty}" in done.stderr
    assert not empty.exists()
    assert not (tmp_path / "out").exists()


def test_the_report_on_screens_is_not_written_over(env: Env, shots: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    carrel(env, "bench", "screens", "--shots", str(shots), "--out", str(out))
    written = files(out)
    done = carrel(env, "bench", "report", str(out), status=2)
    assert "no agent played" in done.stderr
    assert str(out / "report.html") in done.stderr
    assert files(out) == written
    assert "How well the screen is seen" in (out / "report.html").read_text()


def test_what_can_be_measured_without_an_agent_is_listed_too(env: Env) -> None:
    names = document(env, "bench", "list", "screens")["tasks"]
    assert isinstance(names, list)
    assert {"xterm", "gtk3-demo"} <= set(names)
    (screens,) = document(env, "bench", "list")["measurements"]  # type: ignore[misc]
    assert screens == {"name": "screens", "version": "1", "tasks": len(names)}
    table = carrel(env, "bench", "list").stdout
    assert [line.split()[-1] for line in table.splitlines() if line.startswith("screens")] == [
        "nobody"
    ]
