"""A run as the items of the Responses API: what people know from `result["output"]`.

Pure data: from events to dicts and back to nothing. One scroll convention throughout: wheel
notches, positive is down and right.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from carrel.actions import ACTIONS, Action, Click, Drag, Key, Scroll, Wait
from carrel.codec import Json
from carrel.decisions import Call, Decision, Usage, decode_decision
from carrel.events import Event
from carrel.intents import Ask, CallTool, Done, Note, encode_any

__all__ = [
    "Answered",
    "Item",
    "Moment",
    "ReadBlob",
    "Reader",
    "Responded",
    "Saw",
    "Started",
    "action_item",
    "message_item",
    "usage_item",
]

Item = dict[str, Json]
ReadBlob = Callable[[str], bytes]
"""The bytes of a picture by the id that events give it."""

_BUTTONS = {"middle": "wheel"}


@dataclass(frozen=True, slots=True)
class Responded:
    """The model answered: its items, and what they took."""

    items: list[Item]
    usage: Item
    raw: Mapping[str, Json]
    step: int
    at: float


@dataclass(frozen=True, slots=True)
class Started:
    """A call is about to be carried out."""

    item: Item


@dataclass(frozen=True, slots=True)
class Answered:
    """A call has its one output. `started` is false for what was never begun."""

    item: Item
    output: Item
    started: bool
    frame: str | None = None


@dataclass(frozen=True, slots=True)
class Saw:
    """A new picture of the screen, by its blob."""

    blob: str


Moment = Responded | Started | Answered | Saw


@dataclass(slots=True)
class _Part:
    """What becomes one item: the computer's actions of a call together, each tool on its own."""

    item: Item
    indices: tuple[int, ...]
    checks: list[Json]
    started: bool = False


@dataclass(slots=True)
class _Open:
    """A call that is not answered yet."""

    id: str
    parts: list[_Part] = field(default_factory=list)


