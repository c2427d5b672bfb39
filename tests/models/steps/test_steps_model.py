from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from steps_world import SIZE, World, element

from carrel.actions import Click, Type
from carrel.decisions import Decision, decode_decision, encode_decision
from carrel.errors import ActionFailed
from carrel.frames import Element
from carrel.geometry import Point as Place
from carrel.intents import Done
from carrel.journal.redact import Redactor
from carrel.models.context import Context, Outcome, Turn
from carrel.models.registry import families, open_model
from carrel.models.steps.model import StepsModel
from carrel.models.steps.program import (
    Check,
    Compare,
    Enter,
    ForEach,
    If,
    Let,
    Point,
    Program,
    Read,
    Repeat,
    Shows,
    Step,
    Tick,
    Unclear,
)
from carrel.models.steps.state import Mark, Record, State, read_records, read_state
from carrel.models.steps.turns import Do
from carrel.results import Result


def quiet(_text: str) -> None:
    return None


class Run:
    """Drives a model as the loop does, over a world in memory."""

    def __init__(self, world: World, task: str = "Do it") -> None:
        self.world = world
        self.task = task
        self.turns: list[Turn] = []
        self.decisions: list[Decision] = []
        self.first = world.seen().picture

    async def step(self, model: StepsModel) -> Decision:
        context = Context(
            self.task, SIZE, tuple(self.turns), self.first, decided=len(self.decisions)
        )
        decision = await model.decide(context, quiet)
        # As a journal keeps it.
        decision = decode_decision(encode_decision(decision))
        self.decisions.append(decision)
        return decision

    def carry_out(self, decision: Decision) -> None:
        call = decision.calls[0]
        seen = self.world.answer(Do(call.actions, decision.thought))
        self.close(decision, seen.results)

    def close(self, decision: Decision, results: Sequence[Result]) -> None:
        picture = self.world.seen().picture
        outcome = Outcome(decision.calls[0].id, "", tuple(results), picture)
        self.turns.append(Turn(decision, (outcome,)))

    async def to_end(self, model: StepsModel) -> Done:
        with anyio.fail_after(20):
            while True:
                decision = await self.step(model)
                action = decision.calls[0].actions[0]
                if isinstance(action, Done):
                    return action
                self.carry_out(decision)

    @property
    def records(self) -> list[Record]:
        return read_records([encode_decision(decision) for decision in self.decisions])


def buttons(*names: str) -> World:
    return World(*(element(name, at=(10, 10 + 40 * n, 80, 20)) for n, name in enumerate(names)))


