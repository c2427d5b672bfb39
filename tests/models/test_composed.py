from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

import pytest
from chats import answer, context, foreign, messages, native, only, picture, said

from carrel.actions import Click, Drag, Scroll, Type
from carrel.codec import Json
from carrel.decisions import Decision, Usage, decode_decision, encode_decision
from carrel.errors import ModelError
from carrel.geometry import Point
from carrel.models.composed import ComposedModel, Meter
from carrel.models.context import Context, Outcome, Turn
from carrel.models.dialect import Api, Request
from carrel.models.dialects._functions_described import Described
from carrel.models.dialects.grounding import Holo2
from carrel.models.model import OnText
from carrel.models.spoken import SpokenModel

pytestmark = pytest.mark.anyio

Body = dict[str, Json]


class Wire:
    """A transport that answers from a list and remembers what it was asked."""

    apis = (Api.OPENAI_CHAT,)

    def __init__(self, *answers: Body | ModelError) -> None:
        self.answers = list(answers)
        self.asked: list[Request] = []
        self.opened = 0

    async def __aenter__(self) -> Self:
        self.opened += 1
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.opened -= 1

    async def send(
        self, model: str, request: Request, on_text: OnText | None = None
    ) -> Mapping[str, Json]:
        self.asked.append(request)
        found = self.answers.pop(0)
        if isinstance(found, ModelError):
            raise found
        return found


def point(x: int, y: int) -> Body:
    return answer(f'{{"x": {x}, "y": {y}}}')


def composed(thinker: Wire, grounder: Wire) -> ComposedModel:
    meter = Meter(grounder)
    return ComposedModel(
        "vllm:holo2+openai:gpt",
        SpokenModel("vllm:holo2", Holo2(), meter),
        SpokenModel("openai:gpt", Described(), thinker),
        meter=meter,
    )


async def decide(thinker: Wire, grounder: Wire, given: Context | None = None) -> Decision:
    async with composed(thinker, grounder) as model:
        return await model.decide(given or context(first=picture()), lambda _: None)


async def test_descriptions_are_found_by_the_grounder() -> None:
    thinker = Wire(answer("", calls=[native("click", {"target": "the OK button", "count": 2})]))
    grounder = Wire(point(500, 500))
    decision = await decide(thinker, grounder)
    assert only(decision) == (Click(960, 540, count=2),)
    assert "the OK button" in str(grounder.asked[0].body)
    assert decision.calls[0].arguments == {"target": "the OK button", "count": 2}


async def test_every_place_of_a_drag_is_looked_for() -> None:
    path: Json = [{"target": "the file"}, {"target": "the bin"}]
    thinker = Wire(answer("", calls=[native("drag", {"path": path})]))
    decision = await decide(thinker, Wire(point(0, 0), point(1000, 1000)))
    assert only(decision) == (Drag((Point(0, 0), Point(1919, 1079))),)


async def test_calls_without_places_do_not_bother_the_grounder() -> None:
    grounder = Wire()
    thinker = Wire(answer("", calls=[native("type", {"text": "x"})]))
    assert only(await decide(thinker, grounder)) == (Type("x"),)
    assert grounder.asked == []


async def test_what_is_not_found_is_a_problem_and_never_an_older_place() -> None:
    calls: list[Json] = [
        native("click", {"target": "the OK button"}, "a"),
        native("click", {"target": "the OK button"}, "b"),
    ]
    decision = await decide(
        Wire(answer("", calls=calls)), Wire(point(500, 500), answer("I cannot see it."))
    )
    found, lost = decision.calls
    assert found.actions == (Click(960, 540),)
    assert lost.actions == ()
    assert lost.problem is not None
    assert lost.problem.code == "action_failed"


async def test_the_same_description_is_looked_for_again_on_every_picture() -> None:
    thinker = Wire(*[answer("", calls=[native("click", {"target": "OK"})]) for _ in range(2)])
    grounder = Wire(point(100, 100), point(900, 900))
    older, newer = picture(), picture()
    later = context(Turn(None, (Outcome("x", picture=newer),)), first=older)
    async with composed(thinker, grounder) as model:
        first = await model.decide(context(first=older), lambda _: None)
        second = await model.decide(later, lambda _: None)
    assert only(first) != only(second)
    assert len(grounder.asked) == 2


