"""The entries of a list at one moment, and what became of them by another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.entry_rows import is_head
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.said_rows import Said, list_of, said_by
from carrel.perception.roles import Kind, kind_of

__all__ = ["Peers", "Turn", "peers_of"]

FEW = 0.5
"""Of the others, the share that stays where one of them goes; else all of it is drawn anew."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of one of them.

    Attributes:
        mine: Whether it is gone, or says something else.
        fewer: How many there are less than before.
        others: What was said by others that are gone, or say something else.
        went: Whether one has gone for sure, and no new one come for it.
        redrawn: Whether most of them are gone, as while a list is drawn anew.
    """

    mine: bool
    fewer: int
    others: tuple[str, ...]
    went: bool
    redrawn: bool


@dataclass(frozen=True, slots=True)
class Peers:
    """Entries in their order, and what each says."""

    entries: tuple[Element, ...]
    said: tuple[Said, ...]

    @property
    def texts(self) -> list[str]:
        """What each says, without its number."""
        return [one.bare for one in self.said]

    def index(self, element: Element) -> int | None:
        """Where an element is among them; by its place, as each look numbers anew."""
        places = [(e.role, e.box) for e in self.entries]
        key = (element.role, element.box)
        return places.index(key) if key in places else None

    def without(self, at: int) -> list[str]:
        """What the others say."""
        return self.texts[:at] + self.texts[at + 1 :]

    def same_list(self, lists: Sequence[Peers]) -> Peers:
        """Of the lists of a later look, this one: it shares most with it."""
        own = Counter(self.texts)

        def shared(other: Peers) -> int:
            return sum((own & Counter(other.texts)).values())

        best = max(lists, key=shared, default=None)
        return best if best is not None and shared(best) else Peers((), ())

    def turned(self, text: str, now: Peers, going: Sequence[str] = ()) -> Turn:
        """What became of the one that said a text, while some others are about to go."""
        known = set(self.texts)
        after = Counter(one.full if one.full in known else one.bare for one in now.said)
        lost = Counter(self.texts) - after
        # Another that said the same may be what went.
        mine = lost[text] > list(going).count(text)
        gone = lost - Counter(going)
        del gone[text]
        stay = len(self.said) - sum(lost.values())
        redrawn = len(self.said) > 2 and stay < FEW * (len(self.said) - 1)
        fewer = len(self.said) - len(now.said)
        went = fewer > 0 or self._moved_up(now)
        return Turn(mine, fewer, tuple(gone.elements()), went, redrawn)

    def _moved_up(self, now: Peers) -> bool:
        """Whether one went and another came in at the end, as where only a part is drawn."""
        before, after = self.texts, now.texts
        if len(before) != len(after) or len(after) < 2 or before[-1] == after[-1]:
            return False
        return any(before[:at] + before[at + 1 :] == after[:-1] for at in range(len(before) - 1))


def peers_of(desk: Desk, role: str) -> list[Peers]:
    """The entries of a role, list by list; also out of sight on a page, as of the last look."""
    page = web_page(desk.unseen) if web_page(desk.elements) is not None else None
    listed: Iterable[Element] = desk.elements
    if page is not None:
        inside = Lineage(desk.unseen).inside(page)
        listed = [e for e in desk.unseen if e.id in inside]
    tree = Lineage(tuple(listed))
    lists: dict[str, list[Element]] = {}
    for entry in tree.elements:
        if entry.role != role or entry.box is None or not entry.box.area:
            continue
        if kind_of(entry) is not Kind.ROW or not is_head(entry, tree):
            lists.setdefault(list_of(tree, entry), []).append(entry)
    return [Peers(tuple(found), tuple(said_by(tree, found))) for found in lists.values()]
