from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest
from PIL import Image, ImageDraw, ImageFont
from plays import Seeing, results

from carrel.actions import Action, Click, Move, Wait
from carrel.agent import hands
from carrel.agent.agent import Agent
from carrel.computer import ElementTree
from carrel.decisions import Call, Decision, Guard, decode_decision, encode_decision
from carrel.errors import TimedOut
from carrel.events import Event
from carrel.frames import Element, Window
from carrel.geometry import Box, Size
from carrel.intents import Done
from carrel.models.picture import Picture
from carrel.testing import FakeComputer

pytestmark = pytest.mark.anyio

SIZE = Size(400, 300)
FRAME = Element("x0", "frame", "Low", box=Box(0, 0, 190, 90))
SAVE = Element("x1", "push button", "Save", box=Box(20, 20, 80, 30), parent="x0")
BEHIND = Element("x2", "push button", "Behind", box=Box(120, 20, 60, 30), parent="x0")
WINDOWS = (Window(1, "Low", Box(0, 0, 190, 90)), Window(2, "High", Box(110, 0, 200, 90)))

Script = list[Decision | Action | tuple[Action, ...]]


class Screen(FakeComputer):
    """A computer with a text on its screen."""

    def __init__(self, *elements: Element) -> None:
        super().__init__(SIZE, elements=elements, windows=WINDOWS)

    def _draw(self) -> Image.Image:
        image = super()._draw().copy()
        draw = ImageDraw.Draw(image)
        draw.rectangle((20, 100, 220, 130), fill=(255, 255, 255))
        draw.text((30, 105), "Written here", fill=(0, 0, 0), font=ImageFont.load_default(16))
        return image

    def say(self, *elements: Element) -> None:
        self._elements = elements


class Looking(Seeing):
    """A script for a model that wants what is on its pictures."""

    wants_elements = True

    def __init__(self, script: Script, *, pixels: bool = False) -> None:
        super().__init__(script)
        self.reads_pixels = pixels

    @property
    def pictures(self) -> list[Picture]:
        """The newest picture at every decision."""
        return [context.picture for context in self.contexts if context.picture is not None]


async def play(tmp_path: Path, model: Seeing, computer: FakeComputer) -> list[Event]:
    agent = Agent(model=model, home=tmp_path, settle=0)
    with anyio.fail_after(120):
        return [event async for event in agent.run("do it", computer)]


def names(picture: Picture) -> list[str]:
    return [element.name for element in picture.elements]


async def test_pictures_have_what_the_tree_says_without_what_is_covered(tmp_path: Path) -> None:
    model = Looking([Done()])
    await play(tmp_path, model, Screen(FRAME, SAVE, BEHIND))
    assert names(model.pictures[0]) == ["Low", "Save"]


async def test_a_closer_look_reads_the_pixels_of_that_very_picture(tmp_path: Path) -> None:
    model = Looking([Click(300, 200), Done()])
    await play(tmp_path, model, Screen(FRAME, SAVE))
    first = model.pictures[0]
    assert first.closer is not None
    scene = await first.closer()
    assert scene.frame == first.id
    assert scene.left_out == ()
    texts = {element.text: element for element in scene.elements}
    assert "Written here" in texts
    assert "Save" in [element.name for element in scene.elements]
    # What is known from the tree has the id it had.
    kept = {e.name: e.id for e in first.elements}
    assert {e.name: e.id for e in scene.elements if e.name in kept} == kept
    assert await first.closer() is scene


async def test_a_model_that_reads_pixels_has_text_on_every_picture(tmp_path: Path) -> None:
    model = Looking([Click(300, 200), Done()], pixels=True)
    await play(tmp_path, model, Screen())
    assert len(model.pictures) == 2
    for picture in model.pictures:
        assert "Written here" in [element.text for element in picture.elements]
    (one, other) = [
        next(e.id for e in picture.elements if e.text == "Written here")
        for picture in model.pictures
    ]
    assert one == other


async def test_the_frame_tells_what_was_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    events = await play(tmp_path, Looking([Done()], pixels=True), Screen(SAVE))
    (frame,) = [event for event in events if event.kind == "frame"]
    left_out = frame.data["left_out"]
    assert isinstance(left_out, list)
    assert {"source": "ocr"}.items() <= dict(left_out[0]).items()  # type: ignore[call-overload]
    plain = await play(tmp_path, Looking([Done()]), Screen(SAVE))
    assert all("left_out" not in event.data for event in plain)


class Hurried(Screen):
    """A computer whose applications tell all only to those who have the patience."""

    async def elements(
        self,
        app: str | None = None,
        visible_only: bool = True,
        limit: int = 5000,
        timeout: float = 3.0,
    ) -> ElementTree:
        if timeout <= hands.PATIENCE:
            return ElementTree((SAVE,), False, (), "time")
        return await super().elements(app, visible_only, limit, timeout)


