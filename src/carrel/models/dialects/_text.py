"""What the dialects of chat completions share: reading an answer, telling what happened."""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision, Usage
from carrel.errors import CarrelError, ProtocolError
from carrel.geometry import Size
from carrel.models.context import Context, Outcome, Turn
from carrel.models.dialect import Api, Request
from carrel.models.dialects._history import zoomed
from carrel.models.picture import Picture
from carrel.models.space import Space, SpaceKind, fit_within, smart_resize
from carrel.results import Failure

__all__ = [
    "MAX_ANSWER",
    "Answer",
    "ChatDialect",
    "Grid",
    "Reading",
    "TextDialect",
    "call_ids",
    "chat_request",
    "failure_of",
    "image_part",
    "merged",
    "picture_parts",
    "read_answer",
    "split_thinking",
    "text_part",
    "user",
    "whole",
]

MAX_ANSWER = 1_000_000
"""Characters of an answer that are looked at; nothing sensible is longer."""

Part = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Grid:
    """How a family of models sees pictures and counts on them.

    Attributes:
        factor: Both sides become multiples of it, as the model's image processor would make them.
            1 for models whose processor is unknown: then the picture is only scaled down.
    """

    kind: SpaceKind
    factor: int = 28
    min_pixels: int = 56 * 56
    # A full HD screen keeps its size. More pixels only cost tokens: the models were trained on it.
    max_pixels: int = 2700 * 28 * 28

    def shown(self, size: Size) -> Size:
        """The size in which a picture of `size` is sent."""
        if self.factor == 1:
            return fit_within(size, 1280, self.max_pixels)
        return smart_resize(size, self.factor, self.min_pixels, self.max_pixels)

    def shown_picture(self, picture: Picture) -> Size:
        """The size in which a picture is sent; a part of the screen fills a screenshot's."""
        if picture.region is None:
            return self.shown(picture.size)
        return self.shown(zoomed(picture.size, self.shown(picture.screen)))

    def space(self, screen: Size) -> Space:
        """The coordinates on a picture of the whole screen."""
        return Space(screen, self.shown(screen), self.kind)


@dataclass(frozen=True, slots=True)
class Answer:
    """The first choice of a chat completion."""

    content: str = ""
    reasoning: str = ""
    tool_calls: tuple[Mapping[str, Json], ...] = ()
    refusal: str | None = None
    truncated: bool = False
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text dialect found in an answer."""

    thought: str = ""
    text: str = ""
    actions: tuple[Action, ...] = ()
    problem: Failure | None = None


def read_answer(body: Mapping[str, Json]) -> Answer:
    """Read a chat completion.

    Raises:
        ProtocolError: It is not one.
    """
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ProtocolError("the answer is not a chat completion", op="model.decode")
    finish = choice.get("finish_reason")
    refusal = message.get("refusal")
    if not isinstance(refusal, str) or not refusal:
        refusal = "stopped by the provider's filter" if finish == "content_filter" else None
    calls = message.get("tool_calls")
    return Answer(
        content=_words(message.get("content")),
        reasoning=_words(message.get("reasoning_content")) or _words(message.get("reasoning")),
        tool_calls=tuple(c for c in calls if isinstance(c, dict))
        if isinstance(calls, list)
        else (),
        refusal=refusal,
        truncated=finish == "length",
        usage=_usage(body.get("usage")),
        model=_words(body.get("model")),
        id=_words(body.get("id")),
    )


def _words(value: Json) -> str:
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, list):
        texts = [part.get("text") for part in value if isinstance(part, dict)]
        return whole("".join(text for text in texts if isinstance(text, str)))
    return ""


def whole(text: str) -> str:
    """The text without halves of surrogate pairs, which can be neither stored nor sent back."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _usage(value: Json) -> Usage:
    if not isinstance(value, dict):
        return Usage()
    cached = _count(value.get("prompt_tokens_details"), "cached_tokens")
    return Usage(
        input=max(0, _count(value, "prompt_tokens") - cached),
        cached=cached,
        output=_count(value, "completion_tokens"),
        reasoning=_count(value.get("completion_tokens_details"), "reasoning_tokens"),
    )


def _count(value: Json, name: str) -> int:
    number = value.get(name) if isinstance(value, dict) else None
    return number if type(number) is int and number > 0 else 0