def clicks(world: World) -> list[int]:
    """Which of the buttons were clicked, from 0."""
    return [(action.y - 20) // 40 for action in world.done if isinstance(action, Click)]


@pytest.mark.anyio
async def test_the_button_of_a_single_click_is_held_for_a_moment() -> None:
    world = buttons("Open", "Save")
    run = Run(world, "Click Open and then double-click Save")
    await run.to_end(StepsModel())
    done = [action for action in world.done if isinstance(action, Click)]
    assert [(action.count, 0 < action.hold <= 0.05) for action in done] == [(1, True), (2, False)]


@pytest.mark.anyio
async def test_a_sentence_is_carried_out_step_by_step_and_told() -> None:
    world = buttons("Open", "Save")
    run = Run(world, "Click Open and then click Save")
    done = await run.to_end(StepsModel())
    assert done.success
    assert clicks(world) == [0, 1]
    assert [record.how for record in run.records] == ["passed", "passed"]
    assert all(decision.thought for decision in run.decisions)


@pytest.mark.anyio
async def test_words_that_no_rule_understands_stop_the_run_before_anything_is_done() -> None:
    world = buttons("Open")
    program = Program((Point("Open"), Unclear("what is that?", words="Frobnicate it")))
    done = await Run(world).to_end(StepsModel(program))
    assert not done.success
    assert "Frobnicate it" in done.text
    assert world.done == []


@pytest.mark.anyio
async def test_names_that_are_not_given_are_asked_for_before_anything_is_done() -> None:
    world = buttons("Open")
    program = Program((Point("Open"), Point("{WHERE}")), names=("WHERE",))
    done = await Run(world).to_end(StepsModel(program))
    assert not done.success
    assert "WHERE" in done.text
    assert world.done == []
    done = await Run(world).to_end(StepsModel(program, {"WHERE": "Open"}))
    assert done.success


@pytest.mark.anyio
async def test_a_step_that_fails_ends_the_run_with_its_account_and_skips_the_rest() -> None:
    world = buttons("Open", "Save")
    program = Program(
        (
            Point("Open", words="Click Open", line=1),
            Point("Delete", words="Click Delete", line=2),
            Point("Save", words="Click Save", line=3),
        )
    )
    run = Run(world)
    done = await run.to_end(StepsModel(program))
    assert not done.success
    assert done.text.startswith("Click Delete: no element named Delete")
    assert [(r.line, r.how) for r in run.records] == [(1, "passed"), (2, "failed"), (3, "skipped")]
    assert "no element named Delete" in run.records[1].account


@pytest.mark.anyio
async def test_what_was_read_is_told_at_the_end_and_can_be_used() -> None:
    world = World(
        element("Code", "entry", (10, 10, 100, 20), "editable", value="X-7"),
        element("Again", "entry", (10, 60, 100, 20), "editable", value=""),
    )
    program = Program((Read("the Code field", "CODE"), Enter("{CODE}!", "the Again field")))
    run = Run(world)
    done = await run.to_end(StepsModel(program))
    assert done == Done(True, "CODE = X-7")
    assert world.elements[1].value == "X-7!"


@pytest.mark.anyio
async def test_branches_and_repetitions_are_followed() -> None:
    world = buttons("One", "Two")
    body: tuple[Step, ...] = (
        Let("N", "1"),
        If(Shows("One"), (Point("One"),), (Point("Two"),)),
        If(Shows("Three"), (Point("One"),), (Point("Two"),)),
        Repeat((Point("One"),), times=2),
        ForEach("WHICH", (Point("{WHICH}"),), items=("Two", "One")),
        ForEach("B", (Point("{B}"),), every="the buttons", but=("Two",)),
        Check(Compare("{N}", "equals", "1")),
    )
    run = Run(world)
    done = await run.to_end(StepsModel(Program(body)))
    assert done.success, done.text
    assert clicks(world) == [0, 1, 0, 0, 1, 0, 0]
    places = [record.place for record in run.records]
    assert places[:5] == ["1", "2.then.1", "2.then", "3.otherwise.1", "3.otherwise"]


@pytest.mark.anyio
async def test_a_repetition_ends_when_its_condition_holds_and_fails_when_it_never_does() -> None:
    world = buttons("More")
    pressed: list[object] = []

    def more(w: World, _e: Element, action: object) -> None:
        pressed.append(action)
        if len(pressed) == 3:
            w.elements.append(element("The end", "label", (300, 300, 80, 20)))

    world.on("More", more)
    program = Program((Repeat((Point("More"),), until=Shows("The end")),))
    assert (await Run(world).to_end(StepsModel(program))).success
    assert len(pressed) == 3
    never = Program((Repeat((Point("More"),), times=2, until=Shows("Nothing")),))
    done = await Run(world).to_end(StepsModel(never))
    assert "after all repetitions" in done.text


# Going on after an interruption


@pytest.mark.anyio
async def test_another_process_goes_on_with_the_next_step() -> None:
    world = buttons("One", "Two", "Three")
    program = Program((Point("One"), Let("A", "1"), Point("Two"), Point("Three")))
    run = Run(world)
    first = StepsModel(program)
    for _ in range(2):
        run.carry_out(await run.step(first))
    assert clicks(world) == [0, 1]
    assert (await run.to_end(StepsModel(program))).success
    assert clicks(world) == [0, 1, 2]
    assert [r.place for r in run.records] == ["1", "2", "3", "4"]


@pytest.mark.anyio
async def test_it_goes_on_in_the_middle_of_a_repetition_with_what_it_remembered() -> None:
    world = buttons("One", "Two")
    body = (Point("{WHICH}"), Let("LAST", "{WHICH}"))
    loop = ForEach("WHICH", body, items=("One", "Two", "One"))
    program = Program((loop, Check(Compare("{LAST}", "equals", "One"))))
    run = Run(world)
    first = StepsModel(program)
    for _ in range(2):
        run.carry_out(await run.step(first))
    done = await run.to_end(StepsModel(program))
    assert done.success, done.text
    assert clicks(world) == [0, 1, 0]


@pytest.mark.anyio
@pytest.mark.parametrize("kept", ["name", "item"])
async def test_what_the_journal_hid_is_not_typed_in_place_of_a_secret(kept: str) -> None:
    world = World(element("Code", "entry", (10, 10, 100, 20), "editable", value=""))
    steps: tuple[Step, ...] = (Let("COPY", "{PIN}"), Enter("x", "Code"), Enter("{COPY}", "Code"))
    if kept == "item":
        steps = (ForEach("EACH", (Enter("x", "Code"),), items=("{PIN}", "{PIN}")),)
    program = Program(steps, names=("PIN",))
    run = Run(world)
    given = {"PIN": "hush-hush"}
    decision = await run.step(StepsModel(program, given))
    hidden = decode_decision(Redactor(given.values()).data(encode_decision(decision)))
    run.carry_out(hidden)
    done = await run.to_end(StepsModel(program, given))
    assert not done.success
    assert "is secret: it was not kept" in done.text
    assert Type("[redacted]") not in world.done


@pytest.mark.anyio
async def test_a_click_that_may_have_happened_is_not_done_twice() -> None:
    world = buttons("One", "Two")
    program = Program((Point("One", words="Click One"), Point("Two")))
    run = Run(world)
    decision = await run.step(StepsModel(program))
    run.close(decision, ())
    done = await run.to_end(StepsModel(program))
    assert not done.success
    assert "not done twice" in done.text
    assert clicks(world) == []


@pytest.mark.anyio
async def test_what_may_be_done_twice_is_simply_done_again() -> None:
    world = World(element("News", "check box", (10, 10, 14, 14), "checkable"))
    world.on("News", lambda w, e, _a: w.change("News", states=(*e.states, "checked")))
    program = Program((Tick(("News",)),))
    run = Run(world)
    decision = await run.step(StepsModel(program))
    run.close(decision, ())
    assert (await run.to_end(StepsModel(program))).success
    assert len(clicks(world)) == 1


@pytest.mark.anyio
async def test_the_state_holds_what_was_remembered_and_not_what_was_given() -> None:
    world = World(element("Password", "entry", (10, 10, 100, 20), "editable", value=""))
    program = Program((Let("A", "1"), Enter("{SECRET}", "Password")), names=("SECRET",))
    run = Run(world)
    assert (await run.to_end(StepsModel(program, {"SECRET": "hush"}))).success
    states = [read_state(decision) for decision in run.decisions]
    assert all(state and "SECRET" not in state.names for state in states)
    assert states[0] is not None
    assert states[0].names == {"A": "1"}
    assert Type("hush") in world.done


@given(
    st.lists(
        st.builds(
            Mark,
            at=st.integers(0, 99),
            branch=st.sampled_from(("", "then", "otherwise")),
            round=st.integers(0, 99),
            items=st.lists(st.text(max_size=5), max_size=3).map(tuple),
        ),
        max_size=4,
    ).map(tuple),
    st.text(max_size=9),
    st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
    st.lists(
        st.builds(
            Record,
            st.text(max_size=5),
            st.integers(0, 9),
            st.text(max_size=5),
            st.sampled_from(("passed", "failed", "skipped")),
            st.text(max_size=9),
        ),
        max_size=3,
    ).map(tuple),
)
def test_a_state_survives_the_journal(
    path: tuple[Mark, ...], words: str, names: dict[str, str], ended: tuple[Record, ...]
) -> None:
    state = State(path, 3, words, True, False, names, ended)
    wire = encode_decision(Decision(raw=state.as_raw()))
    assert read_state(decode_decision(wire)) == state
    assert read_records([wire]) == list(ended)


def test_what_is_not_a_state_is_none() -> None:
    assert read_state(Decision()) is None
    assert read_state(Decision(raw={"dialect": "steps", "state": {"path": 7}})) is None


@pytest.mark.anyio
async def test_it_says_where_something_is() -> None:
    world = buttons("One", "Two")
    picture = world.seen().picture
    assert picture is not None
    assert await StepsModel().locate(picture, "the Two button") == Place(50, 60)
    with pytest.raises(ActionFailed, match="no element named Three"):
        await StepsModel().locate(picture, "Three")


def test_it_is_opened_by_name_and_offered_where_there_is_no_key() -> None:
    model = open_model("steps")
    assert (model.name, model.dialect, model.wants_elements) == ("steps", "steps", True)
    assert any("steps" in family.examples and family.available for family in families())


@pytest.mark.anyio
async def test_a_refused_action_is_told_as_it_was_told() -> None:
    world = buttons("One")
    run = Run(world)
    model = StepsModel(Program((Point("One", words="Click One"),)))
    decision = await run.step(model)
    from carrel.errors import Refused

    run.close(decision, (Result.failed(Refused("the policy says no")),))
    done = await run.to_end(model)
    assert not done.success
    assert "the policy says no" in done.text
