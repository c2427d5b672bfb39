from __future__ import annotations

from carrel.actions import Click, ReadFile, Shell
from carrel.agent.telling import MAX_TEXT, tell_results
from carrel.results import Effect, Failure, Result


def shell(**data: object) -> str:
    result = Result(True, Effect.CONFIRMED, str(data.get("stdout", "")), data)  # type: ignore[arg-type]
    return tell_results((Shell("x"),), (result,))


def test_a_command_is_told_with_its_exit_status_and_its_errors() -> None:
    told = shell(stdout="out\n", stderr="oh no\n", exit=3, signal=None, truncated=False)
    assert told == "out\n[stderr]\noh no\n[exit status 3]"
    assert shell(stdout="", stderr="", exit=0, signal=None) == "[exit status 0]"
    assert shell(stdout="", stderr="", exit=None, signal=9) == "[ended by signal 9]"


def test_what_was_not_seen_is_not_told() -> None:
    noop = Result(True, Effect.SUSPECTED_NOOP)
    assert tell_results((Click(1, 1),), (noop,)) == "delivered, but the screen did not change"
    data = Result(True, Effect.CONFIRMED, data={"text": "content", "size": 7})
    assert '"text": "content"' in tell_results((ReadFile("/x"),), (data,))


def test_errors_are_told_with_what_may_help_and_long_texts_are_cut() -> None:
    failure = Failure("not_found", "there is no file", hint="look around")
    failed = Result(False, Effect.REFUSED, error=failure)
    told = tell_results((ReadFile("/x"), Click(1, 1)), (failed,))
    assert "error (not_found): there is no file (look around)" in told
    assert "not tried after that: click" in told
    long = shell(stdout="x" * 100_000, stderr="y" * 100_000, exit=4)
    assert len(long) < MAX_TEXT
    assert "90000 more characters" in long
    assert long.endswith("[exit status 4]")
