"""Claims of absence on a screen of which not everything was told."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from carrel.agent.agent import Agent
from carrel.computer import ElementTree
from carrel.errors import CarrelError, TimedOut, Unsupported
from carrel.events import Event
from carrel.frames import Element, Source
from carrel.geometry import Box, Size
from carrel.models.steps.claims.all_seen import look_again, not_all_seen, rests_on_absence
from carrel.models.steps.desk import Desk
from carrel.models.steps.facts import Condition, Count, Every, Has, Is, Not, Only, Shows, Within
from carrel.models.steps.turns import Seen
from carrel.perception.scene import LeftOut
from carrel.testing import FakeComputer

pytestmark = pytest.mark.anyio

USABLE = ("enabled", "sensitive", "showing", "visible")
SAVE = Element("x1", "push button", "Save", box=Box(20, 60, 80, 30), states=USABLE)
ZEBRA = Element("x2", "push button", "Zebra", box=Box(20, 120, 80, 30), states=USABLE)
ALL = ElementTree((SAVE,), True, ())
LATE = TimedOut("the applications did not answer")


class Telling(FakeComputer):
    """A computer whose applications tell one thing after the other; the last one for good."""

    def __init__(self, *trees: ElementTree | CarrelError) -> None:
        super().__init__(Size(400, 300))
        self._trees = list(trees)
        self.patience: list[float] = []

    async def elements(
        self,
        app: str | None = None,
        visible_only: bool = True,
        limit: int = 5000,
        timeout: float = 3.0,
    ) -> ElementTree:
        self.patience.append(timeout)
        tree = self._trees.pop(0) if len(self._trees) > 1 else self._trees[0]
        if isinstance(tree, CarrelError):
            raise tree
        return tree


async def outcome(tmp_path: Path, words: str, computer: FakeComputer) -> tuple[bool, str]:
    """How a run ends, and what it says of it."""
    agent = Agent(model="steps", home=tmp_path, settle=0)
    with anyio.fail_after(120):
        events: list[Event] = [event async for event in agent.run(words, computer)]
    ended = events[-1].data
    return ended["status"] == "succeeded", str(ended)


def cut(why: str, *elements: Element) -> ElementTree:
    return ElementTree(elements, False, (), why)


GONE = "verify that the Zebra button is not visible"


@pytest.mark.parametrize(
    ("tree", "told"),
    [(LATE, "did not answer"), (cut("time", SAVE), "in time"), (cut("limit", SAVE), "more than")],
)
@pytest.mark.parametrize(
    "words", [GONE, "verify that there are no Zebra buttons", 'verify that "Zebra" is gone']
)
async def test_what_was_not_told_is_not_claimed_to_be_gone(
    tmp_path: Path, tree: ElementTree | CarrelError, told: str, words: str
) -> None:
    so, account = await outcome(tmp_path, words, Telling(tree))
    assert not so
    assert "not all of the screen was seen" in account
    assert told in account


@pytest.mark.parametrize("tree", [cut("time", SAVE), cut("limit", SAVE)])
async def test_what_is_seen_is_there_whatever_else_was_not_told(
    tmp_path: Path, tree: ElementTree
) -> None:
    so, account = await outcome(tmp_path, "verify that the Save button is visible", Telling(tree))
    assert so, account
    assert "doubt" not in account


async def test_a_look_that_was_too_short_is_taken_again_with_more_patience(tmp_path: Path) -> None:
    slow = Telling(LATE, ALL)
    so, account = await outcome(tmp_path, GONE, slow)
    assert so, account
    assert "doubt" not in account
    assert max(slow.patience) > slow.patience[0]


async def test_what_only_the_second_look_tells_is_not_gone(tmp_path: Path) -> None:
    slow = Telling(cut("time", SAVE), ElementTree((SAVE, ZEBRA), True, ()))
    so, account = await outcome(tmp_path, GONE, slow)
    assert not so
    assert "can be seen" in account


@pytest.mark.parametrize("tree", [Unsupported("no accessibility here"), cut("crowd", SAVE)])
async def test_what_nobody_will_ever_tell_is_in_doubt(
    tmp_path: Path, tree: ElementTree | CarrelError
) -> None:
    so, account = await outcome(tmp_path, GONE, Telling(tree))
    assert so, account
    assert "in doubt: verify that the Zebra button is not visible: not all of the screen" in account


async def test_what_was_there_is_not_gone_for_not_being_told_again(tmp_path: Path) -> None:
    there = ElementTree((SAVE, ZEBRA), True, ())
    words = "wait up to 1 second until the Zebra button disappears"
    so, account = await outcome(tmp_path, words, Telling(there, there, cut("limit", SAVE)))
    assert not so
    assert "not all of the screen was seen" in account
    so, account = await outcome(tmp_path, words, Telling(there, there, ALL))
    assert so, account


def listing(*names: str) -> tuple[Element, ...]:
    whole = Element("l0", "list", "Fruit", box=Box(10, 50, 200, 200), states=USABLE)
    items = (
        Element(f"l{n}", "list item", name, None, Box(10, 30 + 30 * n, 200, 24), USABLE, "l0")
        for n, name in enumerate(names, 1)
    )
    return (whole, *items)


ONLY = "verify that the list contains only Apple and Pear"


async def test_only_these_is_not_said_of_a_list_that_was_not_told_to_its_end(
    tmp_path: Path,
) -> None:
    two = listing("Apple", "Pear")
    so, account = await outcome(tmp_path, ONLY, Telling(ElementTree(two, True, ())))
    assert so, account
    so, account = await outcome(tmp_path, ONLY, Telling(cut("limit", *two)))
    assert not so
    assert "not all of the screen was seen" in account


async def test_all_that_was_told_and_read_leaves_no_doubt(tmp_path: Path) -> None:
    so, account = await outcome(tmp_path, GONE, Telling(ALL))
    assert so, account
    assert "doubt" not in account


async def test_a_branch_is_not_taken_for_want_of_what_was_not_told(tmp_path: Path) -> None:
    words = "if the Zebra button is visible, click Zebra, otherwise click Save"
    so, account = await outcome(tmp_path, words, Telling(cut("limit", SAVE)))
    assert not so
    assert "not all of the screen was seen" in account


@pytest.mark.parametrize("lasting", [True, False])
async def test_where_only_the_browser_is_silent_the_tree_has_told_the_page(lasting: bool) -> None:
    desk = Desk(Size(400, 300))
    silent = LeftOut("browser", "the screen has changed", lasting)
    desk.take(Seen(left_out=(silent,)))
    assert look_again(desk, Not(A)) is not lasting
    assert not_all_seen(desk, Not(A)) is None
    assert desk.doubts == ["not all of the screen was seen (browser: the screen has changed)"]


@pytest.mark.parametrize("source", ["tree", "ocr", "detector"])
async def test_where_another_is_late_nothing_can_be_told(source: Source) -> None:
    desk = Desk(Size(400, 300))
    desk.take(Seen(left_out=(LeftOut(source, "no answer within 5 s"),)))
    assert f"({source}: no answer" in (not_all_seen(desk, Not(A)) or "")
    assert desk.doubts == []


A, B = Shows("a"), Has("b", "c")


@pytest.mark.parametrize(
    ("condition", "so", "rests"),
    [
        (A, True, False),
        (A, False, True),
        (Not(A), True, True),
        (Not(Not(A)), True, False),
        (Within("the list", Not(A)), True, True),
        (Every((B, Not(A))), True, True),
        (Every((B, A)), True, False),
        (B, True, False),
        (Not(B), True, False),
        (Is("a", "visible"), False, True),
        (Is("a", "checked"), False, False),
        (Count("a", 2), True, True),
        (Count("a", 2, "least"), True, False),
        (Count("a", 2, "least"), False, True),
        (Count("a", 2, "most"), True, True),
        (Count("a", 2, "most"), False, False),
        (Only(("a", "b")), True, True),
    ],
)
def test_what_rests_on_finding_nothing(condition: Condition, so: bool, rests: bool) -> None:
    assert rests_on_absence(condition, so) is rests