class Reader:
    """Reads the events of one run, in order.

    Args:
        read_blob: Reads pictures.
        images: Whether outputs carry their picture as a `data:` URL, or its blob's id.
    """

    def __init__(self, read_blob: ReadBlob, *, images: bool = True) -> None:
        self._read_blob = read_blob
        self._images = images
        self._blobs: dict[str, str] = {}
        self._frame: str | None = None
        self._open: list[_Open] = []

    def read(self, event: Event) -> Iterator[Moment]:
        """What one event means."""
        data = event.data
        if event.kind == "frame":
            self._frame = str(data["frame"])
            self._blobs[self._frame] = str(data["blob"])
            yield Saw(str(data["blob"]))
        elif event.kind == "decision":
            yield from self._decision(event)
        elif event.kind == "act":
            yield from self._act(data)
        elif event.kind == "result":
            yield from self._result(data)
        elif event.kind == "error" and "call" in data:
            yield from self._give_up(str(data["call"]), str(data.get("message", "")))
        elif event.kind == "run.finished":
            why = str(data.get("message") or data.get("reason") or "")
            for call in tuple(self._open):
                yield from self._give_up(call.id, f"not carried out, the run ended: {why}")

    def _decision(self, event: Event) -> Iterator[Moment]:
        decision = decode_decision(event.data["decision"])
        step = event.data.get("step")
        self._open = [_open(call) for call in decision.calls]
        items = _spoken(decision, event.seq)
        for call in self._open:
            items += [part.item for part in call.parts]
        items += _finals(decision, items, event.seq)
        self._open = [call for call in self._open if call.parts]
        usage = usage_item(decision.usage, event.data.get("cost"))
        raw = dict(decision.raw)
        yield Responded(items, usage, raw, step if isinstance(step, int) else 0, event.at)

    def _find(self, data: Mapping[str, Json]) -> tuple[_Open, _Part] | None:
        for call in self._open:
            if call.id == data.get("call"):
                for part in call.parts:
                    if data.get("index") in part.indices:
                        return call, part
        return None

    def _act(self, data: Mapping[str, Json]) -> Iterator[Moment]:
        found = self._find(data)
        if found is not None and not found[1].started:
            found[1].started = True
            yield Started(found[1].item)

    def _result(self, data: Mapping[str, Json]) -> Iterator[Moment]:
        found = self._find(data)
        if found is None:
            return
        call, part = found
        result = data.get("result")
        result = result if isinstance(result, dict) else {}
        ok = result.get("ok") is True
        if ok and data.get("index") != part.indices[-1]:
            return
        frame = data.get("frame")
        self._frame = str(frame) if isinstance(frame, str) else self._frame
        call.parts.remove(part)
        yield self._answer(part, str(result.get("text") or ""), ok=ok)
        if not ok:
            yield from self._give_up(call.id, "not tried: an action before it failed")
        elif not call.parts:
            self._open.remove(call)

    def _give_up(self, call_id: str, why: str) -> Iterator[Moment]:
        """Every call has an output, whatever became of it."""
        for call in tuple(self._open):
            if call.id == call_id:
                self._open.remove(call)
                for part in call.parts:
                    yield self._answer(part, why, ok=False)

    def _answer(self, part: _Part, text: str, *, ok: bool) -> Answered:
        call_id = part.item["call_id"]
        if part.item["type"] == "function_call":
            said = text if ok else json.dumps({"error": text}, ensure_ascii=False)
            output: Item = {"type": "function_call_output", "call_id": call_id, "output": said}
            return Answered(part.item, output, part.started)
        output = {
            "type": "computer_call_output",
            "call_id": call_id,
            "acknowledged_safety_checks": part.checks if part.started else [],
            "output": self._picture(),
        }
        if not ok:
            output["error"] = text
        return Answered(part.item, output, part.started, self._blob())

    def _blob(self) -> str | None:
        return None if self._frame is None else self._blobs.get(self._frame)

    def _picture(self) -> Item:
        blob = self._blob()
        if blob is None:
            return {"type": "input_text", "text": "there is no picture"}
        if not self._images:
            return {"type": "input_image", "image_url": blob}
        encoded = base64.b64encode(self._read_blob(blob)).decode("ascii")
        return {"type": "input_image", "image_url": f"data:image/png;base64,{encoded}"}


def _open(call: Call) -> _Open:
    """The items of a call: one for all its actions on the computer, one for each tool."""
    checks: list[Json] = [
        {"id": check.id, "code": check.code, "message": check.message} for check in call.checks
    ]
    if call.problem is not None:
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
        return _Open(call.id, [_Part(_function(call.id, call.name, arguments), (-1,), checks)])
    machine = [index for index, action in enumerate(call.actions) if action.type in ACTIONS]
    parts: list[_Part] = []
    for index, action in enumerate(call.actions):
        name = call.id if not parts else f"{call.id}_{index}"
        if machine and index == machine[0]:
            item = _computer(name, [call.actions[each] for each in machine], checks)
            parts.append(_Part(item, tuple(machine), checks))
        elif action.type not in ACTIONS and not isinstance(action, Done):
            parts.append(_Part(_tool(name, action), (index,), checks))
    return _Open(call.id, parts)


def _computer(call_id: str, actions: list[Action], checks: list[Json]) -> Item:
    told: list[Json] = [action_item(action) for action in actions]
    item: Item = {
        "type": "computer_call",
        "id": f"cu_{call_id}",
        "call_id": call_id,
        "status": "completed",
        "pending_safety_checks": checks,
        "action": told[0],
    }
    if len(told) > 1:
        item["actions"] = told
    return item


def _function(call_id: str, name: str, arguments: str) -> Item:
    return {
        "type": "function_call",
        "id": f"fc_{call_id}",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
        "status": "completed",
    }