def call_ids(answer: Answer, count: int) -> list[str]:
    """Ids for calls that came without: the same for the same answer, and no other's."""
    seed = json.dumps([answer.id, answer.content, answer.reasoning, *answer.tool_calls])
    digest = hashlib.sha256(seed.encode()).hexdigest()[:12]
    return [f"call_{digest}_{number}" for number in range(1, count + 1)]


def failure_of(error: CarrelError) -> Failure:
    """The error as a call's problem."""
    return Failure(error.code, error.message, error.retryable, error.hint)


def split_thinking(text: str) -> tuple[str, str]:
    """Separate `<think>…</think>` (also unopened, as some servers send it) from the rest."""
    before, closed, rest = text.partition("</think>")
    if not closed:
        head, opened, thought = text.partition("<think>")
        return (thought.strip(), head.strip()) if opened else ("", text)
    return before.replace("<think>", "", 1).strip(), rest.strip()


def text_part(text: str) -> Part:
    """Words in a message."""
    return {"type": "text", "text": text}


def image_part(url: str) -> Part:
    """A picture in a message."""
    return {"type": "image_url", "image_url": {"url": url}}


def user(parts: Sequence[Part]) -> Part:
    """A message of the person's side."""
    return {"role": "user", "content": list(parts)}


def merged(messages: Sequence[Part]) -> list[Part]:
    """The same with adjacent messages of the person as one: many chat templates want turns."""
    result: list[Part] = []
    for message in messages:
        content, last = message.get("content"), result[-1] if result else {}
        before = last.get("content")
        if (
            message.get("role") == last.get("role") == "user"
            and isinstance(before, list)
            and isinstance(content, list)
        ):
            result[-1] = {**last, "content": before + content}
        else:
            result.append(message)
    return result


def picture_parts(picture: Picture, grid: Grid) -> list[Part]:
    """A picture in the size the model is shown; words before it when it is only a part."""
    image = image_part(picture.data_url(grid.shown_picture(picture)))
    if picture.region is None:
        return [image]
    box = grid.space(picture.screen).box_to_model(picture.region)
    corners = ", ".join(f"{number:g}" for number in box)
    return [
        text_part(f"A part of the screen enlarged (left, top, right, bottom: {corners}):"),
        image,
    ]


def chat_request(
    model: str, context: Context, messages: Sequence[Part], extra: Mapping[str, Json] | None = None
) -> Request:
    """The request body for some messages and the options of the context."""
    body: dict[str, Json] = {"model": model, "messages": list(messages)}
    options = context.options
    if options.max_tokens is not None:
        body[_limit_name(model)] = options.max_tokens
    if options.temperature is not None:
        body["temperature"] = options.temperature
    if options.reasoning is not None:
        body["reasoning_effort"] = options.reasoning
    return Request(Api.OPENAI_CHAT, {**body, **(extra or {})})


def _limit_name(model: str) -> str:
    # OpenAI's reasoning models refuse the older name, other servers know only that.
    reasoning = re.match(r"(?:openai/)?(?:o\d|gpt-[5-9])", model)
    return "max_completion_tokens" if reasoning else "max_tokens"


GO_ON = "Nothing was done. Take the next action, or finish."


