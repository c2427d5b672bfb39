"""A thing that a repetition goes through, known again wherever it is by now."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.models.steps.program import ForEach
from carrel.models.steps.reaching.items import COMING, Key, entries_of, fitting
from carrel.models.steps.shown.panes import bring_into_view, view_box
from carrel.models.steps.shown.peers import Peers, peers_of
from carrel.models.steps.shown.said_rows import said_by
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on

__all__ = ["TOLD", "Kept"]

ALIKE = 0.5
"""Of the words of an entry, the share that it has kept where it says something else now."""
TOLD = 60
"""Characters of an entry in an account."""


class Kept:
    """One of the things that a repetition goes through.

    Attributes:
        at: Where it was when the round began, which stands for it in phrases.
        box: Where it was when it was last looked at.
        listed: What it was among right before the first click in it, and which of them it was.
    """

    def __init__(self, desk: Desk, step: ForEach, key: Key, others: frozenset[str]) -> None:
        self.desk, self.step, self.key, self._others = desk, step, key, others
        self.at, self.box = Point(0, 0), Box(0, 0, 1, 1)
        self.role = ""
        self.drawn = False
        self.listed: Peers | None = None
        self.number = 0

    @property
    def told(self) -> str:
        """It, in an account."""
        text = self.key.text
        short = text if len(text) <= TOLD else f"{text[:TOLD]}…"
        return f"“{short}”" if text else f"number {self.key.at}"

    def begin(self) -> Turns[str]:
        """Bring it into sight; a point of the screen that stands for it."""
        why = f"number {self.key.at} of {self.step.every}"
        for pause in (0.0, *COMING):
            if pause:
                yield from self.desk.again(pause, why=why)
            element = self._shown(self._seen())
            if element is None and self.is_page:
                element = yield from self._brought(why)
            if element is not None and element.box is not None:
                self._keep(element)
                self.at = element.box.center
                # What has many of its name there is that of this one.
                self.desk.worked = element.box
                return f"{self.at.x},{self.at.y}"
        if dialogs := dialogs_shown(self.desk.elements):
            over = written_on(dialogs[-1]) or dialogs[-1].role
            raise Missed(
                f"{self.told}, of {self.step.every}, cannot be reached: the dialog “{over}” is open"
            )
        raise Missed(f"{self.told}, of {self.step.every}, is not there any more")

    def _shown(self, element: Element | None) -> Element | None:
        """It, if its middle is in sight."""
        box = element.box if element is not None else None
        return element if box is not None and view_box(self.desk).contains(box.center) else None

    def _brought(self, why: str) -> Turns[Element | None]:
        """It, brought into sight from wherever it is on the page."""
        yield from self.desk.again(0, why=why, hidden=True)
        further = self._further()
        element = self._shown(self._twin(further))
        if element is None and further is not None:
            yield from bring_into_view(self.desk, further)
            yield from self.desk.again(0, why=why, hidden=True)
            element = self._shown(self._twin(self._further()))
        return element

    def now(self) -> Turns[Element | None]:
        """Look where it is; None where it is not in sight, or not to be told from others."""
        if self.drawn:
            return self._seen()
        yield from self.desk.again(0, why=f"where {self.told} is now", hidden=self.is_page)
        element = self._followed() if self.listed is not None else self._chosen()
        if element is not None:
            self._keep(element)
        return element

    @property
    def is_page(self) -> bool:
        """Whether a page is shown, of which also what is out of sight is told."""
        return web_page(self.desk.elements) is not None

    def _keep(self, element: Element) -> None:
        assert element.box is not None
        self.box, self.role = element.box, element.role
        self.drawn = element.source in ("ocr", "detector")

    def _seen(self) -> Element | None:
        """It, if it alone of all that fits in sight says so."""
        if self.is_page and self.key.same > 1:
            return None
        listed = entries_of(self.desk, self.step)
        return self._again(listed, self.desk.elements, whole=not self.is_page)

    def _further(self) -> Element | None:
        listed = fitting(self.desk, self.step, hidden=True)
        return self._again(listed, self.desk.unseen, whole=True)

    def _chosen(self) -> Element | None:
        """It as it was chosen, by two looks: one while a page is drawn mixes old and new."""
        further = self._further() if self.is_page else None
        if further is None:
            return self._seen()
        twin = self._twin(further)
        fits = twin is not None and any(e.id == twin.id for e in fitting(self.desk, self.step))
        return twin if fits else None

    def _twin(self, further: Element | None) -> Element | None:
        """What is in sight of the thing that was found on all of a page."""
        if further is None:
            return None
        tree = lineage_of(tuple(self.desk.elements))
        here = [e for e in tree.elements if (e.role, e.box) == (further.role, further.box)]
        said = said_by(Lineage(self.desk.unseen), [further])[0]
        same = zip(here, said_by(tree, here), strict=True)
        return next((e for e, one in same if one.full == said.full), None)

    def _again(
        self, listed: Sequence[Element], elements: Sequence[Element], *, whole: bool
    ) -> Element | None:
        """The one that the key was given to, of those that are left; counted only if all are."""
        key, said = self.key, said_by(lineage_of(tuple(elements)), listed)
        same = [e for e, one in zip(listed, said, strict=True) if key.text and one.tells(key.text)]
        # Of those that say the same, the ones before it may be gone by now.
        left = key.nth - (key.same - len(same))
        if same and 1 <= left <= min(key.nth, len(same)):
            return same[left - 1] if whole or key.same == 1 else None
        left = key.at - (key.of - len(listed))
        if same or not whole or not 1 <= left <= min(key.at, len(listed)):
            return None
        words, now = set(key.text.split()), said[left - 1]
        if any(now.tells(text) for text in self._others if text):
            return None
        kept = words & set(now.full.split())
        return listed[left - 1] if len(kept) >= ALIKE * len(words) else None

    def _followed(self) -> Element | None:
        """It after a click in it, whatever it says by now: it is beside those it was beside."""
        before, now = self.listed, self.peers()
        assert before is not None
        if len(now.entries) == len(before.entries) and self._is_only_change(now):
            entry: Element | None = now.entries[self.number]
        else:
            said = before.texts[self.number]
            same = [e for e, one in zip(now.entries, now.said, strict=True) if one.tells(said)]
            entry = same[0] if len(same) == 1 and before.texts.count(said) == 1 else None
        return self._twin(entry) if self.is_page else entry

    def peers(self) -> Peers:
        """What is left of the list that it was in."""
        assert self.listed is not None
        return self.listed.same_list(peers_of(self.desk, self.role))

    def _is_only_change(self, now: Peers) -> bool:
        """Whether all the others are there, in their order."""
        assert self.listed is not None
        return self.listed.without(self.number) == now.without(self.number)

    def is_in_its_place(self, at: Point) -> bool:
        """Whether something else is where it was, and no entry: a form to edit it in."""
        if self.listed is None:
            return False
        now = self.peers()
        here = any(e.box is not None and e.box.contains(at) for e in now.entries)
        return now.texts == self.listed.without(self.number) and not here

    def stands_for(self, phrase: str) -> Element | None:
        """It, where the phrase is what stands for it, and it is still where it was."""
        if phrase.strip("[] ") != f"{self.at.x},{self.at.y}":
            return None
        same = (self.role, self.box)
        return next((e for e in self.desk.elements if (e.role, e.box) == same), None)

    def found(self) -> Turns[Element | None]:
        """It, as something to work on; None where a step before has put another in its place.

        Raises:
            Missed: It is not there any more, or cannot be told from others.
        """
        element: Element | None = None
        for pause in (0.0, *COMING):
            if pause:
                yield from self.desk.again(pause, why=f"{self.told} is not there")
            element = yield from self.now()
            if element is not None or self.is_in_its_place(self.at):
                return element
        raise Missed(self.gone())

    def gone(self) -> str:
        """That it is not there, as an account."""
        if self.listed is None:
            return f"{self.told} is not there any more as {self.step.every}"
        return f"it cannot be told any more which one {self.told} is, of {self.step.every}"
