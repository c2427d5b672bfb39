"""The rounds of a repetition: each about one thing, which is known again before every click."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from carrel.actions import Action, Click, Move
from carrel.frames import Element
from carrel.geometry import Box, Point
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.layout.entry_rows import ENTRIES
from carrel.models.steps.layout.lineage import lineage_of
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.models.steps.program import (
    Check,
    Choose,
    Clear,
    Enter,
    ForEach,
    PickDate,
    PickTime,
    Read,
    SetValue,
    Tick,
)
from carrel.models.steps.reaching.items import Key, read_key
from carrel.models.steps.reaching.kept import TOLD, Kept
from carrel.models.steps.shown.panes import bring_into_view
from carrel.models.steps.shown.peers import Turn, peers_of
from carrel.models.steps.shown.said_rows import Said, list_of, said_by
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, kind_of

__all__ = ["Round", "Rounds"]

GOING = (0.2, 0.3, 0.5)
"""Seconds between looks for whether an entry that was worked on goes."""
PATIENT = (0.2, 0.3, 0.5, 1.0, 1.5, 2.0)
"""The same, where it is to go."""
RESTS, REST = 10, 0.2
"""Looks at a list that may still be drawn, and the seconds between them."""
LOOKS = 6
"""At something that moves, before a click on it."""
_TAKES = re.compile(
    r"\W*(?:delete|remove|discard|dismiss|trash|erase|archive|unsubscribe|[×✕✖🗑]|删除|移除|清除|"
    r"归档|作废|撤销)",
    re.IGNORECASE,
)
"""What the controls are called that take their entry off."""
_FOLDS = frozenset({"expandable", "expanded", "collapsed"})
_STAYS = (Tick, Enter, Clear, SetValue, Choose, PickDate, PickTime, Check, Read)
"""Steps that take no entry off."""


class Rounds:
    """What the rounds of one repetition have come to.

    Attributes:
        takes: What the controls are called that were seen to take their entry off.
        going: The rounds whose entry was clicked in, and has not changed so far.
    """

    def __init__(self, desk: Desk, step: ForEach, items: Sequence[str]) -> None:
        self.desk, self.step = desk, step
        self.takes: set[str] = set()
        self.going: list[Round] = []
        keys = [read_key(item) for item in items] if step.every is not None else []
        self._keys = [key for key in keys if key is not None]

    def begin(self, item: str) -> Turns[tuple[str, Round | None]]:
        """The item as a phrase for now; one that has no name is brought into sight, and kept."""
        key = read_key(item) if self.step.every is not None else None
        if key is None:
            return item, None
        others = frozenset(one.text for one in self._keys if one != key)
        one = Round(self, key, others)
        return (yield from one.begin()), one

    def end(self) -> Turns[None]:
        """See that none is left of those that were to go as the others did.

        Raises:
            Missed: One is.
        """
        late = [one for one in self.going if one.clicked in self.takes]
        for pause in PATIENT if late else ():
            yield from self.desk.again(pause, why="the last of them may still go", hidden=True)
            late = [one for one in late if one.is_left()]
            if not late:
                return
        if late:
            raise Missed(late[0].stays())


class Round(Kept):
    """One round, and the thing that it is about.

    Attributes:
        clicked: What the first click in it was on; empty before one.
    """

    def __init__(self, rounds: Rounds, key: Key, others: frozenset[str]) -> None:
        super().__init__(rounds.desk, rounds.step, key, others)
        self.rounds = rounds
        self.clicked = ""
        self._folds = False

    def before(self, actions: tuple[Action, ...]) -> Turns[tuple[Action, ...]]:
        """Actions as they are right where it is now.

        Raises:
            Missed: It is not what it was chosen for any more, or a click would be in another.
        """
        first = next((action for action in actions if isinstance(action, Click)), None)
        if first is None or self.drawn or not self.role:
            return actions
        at, shown = Point(first.x, first.y), self.desk.elements
        if any(e.box is not None and e.box.contains(at) for e in dialogs_shown(shown)):
            return actions
        if not self.box.contains(at):
            self._refuse_other(at)
            return actions
        hit = _hit(shown, at)
        # A page may move things when the pointer comes.
        yield from self.desk.attempt(Move(at.x, at.y), why=f"to {self.told}", commits=False)
        there = yield from self._at_rest(at)
        now = _hit(self.desk.elements, there)
        if hit is None or now is None or (hit.role, hit.name) != (now.role, now.name):
            what = f"“{written_on(hit)}”" if hit is not None else "what was to be clicked"
            raise Missed(f"{what} in {self.told} is not there any more; it was not clicked")
        self._remember(now)
        dx, dy = there.x - at.x, there.y - at.y
        return tuple(
            replace(a, x=a.x + dx, y=a.y + dy) if isinstance(a, Click) else a for a in actions
        )

    def _at_rest(self, at: Point) -> Turns[Point]:
        """Where a point of it is by now, once it stays there and is in sight.

        Raises:
            Missed: It does not, or it is not there.
        """
        dx, dy = at.x - self.box.x, at.y - self.box.y
        for number in range(LOOKS):
            box = self.box
            if number:
                yield from self.desk.again(REST, why=f"{self.told} moves")
            element = yield from self.now()
            if element is None and self.is_in_its_place(at):
                return at
            if element is None or self.box != box:
                continue
            there = Point(max(0, self.box.x + dx), max(0, self.box.y + dy))
            page = web_page(self.desk.elements)
            if page is None or page.box is None or page.box.contains(there):
                return there
            yield from bring_into_view(self.desk, element)
        raise Missed(f"{self.gone()}; it was not clicked")

    def _remember(self, hit: Element) -> None:
        """What is there right before the first click in it."""
        if self.listed is not None:
            return
        for peers in peers_of(self.desk, self.role):
            places = [e.box for e in peers.entries]
            if self.box in places:
                self.listed, self.number = peers, places.index(self.box)
                entry = peers.entries[self.number]
                self._folds = not _FOLDS.isdisjoint((*hit.states, *entry.states))
                self.clicked = written_on(hit) or hit.role
                return

    def _refuse_other(self, at: Point) -> None:
        """A name that every entry has is that of this one.

        Raises:
            Missed: The point is in another entry of the same list.
        """
        tree = lineage_of(tuple(self.desk.elements))
        alike = [e for e in tree.elements if e.role == self.role and kind_of(e) in ENTRIES]
        mine = [e for e in alike if e.box == self.box]
        if not mine:
            return
        lists, own = {list_of(tree, e) for e in mine}, tree.inside(mine[0])
        if any(e.id in own and e.box and e.box.contains(at) for e in tree.elements):
            # The open list of a drop-down in this entry lies over those below it.
            return
        for entry in alike:
            nested = entry.id in own or mine[0].id in tree.inside(entry)
            if nested or entry.box is None or not entry.box.contains(at):
                continue
            if list_of(tree, entry) in lists:
                said = said_by(tree, [entry])[0].full[:TOLD]
                raise Missed(f"the click would be in “{said}”, and not in {self.told}")

    def ended(self) -> Turns[None]:
        """Wait for what the round does to its entry, which a page may take a moment for.

        Raises:
            Missed: Another one went, or it stays where those before it went.
        """
        if self.listed is None or all(isinstance(inner, _STAYS) for inner in self.step.body):
            return
        takes = self.clicked in self.rounds.takes or _TAKES.match(self.clicked) is not None
        turn = yield from self._became(PATIENT if takes else GOING)
        if turn.redrawn:
            return
        if turn.others and not turn.mine and self._is_entry and (takes or turn.went):
            other = turn.others[0][:TOLD]
            raise Missed(
                f"{self.clicked} was clicked in {self.told}, which is still there, and “{other}” "
                "is not: the list changed at that moment"
            )
        if turn.mine and turn.fewer > 0:
            self.rounds.takes.add(self.clicked)
        elif not turn.mine and self.clicked in self.rounds.takes:
            raise Missed(self.stays())
        if not turn.mine:
            self.rounds.going.append(self)

    @property
    def _is_entry(self) -> bool:
        """Whether it is one of a list, and no branch of a tree, which folds others away."""
        assert self.listed is not None
        return kind_of(self.listed.entries[self.number]) in ENTRIES and not self._folds

    def stays(self) -> str:
        """That it did not go, as an account."""
        return f"{self.told} is still there after a click on {self.clicked}, though others went"

    def is_left(self) -> bool:
        """Whether it is still among what is gone through."""
        assert self.listed is not None
        return not self._turn().mine

    def _turn(self) -> Turn:
        assert self.listed is not None
        going = [one.key.text for one in self.rounds.going if one is not self]
        return self.listed.turned(self.listed.texts[self.number], self.peers(), going)

    def _became(self, pauses: Sequence[float]) -> Turns[Turn]:
        turn = Turn(False, 0, (), False, False)
        for pause in pauses:
            why = f"{self.told} may still go"
            yield from self.desk.again(pause, why=why, hidden=self.is_page)
            turn = self._turn()
            asks = not turn.mine and bool(dialogs_shown(self.desk.elements))
            if (turn.mine or (turn.others and turn.went)) and not turn.redrawn:
                yield from self._settled()
                turn = self._turn()
                if not turn.redrawn:
                    break
            if asks and pause == pauses[min(1, len(pauses) - 1)]:
                break
        return turn

    def _settled(self) -> Turns[None]:
        """Look until the list is the same twice."""
        last: list[tuple[Said, Box | None]] = []
        for _ in range(RESTS):
            yield from self.desk.again(REST, why="the others may still move", hidden=self.is_page)
            now = self.peers()
            drawn = [(said, e.box) for e, said in zip(now.entries, now.said, strict=True)]
            if drawn == last:
                return
            last = drawn


def _hit(elements: Sequence[Element], at: Point) -> Element | None:
    """What takes a click at a point: the control that is there, else whatever is."""
    here = [e for e in elements if e.box is not None and e.box.contains(at)]
    controls = [e for e in here if kind_of(e) in CONTROLS] or here
    return min(controls, key=lambda e: e.box.area if e.box else 0, default=None)
