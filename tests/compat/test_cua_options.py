"""Options of the constructor, and the model that is watched."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.compat.cua.options import Budget, Trajectories, generation
from carrel.compat.cua.watched import WatchedModel
from carrel.decisions import Decision
from carrel.errors import CarrelError, InvalidInput, ModelError, Unsupported
from carrel.geometry import Point, Size
from carrel.models.context import Context, Options
from carrel.models.picture import Picture
from carrel.models.scripted import ScriptedModel


@pytest.mark.parametrize(
    ("given_options", "options"),
    [
        ({}, Options()),
        ({"max_tokens": 5}, Options(max_tokens=5)),
        ({"max_completion_tokens": 6}, Options(max_tokens=6)),
        ({"max_output_tokens": 7, "max_tokens": None}, Options(max_tokens=7)),
        ({"temperature": 1}, Options(temperature=1.0)),
        ({"reasoning_effort": "high"}, Options(reasoning="high")),
        ({"reasoning": {"effort": "low", "summary": "auto"}}, Options(reasoning="low")),
    ],
)
def test_what_a_model_can_be_told(given_options: dict[str, object], options: Options) -> None:
    assert generation(given_options) == options


def test_what_would_be_left_out_is_refused() -> None:
    with pytest.raises(Unsupported, match="seed, top_k") as caught:
        generation({"top_k": 1, "seed": 2, "temperature": 0})
    assert "temperature" in str(caught.value.hint)


def test_a_budget_of_each_run_begins_anew() -> None:
    budget = Budget.of(2.5)
    assert budget is not None
    budget.spent += Decimal(2)
    assert budget.left == Decimal("2.5")


def test_a_budget_of_all_runs_is_used_up() -> None:
    budget = Budget.of({"max_budget": 1, "reset_after_each_run": False, "raise_error": True})
    assert budget is not None
    assert budget.raises
    budget.spent += Decimal("0.4")
    assert budget.left == Decimal("0.6")
    budget.spent += 1
    assert budget.left == 0
    assert Budget.of(None) is None


@given(
    st.one_of(
        st.none(),
        st.floats(),
        st.integers(),
        st.booleans(),
        st.text(max_size=5),
        st.dictionaries(st.sampled_from(["max_budget", "raise_error", "x"]), st.floats()),
    )
)
def test_a_budget_is_an_amount_or_an_error(given_budget: object) -> None:
    try:
        budget = Budget.of(given_budget)  # type: ignore[arg-type]
    except CarrelError:
        return
    assert budget is None or budget.left >= 0


def test_trajectories_are_written_where_they_are_wanted() -> None:
    assert Trajectories.of(None) is None
    assert Trajectories.of("") is None
    assert Trajectories.of("here") == Trajectories(Path("here"))
    assert Trajectories.of(Path("here")) == Trajectories(Path("here"))
    given_dict = {"trajectory_dir": "here", "reset_on_run": False, "screenshot_dir": "there"}
    assert Trajectories.of(given_dict) == Trajectories(Path("here"), False, Path("there"))
    with pytest.raises(InvalidInput, match="reset_on_start"):
        Trajectories.of({"trajectory_dir": "here", "reset_on_start": True})


class Flaky(ScriptedModel):
    """Fails as often as it is told to before it answers."""

    def __init__(self, failures: int) -> None:
        super().__init__([])
        self.failures = failures
        self.asked = 0

    async def decide(self, context: Context, on_text: object) -> Decision:  # type: ignore[override]
        self.asked += 1
        if self.failures:
            self.failures -= 1
            raise ModelError("busy", retryable=True)
        return Decision(text="here")

    async def locate(self, picture: Picture, description: str) -> Point:
        return Point(1, 2)


class Told:
    def __init__(self) -> None:
        self.before = 0
        self.after: list[Decision] = []

    async def on_before(self) -> None:
        self.before += 1

    async def on_after(self, decision: Decision) -> None:
        self.after.append(decision)


def watched(model: Flaky, retries: int) -> tuple[WatchedModel, Told]:
    told = Told()
    return WatchedModel(model, retries, told.on_before, told.on_after), told


CONTEXT = Context("task", Size(10, 10))


@pytest.mark.anyio
async def test_a_request_that_is_repeated_is_announced_once() -> None:
    model, told = watched(Flaky(2), 3)
    async with model:
        for _ in range(2):
            with pytest.raises(ModelError) as caught:
                await model.decide(CONTEXT, print)
            assert caught.value.retryable
        decision = await model.decide(CONTEXT, print)
    assert told.before == 1
    assert told.after == [decision]
    await model.decide(CONTEXT, print)
    assert told.before == 2


@pytest.mark.anyio
@pytest.mark.parametrize("retries", [0, 1, 2])
async def test_the_last_retry_is_the_last(retries: int) -> None:
    model, told = watched(Flaky(9), retries)
    for attempt in range(retries + 1):
        with pytest.raises(ModelError) as caught:
            await model.decide(CONTEXT, print)
        assert caught.value.retryable == (attempt < retries)
    assert told.after == []


@pytest.mark.anyio
async def test_a_watched_model_is_the_model_it_watches() -> None:
    inner = Flaky(0)
    model, _ = watched(inner, 0)
    assert (model.name, model.dialect) == (inner.name, inner.dialect)
    picture = Picture("p", Size(4, 4), lambda: b"")
    assert await model.locate(picture, "it") == Point(1, 2)
