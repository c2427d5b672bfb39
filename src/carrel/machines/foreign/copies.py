"""The copies of a system, in the store of the program that keeps it, under names of their own.

None of these programs puts one system in the place of another. A new one is made complete under
a name that nobody else uses before what it replaces is removed; so at every moment either that or
the new one is there, and what failed can be done again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from carrel.machines.foreign.tool import Condition

__all__ = ["Copies", "is_copy", "original"]

_KEPT = "-kept-"
_NEXT = ".next"  # no label has a dot


def is_copy(name: str) -> bool:
    """Whether a name is that of a copy, not of a machine's system."""
    return original(name) != name


def original(name: str) -> str:
    """The name of the system that a copy is of; of what is none, its own."""
    return name.removesuffix(_NEXT).partition(_KEPT)[0]


class Copies(ABC):
    """A program that can copy a system that is off, and remove one."""

    @abstractmethod
    def systems(self) -> Mapping[str, Condition]:
        """Every system it keeps."""

    @abstractmethod
    def copy(self, old: str, new: str) -> None:
        """Copy a system that is off; where that fails nothing called `new` is left."""

    @abstractmethod
    def remove(self, *names: str) -> None:
        """Remove these and nothing else; what is not there is gone already."""

    def keep(self, name: str, label: str) -> None:
        """Copy it under the label."""
        final = f"{name}{_KEPT}{label}"
        self._put(name, final, f"{final}{_NEXT}")

    def kept(self, name: str) -> tuple[str, ...]:
        """The labels of its copies."""
        return tuple(sorted(self._kept(name)))

    def drop(self, name: str, label: str) -> None:
        """Remove the copy of that label, and first what was to take its place."""
        final = f"{name}{_KEPT}{label}"
        found = self.systems()
        for each in (f"{final}{_NEXT}", final):
            if each in found:
                self.remove(each)

    def go_back(self, name: str, label: str) -> None:
        """Put a copy in its place, also where an earlier attempt has left nothing there."""
        self._put(self._kept(name)[label], name, f"{name}{_NEXT}")

    def with_copies(self, name: str) -> list[str]:
        """It and all that was copied from it, of what is there."""
        starts = (f"{name}{_KEPT}", f"{name}{_NEXT}")
        return [each for each in self.systems() if each == name or each.startswith(starts)]

    def _kept(self, name: str) -> dict[str, str]:
        """What each copy is called, by its label."""
        start, found = f"{name}{_KEPT}", dict[str, str]()
        for each in sorted(self.systems()):
            if each.startswith(start):
                # Where that which it was to replace is gone, the draft is all there is.
                label = each.removeprefix(start).removesuffix(_NEXT)
                found.setdefault(label, each)
        return found

    def _put(self, source: str, final: str, draft: str) -> None:
        if final in self.systems():
            self.remove(draft)
            self.copy(source, draft)
            self.remove(final)
            source = draft
        self.copy(source, final)
        self.remove(draft)
