"""What reports must not tell, and what they must: secrets and doubts, on a real desk."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from carrel.machines.providers.namespace import NamespaceProvider
from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.browser, pytest.mark.slow]

# With what JSON, HTML and URLs would spell otherwise.
SECRET = 'hunter2 "&<秘>/\\ tail'
OPEN = "ann-of-all-work"
PAGE = """<!DOCTYPE html>
<meta charset="utf-8"><title>Door</title>
<label>User <input id="user"></label><br>
<label>Password <input id="word" type="password"></label><br>
<label>Again <input id="again" oninput="this.value = this.value.slice(0, 40)"></label><br>
<button onclick="said.textContent = `Come in, ${user.value}, ${word.value.length}`">Open</button>
<p id="said"></p>
<p>Nothing here reacts</p>
"""
STEPS = """
Scenario: The door opens
    go to file:///home/agent/door.html
    enter {USER} into the User field
    enter {DOOR_PASSWORD} into the Password field
    enter {DOOR_PASSWORD} into the Again field
    set COPY = "{DOOR_PASSWORD}"
    click Open
    verify that "Come in, {USER}, LENGTH" is visible

Scenario: The door stays shut
    go to file:///home/agent/door.html
    enter {DOOR_PASSWORD} into the User field
    verify that {DOOR_PASSWORD} is "sesame"
""".replace("LENGTH", str(len(SECRET)))
WHOLE = 120


@dataclass
class House:
    """One desk with the page on it, runs of its own, and commands whose words are kept."""

    folder: Path

    @property
    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "CARREL_RUNS": str(self.folder / "kept"),
            "DOOR_PASSWORD": SECRET,
        }

    def carrel(self, *words: str, drop: str = "") -> subprocess.CompletedProcess[str]:
        env = {key: value for key, value in self.env.items() if key != drop}
        return subprocess.run(
            [sys.executable, "-m", "carrel", *words],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WHOLE,
        )

    def written(self) -> dict[Path, bytes]:
        """All that is on the disk of it, but for the inside of the desk."""
        kept = [*(self.folder / "kept").rglob("*"), *self.folder.glob("*.*")]
        kept += [*self.folder.glob("*-runs/*"), *(self.folder / "state").rglob("*.log")]
        return {path: path.read_bytes() for path in kept if path.is_file()}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    # In a thread of its own: in this one, a loop of other tests may be running.
    with ThreadPoolExecutor(1) as apart:
        health = apart.submit(anyio.run, NamespaceProvider().probe).result()
    require_namespaces(health.usable, health.reason)
    if shutil.which("chromium") is None:
        pytest.skip("not installed: chromium")
    made = House(tmp_path_factory.mktemp("house"))
    (made.folder / "door.steps").write_text(STEPS)
    page = tmp_path_factory.mktemp("page") / "door.html"
    page.write_text(PAGE)
    try:
        up = made.carrel("up", "desk", "--image", "host")
        assert up.returncode == 0, up.stderr
        copied = made.carrel("cp", str(page), "desk:/home/agent/door.html")
        assert copied.returncode == 0, copied.stderr
        yield made
    finally:
        made.carrel("delete", "--yes", "desk")


def spellings(secret: str) -> set[bytes]:
    """The whole, and any part of it that could not be there by chance, as files spell it."""
    parts = {secret, "hunter2", "<秘>", json.dumps(secret)[1:-1], json.dumps(json.dumps(secret))}
    return {part.encode() for part in parts}


def run(house: House, *words: str) -> subprocess.CompletedProcess[str]:
    file = house.folder / "door.steps"
    given = ("--set", f"USER={OPEN}", "--set-secret", "DOOR_PASSWORD")
    return house.carrel("run", "-m", "desk", "-f", str(file), *given, *words)


@pytest.mark.parametrize("display", ["plain", "json"])
def test_given_names_are_not_written_into_the_journal(house: House, display: str) -> None:
    reports = ("--junit", str(house.folder / "out.xml"), "--report", str(house.folder / "out.html"))
    ran = run(house, "--display", display, *reports)
    said = ran.stdout + ran.stderr
    # It was really typed: the page says how long it is, and the failed step compared it.
    assert ran.returncode == 1, said
    assert "passed: The door opens" in said, said
    assert "failed: The door stays shut" in said
    assert "[redacted]" in said
    written = house.written()
    assert {path.name for path in written} >= {"journal.jsonl", "out.xml", "out.html"}
    assert any(path.parent.name == "out-runs" for path in written)
    for secret in spellings(SECRET):
        assert secret not in said.encode()
        assert [path for path, data in written.items() if secret in data] == []
    # There are pictures of the screen in these.
    private = [house.folder / "out.html", *house.folder.glob("out-runs/*")]
    assert not any(path.stat().st_mode & 0o077 for path in private)
    # The search can find: what was given openly is there.
    assert [path for path, data in written.items() if OPEN.encode() in data]
    assert any(b"[redacted]" in data for data in written.values())


def test_what_is_shown_of_such_a_run_later_does_not_tell_either(house: House) -> None:
    run(house)
    exported = house.folder / "later.html"
    shown = house.carrel("show", "latest")
    done = house.carrel("export", "latest", "--html", "-o", str(exported))
    assert (shown.returncode, done.returncode) == (0, 0), done.stderr
    for secret in spellings(SECRET):
        assert secret not in shown.stdout.encode()
        assert secret not in exported.read_bytes()


def test_another_model_is_given_values_and_references_but_no_secret(house: House) -> None:
    script = house.folder / "script.jsonl"
    done = {"type": "done", "success": True, "text": "done"}
    script.write_text((json.dumps({"actions": [done]}) + "\n") * 2)
    ran = run(house, "--model", f"scripted:{script}", "--only", "the door opens")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    shown = house.carrel("show", "latest", "--json")
    task = shown.stdout
    assert OPEN in task
    assert "{USER}" not in task
    assert "{{secret:DOOR_PASSWORD}}" in task
    # What the scenario itself remembers is for the model to understand.
    assert "COPY" in task
    assert "hunter2" not in task


def test_a_secret_that_is_nowhere_is_told_before_anything_runs(house: House) -> None:
    file = house.folder / "door.steps"
    words = ("run", "-m", "desk", "-f", str(file), "--set", f"USER={OPEN}")
    missing = house.carrel(*words)
    assert missing.returncode == 2
    assert "needs DOOR_PASSWORD" in missing.stderr
    assert "--set-secret DOOR_PASSWORD" in missing.stderr
    unset = house.carrel(*words, "--set-secret", "DOOR_PASSWORD", drop="DOOR_PASSWORD")
    assert unset.returncode == 2
    assert "the environment variable DOOR_PASSWORD is not set" in unset.stderr
    # Whoever writes the secret itself there does not find it in a log.
    slip = house.carrel(*words, "--set-secret", f"DOOR_PASSWORD={SECRET}")
    assert slip.returncode == 2
    assert "hunter2" not in slip.stdout + slip.stderr


DEAD = """
Scenario: Nobody answers
    go to file:///home/agent/door.html
    # This one takes the keyboard from the line for addresses.
    click "Nothing here reacts"
    wait for the page to load
    click "Nothing here reacts"
