"""Whole conversations in every dialect, with providers that refuse what the real ones refuse."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import anyio
import pytest
from PIL import Image

from carrel.codec import Json
from carrel.decisions import Decision, SafetyCheck
from carrel.geometry import Size
from carrel.models.context import Context, Outcome, ToolSpec, Turn
from carrel.models.picture import Picture
from carrel.models.registry import open_model
from carrel.results import Effect, Result
from carrel.testing import Answer, FakeProvider, anthropic, chat, gemini, openai

pytestmark = pytest.mark.anyio

SCREEN = Size(1280, 800)
CHECKS = [SafetyCheck("sc_1", "malicious_instructions", "Look out.")]
CLICK: dict[str, Json] = {"type": "click", "x": 10, "y": 20, "button": "left"}
SAVE = ToolSpec("save", "Saves.", {"type": "object", "properties": {"x": {"type": "string"}}})


@dataclass(frozen=True)
class Talk:
    """What a model of a family says, turn by turn; the last is its final answer."""

    name: str
    answers: tuple[Answer, ...]
    dialect: str | None = None


TALKS = {
    "openai": Talk(
        "openai:gpt-5.4",
        (
            openai.reasoning("Hm.")
            + openai.computer_call(
                [CLICK, {"type": "double_click", "x": 3, "y": 4}, {"type": "type", "text": "ü"}],
                checks=CHECKS,
            ),
            openai.function_call("save", {"x": "1"}) + openai.computer_call([{"type": "wait"}]),
            openai.computer_call([CLICK]),
            openai.text("Done."),
        ),
    ),
    "preview": Talk(
        "openai:computer-use-preview",
        (
            openai.reasoning("Hm.") + openai.computer_call([CLICK], checks=CHECKS, preview=True),
            openai.function_call("save", {"x": "1"}),
            openai.computer_call([CLICK], preview=True),
            openai.text("Done."),
        ),
    ),
    "anthropic": Talk(
        "anthropic:claude-sonnet-5",
        (
            anthropic.thinking("Hm.")
            + anthropic.tool_use("left_click", {"coordinate": [10, 20]})
            + anthropic.tool_use("save", {"x": "1"}),
            anthropic.tool_use("screenshot", {}),
            anthropic.text("Now.") + anthropic.tool_use("key", {"text": "ctrl+l"}),
            anthropic.text("Done."),
        ),
    ),
    "anthropic-beta": Talk(
        "anthropic:claude-opus-4-5",
        (
            anthropic.thinking("Hm.")
            + anthropic.tool_use("computer", {"action": "left_click", "coordinate": [10, 20]})
            + anthropic.tool_use("save", {"x": "1"}),
            anthropic.tool_use("computer", {"action": "screenshot"}),
            anthropic.text("Done."),
        ),
    ),
    "gemini": Talk(
        "gemini:gemini-3-pro-preview",
        (
            gemini.thought("Hm.")
            + gemini.function_call("click", {"x": 10, "y": 20}, checks=CHECKS)
            + gemini.function_call("save", {"x": "1"}),
            gemini.function_call("click", {"x": 10, "y": 20}),
            gemini.text("Done."),
        ),
    ),
    "functions": Talk(
        "vllm:some-model",
        (
            chat.tool_calls(("click", {"x": 10, "y": 20})),
            chat.text("So.") + chat.tool_calls(("save", {"x": "1"}), ("nope", '{"broken')),
            chat.text("Done."),
        ),
        "functions",
    ),
}


@cache
def picture(number: int) -> Picture:
    out = io.BytesIO()
    Image.new("RGB", (SCREEN.width, SCREEN.height), (number * 20, 0, 0)).save(out, "png")
    return Picture(f"p{number}", SCREEN, out.getvalue)


def outcomes(decision: Decision, number: int) -> tuple[Outcome, ...]:
    """What the calls led to; the picture of one turn is no longer kept."""
    shown = picture(number + 1) if number != 1 else None
    done = (Result(True, Effect.CONFIRMED),)
    return tuple(
        Outcome(call.id, "ok", done, shown, acknowledged=call.checks) for call in decision.calls
    )


@pytest.fixture(scope="module")
def running() -> Iterator[FakeProvider]:
    with FakeProvider() as found:
        yield found


@pytest.fixture
def provider(running: FakeProvider) -> FakeProvider:
    running.reset()
    return running


async def hold(provider: FakeProvider, talk: Talk, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Go on with a conversation until the talk's last answer; returns every turn."""
    provider.script(*talk.answers)
    openai_like = not talk.name.startswith(("anthropic", "gemini"))
    url = provider.openai_url if openai_like else provider.url
    options = {"dialect": talk.dialect} if talk.dialect else {}
    model = open_model(talk.name, base_url=url, api_key=provider.key, options=options)
    with anyio.fail_after(30):
        async with model:
            for number, _ in enumerate(talk.answers):
                first = picture(0)
                context = Context("Do it.", SCREEN, turns, first, "Be kind.", tools=(SAVE,))
                decision = await model.decide(context, lambda text: None)
                said = ("Go on.",) if number == 0 else ()
                turns += (Turn(decision, outcomes(decision, number), said),)
    assert provider.left == 0
    assert not [seen.refused for seen in provider.seen if seen.refused]
    return turns


@pytest.mark.parametrize("family", TALKS)
async def test_a_conversation_is_never_refused(provider: FakeProvider, family: str) -> None:
    turns = await hold(provider, TALKS[family], ())
    assert len(turns) == len(TALKS[family].answers)
    decisions = [turn.decision for turn in turns if turn.decision is not None]
    assert "Done." in decisions[-1].text
    assert decisions[0].calls[0].actions


@pytest.mark.parametrize(("before", "after"), list(permutations(TALKS, 2)))
async def test_another_model_can_take_a_conversation_over(
    provider: FakeProvider, before: str, after: str
) -> None:
    turns = await hold(provider, TALKS[before], ())
    # Without the final answer: the work goes on.
    everything = await hold(provider, TALKS[after], turns[:-1])
    assert everything[: len(turns) - 1] == turns[:-1]
