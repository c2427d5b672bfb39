from __future__ import annotations

import subprocess
import sys

import pytest
from clip_suite import ClipSuite

from carrel.bench.suite import Suite, choose_tasks, get_suite, suite_names
from carrel.bench.suites import miniwob
from carrel.bench.suites.miniwob import MiniWob, read_result
from carrel.errors import InvalidInput, NotFound, Unavailable


@pytest.mark.usefixtures("installed")
def test_a_suite_of_another_package_is_found_by_its_entry_point() -> None:
    assert {"clip", "miniwob"} <= set(suite_names())
    suite = get_suite("clip")
    assert type(suite).__name__ == "ClipSuite"
    assert [task.name for task in suite.tasks()] == ["copy", "fragile", "halves", "never"]


@pytest.mark.usefixtures("installed")
def test_a_plug_in_that_cannot_be_loaded_says_so() -> None:
    with pytest.raises(Unavailable, match="broken"):
        get_suite("broken")


def test_an_unknown_suite_names_the_known_ones() -> None:
    with pytest.raises(NotFound) as caught:
        get_suite("miniwobble")
    assert "miniwob" in str(caught.value.hint)


def test_tasks_are_chosen_by_patterns_in_the_order_of_the_suite() -> None:
    suite: Suite = ClipSuite()
    assert choose_tasks(suite) == ("copy", "fragile", "halves", "never")
    assert choose_tasks(suite, ["never", "*a*"]) == ("fragile", "halves", "never")
    with pytest.raises(InvalidInput, match="nothing"):
        choose_tasks(suite, ["copy", "nothing*"])


def test_every_page_of_the_package_is_a_task() -> None:
    suite: Suite = MiniWob()
    names = [task.name for task in suite.tasks()]
    assert len(names) == 130
    assert {"click-test", "use-spinner", "social-media"} <= set(names)
    assert suite.version


def test_listing_the_tasks_does_not_import_the_package() -> None:
    code = (
        "import sys; from carrel.bench.suite import get_suite; get_suite('miniwob').tasks();"
        "print([m for m in ('miniwob', 'selenium', 'gymnasium', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_without_the_package_the_hint_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miniwob, "find_spec", lambda name: None)
    miniwob._package.cache_clear()
    try:
        with pytest.raises(Unavailable) as caught:
            MiniWob().tasks()
    finally:
        miniwob._package.cache_clear()
    assert "carrel[bench]" in str(caught.value.hint)


def test_an_agent_has_the_screen_the_mouse_and_the_keyboard_and_no_way_to_the_judge() -> None:
    allowed = MiniWob().actions
    assert allowed is not None
    assert {"click", "type", "key", "drag", "scroll", "screenshot", "done"} <= allowed
    assert not allowed & {"shell", "open", "write_file", "read_file", "list_files"}


@pytest.mark.parametrize(
    ("found", "reward", "success", "done"),
    [
        ({"reward": 1, "reason": ""}, 1.0, True, True),
        ({"reward": 0.99}, 0.99, True, True),
        ({"reward": 0.98}, 0.98, False, True),
        ({"reward": 0.5}, 0.5, False, True),
        ({"reward": -1, "reason": "timed out"}, -1.0, False, True),
        ({"reward": None}, 0.0, False, True),
        (None, 0.0, False, False),
    ],
)
def test_a_reward_in_part_is_no_success(
    found: object, reward: float, success: bool, done: bool
) -> None:
    verdict = read_result(found)
    assert (verdict.reward, verdict.success, verdict.done) == (reward, success, done)