"""


def test_a_click_that_changed_nothing_is_told_in_every_report(house: House) -> None:
    file = house.folder / "dead.steps"
    file.write_text(DEAD)
    page, junit = house.folder / "dead.html", house.folder / "dead.xml"
    reports = ("--junit", str(junit), "--report", str(page))
    ran = house.carrel("run", "-m", "desk", "-f", str(file), *reports)
    said = ran.stdout + ran.stderr
    doubt = "nothing on the screen changed"
    assert ran.returncode == 0, said
    assert "1 of 1 scenarios passed, 1 of them with steps in doubt" in said
    for told in (said, page.read_text(), junit.read_text()):
        assert doubt in told, said
        assert "Nothing here reacts" in told


def test_steps_in_doubt_fail_where_that_is_asked_for(house: House) -> None:
    file, junit = house.folder / "strict.steps", house.folder / "strict.xml"
    file.write_text(f"{DEAD}\n{DEAD.replace('Nobody', 'Still nobody')}")
    words = ("-m", "desk", "-f", str(file), "--fail-on-doubt", "--fail-fast", "--junit", str(junit))
    ran = house.carrel("run", *words)
    said = ran.stdout + ran.stderr
    assert ran.returncode == 1, said
    assert "0 of 2 scenarios passed" in said
    assert "is in doubt: nothing on the screen changed" in said
    root = ET.fromstring(junit.read_text())
    # It counts as any failure does: the one after it is skipped.
    assert (root.get("failures"), root.get("skipped")) == ("1", "1")
    failure = root.find(".//failure")
    assert failure is not None
    assert f"{file}:" in (failure.text or "")
    assert "in doubt: nothing on the screen changed" in (failure.text or "")


ASKING = """
Scenario: What is not kept is asked about
    open mousepad
    wait for the Untitled window to open
    type "a draft"
    close the window
    click "Don't Save"
    wait for the Untitled window to close
"""


@pytest.mark.skipif(shutil.which("mousepad") is None, reason="not installed: mousepad")
def test_a_window_that_asks_before_it_closes_is_in_no_doubt(house: House) -> None:
    file, junit = house.folder / "asking.steps", house.folder / "asking.xml"
    file.write_text(ASKING)
    words = ("-f", str(file), "--fail-on-doubt", "--junit", str(junit))
    ran = house.carrel("run", "-m", "desk", *words)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "asks something before it closes" in ran.stdout + ran.stderr


def test_what_is_not_in_doubt_passes_where_doubts_fail(house: House) -> None:
    ran = run(house, "--only", "the door opens", "--fail-on-doubt")
    assert ran.returncode == 0, ran.stdout + ran.stderr
