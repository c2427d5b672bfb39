"""Every family of models carries out a whole task; the page itself says that it happened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import talks_native as native
import talks_text as spoken
from task_desk import GOAL, SIZE, TaskDesk, button
from wired import USAGE, Driven, Person, Talk, drive

from carrel.codec import Json
from carrel.geometry import Size
from carrel.models.model import Model
from carrel.models.registry import open_model
from carrel.testing import FakeProvider, openai

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
    pytest.mark.slow,
]


@dataclass(frozen=True)
class Family:
    """One family and what of the page it can do."""

    model: str
    talk: Callable[[], Talk]
    dialect: str
    shift: bool = False
    clicks: bool = True
    notches: int = native.NOTCHES
    price: tuple[str, str, str] | None = ("0", "0", "0")
    """Of a million tokens: input, cached, output; None when it is not known."""
    parallel: bool = False
    """Whether some of its answers hold several calls, each of which leads to a picture."""

    def __str__(self) -> str:
        return f"{self.dialect}-{self.talk.__name__}"


FAMILIES = (
    Family(
        "openai:gpt-5.4", native.gpt, "openai-computer", shift=True, price=("2.50", "0.25", "15")
    ),
    Family("openai:computer-use-preview", native.preview, "openai-preview", price=("3", "3", "12")),
    Family(
        "anthropic:claude-opus-5-5",
        native.claude_toolset,
        "anthropic-toolset",
        shift=True,
        parallel=True,
        price=("4", "0.20", "20"),
    ),
    Family(
        "anthropic:claude-sonnet-4-6",
        native.claude_zooming,
        "anthropic-20251124",
        shift=True,
        parallel=True,
        price=("3", "0.30", "15"),
    ),
    Family(
        "anthropic:claude-sonnet-4-5",
        native.claude_plain,
        "anthropic-20250124",
        shift=True,
        parallel=True,
        price=("3", "0.30", "15"),
    ),
    Family(
        "gemini:gemini-2.5-computer-use-preview-10-2025",
        native.gemini_browser,
        "gemini-2.5",
        clicks=False,
        price=None,
        parallel=True,
    ),
    Family(
        "gemini:gemini-3.6-flash",
        native.gemini_desktop,
        "gemini-3",
        shift=True,
        price=None,
        parallel=True,
    ),
    Family("vllm:ByteDance-Seed/UI-TARS-1.5-7B", spoken.ui_tars_15, "ui-tars-1.5", notches=5),
    Family("vllm:bytedance-research/UI-TARS-7B-DPO", spoken.ui_tars_1, "ui-tars", notches=5),
    Family(
        "openai-compatible:ui-tars-2",
        spoken.ui_tars_2,
        "ui-tars-2",
        shift=True,
        notches=5,
        price=None,
    ),
    Family("vllm:Qwen/Qwen2.5-VL-7B-Instruct", spoken.qwen_25, "qwen2.5-vl"),
    Family("vllm:Qwen/Qwen3-VL-8B-Instruct", spoken.qwen_3, "qwen3-vl"),
    Family("vllm:Qwen/Qwen3.5-35B-A3B", spoken.qwen_35, "qwen3.5"),
    Family("vllm:Qwen/Qwen3-VL-8B-Instruct", spoken.qwen_native, "qwen3-vl"),
    Family("vllm:zai-org/GLM-4.5V", spoken.glm, "glm-v"),
    Family("vllm:xlangai/OpenCUA-32B", spoken.opencua, "opencua", shift=True),
    Family("openai-compatible:some-model", spoken.functions, "functions", shift=True, price=None),
    Family("lmstudio:some-model", spoken.functions_zoom, "functions", shift=True),
    Family("vllm:GTA1-7B+vllm:thinker", spoken.gta1, "described", clicks=False),
    Family("vllm:Hcompany/Holo1.5-7B+vllm:thinker", spoken.holo, "described", clicks=False),
)


async def check_page(desk: TaskDesk, family: Family, *, near: int = 1) -> None:
    """The page saw exactly what was asked of it."""
    least = 30 * family.notches
    clicks = {"3": 1} | ({"4": 1} if family.shift else {}) | ({"5": 2} if family.clicks else {})
    extra = {"shift4"} if family.shift else set()
    extra |= {"double5", "right6"} if family.clicks else set()
    if family.dialect == "gemini-2.5":
        clicks["8"] = 1
    # Chromium scrolls smoothly, and tells in its own time: it is there when it is there.
    state = await desk.until(
        lambda state: state["top"] >= least and bool(state["keys"]) and state["clicks"] == clicks
    )
    assert state["clicks"] == clicks
    assert sorted(state["extra"]) == sorted(extra)
    check_rest(state, family.notches, near=near)


def check_rest(state: dict[str, Any], notches: int = native.NOTCHES, *, near: int = 1) -> None:
    x, y = state["dropped"]
    assert abs(x - GOAL.x) <= near
    assert abs(y - GOAL.y) <= near
    assert state["text"] == native.TEXT
    assert state["keys"] == ["Enter"]
    # A notch scrolls by some lines; how many, Chromium decides.
    assert 30 * notches <= state["top"] <= 130 * notches


def check_run(driven: Driven, dialect: str) -> None:
    """It ended well, in the words of its own dialect, and everything is counted."""
    run = driven.run
    assert (run.status.value, run.reason, run.text) == ("succeeded", "done", "All is done.")
    assert run.dialect == dialect
    assert driven.refused == []
    assert driven.of("error") == []
    assert driven.measured == [(21, "büro")]
    asked = len(driven.seen)
    usage = run.usage
    assert (usage.input, usage.cached, usage.output) == (
        USAGE.input * asked,
        USAGE.cached * asked,
        USAGE.output * asked,
    )


def check_cost(driven: Driven, price: tuple[str, str, str] | None) -> None:
    if price is None:
        assert driven.run.cost is None
        return
    rates = [Decimal(rate) for rate in price]
    tokens = (USAGE.input, USAGE.cached, USAGE.output)
    once = sum((rate * count for rate, count in zip(rates, tokens, strict=True)), Decimal())
    assert driven.run.cost == once * len(driven.seen) / 1_000_000


def check_pictures(driven: Driven, family: Family) -> None:
    """Three pictures at most, and always three once there were that many steps."""
    counts = [len(view.pictures) for view in driven.views]
    assert min(counts) >= 1, counts
    assert max(counts) <= 3, counts
    if not family.parallel and "+" not in family.model:
        assert all(count == 3 for count in counts[5:]), counts


@pytest.mark.parametrize("family", FAMILIES, ids=str)
async def test_a_family_carries_out_the_whole_task(
    family: Family, desk: TaskDesk, tmp_path: Path
) -> None:
    person = Person()
    driven = await drive(desk, family.model, family.talk(), tmp_path, asker=person)
    check_run(driven, family.dialect)
    check_cost(driven, family.price)
    check_pictures(driven, family)
    await check_page(desk, family)


def by_marks(provider: FakeProvider) -> Model:
    options = {"dialect": "marks"}
    return open_model(
        "vllm:some-model", base_url=provider.openai_url, api_key=provider.key, options=options
    )


async def test_marks_name_what_is_on_the_page(desk: TaskDesk, tmp_path: Path) -> None:
    talk = spoken.marks()
    driven = await drive(desk, "vllm:some-model", talk, tmp_path, opened=by_marks)
    check_run(driven, "marks")
    state = await desk.until(lambda state: state["top"] > 0)
    assert state["clicks"] == {"3": 1, "14": 1, "29": 1}
    check_rest(state)


async def test_a_paid_thinker_is_paid_and_its_own_grounder_is_not(
    desk: TaskDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeProvider() as thinking:
        # The grounder's address and key are not for the thinker, which has its own.
        monkeypatch.setenv("OPENAI_BASE_URL", thinking.openai_url)
        monkeypatch.setenv("OPENAI_API_KEY", thinking.key)
        talk = spoken.gta1()
        driven = await drive(desk, "vllm:GTA1-7B+openai:gpt-5.4", talk, tmp_path, also=thinking)
        asked = len(thinking.seen)
        assert {seen.model for seen in thinking.seen} == {"gpt-5.4"}
    check_run(driven, "described")
    assert {seen.model for seen in driven.seen} == {"gpt-5.4", "GTA1-7B"}
    once = Decimal("2.50") * USAGE.input + Decimal("0.25") * USAGE.cached + 15 * USAGE.output
    assert driven.run.cost == once * asked / 1_000_000


@pytest.fixture
async def large_desk(desk: TaskDesk) -> AsyncIterator[TaskDesk]:
    await desk.resize(Size(1920, 1080))
    await desk.reset()
    yield desk
    await desk.resize(SIZE)


LARGE = [
    family
    for family in FAMILIES
    if family.talk in (native.gpt, native.claude_toolset, spoken.qwen_25, spoken.functions)
]


@pytest.mark.parametrize("family", LARGE, ids=str)
async def test_a_large_screen_is_shown_smaller_and_hit_all_the_same(
    family: Family, large_desk: TaskDesk, tmp_path: Path
) -> None:
    driven = await drive(large_desk, family.model, family.talk(), tmp_path, asker=Person())
    check_run(driven, family.dialect)
    wide, high = driven.views[-1].size
    assert (wide, high) < (1920, 1080) or family.dialect == "qwen2.5-vl"
    await check_page(large_desk, family, near=2)


CORNERS = {
    "openai:gpt-5.4": spoken.corner_gpt,
    "anthropic:claude-opus-5-5": spoken.corner_claude,
    "gemini:gemini-3.6-flash": spoken.corner_gemini,
    "vllm:Qwen/Qwen2.5-VL-7B-Instruct": spoken.corner_qwen,
}


@pytest.mark.parametrize("model", CORNERS)
async def test_the_last_pixel_of_a_large_screen_can_be_hit(
    model: str, large_desk: TaskDesk, tmp_path: Path
) -> None:
    driven = await drive(large_desk, model, CORNERS[model](), tmp_path)
    assert driven.run.status.value == "succeeded"
    assert (await large_desk.until(lambda state: state["corner"] > 0))["corner"] == 1


def checked(*, allowed: bool) -> Talk:
    """A click with a check, and after that the end."""
    see = yield None
    see = yield openai.computer_call([{"type": "screenshot"}])
    x, y = see.pixel(button(3))
    click: dict[str, Json] = {"type": "click", "button": "left", "x": x, "y": y}
    see = yield openai.computer_call([click, click], checks=[native.CHECK])
    assert ("acknowledged_safety_checks" in str(see.seen.body)) == allowed
    assert allowed or "refused" in see.words
    yield openai.text("I leave it.")


async def test_what_a_person_refuses_does_not_happen(desk: TaskDesk, tmp_path: Path) -> None:
    person = Person("deny")
    talk = checked(allowed=False)
    driven = await drive(desk, "openai:gpt-5.4", talk, tmp_path, asker=person)
    assert (driven.run.status.value, driven.refused) == ("succeeded", [])
    assert [question.kind for question in person.asked] == ["safety"]
    assert native.CHECK.message in str(person.asked[0])
    assert (await desk.state())["clicks"] == {}
    assert [act["action"]["type"] for act in driven.of("act")] == ["screenshot", "done"]


async def test_a_check_is_answered_before_anything_is_done(desk: TaskDesk, tmp_path: Path) -> None:
    person = Person()
    talk = checked(allowed=True)
    driven = await drive(desk, "openai:gpt-5.4", talk, tmp_path, asker=person)
    assert [question.kind for question in person.asked] == ["safety"]
    told = [event.kind for event in driven.events if event.kind in ("ask", "answer", "act")]
    assert told == ["act", "ask", "answer", "act", "act", "act"]
    assert (await desk.until(lambda state: bool(state["clicks"])))["clicks"] == {"3": 2}


async def test_a_check_with_nobody_to_ask_leaves_the_run_waiting(
    desk: TaskDesk, tmp_path: Path
) -> None:
    driven = await drive(desk, "openai:gpt-5.4", native.gpt(), tmp_path)
    assert driven.run.status.value == "waiting"
    assert (await desk.state())["dropped"] is None
