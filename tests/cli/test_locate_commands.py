"""`carrel see` and `carrel locate` on a real machine, with a program that tells nothing itself."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import Carrel
from PIL import Image

from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]
BOARD = """
import tkinter
root = tkinter.Tk()
root.title("Ledger")
root.geometry("400x220+100+100")
tkinter.Label(root, text="Account number").place(x=20, y=20)
tkinter.Entry(root).place(x=180, y=20, width=180, height=26)
tkinter.Button(root, text="Transfer money").place(x=20, y=80, width=160, height=36)
tkinter.Button(root, text="Cancel").place(x=200, y=80, width=160, height=36)
tkinter.Button(root, text="Archive").place(x=20, y=150, width=160, height=36)
tkinter.Button(root, text="Archive").place(x=200, y=150, width=160, height=36)
root.mainloop()
"""


def carrel_command(env: Env, *args: str, check: int = 0) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([*CARREL, *args], env=env, capture_output=True, timeout=180)
    assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str, check: int = 0) -> dict[str, object]:
    found = json.loads(carrel_command(env, *args, "--json", check=check).stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one machine, on which the board is shown."""
    pytest.importorskip("rapidocr")
    settings = {**plain_env, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    board = tmp_path_factory.mktemp("board") / "board.py"
    board.write_text(BOARD)
    carrel_command(settings, "up", "--image", "host", "--size", "800x600")
    try:
        carrel_command(settings, "cp", str(board), "desk:board.py")
        carrel_command(settings, "do", "open", "python3", "board.py")
        _until_shown(settings)
        yield settings
    finally:
        subprocess.run([*CARREL, "delete", "desk"], env=settings, capture_output=True)


def _until_shown(env: Env) -> None:
    until = time.monotonic() + 60
    while b"Ledger" not in carrel_command(env, "do", "windows").stdout:
        assert time.monotonic() < until, "the board does not show"
        time.sleep(0.2)
    carrel_command(env, "do", "wait", "--stable")


def test_what_is_seen_is_listed_with_who_saw_it(env: Env) -> None:
    seen = document(env, "see", "--within", "60")
    assert seen["left_out"] == {}
    elements = seen["elements"]
    assert isinstance(elements, list)
    words = [element.get("text") or element.get("name") for element in elements]
    assert "Transfer money" in words
    assert "Account number" in words
    table = carrel_command(env, "see", "--within", "60").stdout.decode()
    assert table.split("\n")[0].split() == ["ID", "ROLE", "NAME", "BOX", "SOURCE"]
    assert "Transfer money" in table


def test_only_what_applications_say_is_quick_and_may_be_nothing(env: Env) -> None:
    seen = document(env, "see", "--no-pixels")
    elements = seen["elements"]
    assert isinstance(elements, list)
    assert not any(element.get("source") == "ocr" for element in elements)


def test_the_picture_with_numbers_is_written(env: Env, tmp_path: Path) -> None:
    path = tmp_path / "marked.png"
    assert document(env, "see", "--within", "60", "--marks", str(path))["marks"] == str(path)
    with Image.open(path) as picture:
        assert picture.size == (800, 600)
    missing = str(tmp_path / "no" / "such.png")
    done = carrel_command(env, "see", "--no-pixels", "--marks", missing, check=1)
    assert b"cannot write" in done.stderr


@pytest.mark.parametrize(
    ("words", "x", "y"),
    [
        ("Transfer money", 200, 198),
        ("the Cancel button", 380, 198),
        ("the button right of Transfer money", 380, 198),
        ("the second Archive button", 380, 268),
        ("the field labelled Account number", 370, 133),
    ],
)
def test_a_place_is_found_by_words(env: Env, words: str, x: int, y: int) -> None:
    found = document(env, "locate", words, "--within", "60")
    assert found["source"] == "rules"
    at_x, at_y = found["x"], found["y"]
    assert isinstance(at_x, int)
    assert isinstance(at_y, int)
    # The window manager's frame moves the window by a few pixels.
    assert abs(at_x - x) < 60
    assert abs(at_y - y) < 45


def test_a_person_gets_the_point_alone(env: Env) -> None:
    said = carrel_command(env, "locate", "Cancel", "--within", "60").stdout.decode()
    x, y = map(int, said.split(","))
    assert 300 < x < 480
    assert 150 < y < 260


def test_what_is_not_there_or_twice_there_is_told_and_fails(env: Env) -> None:
    done = carrel_command(env, "locate", "the Archive button", "--within", "60", check=1)
    assert b"2 elements fit button named Archive" in done.stderr
    assert b"say which one" in done.stderr
    done = carrel_command(env, "locate", "Transfer", "--within", "60", check=1)
    assert b"no element named Transfer; nearest: Transfer money (" in done.stderr


def test_without_a_machine_both_say_how_to_get_one(carrel: Carrel) -> None:
    for command in (("see",), ("locate", "Save")):
        done = carrel(*command)
        assert done.exit_code == 2
        assert "carrel up" in done.output
