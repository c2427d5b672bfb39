"""What was said before, as the task of a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from carrel.codec import Json
from carrel.compat.items import Item
from carrel.errors import InvalidInput, Unsupported

__all__ = ["Messages", "Told", "read_messages"]

Messages = str | Sequence[Mapping[str, Json]]

_CUT = 2000
_TEXTS = ("input_text", "output_text", "text")


class Told(NamedTuple):
    """A conversation: what to do now, and what `system` messages say."""

    items: list[Item]
    task: str
    instructions: str


def read_messages(messages: Messages) -> Told:
    """Read a text, or a list of items such as runs gave out before.

    The last words of the person are the task. What came before is told in words: the screen as it
    is now is what the model sees first.

    Raises:
        InvalidInput: There is nothing to do in it, or an item is none.
        Unsupported: The person sends a picture.
    """
    if isinstance(messages, str):
        return Told([{"role": "user", "content": messages}], messages, "")
    items = [_item(message) for message in messages]
    last = max((n for n, item in enumerate(items) if item.get("role") == "user"), default=None)
    if last is None:
        raise InvalidInput("no message is the user's", hint='{"role": "user", "content": "…"}')
    first = last
    while first > 0 and items[first - 1].get("role") == "user":
        first -= 1
    asked = [_content(item) for item in items[first : last + 1]]
    system = [_content(item) for item in items if item.get("role") in ("system", "developer")]
    before = [line for item in items[:first] if (line := _line(item))]
    after = [line for item in items[last + 1 :] if (line := _line(item))]
    parts = [f"Earlier in this conversation:\n{_lines(before)}\n\nNow:"] if before else []
    parts += asked
    if after:
        parts.append(f"Done so far:\n{_lines(after)}")
    return Told(items, "\n\n".join(parts), "\n\n".join(system))


def _item(message: object) -> Item:
    if not isinstance(message, Mapping):
        raise InvalidInput(f"a message is a dict, not {type(message).__name__}")
    return dict(cast("Mapping[str, Json]", message))


def _lines(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _content(item: Item) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise InvalidInput("a message has content: a text, or a list of parts")
    texts: list[str] = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in _TEXTS or not isinstance(part, dict):
            raise Unsupported(
                f"a message cannot carry {kind!r}",
                hint="what the model sees is the computer's screen; write the rest in words",
            )
        texts.append(str(part.get("text", "")))
    return "\n".join(texts)


def _line(item: Item) -> str:
    """One item of the past in words; nothing for what says nothing."""
    kind, role = item.get("type"), item.get("role")
    if role in ("system", "developer") or kind == "reasoning":
        return ""
    if role in ("user", "assistant"):
        said = _content(item) if role == "user" else _assistant(item)
        return f"{'the person' if role == 'user' else 'you'}: {_short(said)}"
    if kind == "computer_call":
        return f"you did: {_short(json.dumps(item.get('actions') or item.get('action')))}"
    if kind == "function_call":
        return f"you called {item.get('name')}({_short(str(item.get('arguments')))})"
    if kind == "function_call_output":
        return f"it answered: {_short(str(item.get('output')))}"
    if kind == "computer_call_output":
        return f"it failed: {_short(str(item['error']))}" if "error" in item else ""
    raise InvalidInput(f"there is no item of type {kind!r}")


def _assistant(item: Item) -> str:
    content = item.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [str(part.get("text") or "") for part in parts if isinstance(part, dict)]
    return "\n".join(texts)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _CUT else f"{text[: _CUT - 1]}…"
