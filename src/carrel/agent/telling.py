"""What a model is told of its actions, in words: what was seen, never more."""

from __future__ import annotations

import json

from carrel.actions import Action, EffectClass, Shell
from carrel.decisions import Decision
from carrel.errors import CarrelError
from carrel.results import Effect, Failure, Result

__all__ = [
    "STUCK",
    "tell_blank",
    "tell_failure",
    "tell_problem",
    "tell_results",
]

MAX_TEXT = 20_000
"""Characters of output that a model is shown of one action."""

EMPTY_ANSWER = (
    "Your last answer held neither an action nor a word. Do the next action, or say that the task "
    "is done, or why it cannot be."
)
WORDS_ALONE = (
    "Your last answer held words and no action. Do the next action. If the task is over, end it as "
    "you were told to, and say whether it succeeded."
)
TRUNCATED = "Your last answer was cut off before any action was complete. Answer more briefly."

STUCK = {
    "hint": "You did the same thing {repeats} times and the screen did not change. Look closely at "
    "the screenshot and try something else.",
    "replan": "This does not work: {repeats} times the same, and nothing changed. Stop, say in a "
    "sentence what you see and what stands in the way, and take another way to the goal.",
}


def tell_blank(decision: Decision) -> str:
    """What to say to an answer without an action."""
    if decision.truncated:
        return TRUNCATED
    return WORDS_ALONE if decision.text.strip() else EMPTY_ANSWER


def tell_results(actions: tuple[Action, ...], results: tuple[Result, ...]) -> str:
    """What came of the actions of one call."""
    lines = []
    for action, result in zip(actions, results, strict=False):
        told = _tell(action, result)
        # Not where it was: the model counts in pixels of its own.
        lines.append(told if len(actions) == 1 else f"{action.type}: {told}")
    skipped = actions[len(results) :]
    if results and not results[-1].ok and skipped:
        lines.append(f"not tried after that: {', '.join(action.type for action in skipped)}")
    return "\n".join(lines)


def _tell(action: Action, result: Result) -> str:
    if not result.ok:
        return _tell_error(result)
    text = _output(result) if isinstance(action, Shell) else result.text or _data(action, result)
    if result.effect is Effect.SUSPECTED_NOOP:
        why = result.evidence.get("why", "the screen did not change")
        text = f"delivered, but {why}{': ' + text if text else ''}"
    return _cut(text or "done")


def _output(result: Result) -> str:
    """What a command wrote and how it ended: an exit status is never left out."""
    data = result.data
    parts = [_cut(str(data.get("stdout") or result.text), MAX_TEXT // 2)]
    if data.get("stderr"):
        parts.append(f"[stderr]\n{_cut(str(data['stderr']), MAX_TEXT // 4)}")
    if data.get("signal") is not None:
        parts.append(f"[ended by signal {data['signal']}]")
    elif "exit" in data:
        parts.append(f"[exit status {data['exit']}]")
    if data.get("truncated"):
        parts.append("[some output was left out]")
    return "\n".join(part.rstrip("\n") for part in parts if part)


def _data(action: Action, result: Result) -> str:
    if action.effect is EffectClass.INPUT or not result.data or action.type == "screenshot":
        return ""
    return json.dumps(dict(result.data), ensure_ascii=False)


def _tell_error(result: Result) -> str:
    failure = result.error or Failure("run", result.text or "it did not work")
    return tell_failure(failure)


def tell_failure(failure: Failure) -> str:
    """Why something did not work, and what may help."""
    text = f"error ({failure.code}): {failure.message}"
    if failure.hint:
        text += f" ({failure.hint})"
    return _cut(text)


def tell_problem(error: CarrelError) -> Failure:
    """An error as a failure that a model is told."""
    return Failure(error.code, error.message, error.retryable, error.hint)


def _cut(text: str, most: int = MAX_TEXT) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[{len(text) - most} more characters left out]"
