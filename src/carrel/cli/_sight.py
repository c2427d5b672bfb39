"""One look at a machine with everything that can be made out on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from carrel.cli._machines import choose_machine
from carrel.errors import CarrelError

if TYPE_CHECKING:
    from carrel.computer import Computer
    from carrel.frames import Source, Window
    from carrel.perception.scene import Scene

__all__ = ["Look", "look"]


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen, and the picture (PNG) it was seen on."""

    machine: str
    scene: Scene
    image: bytes


async def look(machine: str | None, within: float, pixels: bool) -> Look:
    """See a machine's screen; with `pixels` its text and its shapes are read, too."""
    from carrel.machines.lifecycle import Machines
    from carrel.perception.browser import browser_of
    from carrel.perception.scene import Told
    from carrel.perception.sight import Sight
    from carrel.perception.view import View

    machines = Machines()
    name = choose_machine(machine or None, machines.store)
    async with machines.computer(name) as computer:
        frame = await computer.screenshot()
        windows = await _windows(computer)

        async def tree() -> Told:
            return Told.by_tree(await computer.elements(timeout=within))

        telling: tuple[Source, ...] = ("tree", "browser")
        sources: tuple[Source, ...] = (*telling, "ocr", "detector") if pixels else telling
        scene = await Sight().look(
            View(frame.id, frame.size, lambda: frame.image),
            tree=tree,
            browser=browser_of(computer, frame.size, windows),
            windows=windows,
            within=within,
            sources=sources,
        )
    return Look(name, scene, frame.image)


async def _windows(computer: Computer) -> tuple[Window, ...]:
    try:
        return tuple(await computer.windows())
    except CarrelError:
        # A display without a window manager has no list of windows, and things on it all the same.
        return ()