class Silent(Screen):
    """A computer whose applications do not answer."""

    async def elements(
        self,
        app: str | None = None,
        visible_only: bool = True,
        limit: int = 5000,
        timeout: float = 3.0,
    ) -> ElementTree:
        raise TimedOut("the bus does not answer")


async def test_a_tree_that_tells_nothing_or_a_part_is_said_with_the_frame(tmp_path: Path) -> None:
    late = "it was cut short: not every application answered in time"
    for screen, reason in ((Hurried(SAVE, BEHIND), late), (Silent(), "the bus does not answer")):
        model = Looking([Done()])
        events = await play(tmp_path, model, screen)
        (frame,) = [event for event in events if event.kind == "frame"]
        assert frame.data["left_out"] == [{"source": "tree", "reason": reason}]
        assert [str(one) for one in model.pictures[0].left_out] == [f"tree: {reason}"]


async def test_a_closer_look_has_more_patience_with_the_applications(tmp_path: Path) -> None:
    model = Looking([Done()])
    late = Element("x9", "push button", "Late", box=Box(20, 200, 80, 20))
    await play(tmp_path, model, Hurried(SAVE, late))
    (picture,) = model.pictures
    assert names(picture) == ["Save"]
    assert picture.closer is not None
    scene = await picture.closer()
    assert {"Save", "Late"} <= {e.name for e in scene.elements}
    assert scene.left_out == ()


async def test_elements_are_asked_for_again_though_the_pixels_are_the_same(tmp_path: Path) -> None:
    screen = Screen(SAVE)

    class Slow(Looking):
        async def decide(self, context, on_text):  # type: ignore[no-untyped-def]
            decision = await super().decide(context, on_text)
            screen.say(SAVE, Element("x9", "menu item", "Late", box=Box(20, 200, 80, 20)))
            return decision

    model = Slow([Wait(0.01), Done()])
    await play(tmp_path, model, screen)
    first, second = model.pictures
    assert first.id == second.id
    assert (names(first), names(second)) == (["Save"], ["Save", "Late"])
    assert first.view is second.view


def call(action: Action, *guards: Guard) -> Call:
    return Call(f"c{id(action)}", "click", (action,), guards=guards)


class Pointing(Looking):
    """Clicks twice at once: first anywhere, then at a place as it looked before."""

    def __init__(self, first: Action, place: Box) -> None:
        super().__init__([])
        self._first, self._place = first, place
        self._turn = 0

    async def decide(self, context, on_text):  # type: ignore[no-untyped-def]
        self.contexts.append(context)
        self._turn += 1
        if self._turn > 1:
            return Decision(calls=(call(Done()),))
        guard = Guard(context.picture.id, self._place, "mark 7")
        return Decision(calls=(call(self._first), call(Click(60, 35), guard)))


async def test_a_place_that_changed_since_it_was_chosen_is_not_clicked(tmp_path: Path) -> None:
    screen = Screen(SAVE)
    events = await play(tmp_path, Pointing(Click(60, 35), Box(50, 25, 20, 20)), screen)
    clicks = [action for action in screen.done if isinstance(action, Click)]
    assert len(clicks) == 1
    failed = results(events)[1]
    assert not failed["ok"]
    assert "mark 7 no longer shows" in str(failed["text"]) + str(failed["error"])


async def test_a_place_that_stayed_is_clicked_though_the_screen_changed(tmp_path: Path) -> None:
    screen = Screen(SAVE)
    await play(tmp_path, Pointing(Click(300, 200), Box(20, 20, 80, 30)), screen)
    assert [a for a in screen.done if isinstance(a, Click)] == [Click(300, 200), Click(60, 35)]
    still = Screen(SAVE)
    await play(tmp_path, Pointing(Move(10, 10), Box(20, 20, 80, 30)), still)
    assert Click(60, 35) in still.done


async def test_the_model_sees_the_screen_on_which_its_mark_is_stale(tmp_path: Path) -> None:
    screen = Screen(SAVE)
    model = Pointing(Click(60, 35), Box(50, 25, 20, 20))
    await play(tmp_path, model, screen)
    stale = model.contexts[-1].turns[-1].outcomes[1]
    assert "choose again" in stale.text
    assert stale.picture is not None
    assert stale.picture.id != model.pictures[0].id


def test_guards_are_written_with_the_decision() -> None:
    guarded = Decision(calls=(call(Click(1, 2), Guard("f", Box(1, 2, 3, 4), "mark 1")),))
    assert decode_decision(encode_decision(guarded)) == guarded
