"""How a verb speaks to the run: it asks for actions or a closer look, and is told what is seen.

A verb is a generator: it yields a `Request`, is sent the `Seen` that followed, and ends when its
step is done, or raises `Missed`. So verbs nest with `yield from`, and need no machine to be tested.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from carrel.actions import Action
from carrel.frames import Element
from carrel.results import Result

if TYPE_CHECKING:
    from carrel.models.picture import Picture
    from carrel.perception.scene import LeftOut
    from carrel.perception.view import View

__all__ = ["Closer", "Do", "Missed", "Request", "Seen", "Turns"]


@dataclass(frozen=True, slots=True)
class Do:
    """Carry these out, in order, and look.

    Attributes:
        thought: Why, for the journal.
        commits: Whether it has an effect that repeating it would have twice.
        last: Whether the step is done with it, but for a look at what came of it.
    """

    actions: tuple[Action, ...]
    thought: str = ""
    commits: bool = True
    last: bool = False


@dataclass(frozen=True, slots=True)
class Closer:
    """Read the pixels of this picture too; nothing is done."""


Request: TypeAlias = Do | Closer


@dataclass(frozen=True, slots=True)
class Seen:
    """What is on the screen now.

    Attributes:
        picture: None before the first look.
        results: Of the actions that were just carried out.
        closer: Whether the pixels were read too.
        left_out: Who did not tell all there is on the screen: what is not among the elements may
            be there all the same.
    """

    picture: Picture | None = None
    elements: tuple[Element, ...] = ()
    results: tuple[Result, ...] = ()
    closer: bool = False
    left_out: tuple[LeftOut, ...] = field(default=())

    @property
    def view(self) -> View | None:
        """The pixels, decoded when first asked for."""
        picture = self.picture
        return None if picture is None or picture.region is not None else picture.view


T = TypeVar("T")
Turns: TypeAlias = Generator[Request, Seen, T]
"""A verb, or a part of one, that comes to a `T`."""


class Missed(Exception):
    """A step could not be done.

    Attributes:
        account: Exactly what was looked for or expected, what is there, and what was tried.
    """

    def __init__(self, account: str) -> None:
        super().__init__(account)
        self.account = account
