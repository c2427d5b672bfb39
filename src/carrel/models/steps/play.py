"""Going through a program: one step after the other, branches, repetitions, and their records."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from carrel.frames import Element
from carrel.models.steps.afforded import as_the_screen_tells, by_names, by_the_screen
from carrel.models.steps.claims.all_seen import not_all_seen, rests_on_absence
from carrel.models.steps.claims.complaints import complaint
from carrel.models.steps.claims.conditions import absent, holds
from carrel.models.steps.claims.told_counts import is_never_told
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.windowed import is_not_running
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.language import read_afresh
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.models.steps.names import fill_condition, fill_step
from carrel.models.steps.phrases.place_words import read_place
from carrel.models.steps.phrases.programs import bare
from carrel.models.steps.program import (
    Check,
    Choose,
    Compute,
    Condition,
    Enter,
    Find,
    ForEach,
    If,
    Let,
    Open,
    Perform,
    Point,
    Program,
    Read,
    Repeat,
    Run,
    SetValue,
    Shows,
    Step,
    Submit,
    SwitchTo,
    Tick,
    Wait,
    WindowOpen,
    Within,
    Worded,
)
from carrel.models.steps.reaching.items import things
from carrel.models.steps.reaching.places import stay_in
from carrel.models.steps.reaching.rounds import Rounds
from carrel.models.steps.state import How, Mark, Record
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs import verb_of
from carrel.models.steps.verbs.called_alike import called_alike
from carrel.models.steps.verbs.gathering import gather
from carrel.models.steps.verbs.launching import open_
from carrel.models.steps.verbs.only_offer import is_told_by_names
from carrel.models.steps.verbs.owing import fills, presses
from carrel.models.steps.verbs.plain_named import by_plain_text
from carrel.models.steps.verbs.row_menus import by_row_menu
from carrel.models.steps.verbs.row_words import by_row_words
from carrel.models.steps.verbs.seat_maps import take_places
from carrel.models.steps.verbs.several_meant import each_meant
from carrel.models.steps.verbs.whereabouts import goes_into
from carrel.models.steps.verbs.whole_deeds import wholly_by_words
from carrel.perception.roles import Kind, kind_of

__all__ = ["Player"]

MOST_ROUNDS = 1000
COMING = (0.3, 0.5)
"""Seconds between looks for what decides a branch, and is not there at first."""
_BOUNDED = (Check, Wait, Read, Compute, If, Repeat, Run)
"""Steps that look themselves at what is in their place, and nowhere else."""
_POINTS_BACK = re.compile(
    r"\b(?:its?|their|there)\b|它的?|其(?![他它余中])|该|这[条个张项]", re.IGNORECASE
)
"""Words for what was spoken of before."""
_TAKEN = re.compile(r"(?:please\s+)?(?:take|get)\s", re.IGNORECASE)
_CLAIMS = (Check, Wait)
"""Steps that only tell what is so."""
_LOOKS = (Run, Check, Wait, Read, Compute, Let)
"""Steps after which the output of a command is still the last that happened."""


@dataclass
class Player:
    """One program on one desk.

    Attributes:
        path: Where it is.
        ended: The steps that ended since somebody last took them.
        account: Why it failed; None while it has not.
        answers: What was read on the way, for the last word.
        doubtful: The steps that passed in doubt, each with the reason.
    """

    program: Program
    desk: Desk
    path: list[Mark] = field(default_factory=list)
    ended: list[Record] = field(default_factory=list)
    account: str | None = None
    answers: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    step: Step = field(default_factory=Step)
    _alone: bool = True
    """Whether the words of the step under way are of no other step beside it."""
    _begun: tuple[int, int] = (-1, -1)
    """The line under way, and what had been done on the desk before it."""
    _through: bool = False
    """Whether all of that line was carried out, in another reading of it."""
    _in_vain: list[Step] = field(default_factory=list)
    """What found nothing for the step under way, on the screen as it is."""

    def play(self, start: tuple[Mark, ...] = ()) -> Turns[None]:
        """Everything from a place on; a failed step ends it, and the rest is skipped."""
        try:
            yield from self._block(self.program.steps, start)
        except Missed as missed:
            self.account = missed.account

    def take_ended(self) -> tuple[Record, ...]:
        """The records since the last time."""
        taken = tuple(self.ended)
        self.ended.clear()
        return taken

    def _block(self, steps: Sequence[Step], start: tuple[Mark, ...]) -> Turns[None]:
        first = start[0].at if start else 0
        for at in range(first, len(steps)):
            resumed = start if at == first else ()
            self.path.append(resumed[0] if resumed else Mark(at))
            self.desk.ahead = tuple(steps[at + 1 :])
            self._alone = [step.words for step in steps].count(steps[at].words) == 1
            if self._is_through(steps[at], bool(start)):
                self._record(steps[at], "passed", "in other words", time.monotonic())
                self.path.pop()
                continue
            try:
                yield from self._one(steps[at], resumed[1:], bool(resumed[1:]))
                yield from self._make_owed(steps[at + 1 :])
            except Missed:
                self._skip(steps[at + 1 :], at + 1)
                raise
            finally:
                self.path.pop()

    def _make_owed(self, rest: Sequence[Step]) -> Turns[None]:
        """Do what the fields were filled for, unless they are still filled or a step says how."""
        owed = self.desk.owed
        if owed is None or (rest and (fills(rest[0]) or rest[0] is self.desk.held_for)):
            return
        self.desk.owed = None
        if not rest or not presses(rest[0]):
            yield from self._one(owed, (), False)

    def _one(self, step: Step, inner: tuple[Mark, ...], resumed: bool) -> Turns[None]:
        self.step, self.desk.step = step, _words(step)
        self.desk.said = step.said if isinstance(step, Perform) else ""
        self.desk.asked = step.words if _asks_for_control(step) else ""
        self.desk.doubts.clear()
        started, before, alone = time.monotonic(), self.desk.commits, self._alone
        shown = self.desk.elements
        self._in_vain = [_unworded(step)]
        try:
            told = yield from self._carry_out(step, inner, resumed)
        except Missed as missed:
            told = None
            if resumed:
                otherwise = False
            elif self.desk.commits != before:
                otherwise = yield from self._set_again(step)
            else:
                otherwise = yield from self._otherwise(step, alone)
            if not otherwise:
                self._record(step, "failed", missed.account, started)
                raise
        self._heed_complaint(step, shown, before, started)
        if told:
            self.answers.append(told)
        self._record(step, "passed", told or "", started)

    def _heed_complaint(
        self, step: Step, shown: Sequence[Element], before: int, started: float
    ) -> None:
        """See that what was sent was taken, unless the next step looks at what came of it.

        A click that was asked for is done, whatever the page says of it: that is told as a doubt.

        Raises:
            Missed: The page says what is missing.
        """
        ahead = self.desk.ahead[0] if self.desk.ahead else None
        if not isinstance(step, Perform | Submit | Point) or self.desk.commits == before:
            return
        if isinstance(ahead, _BOUNDED) or not (text := complaint(shown, self.desk.elements)):
            return
        account = f"the page says: “{text}”"
        if isinstance(step, Point) or (ahead is not None and fills(ahead)):
            self.desk.doubt(account)
            return
        self._record(step, "failed", account, started)
        raise Missed(account)

    def _otherwise(self, step: Step, alone: bool) -> Turns[bool]:
        """Whether a step that found nothing is carried out in another way that it may be meant."""
        if (each := each_meant(self.desk, step)) is not None:
            yield from self._carry_out(each, (), False)
            return True
        if _acts(step) and (yield from take_places(self.desk, step)):
            return True
        if step.place is not None and _POINTS_BACK.search(step.words):
            # "its priority": what was opened may be shown anywhere by now, and be called otherwise.
            before = self.desk.commits
            try:
                yield from self._carry_out(replace(step, place=None), (), False)
            except Missed:
                if self.desk.commits != before:
                    raise
            else:
                return True
        if alone and (yield from self._afresh(step.words, step.line, (step,))):
            return True
        if alone and (yield from self._by_other_names(step)):
            return True
        if (yield from self._line_afresh(step)):
            return True
        if (yield from self._line_by_names(step)):
            return True
        if not alone:
            return (yield from self._set_again(step))
        return (yield from self._by_the_screen(step))

    def _by_other_names(self, step: Step) -> Turns[bool]:
        """Whether what is called a little otherwise, or is a part of an entry, is what is meant."""
        if (called := called_alike(self.desk, step)) is not None:
            yield from self._carry_out(called, (), False)
            return True
        if step.place is None and (yield from by_plain_text(self.desk, step)):
            return True
        if not _acts(step) or isinstance(step, SetValue | Enter | Choose | Tick):
            return _acts(step) and (yield from by_row_menu(self.desk, step.words))
        if (yield from by_row_menu(self.desk, step.words)):
            return True
        return (yield from by_row_words(self.desk, step.words))

    def _set_again(self, step: Step) -> Turns[bool]:
        """Whether a step that was begun, and only gives things values, gives them all by name.

        What has its value already is left as it is: nothing is done twice by that. Steps that
        share their words are gone through together, when the last of them has its turn.
        """
        together = any(one.words == step.words for one in self.desk.ahead)
        if together or not _acts(step):
            return False
        return (yield from by_names(self.desk, step.words, only_values=True))

    def _by_the_screen(self, step: Step) -> Turns[bool]:
        """Whether what is on the screen accounts for all the words of a step that acts.

        Raises:
            Missed: It does, and it was begun with in vain.
        """
        if not _acts(step):
            return False
        told = isinstance(step, Open | Tick | Worded | Read)
        if told and (yield from wholly_by_words(self.desk, step)):
            return True
        if isinstance(step, Worded):
            return (yield from as_the_screen_tells(self.desk, step.words))
        for way in (by_the_screen, by_names):
            committed = self.desk.commits
            try:
                if (yield from way(self.desk, step.words)):
                    return True
            except Missed:
                if self.desk.commits != committed:
                    raise
        return False

    def _line_by_names(self, step: Step) -> Turns[bool]:
        """Whether all of a line, of which nothing was done, is carried out by the names it says.

        Raises:
            Missed: It was begun so, and not all of it was there.
        """
        said = self._untouched(step)
        ours = [one for one in self.program.steps if one.line == step.line]
        if said is None or not all(map(_acts, ours)):
            return False
        unread = any(isinstance(one, Worded) for one in ours)
        self._through = yield from by_names(self.desk, said, unread=unread)
        return self._through

    def _untouched(self, step: Step) -> str | None:
        """The words of the line that a step is of, where nothing was done for it yet."""
        said = dict(self.program.told).get(step.line, "")
        untouched = self._begun == (step.line, self.desk.commits)
        return said if said and untouched and len(self.path) == 1 else None

    def _is_through(self, step: Step, resumed: bool) -> bool:
        """Whether a step belongs to a line that was carried out in another reading."""
        if len(self.path) > 1:
            return False
        if self._begun[0] != step.line:
            self._begun, self._through = (step.line, -1 if resumed else self.desk.commits), False
        return self._through

    def _line_afresh(self, step: Step) -> Turns[bool]:
        """Whether the whole line, read in another way, is carried out; nothing was done for it."""
        said = self._untouched(step)
        if said is None or (self._alone and said.strip() == step.words.strip()):
            return False
        steps = tuple(one for one in self.program.steps if one.line == step.line)
        self._through = yield from self._afresh(said, step.line, steps)
        return self._through

    def _afresh(self, words: str, line: int, before: Sequence[Step]) -> Turns[bool]:
        """Whether words, read in another way, are carried out; nothing was done for them yet.

        Raises:
            Missed: Another reading was begun and failed half way.
        """
        for steps in read_afresh(words, line):
            if _looks(steps) < _looks(before) or _only_looks(steps) is not _only_looks(before):
                # Nothing is done to make a claim true, and nothing done by finding it so.
                continue
            if steps and _unworded(steps[0]) in self._in_vain:
                # It would be looked for, and missed, just as before.
                continue
            committed = self.desk.commits
            self.path[-1] = Mark(self.path[-1].at)
            one: Step = steps[0] if steps else Step()
            try:
                for one in steps:
                    told = yield from self._carry_out(one, (), False)
                    if told:
                        self.answers.append(told)
            except Missed:
                if self.desk.commits != committed:
                    raise
                if one is steps[0]:
                    self._in_vain.append(_unworded(one))
            else:
                return True
        return False

    def _carry_out(self, step: Step, inner: tuple[Mark, ...], resumed: bool) -> Turns[str | None]:
        if not isinstance(step, Repeat):
            step = goes_into(self.desk, fill_step(step, self.desk.names))
        if step.place is not None and not isinstance(step, _BOUNDED):
            self.desk.place = None
            # Where a thing is looked for may be all that is shown, and have no name there.
            if not isinstance(step, Find) or is_there(look_for(self.desk, wished(step.place))):
                yield from self._stay_in(step, step.place)
                self._leave_if_elsewhere(step)
        if isinstance(step, If):
            yield from self._if(step, inner)
        elif isinstance(step, Repeat):
            yield from self._repeat(step, inner, resumed)
        elif isinstance(step, ForEach):
            yield from self._for_each(step, inner, resumed)
        elif isinstance(step, Worded):
            # What it means is looked for where nothing of a name was found, too.
            raise Missed(f"{step.why}; nothing on the screen accounts for all of its words")
        else:
            verb = verb_of(step)
            if verb is None:
                raise Missed(f"no rule carries this out: {_words(step)}")
            if not isinstance(step, _LOOKS):
                self.desk.output = None
                desk = self.desk
                desk.before_last, desk.earlier = desk.earlier, desk.elements
            written = self.desk.written
            try:
                return (yield from verb(self.desk, step))
            finally:
                self.desk.place = None
                self.desk.kept = self.desk.written is not written
                self.desk.came_up = isinstance(step, Open)
        return None

    def _leave_if_elsewhere(self, step: Step) -> None:
        """Leave a place that only a pronoun tells, where the thing is not in it but beside it.

        What was opened is shown in a pane of its own, and "its access" is there.
        """
        what = getattr(step, "what", None) or getattr(step, "into", None)
        if not isinstance(what, str) or not _POINTS_BACK.search(step.words):
            return
        place, wish = self.desk.place, wished(what)
        if place is None or is_there(look_for(self.desk, wish)):
            return
        self.desk.place = None
        match = resolve(self.desk, look_for(self.desk, wish))
        if match is None or kind_of(match.element) is Kind.COLUMN:
            self.desk.place = place

    def _stay_in(self, step: Step, place: str) -> Turns[None]:
        """Stay in a place; over a tab that was named before a dialog may lie, which comes next.

        A program that is named, and is not there, is started: what is done in it is done there.
        Where nothing is called so, boxes to tick may be told by their names alone.
        """
        before = self.desk.commits
        if (yield from is_not_running(self.desk, place)):
            yield from open_(self.desk, Open(bare(place)))
        try:
            yield from stay_in(self.desk, place)
        except Missed:
            if self.desk.commits == before and is_told_by_names(self.desk, step):
                self.desk.doubt(f"nothing is called {place!r}")
                return
            over = any("modal" in e.states for e in dialogs_shown(self.desk.elements))
            if not over or read_place(place).sort != "tab":
                raise

    def _if(self, step: If, inner: tuple[Mark, ...]) -> Turns[None]:
        branch = self.path[-1].branch
        if not branch:
            condition = _there(step, step.condition)
            so = yield from self._comes_to_be(condition)
            missing = absent(self.desk, condition) if not so else None
            if not so and missing is None and rests_on_absence(condition, so=False):
                missing = not_all_seen(self.desk, condition)
            if missing is not None:
                # Of what is not there nobody knows whether it is so.
                raise Missed(missing)
            branch = "then" if so else "otherwise"
        self.path[-1] = replace(self.path[-1], branch=branch)
        steps = step.then if branch == "then" else step.otherwise
        yield from self._block(_placed(steps, step.place), inner)

    def _comes_to_be(self, condition: Condition) -> Turns[bool]:
        """Whether it is so; what the step before brings up may take a moment to be seen."""
        so, _ = yield from holds(self.desk, condition, closer=True)
        for pause in COMING if isinstance(condition, Shows | WindowOpen) else ():
            if so:
                break
            yield from self.desk.again(pause, why="it may still come up")
            so, _ = yield from holds(self.desk, condition, closer=True)
        return so

    def _repeat(self, step: Repeat, inner: tuple[Mark, ...], resumed: bool) -> Turns[None]:
        first, body = self.path[-1].round, _placed(step.body, step.place)
        until = _there(step, step.until) if step.until is not None else None
        for number in range(first, step.times if step.times is not None else MOST_ROUNDS):
            again = resumed and number == first
            if until is not None and not again:
                so, told = yield from self._holds(until, closer=number > 0)
                if so:
                    return
                if is_never_told(until, told):
                    # Without end it would go on, whatever the number is by now.
                    raise Missed(f"no number can be read there to go on until: {told}")
            self.path[-1] = replace(self.path[-1], round=number)
            yield from self._block(body, inner if again else ())
        if until is None:
            return
        so, told = yield from self._holds(until, closer=True)
        if not so:
            raise Missed(f"after all repetitions it is still not so: {told}")

    def _holds(self, condition: Condition, *, closer: bool) -> Turns[tuple[bool, str]]:
        """Names in it may have changed since the round before."""
        filled = fill_condition(condition, self.desk.names)
        return (yield from holds(self.desk, filled, closer=closer))

    def _for_each(self, step: ForEach, inner: tuple[Mark, ...], resumed: bool) -> Turns[None]:
        items = self.path[-1].items or step.items
        if not items and not resumed and (yield from gather(self.desk, step)):
            return
        if not items and step.every is not None:
            items = yield from things(self.desk, step)
        first, body = self.path[-1].round, _placed(step.body, step.place)
        rounds, outer = Rounds(self.desk, step, items), self.desk.about
        for number in range(first, len(items)):
            self.path[-1] = replace(self.path[-1], round=number, items=items)
            if step.place is not None and step.every is not None and self.desk.place is None:
                # The round before left it.
                yield from stay_in(self.desk, step.place)
            item, about = yield from rounds.begin(items[number])
            self.desk.names[step.name] = item
            try:
                self.desk.about = about
                yield from self._block(body, inner if resumed and number == first else ())
            finally:
                self.desk.about = outer
            if about is not None:
                yield from about.ended()
        yield from rounds.end()
        self.desk.listed = {}

    def _record(self, step: Step, how: How, account: str, started: float) -> None:
        seconds = round(time.monotonic() - started, 3)
        place = ".".join(map(str, self.path))
        doubt = "; ".join(self.desk.doubts) if how == "passed" else ""
        self.desk.doubts.clear()
        record = Record(place, step.line, _words(step), how, account, seconds, doubt)
        self.ended.append(record)
        if doubt:
            self.doubtful.append(f"{_words(step)}: {doubt}")

    def _skip(self, steps: Sequence[Step], at: int) -> None:
        outer = [str(mark) for mark in self.path[:-1]]
        for number, step in enumerate(steps, at + 1):
            place = ".".join([*outer, str(number)])
            self.ended.append(Record(place, step.line, _words(step), "skipped"))


def _acts(step: Step) -> bool:
    """Whether it is to do something; "take the free one at ten" does, though it may be read."""
    if isinstance(step, Read) and _TAKEN.match(step.words):
        return True
    return not isinstance(step, (*_BOUNDED, Let, Find, ForEach))


def _asks_for_control(step: Step) -> bool:
    """Whether all it wants is that one control is used: its words may tell which, together."""
    if isinstance(step, Point):
        return step.how == "click" and step.times == 1 and not step.held
    if isinstance(step, Choose):
        return len(step.options) == 1 and not step.path
    return isinstance(step, Open | Perform | SwitchTo) or (isinstance(step, Tick) and step.on)


def _there(step: Step, condition: Condition) -> Condition:
    """With the place that is said of the whole."""
    return condition if step.place is None else Within(step.place, condition)


def _placed(steps: tuple[Step, ...], place: str | None) -> tuple[Step, ...]:
    """Steps in a place that is said of all of them."""
    if place is None:
        return steps
    return tuple(step if step.place is not None else replace(step, place=place) for step in steps)


def _unworded(step: Step) -> Step:
    """What it asks for, however it was said."""
    return replace(step, words="")


def _words(step: Step) -> str:
    return step.words or type(step).__name__


def _looks(steps: Sequence[Step]) -> int:
    """How many of the steps only look."""
    return sum(isinstance(step, _CLAIMS) for step in steps)


def _only_looks(steps: Sequence[Step]) -> bool:
    return _looks(steps) == len(steps)
