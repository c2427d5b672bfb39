"""What is asked of Anthropic's computer tools: the blocks of the Messages API."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from carrel.actions import Action, Screenshot
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.geometry import Size
from carrel.models.context import Context, Outcome, Turn
from carrel.models.dialects._anthropic_actions import write_member
from carrel.models.dialects._extras import as_function, function_tools
from carrel.models.dialects._history import (
    CONTINUE,
    FINAL,
    NO_PICTURE,
    failed,
    final_words,
    is_whole,
    numbered,
    opening,
    pairs,
    system_text,
    told,
    zoomed,
)
from carrel.models.dialects._wire import text_of
from carrel.models.picture import Picture, Words
from carrel.models.space import Space, fit_within

__all__ = ["Tool", "Writer", "shown_size", "space_of"]

HALTED = "Not executed: an earlier computer action in this turn failed."
"""The words that models were trained to read when a batch stops."""

MAX_TOKENS = 16_384
TOOLSET = "computer"
THINKING = ("thinking", "redacted_thinking")

_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")

# Fable and Mythos from 5.1, the others from 5.5: these refuse thinking of theirs that follows a
# changed history; the models before them make use of it.
_BINDING = re.compile(
    r"claude-(?:(?:fable|mythos)-5-[1-9]|[a-z]+-5-[5-9]|[a-z]+-(?:[6-9]|[1-9]\d))(?!\d)"
)


@dataclass(frozen=True, slots=True)
class Tool:
    """One version of the computer tool.

    Attributes:
        dialect: Name of the dialect.
        toolset: Whether members are tools of their own.
        zoom: Whether it can look at a part of the screen.
    """

    dialect: str
    toolset: bool
    zoom: bool

    def member(self, action: Action, space: Space) -> dict[str, Json] | None:
        """The call of the tool that means an action; None when it cannot mean exactly that."""
        written = write_member(action, space)
        if written is None:
            return None
        name, given = written
        if self.toolset:
            return {"name": name, "input": given, "toolset_name": TOOLSET}
        if (name == "zoom" and not self.zoom) or "repeat" in given:
            return None
        return {"name": "computer", "input": {"action": name, **given}}


def shown_size(screen: Size) -> Size:
    """The size in which a screen is shown.

    Every model takes it unscaled: at most 1568 pixels and 1568 patches of 28 by 28.
    """
    return fit_within(screen, 1568, 1_150_000)


def space_of(context: Context) -> Space:
    """The coordinates of the model."""
    return Space(context.screen, shown_size(context.screen))


@dataclass(slots=True)
class Writer:
    """Writes one request."""

    tool: Tool
    context: Context
    entry: dict[str, Json]
    """The computer tool's own entry in `tools`."""
    messages: list[dict[str, Json]] = field(default_factory=list)
    _binding: bool = False
    _hash: hashlib._Hash = field(default_factory=hashlib.sha256)
    _hashed: int = 0

    def body(self, model: str) -> dict[str, Json]:
        """The request."""
        self._binding = _BINDING.search(model) is not None
        self.write()
        options = self.context.options
        system: dict[str, Json] = {"type": "text", "text": system_text(self.context)}
        body: dict[str, Json] = {
            "model": model,
            "max_tokens": options.max_tokens or MAX_TOKENS,
            "system": [system],
            "tools": self._tools(),
            "messages": list(self.messages),
        }
        if options.temperature is not None:
            body["temperature"] = options.temperature
        if options.cache:
            self._mark(system)
        return body

    def prefix(self, answer: Mapping[str, Json]) -> str:
        """A fingerprint of all that was said, to which thinking is bound; empty without any."""
        content = answer.get("content") if isinstance(answer, dict) else None
        if not (isinstance(content, list) and any(map(_is_thinking, content))):
            return ""
        self.write()
        return self._digest()

    def write(self) -> None:
        """Write all messages."""
        self._hash.update(json.dumps([system_text(self.context), self._tools()]).encode())
        first = self.context.first
        start: list[Json] = [{"type": "text", "text": opening(self.context)}]
        if first is not None:
            start.append(_image(first))
        self._say(start)
        for number, turn in numbered(self.context):
            self._turn(turn, number)
            self._say([{"type": "text", "text": words} for words in turn.said if words.strip()])
        if self.messages[-1]["role"] == "assistant":
            self._say([{"type": "text", "text": CONTINUE}])

    def _tools(self) -> list[Json]:
        functions: list[Json] = [
            {
                "name": tool.name,
                "description": tool.description,
                "input_schema": {"type": "object", **tool.schema},
            }
            for tool in function_tools(self.context)
        ]
        return [self.entry, *functions]

    def _mark(self, system: dict[str, Json]) -> None:
        """Mark what stays the same: at most four breakpoints are allowed."""
        asked = [message for message in self.messages if message["role"] == "user"]
        ends = [_own_last(message) for message in asked[-3:]]
        for block in (system, *ends):
            block["cache_control"] = {"type": "ephemeral"}

    def _say(self, blocks: list[Json]) -> None:
        """Add to what the person's side says."""
        if not blocks:
            return
        if self.messages and self.messages[-1]["role"] == "user":
            content = self.messages[-1]["content"]
            assert isinstance(content, list)
            content.extend(blocks)
        else:
            self.messages.append({"role": "user", "content": blocks})

    def _answer(self, blocks: list[Json]) -> None:
        if not blocks:
            return
        if self.messages[-1]["role"] == "assistant":
            self._say([{"type": "text", "text": CONTINUE}])
        self.messages.append({"role": "assistant", "content": blocks})

    def _digest(self) -> str:
        for message in self.messages[self._hashed :]:
            self._hash.update(json.dumps(_short(message), sort_keys=True).encode())
        self._hashed = len(self.messages)
        return self._hash.hexdigest()

    def _turn(self, turn: Turn, number: int) -> None:
        if turn.decision is None:
            return
        if is_whole(turn.decision, self.tool.dialect):
            blocks = self._whole(turn.decision)
            self._answer(blocks)
            told_as = (self.tool.dialect, self.context.screen)
            if told_as not in turn.memo:
                turn.memo[told_as] = tuple(self._results(turn, blocks))
            self._say(list(turn.memo[told_as]))
        else:
            self._retold(turn, number)

    def _whole(self, decision: Decision) -> list[Json]:
        """A decision of this dialect as it came, but for thinking that is bound to other words."""
        items = decision.raw["items"]
        blocks = (
            [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        )
        if self.messages[-1]["role"] == "assistant":
            self._say([{"type": "text", "text": CONTINUE}])
        stale = self._binding and decision.raw.get("prefix") != self._digest()
        return [
            Words(block)
            for block in blocks
            if not (stale and _is_thinking(block))
            and not (block.get("type") == "text" and not text_of(block, "text").strip())
        ]

    def _results(self, turn: Turn, blocks: list[Json]) -> Iterator[Json]:
        toolsets = {
            text_of(block, "id"): block.get("toolset_name")
            for block in blocks
            if isinstance(block, dict) and block.get("type") == "tool_use"
        }
        calls = [pair for pair in pairs(turn) if pair[0].id != FINAL]
        halted, extra = False, []
        for index, (call, outcome) in enumerate(calls):
            last = index == len(calls) - 1
            name = toolsets.get(call.id)
            yield _result(call.id, name, *self._content(call, outcome, last, halted))
            halted = halted or failed(call, outcome)
            if last and failed(call, outcome) and outcome.picture is not None:
                extra.append(_image(outcome.picture))
        yield from extra
        yield from _after(turn)

    def _content(
        self, call: Call, outcome: Outcome, last: bool, halted: bool
    ) -> tuple[list[Json], bool]:
        """What a call led to, and whether that is an error; an error is told in words alone."""
        if failed(call, outcome):
            skipped = halted and not outcome.results and not outcome.text and not call.problem
            words = HALTED if skipped else told(call, outcome, space_of(self.context))
            return [{"type": "text", "text": words}], True
        looks = any(isinstance(action, Screenshot) for action in call.actions)
        content: list[Json] = []
        if not looks:
            words = told(call, outcome, space_of(self.context))
            content.append({"type": "text", "text": words})
        if outcome.picture is not None and (looks or last):
            content.append(_image(outcome.picture))
        elif looks:
            content.append({"type": "text", "text": NO_PICTURE})
        return content, False

    def _retold(self, turn: Turn, number: int) -> None:
        """A turn of another dialect, from what was meant: one call for each action."""
        assert turn.decision is not None
        blocks: list[Json] = []
        results: list[Json] = []
        if turn.decision.text.strip():
            blocks.append({"type": "text", "text": turn.decision.text.strip()})
        for index, (call, outcome) in enumerate(pairs(turn)):
            if call.id == FINAL:
                continue
            uses = self._uses(call)
            ids = [f"toolu_{number}_{index}_{n}" for n in range(len(uses))]
            for use_id, use in zip(ids, uses, strict=True):
                blocks.append({"type": "tool_use", "id": use_id, **use})
            results.extend(self._retold_results(call, outcome, ids, uses))
        self._answer(blocks)
        self._say([*results, *_after(turn)])

    def _uses(self, call: Call) -> list[dict[str, Json]]:
        space = space_of(self.context)
        if call.problem is not None or not call.actions:
            name = call.name if _NAME.fullmatch(call.name) else "call"
            return [{"name": name, "input": dict(call.arguments)}]
        return [
            self.tool.member(action, space) or _function(action, space) for action in call.actions
        ]

    def _retold_results(
        self, call: Call, outcome: Outcome, ids: list[str], uses: list[dict[str, Json]]
    ) -> Iterator[Json]:
        """One result for each action: those of the actions before the last are short."""
        last = len(ids) - 1
        worked = [result.ok for result in outcome.results]
        for n, (use_id, use) in enumerate(zip(ids, uses, strict=True)):
            name = use.get("toolset_name")
            if n < last and worked[n : n + 1] == [True]:
                yield _result(use_id, name, [{"type": "text", "text": "OK"}], False)
            elif n < last:
                words = told(call, outcome) if n == len(worked) - 1 else HALTED
                yield _result(use_id, name, [{"type": "text", "text": words}], True)
            else:
                yield _result(use_id, name, *self._content(call, outcome, True, False))


def _function(action: Action, space: Space) -> dict[str, Json]:
    name, arguments = as_function(action, space)
    return {"name": name if _NAME.fullmatch(name) else "call", "input": arguments}


def _after(turn: Turn) -> list[Json]:
    return [{"type": "text", "text": words} for words in final_words(turn)]


def _result(call_id: str, toolset: Json, content: list[Json], error: bool) -> dict[str, Json]:
    shows = any(isinstance(part, dict) and part["type"] == "image" for part in content)
    block: dict[str, Json] = {} if shows else Words()
    block |= {"type": "tool_result", "tool_use_id": call_id, "content": content}
    if toolset:
        block["toolset_name"] = toolset
    if error:
        block["is_error"] = True
    return block


def _image(picture: Picture) -> Json:
    shown = shown_size(picture.screen)
    size = shown if picture.region is None else zoomed(picture.size, shown)
    source: dict[str, Json] = {
        "type": "base64",
        "media_type": "image/png",
        "data": picture.base64(size),
    }
    return {"type": "image", "source": source}


def _own_last(message: Mapping[str, Json]) -> dict[str, Json]:
    """The last block of a message, as a copy: the next request tells it without the mark."""
    content = message["content"]
    assert isinstance(content, list)
    block = content[-1]
    assert isinstance(block, dict)
    content[-1] = own = type(block)(block)
    return own


def _is_thinking(block: Json) -> bool:
    return isinstance(block, dict) and block.get("type") in THINKING


def _short(value: Json) -> Json:
    """A message without thinking, its pictures cut to their ends, which hold a checksum."""
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value if not _is_thinking(item)]
    if isinstance(value, str) and len(value) > 20_000:
        return f"{len(value)} {value[-64:]}"
    return value
