"""The four wires: how a model is named on each, and how it clicks, errs and ends there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from task_desk import button
from wired import View, base_url

from carrel.codec import Json
from carrel.models.model import Model
from carrel.models.registry import find_dialect, parse
from carrel.models.spoken import SpokenModel
from carrel.models.transports import open_transport
from carrel.models.transports.transport import Timeouts
from carrel.testing import Answer, FakeProvider, anthropic, chat, gemini, openai

__all__ = ["WIRES", "Wire", "impatient"]


@dataclass(frozen=True)
class Wire:
    """One wire.

    Attributes:
        click: Presses a numbered button.
        call: Calls a function by its name, with arguments as they are.
        bad: A call whose arguments cannot be understood.
        end: Ends the task with some words.
        think: Reasons before it answers, where the wire has that.
    """

    model: str
    click: Callable[[View, int], Answer]
    call: Callable[[str, Mapping[str, Json]], Answer]
    bad: Answer
    end: Callable[[str], Answer]
    think: Callable[[str], Answer] = lambda _: Answer()

    def __str__(self) -> str:
        return self.model.partition(":")[0]


def _gpt_click(view: View, number: int) -> Answer:
    x, y = view.pixel(button(number))
    return openai.computer_call([{"type": "click", "button": "left", "x": x, "y": y}])


def _chat_click(view: View, number: int) -> Answer:
    x, y = view.pixel(button(number))
    return chat.tool_calls(("click", {"x": x, "y": y}))


def _claude_click(view: View, number: int) -> Answer:
    return anthropic.tool_use("left_click", {"coordinate": list(view.pixel(button(number)))})


def _gemini_click(view: View, number: int) -> Answer:
    x, y = view.parts(button(number))
    return gemini.function_call("click", {"x": x, "y": y})


WIRES = (
    Wire(
        "openai:gpt-5.4",
        _gpt_click,
        openai.function_call,
        openai.function_call("measure", '{"width": 21, "label'),
        openai.text,
        openai.reasoning,
    ),
    Wire(
        "vllm:some-model",
        _chat_click,
        lambda name, arguments: chat.tool_calls((name, arguments)),
        chat.tool_calls(("measure", '{"width": 21, "label')),
        # Words alone are no end here: they are asked what to do.
        lambda words: chat.tool_calls(("done", {"success": True, "text": words})),
    ),
    Wire(
        "anthropic:claude-opus-5-5",
        _claude_click,
        anthropic.tool_use,
        anthropic.tool_use("left_click", {"coordinate": [10]}),
        anthropic.text,
        anthropic.thinking,
    ),
    Wire(
        "gemini:gemini-3.6-flash",
        _gemini_click,
        gemini.function_call,
        gemini.function_call("click", {"x": "left"}),
        gemini.text,
        gemini.thought,
    ),
)


def impatient(name: str) -> Callable[[FakeProvider], Model]:
    """Opens a model that waits half a second for an answer, and no longer."""

    def opened(provider: FakeProvider) -> Model:
        found = parse(name)
        transport = open_transport(
            found.provider,
            key=provider.key,
            base_url=base_url(provider, name),
            timeouts=Timeouts(connect=2, read=0.5, total=5),
        )
        return SpokenModel(name, find_dialect(name)(), transport, model=found.model)

    return opened