class ChatDialect(ABC):
    """A family that is told everything in messages and writes what to do as text.

    Subclasses say how they are asked (`prompt`) and how actions that another model chose are
    written in their own words (`write`).
    """

    name: ClassVar[str]
    api: ClassVar[Api] = Api.OPENAI_CHAT
    wants_elements: ClassVar[bool] = False
    grid: ClassVar[Grid]
    body: ClassVar[Mapping[str, Json]] = {}
    """What is sent besides the messages."""

    @abstractmethod
    def prompt(self, context: Context) -> str:
        """The words before the first picture."""

    @abstractmethod
    def write(self, thought: str, actions: Sequence[Action], space: Space) -> str:
        """An answer that decides for these actions, as the model itself would write it."""

    def encode(self, model: str, context: Context) -> Request:
        """The request that asks `model` for the next decision."""
        messages = [user(self._opening(context))]
        for turn in context.turns:
            messages += self._turn(turn, context)
        if messages[-1]["role"] == "assistant":
            messages.append(user([text_part(GO_ON)]))
        return chat_request(model, context, merged(messages), self.body)

    def _opening(self, context: Context) -> list[Part]:
        parts = [text_part(self.prompt(context))]
        if context.first is not None:
            return parts + picture_parts(context.first, self.grid)
        if not context.turns:
            parts.append(text_part("There is no picture of the screen yet."))
        return parts

    def _turn(self, turn: Turn, context: Context) -> list[Part]:
        messages: list[Part] = []
        if turn.decision is not None:
            messages += self._assistant(turn.decision, context)
        parts = [part for outcome in turn.outcomes for part in self._outcome(outcome)]
        parts += [text_part(said) for said in turn.said]
        return messages + ([user(parts)] if parts else [])

    def _assistant(self, decision: Decision, context: Context) -> list[Part]:
        items = decision.raw.get("items")
        if decision.raw.get("dialect") == self.name and isinstance(items, list):
            return [item for item in items if isinstance(item, dict)]
        actions = [action for call in decision.calls for action in call.actions]
        thought = decision.thought or decision.goal or decision.text
        space = self.grid.space(context.screen)
        content = self.write(thought, actions, space) if actions else decision.text or thought
        return [{"role": "assistant", "content": content}] if content else []

    def _outcome(self, outcome: Outcome) -> list[Part]:
        parts = [text_part(outcome.text)] if outcome.text else []
        if outcome.picture is not None:
            return parts + picture_parts(outcome.picture, self.grid)
        return parts or [text_part("Done; the picture is no longer kept.")]


class TextDialect(ChatDialect):
    """A family whose answers are one batch of actions each."""

    @abstractmethod
    def read(self, text: str, context: Context) -> Reading:
        """Find the actions in an answer; raises `InvalidInput` for those it cannot understand."""

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """The decision in an answer."""
        answer = read_answer(body)
        reading = self._read(answer, context)
        return Decision(
            calls=self._calls(answer, reading),
            text=reading.text,
            thought="\n".join(filter(None, (answer.reasoning.strip(), reading.thought))),
            refusal=answer.refusal,
            truncated=answer.truncated,
            usage=answer.usage,
            model=answer.model,
            raw=self._raw(answer),
        )

    def _read(self, answer: Answer, context: Context) -> Reading:
        if len(answer.content) > MAX_ANSWER:
            problem = Failure("invalid_input", f"the answer is longer than {MAX_ANSWER} characters")
            return Reading(problem=problem)
        try:
            return self.read(answer.content, context)
        except CarrelError as error:
            return Reading(thought=answer.content.strip()[:2000], problem=failure_of(error))

    def _calls(self, answer: Answer, reading: Reading) -> tuple[Call, ...]:
        if not reading.actions and reading.problem is None:
            return ()
        (call,) = call_ids(answer, 1)
        arguments: dict[str, Json] = {"text": answer.content[:MAX_ANSWER]}
        actions = () if reading.problem else reading.actions
        return (Call(call, "computer", actions, arguments, reading.problem),)

    def _raw(self, answer: Answer) -> dict[str, Json]:
        content = answer.content[:MAX_ANSWER]
        return {"dialect": self.name, "items": [{"role": "assistant", "content": content}]}


class Lines:
    """The lines of an action space; each begins with the type of action it needs."""

    def __init__(self, text: str) -> None:
        pairs = [line.partition(": ") for line in text.strip().splitlines()]
        self.lines = tuple((kind, line) for kind, _, line in pairs)

    def offered(self, context: Context) -> Iterable[str]:
        """Those of actions the model may call; what ends the task is always there."""
        allowed = context.actions
        for kind, line in self.lines:
            if allowed is None or kind == "done" or kind in allowed:
                yield line


def extras(context: Context) -> str:
    """Instructions and summary as sections of a prompt; empty when there are none."""
    sections = [("Instructions", context.instructions), ("What happened so far", context.summary)]
    return "".join(f"\n\n## {title}\n{words}" for title, words in sections if words.strip())


def tool_words(context: Context, example: str) -> str:
    """The user's function tools in words, for families without function calling of their own."""
    if not context.tools:
        return ""
    listed = "\n".join(
        f"- {tool.name}: {tool.description} Arguments: {json.dumps(dict(tool.schema))}"
        for tool in context.tools
    )
    return f"\n\n## Tools\nCall one of these with {example}\n{listed}"
