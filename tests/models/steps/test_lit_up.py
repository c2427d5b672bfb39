"""Clicks after which only what the pointer is over looks otherwise: they did nothing."""

from __future__ import annotations

from dataclasses import replace

from steps_world import World, desk_of, element, play

from carrel import codec
from carrel.actions import Action, Click, Move
from carrel.frames import Element
from carrel.models.steps.desk import UNCHANGED
from carrel.models.steps.program import Point
from carrel.models.steps.verbs.pointing import point
from carrel.results import Result

GREYED = element("4 Review", "static", (300, 40, 80, 20), parent="p", id="grey")
NEXT = element("Next", at=(500, 300, 80, 30), parent="p", id="next")


class Lit(World):
    """A page that lights up what the pointer is over, and where its browser says what that is."""

    def __init__(self, *, web: bool = True) -> None:
        role = "document web" if web else "panel"
        super().__init__(element("Form", role, (0, 0, 800, 600), id="p"), GREYED, NEXT)
        self.painted, self.alive = "|", False

    def _act(self, action: Action) -> Result:
        was, result = self.painted, super()._act(action)
        if isinstance(action, Click | Move):
            here = [e for e in (GREYED, NEXT) if e.box and _is_in(e, action)]
            self.painted = f"{here[0].id if here else ''}|{self.painted.partition('|')[2]}"
        change: codec.Json = {"pixels": int(self.painted != was), "share": 0.0, "box": None}
        known = {**result.evidence, "change": change} if self.painted != was else result.evidence
        return replace(result, evidence=known)


def _is_in(one: Element, at: Click | Move) -> bool:
    box = one.box
    return box is not None and box.x <= at.x < box.right and box.y <= at.y < box.bottom


def clicked(world: World, what: str) -> list[str]:
    desk = desk_of(world)
    play(world, point(desk, Point(what)))
    return desk.doubts


def test_a_click_that_only_lights_something_up_is_in_doubt() -> None:
    world = Lit()
    assert clicked(world, "4 Review") == [UNCHANGED]
    assert sum(isinstance(one, Click) for one in world.done) == 1


def test_a_click_that_draws_something_or_tells_of_something_is_not() -> None:
    world = Lit()

    def draw(world: World, _: Element, __: Action) -> None:
        world.painted += "a line"

    world.on("4 Review", draw)
    assert clicked(world, "4 Review") == []
    told = Lit()
    told.on("Next", lambda w, _, __: w.elements.append(element("Done", "static", parent="p")))
    assert clicked(told, "Next") == []
    assert not any(isinstance(one, Move) for one in told.done)


def test_in_programs_nobody_moves_the_pointer_for_that() -> None:
    world = Lit(web=False)
    assert clicked(world, "4 Review") == []
    assert not any(isinstance(one, Move) for one in world.done)