async def test_the_usage_of_both_is_added() -> None:
    calls: list[Json] = [native("click", {"target": t}, t) for t in ("a", "b")]
    decision = await decide(Wire(answer("", calls=calls)), Wire(point(1, 1), point(2, 2)))
    # Three answers of 40 fresh, 60 cached and 20 written tokens.
    assert decision.usage == Usage(120, 180, 0, 60, 15)


async def test_what_each_of_the_two_took_is_told_apart() -> None:
    calls: list[Json] = [native("click", {"target": t}, t) for t in ("a", "b")]
    async with composed(Wire(answer("", calls=calls)), Wire(point(1, 1), point(2, 2))) as model:
        decision = await model.decide(context(first=picture()), lambda _: None)
    one = Usage(40, 60, 0, 20, 5)
    assert sorted(decision.shares.values(), key=lambda usage: usage.total) == [one, one + one]
    assert decode_decision(encode_decision(decision)).shares == decision.shares


async def test_only_this_decisions_usage_is_added() -> None:
    thinker = Wire(*[answer("", calls=[native("click", {"target": "a"})]) for _ in range(2)])
    async with composed(thinker, Wire(point(1, 1), point(1, 1))) as model:
        for _ in range(2):
            decision = await model.decide(context(first=picture()), lambda _: None)
            assert decision.usage.output == 40


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "target is missing"),
        ({"target": " "}, "target is missing"),
        ({"target": "x" * 2000}, "at most"),
        ({"target": "a", "speed": 1}, "no argument 'speed'"),
        ({"x": 1, "y": 2}, "target is missing"),
    ],
)
async def test_bad_arguments_are_told(arguments: dict[str, Json], words: str) -> None:
    thinker = Wire(answer("", calls=[native("click", arguments)]))
    decision = await decide(thinker, Wire(point(1, 1)))
    (call,) = decision.calls
    assert call.problem is not None
    assert words in call.problem.message
    assert call.actions == ()


async def test_without_a_picture_nothing_is_guessed() -> None:
    thinker = Wire(answer("", calls=[native("scroll", {"target": "list", "dy": 1})]))
    decision = await decide(thinker, Wire(), context())
    (call,) = decision.calls
    assert call.problem is not None
    assert "no picture" in call.problem.message


async def test_a_grounder_that_cannot_be_reached_is_an_error_of_the_model() -> None:
    thinker = Wire(answer("", calls=[native("click", {"target": "a"})]))
    with pytest.raises(ModelError):
        await decide(thinker, Wire(ModelError("down", retryable=True)))


async def test_both_are_opened_and_closed() -> None:
    thinker, grounder = Wire(), Wire()
    async with composed(thinker, grounder):
        assert (thinker.opened, grounder.opened) == (1, 1)
    assert (thinker.opened, grounder.opened) == (0, 0)


async def test_it_points_as_its_grounder_does() -> None:
    async with composed(Wire(), Wire(point(500, 500))) as model:
        assert await model.locate(picture(), "x") == Point(960, 540)


async def test_the_thinker_is_asked_for_descriptions_and_sees_its_own_words_again() -> None:
    thinker = Wire(answer("", calls=[native("scroll", {"target": "the list", "dy": 2}, "a")]))
    decision = await decide(thinker, Wire(point(500, 500)))
    assert only(decision) == (Scroll(960, 540, dy=2),)
    body = thinker.asked[0].body
    assert "coordinates" in said(messages(Described(), context())[0])
    assert '"target"' in str(body["tools"]).replace("'", '"')
    turn = Turn(decision, (Outcome("a", "ok"),))
    history = messages(Described(), context(turn))
    assert "the list" in str(history[2]["tool_calls"])
    other = messages(Described(), context(foreign(Click(3, 4))))
    assert "the point 3, 4" in str(other[2]["tool_calls"])


async def test_alone_the_thinkers_dialect_says_that_it_needs_a_grounder() -> None:
    body = answer("", calls=[native("click", {"target": "a"})])
    (call,) = Described().decode(body, context()).calls
    assert call.problem is not None
    assert call.problem.code == "unlocated"
