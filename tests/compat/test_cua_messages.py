"""Conversations as tasks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.compat.cua.messages import read_messages
from carrel.compat.items import message_item
from carrel.errors import InvalidInput, Unsupported

words = st.text(alphabet="abcdefgh ", min_size=1, max_size=20).filter(str.strip)


def user(text: str) -> dict[str, object]:
    return {"role": "user", "content": text}


def test_a_text_is_the_task_word_for_word() -> None:
    told = read_messages("  Do it.\nNow. ")
    assert told.task == "  Do it.\nNow. "
    assert told.items == [{"role": "user", "content": "  Do it.\nNow. "}]
    assert told.instructions == ""


def test_one_message_is_the_task_alone() -> None:
    assert read_messages([user("Do it.")]).task == "Do it."  # type: ignore[list-item]


def test_messages_of_the_person_that_follow_each_other_belong_together() -> None:
    told = read_messages([user("Open it."), user("Then close it.")])  # type: ignore[list-item]
    assert told.task == "Open it.\n\nThen close it."


def test_the_past_is_told_before_the_task() -> None:
    history = [
        {"role": "developer", "content": "Be brief."},
        user("Open the menu."),
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "computer_call", "call_id": "c", "action": {"type": "click", "x": 1, "y": 2}},
        {"type": "computer_call_output", "call_id": "c", "output": {"type": "input_image"}},
        {"type": "function_call", "call_id": "f", "name": "add", "arguments": '{"a": 1}'},
        {"type": "function_call_output", "call_id": "f", "output": "7"},
        message_item("The menu is open."),
        user("Close it."),
    ]
    told = read_messages(history)  # type: ignore[arg-type]
    assert told.instructions == "Be brief."
    lines = told.task.splitlines()
    assert lines[0] == "Earlier in this conversation:"
    assert lines[1:6] == [
        "- the person: Open the menu.",
        '- you did: {"type": "click", "x": 1, "y": 2}',
        '- you called add({"a": 1})',
        "- it answered: 7",
        "- you: The menu is open.",
    ]
    assert lines[-1] == "Close it."
    assert "Hm." not in told.task


def test_what_was_done_since_the_last_words_is_told_after_them() -> None:
    failed = {"type": "computer_call_output", "call_id": "c", "error": "no mouse", "output": {}}
    actions = [{"type": "type", "text": "x"}, {"type": "wait"}]
    call = {"type": "computer_call", "call_id": "c", "action": actions[0], "actions": actions}
    told = read_messages([user("Go."), call, failed])  # type: ignore[list-item]
    assert told.task.startswith("Go.\n\nDone so far:\n")
    assert '"wait"' in told.task
    assert "it failed: no mouse" in told.task


def test_a_long_past_is_cut() -> None:
    told = read_messages([user("x" * 50_000), message_item("ok"), user("Go.")])  # type: ignore[list-item]
    assert len(told.task) < 3000
    assert told.task.endswith("Go.")


@pytest.mark.parametrize("kind", ["input_image", "input_file", "image_url", None])
def test_parts_that_are_no_text_are_refused(kind: str | None) -> None:
    with pytest.raises(Unsupported):
        read_messages([{"role": "user", "content": [{"type": kind}]}])  # type: ignore[list-item]


@pytest.mark.parametrize("message", [user("x") | {"content": 3}, {"type": "video"}, 7, None])
def test_what_is_no_message_is_refused(message: object) -> None:
    with pytest.raises(InvalidInput):
        read_messages([message, user("Go.")])  # type: ignore[list-item]


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system"]), words), max_size=8))
def test_nothing_that_was_said_is_lost(said: list[tuple[str, str]]) -> None:
    messages = [{"role": role, "content": text} for role, text in said]
    if not any(role == "user" for role, _ in said):
        with pytest.raises(InvalidInput):
            read_messages(messages)  # type: ignore[arg-type]
        return
    told = read_messages(messages)  # type: ignore[arg-type]
    for role, text in said:
        where = told.instructions if role == "system" else told.task
        assert " ".join(text.split()) in " ".join(where.split())
    assert told.items == messages
