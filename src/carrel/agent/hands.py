"""What the loop sees and acts with: a computer, or anything that can stand for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard

from carrel.actions import Action, EffectClass
from carrel.errors import CarrelError
from carrel.frames import Element, Frame, Window
from carrel.geometry import Box, Size
from carrel.perception.scene import Told
from carrel.policy.urls import read_url
from carrel.results import Result

if TYPE_CHECKING:
    from carrel.computer import Computer
    from carrel.testing.computer import FakeComputer

__all__ = ["ComputerHands", "Focus", "Hands", "is_computer"]

SETTLE = 2.0
"""Seconds to wait at most for the screen to come to rest after an action."""
PATIENCE = 1.0
"""Seconds to wait at most for the elements on the screen."""

_SETTLES = (EffectClass.INPUT, EffectClass.EXEC)


@dataclass(frozen=True, slots=True)
class Focus:
    """Where typed text would go, as far as the machine says."""

    app: str = ""
    title: str = ""
    host: str = ""


class Hands(Protocol):
    """Eyes and hands of a run."""

    @property
    def isolation(self) -> str:
        """What stands between the machine and its host, as in `machines.provider.Isolation`."""
        ...

    @property
    def description(self) -> Mapping[str, str]:
        """What the journal says of the machine."""
        ...

    @property
    def lacks(self) -> frozenset[str]:
        """Types of actions that cannot be carried out here."""
        ...

    @property
    def boot(self) -> str:
        """Which start of the machine this is; empty when it cannot tell a request it knows."""
        ...

    async def size(self) -> Size:
        """The size of the screen."""
        ...

    async def look(self, region: Box | None = None, unless: str | None = None) -> Frame:
        """A picture; without bytes when the screen still shows the frame `unless`."""
        ...

    async def act(self, action: Action, request: str) -> Result:
        """Carry an action out, once for each request id."""
        ...

    async def focus(self) -> Focus:
        """Which window has the keyboard."""
        ...

    async def elements(self, patience: float = PATIENCE) -> Told:
        """What is on the screen, as far as the applications say in so many seconds."""
        ...

    async def windows(self) -> tuple[Window, ...]:
        """The windows, the topmost last; none where nobody lists them."""
        ...

    async def page(self, size: Size, windows: Sequence[Window]) -> Told:
        """What the desk's own browser says of its page; nothing where none is ever asked.

        Raises:
            CarrelError: It could not be asked, or does not show the page that is on the screen.
        """
        ...


_METHODS = ("act", "screen_size", "screenshot", "windows", "elements")


def is_computer(given: object) -> TypeGuard[Computer | FakeComputer]:
    """Whether it has the methods of a `Computer`, as the double for tests does."""
    return all(callable(getattr(given, name, None)) for name in _METHODS)


class ComputerHands:
    """A real machine, or the double of one."""

    lacks: frozenset[str] = frozenset()

    def __init__(
        self, computer: Computer | FakeComputer, *, provider: str = "", settle: float = SETTLE
    ) -> None:
        self._computer = computer
        self._settle = settle
        self.isolation = computer.isolation
        described = {"name": computer.name, "provider": provider, "isolation": self.isolation}
        self.description = {key: value for key, value in described.items() if value}

    @property
    def boot(self) -> str:
        """Which start of the guest this is."""
        return self._computer.boot

    async def size(self) -> Size:
        """The size of the screen."""
        return await self._computer.screen_size()

    async def look(self, region: Box | None = None, unless: str | None = None) -> Frame:
        """A picture; without bytes when the screen still shows the frame `unless`."""
        return await self._computer.screenshot(region, unless=unless)

    async def act(self, action: Action, request: str) -> Result:
        """Carry an action out; the guest answers a repeated request id without acting again."""
        settle = self._settle if action.effect in _SETTLES else None
        return await self._computer.act(action, settle=settle, request=request)

    async def focus(self) -> Focus:
        """Which window has the keyboard."""
        windows: tuple[Window, ...] = await self._computer.windows()
        window = next((window for window in windows if window.focused), None)
        if window is None:
            return Focus()
        return Focus(window.app, window.title, _host_in_focus((await self.elements()).elements))

    async def elements(self, patience: float = PATIENCE) -> Told:
        """What is on the screen; nothing where the desktop has no accessibility."""
        try:
            return Told.by_tree(await self._computer.elements(timeout=patience))
        except CarrelError as error:
            # The picture alone is still a picture; whoever looks is told that it is all there is.
            return Told.nothing(error)

    async def windows(self) -> tuple[Window, ...]:
        """The windows; none where no window manager lists them."""
        try:
            return await self._computer.windows()
        except CarrelError:
            # Without them nothing is known to be hidden.
            return ()

    async def page(self, size: Size, windows: Sequence[Window]) -> Told:
        """What the browser of the machine says of its page."""
        from carrel.computer import Computer
        from carrel.perception.browser import browser_of

        if not isinstance(self._computer, Computer):
            return Told()
        ask = browser_of(self._computer, size, windows)
        return await ask() if ask else Told()


def _host_in_focus(elements: tuple[Element, ...]) -> str:
    """The host of the page that holds the focused element; empty when no page does."""
    by_id = {element.id: element for element in elements}
    focused = [element for element in elements if "focused" in element.states]
    # The innermost is last: parents come before their children.
    found: Element | None = focused[-1] if focused else None
    while found is not None:
        if found.role == "document web" and found.value:
            url = read_url(found.value)
            return "" if url is None else url.host or ""
        found = by_id.get(found.parent or "")
    return ""
