"""What the parts of an event are in plain words."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TypeGuard

from carrel.codec import Json
from carrel.journal.journal import is_being_written

__all__ = [
    "Outcome",
    "box_words",
    "change_words",
    "counted",
    "money",
    "outcome_of",
    "place_words",
    "result_text",
    "standing",
    "verdict_words",
]

Data = Mapping[str, Json]

_LEAST = Decimal("0.0001")
_EFFECTS = {
    "confirmed": "confirmed: it was read back or seen",
    "unverifiable": "delivered; whether it took effect was not observed",
    "suspected_noop": "delivered; what was watched did not change",
    "refused": "not carried out, or not to its end",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an action.

    Attributes:
        words: In short, such as `exited with 3`.
        why: For what did not work: the reason.
        effect: How far the effect was observed.
        tone: `good` only for what was confirmed, `doubt` for what perhaps did nothing, `bad`.
    """

    words: str
    why: str = ""
    effect: str = ""
    tone: str = ""


def outcome_of(result: Data) -> Outcome:
    """What a result says, which is never more than was observed."""
    name = _text(result, "effect")
    effect = _EFFECTS.get(name, name)
    if result.get("ok") is not True:
        error = _mapping(result, "error")
        words = {"refused": "refused", "interrupted": "interrupted"}.get(_text(error, "code"))
        why = _text(error, "message") or _text(result, "text") or "no reason was given"
        return Outcome(words or "failed", why, effect, "bad")
    ended = _ended(_mapping(result, "data"))
    if ended:
        return Outcome(ended, "", effect, "good" if ended == "exited with 0" else "doubt")
    if name == "suspected_noop":
        why = _text(_mapping(result, "evidence"), "why") or "the screen did not change"
        return Outcome(f"delivered, {why}", "", effect, "doubt")
    if name == "confirmed":
        return Outcome("done", "", effect, "good")
    return Outcome("delivered", "", effect)


def _ended(data: Data) -> str:
    """How a command ended; nothing when the data are not of one."""
    code, number = data.get("exit"), data.get("signal")
    if _is_int(number):
        return f"ended by signal {number}{_signal_name(number)}"
    return f"exited with {code}" if _is_int(code) else ""


def _signal_name(number: int) -> str:
    try:
        return f" ({signal.Signals(number).name})"
    except ValueError:
        return ""


def result_text(result: Data) -> str:
    """All there is to read in a result, of whatever kind: text, output, or data as JSON."""
    data = _mapping(result, "data")
    text = _text(result, "text") or _text(data, "text")
    stderr = _text(data, "stderr")
    parts = [text.rstrip("\n") if stderr else text]
    if stderr:
        parts.append(f"[stderr]\n{stderr}")
    shown = {"text", "stdout", "stderr", "exit", "signal"}
    rest = {key: value for key, value in data.items() if key not in shown}
    if not text and any(rest.values()):
        parts.append(json.dumps(rest, ensure_ascii=False))
    elif data.get("truncated") is True:
        parts.append("[the rest was cut off]")
    return "\n".join(part for part in parts if part)


def verdict_words(verdict: Data) -> str:
    """What the gate made of an action. Its last stage is no reason: the action came through."""
    stage, reason = _text(verdict, "stage"), _text(verdict, "reason")
    word = {"allow": "allowed", "deny": "denied", "ask": "a person is asked"}.get(
        _text(verdict, "verdict"), ""
    )
    if reason.startswith(("allowed by ", "refused by ")):
        return f"asked and {reason}"
    by = " by rule" if stage == "rule" and word in ("allowed", "denied") else ""
    return f"{word}{by}{': ' + reason if reason else ''}" if word else reason


def change_words(change: Data) -> str:
    """How much changed and where: `by 3.75% (1280x30 at 0, 770)`; nothing when nothing did."""
    share, pixels, box = change.get("share"), change.get("pixels"), _mapping(change, "box")
    how = ""
    if isinstance(share, int | float) and 0.00005 <= share <= 1:
        how = f"by {share:.2%}"
    elif _is_int(pixels) and pixels:
        how = f"by {counted(pixels, 'pixel')}"
    place = box_words(box)
    return f"{how} ({place})" if how and place else how


def box_words(box: Data) -> str:
    """A part of the screen: `1280x30 at 0, 770`; less when not all is there."""
    width, height, x, y = (box.get(key) for key in ("width", "height", "x", "y"))
    if not _is_int(width) or not _is_int(height):
        return ""
    return f"{width}x{height} at {x}, {y}" if _is_int(x) and _is_int(y) else f"{width}x{height}"


def place_words(machine: Data) -> str:
    """A machine: `desk (namespace, process)`."""
    rest = [str(machine[key]) for key in ("provider", "kind", "isolation") if machine.get(key)]
    name = str(machine.get("name") or "")
    return f"{name} ({', '.join(rest)})" if name and rest else name or ", ".join(rest)


def money(amount: Decimal | None) -> str:
    """An amount: `$0.0123`, or `unknown`."""
    if amount is None:
        return "unknown"
    if 0 < amount < _LEAST / 2:
        return f"under ${_LEAST}"
    return f"${amount:.4f}"


def counted(number: object, noun: str) -> str:
    """A number of things: `1 step`, `2 steps`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def standing(run: str, status: str, reason: str, home: Path | None = None) -> tuple[str, str]:
    """Status and reason as they are, not as a process that died left them."""
    if status in ("running", "queued") and not is_being_written(run, home):
        return "interrupted", "interrupted"
    return status, reason


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _mapping(data: Data, name: str) -> Data:
    value = data.get(name)
    return value if isinstance(value, dict) else {}