def _tool(call_id: str, action: Action) -> Item:
    match action:
        case CallTool():
            name, arguments = action.name, dict(action.arguments)
        case Ask():
            name, arguments = "ask", {"question": action.question, "choices": list(action.choices)}
        case Note():
            name, arguments = "note", {"text": action.text}
        case _:
            name, arguments = action.type, encode_any(action)
    return _function(call_id, name, json.dumps(arguments, ensure_ascii=False))


def _spoken(decision: Decision, number: int) -> list[Item]:
    items: list[Item] = []
    if decision.thought.strip():
        summary: Json = [{"type": "summary_text", "text": decision.thought}]
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": summary})
    if decision.text.strip():
        items.append(message_item(decision.text, number))
    return items


def _finals(decision: Decision, items: list[Item], number: int) -> list[Item]:
    """The words a run ends with: an assistant's message, once."""
    texts = [decision.refusal] if decision.refusal is not None else []
    for call in decision.calls:
        for action in call.actions:
            if isinstance(action, Done):
                done = "Done." if action.success else "It cannot be done."
                texts.append(action.text or (done if not decision.text.strip() else ""))
    said = [message_item(text, number) for text in texts if text and text != decision.text]
    if texts and not said and items and items[-1].get("role") != "assistant":
        # It spoke before it acted; the last item tells that this is the end.
        items[:] = [item for item in items if item.get("role") != "assistant"]
        said = [message_item(decision.text, number)]
    return said


def message_item(text: str, number: int = 0) -> Item:
    """Words of the model."""
    content: Json = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "type": "message",
        "role": "assistant",
        "id": f"msg_{number}",
        "status": "completed",
        "content": content,
    }


def action_item(action: Action) -> Item:
    """An action as the `action` of a `computer_call`; what theirs cannot say is said in ours."""
    match action:
        case Click(count=1):
            button = _BUTTONS.get(action.button, action.button)
            told: Item = {"type": "click", "button": button, "x": action.x, "y": action.y}
            return {**told, **_held(action.modifiers)}
        case Click(count=2, button="left"):
            return {"type": "double_click", "x": action.x, "y": action.y, **_held(action.modifiers)}
        case Drag(button="left"):
            path: Json = [{"x": point.x, "y": point.y} for point in action.path]
            return {"type": "drag", "path": path, **_held(action.modifiers)}
        case Key(repeat=1, hold=0.0):
            return {"type": "keypress", "keys": list(action.keys)}
        case Scroll():
            place: Item = {"type": "scroll", "x": action.x, "y": action.y}
            turned: Item = {"scroll_x": action.dx, "scroll_y": action.dy}
            return {**place, **turned, **_held(action.modifiers)}
        case Wait(seconds=float() | int()):
            return {"type": "wait", "ms": round(1000 * (action.seconds or 0))}
        case _:
            return _plain(action)


_NAMES = {("mouse_down", "left"): "left_mouse_down", ("mouse_up", "left"): "left_mouse_up"}


def _plain(action: Action) -> Item:
    wire: Item = {key: value for key, value in encode_any(action).items() if value is not None}
    name = _NAMES.get((action.type, str(getattr(action, "button", ""))))
    if name is not None:
        return {"type": name}
    return (
        {"type": "screenshot"} if action.type == "screenshot" and not wire.get("region") else wire
    )


def _held(modifiers: tuple[str, ...]) -> Item:
    return {"keys": list(modifiers)} if modifiers else {}


def usage_item(usage: Usage, cost: Json = None) -> Item:
    """Tokens in both vocabularies; `response_cost` only when it is known."""
    read = usage.input + usage.cached + usage.cache_writes
    item: Item = {
        "prompt_tokens": read,
        "completion_tokens": usage.output,
        "total_tokens": usage.total,
        "input_tokens": read,
        "output_tokens": usage.output,
        "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
    if isinstance(cost, str):
        item["response_cost"] = float(cost)
    return item
