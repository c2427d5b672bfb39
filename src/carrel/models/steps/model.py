"""The model that needs no key: it carries out plain-language steps by what can be seen."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from carrel.actions import Action, Click
from carrel.decisions import Call, Decision
from carrel.errors import ActionFailed, CarrelError, InvalidInput
from carrel.frames import Source
from carrel.geometry import Point
from carrel.intents import Done
from carrel.journal.redact import MARK
from carrel.models.context import Context, Turn
from carrel.models.model import OnText
from carrel.models.picture import Picture
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import read_file, read_sentence
from carrel.models.steps.names import unclear_steps
from carrel.models.steps.play import Player
from carrel.models.steps.program import Program, Step, Unclear
from carrel.models.steps.state import DIALECT, Mark, Record, State, read_state
from carrel.models.steps.turns import Do, Request, Seen
from carrel.models.steps.verbs import REPEATABLE
from carrel.perception.find import find
from carrel.perception.scene import LeftOut

__all__ = ["StepsModel"]

PRESSED = 0.04
"""Seconds for which the button of a click is down."""
PIXELS: tuple[Source, ...] = ("ocr", "detector")
PATIENCE = 3
"""How often more is asked after a source that was too slow."""


class StepsModel:
    """Carries out a program, or the task's own words.

    Args:
        program: What to do; None to read it from the task.
        names: What `{NAME}` in it stands for.
    """

    dialect = DIALECT
    wants_elements = True
    patient = True
    """Its waits and repetitions are bounded by what it was told: it is never stuck."""

    def __init__(
        self,
        program: Program | None = None,
        names: Mapping[str, str] | None = None,
        *,
        name: str = "steps",
    ) -> None:
        self.name = name
        self._program = program
        self._given = dict(names or {})
        self._player: Player | None = None
        self._turns: Generator[Request, Seen, None] | None = None
        self._decided = -1
        self._commits = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._turns is not None:
            self._turns.close()

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """The next actions of the program, or its end."""
        if self._turns is None or self._decided != context.decided:
            early = self._begin(context)
            if early is not None:
                return early
        assert self._player is not None
        assert self._turns is not None
        self._decided = context.decided + 1
        seen = _seen(context)
        try:
            request = self._send(seen)
            while not isinstance(request, Do):
                request = self._turns.send(await _closer(seen))
        except StopIteration:
            return self._end(context)
        return self._decision(context, request)

    def _send(self, seen: Seen) -> Request:
        assert self._turns is not None
        assert self._player is not None
        if not self._started:
            self._started = True
            self._player.desk.take(seen)
            return next(self._turns)
        return self._turns.send(seen)

    _started = False

    async def locate(self, picture: Picture, description: str) -> Point:
        """Where something is, by the same rules that the steps go by.

        Raises:
            ActionFailed: There is none, or more than one.
        """
        seen = Seen(picture, picture.elements)
        found = find(seen.elements, description, view=seen.view, size=picture.screen)
        if not found.sure:
            closer = await _closer(seen)
            found = find(closer.elements, description, view=seen.view, size=picture.screen)
        if not found.sure or found.best is None:
            raise ActionFailed(found.account())
        return found.best.point

    # Beginning, also in the middle

    def _begin(self, context: Context) -> Decision | None:
        """Read the program, or take it up where the journal says; what is in the way is told."""
        program = self._program or _read(context.task)
        unclear = unclear_steps(program.steps)
        if unclear:
            return _stop(context, "; ".join(f"{step.words!r}: {step.why}" for step in unclear))
        missing = [name for name in program.names if name not in self._given]
        if missing:
            listed = ", ".join(missing)
            return _stop(context, f"nothing is given for {listed}; give it with --set NAME=VALUE")
        if not program.steps:
            return _stop(context, "there is nothing to do in these words")
        state, turn = _last_state(context)
        hidden = _not_written(state)
        if hidden:
            return _stop(context, f"what was remembered as {hidden} is secret: it was not kept")
        desk = Desk(context.screen, {**self._given, **(state.names if state else {})})
        desk.notice = context.task if self._program is None else ""
        self._player = Player(program, desk)
        start: tuple[Mark, ...] = ()
        if state is not None and turn is not None:
            step = _step_at(program.steps, state.path)
            if step is None:
                return _stop(context, "the program is not the one this run began with")
            if _is_done(state, turn):
                start = _after(state.path)
                words = "done before the interruption; what came of it was not looked at"
                place = ".".join(map(str, state.path))
                self._player.ended.append(Record(place, state.line, state.words, "passed", words))
            elif state.commits and not isinstance(step, REPEATABLE):
                told = f"{state.words!r} was interrupted half way and is not done twice"
                return _stop(context, told)
            else:
                start = state.path
        self._started = False
        self._commits = False
        self._turns = self._fresh(self._player, start, bool(context.turns))
        return None

    def _fresh(
        self, player: Player, start: tuple[Mark, ...], resumed: bool
    ) -> Generator[Request, Seen, None]:
        """The program; with a look first where what was seen is from before."""
        if resumed:
            yield from player.desk.again(0, why="look at what is there now")
        yield from player.play(start)

    # Decisions

    def _decision(self, context: Context, request: Do) -> Decision:
        assert self._player is not None
        player = self._player
        ended = player.take_ended()
        self._commits = request.commits or (self._commits and not ended)
        given = self._given.items()
        state = State(
            path=tuple(player.path),
            line=player.step.line,
            words=player.step.words,
            commits=self._commits,
            last=request.last,
            names=dict(player.desk.names.items() - given),
            ended=ended,
        )
        actions = tuple(_as_by_hand(action) for action in request.actions)
        call = Call(f"steps_{context.decided}", DIALECT, actions)
        return Decision(
            calls=(call,), thought=request.thought, goal=player.step.words, raw=state.as_raw()
        )

    def _end(self, context: Context) -> Decision:
        assert self._player is not None
        player = self._player
        if player.account is None:
            said = player.answers or ["all steps are done"]
            text = "\n".join((*said, *(f"in doubt: {one}" for one in player.doubtful)))
            done = Done(True, text)
        else:
            failed = next((r for r in player.ended if r.how == "failed"), None)
            words = failed.words if failed else ""
            done = Done(False, f"{words}: {player.account}" if words else player.account)
        names = dict(player.desk.names.items() - self._given.items())
        return _final(context, done, State(names=names, ended=player.take_ended()))


def _as_by_hand(action: Action) -> Action:
    """A single click with the time between press and release that a hand takes at least.

    What a page gets ready when a button goes down is not there yet for a release that comes in the
    same instant. Clicks after one another are left as they are: held, they may be none.
    """
    if isinstance(action, Click) and action.count == 1 and not action.hold:
        return replace(action, hold=PRESSED)
    return action


def _read(task: str) -> Program:
    """The program in a task: a scenario, line by line, or any other words."""
    if "\n" in task.strip():
        try:
            scenarios = read_file(task)
        except InvalidInput:
            scenarios = ()  # Lines that are no steps may still be sentences.
        if len(scenarios) == 1:
            return scenarios[0]
    try:
        return read_sentence(task)
    except InvalidInput as error:  # names the place, as an account does
        return Program((Unclear(error.message, words=task),))


def _seen(context: Context) -> Seen:
    picture = context.picture
    results = context.turns[-1].outcomes[-1].results if _has_outcome(context) else ()
    if picture is None:
        return Seen(picture, (), results)
    return Seen(picture, picture.elements, results, left_out=picture.left_out)


def _has_outcome(context: Context) -> bool:
    return bool(context.turns and context.turns[-1].outcomes)


async def _closer(seen: Seen) -> Seen:
    """The same picture, with its pixels read as far as anything here can."""
    closer = getattr(seen.picture, "closer", None)
    if closer is None:
        return replace(seen, closer=True)
    try:
        scene = await closer()
        for _ in range(PATIENCE):
            late = [item for item in scene.left_out if not item.lasting]
            if not any(item.source in PIXELS for item in late):
                break
            # What came too late may be read by now; to act on less would be a guess.
            scene = await closer()
    except CarrelError as error:
        unread = tuple(LeftOut(source, error.message) for source in PIXELS)
        return replace(seen, closer=True, left_out=(*seen.left_out, *unread))
    return replace(
        seen, elements=scene.elements or seen.elements, closer=True, left_out=scene.left_out
    )


def _final(context: Context, done: Done, state: State) -> Decision:
    call = Call(f"steps_{context.decided}", DIALECT, (done,))
    return Decision(calls=(call,), thought=done.text, raw=state.as_raw())


def _stop(context: Context, account: str) -> Decision:
    """End without doing anything."""
    return _final(context, Done(False, account), State())


# What the journal says


def _last_state(context: Context) -> tuple[State | None, Turn | None]:
    for turn in reversed(context.turns):
        if turn.decision is not None:
            state = read_state(turn.decision)
            if state is not None:
                return state, turn
    return None, None


def _not_written(state: State | None) -> str:
    """What a journal knows only that there was, for it holds a secret: to type that is no use."""
    if state is None:
        return ""
    hidden = [name for name, value in state.names.items() if MARK in value]
    if any(MARK in item for mark in state.path for item in mark.items):
        hidden.append("one of the items")
    return ", ".join(hidden)


def _is_done(state: State, turn: Turn) -> bool:
    """Whether the step's last actions were all carried out."""
    return state.last and bool(turn.outcomes) and all(outcome.ok for outcome in turn.outcomes)


def _step_at(steps: tuple[Step, ...], path: tuple[Mark, ...]) -> Step | None:
    """The step a path leads to; None where the program has no such place."""
    step: Step | None = None
    for mark in path:
        if mark.at >= len(steps):
            return None
        step = steps[mark.at]
        inner = mark.branch or "body"
        found = getattr(step, inner, ())
        steps = found if isinstance(found, tuple) else ()
    return step


def _after(path: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """The place after a step: the next of its block, which may be past the end of it."""
    last = path[-1]
    return (*path[:-1], Mark(last.at + 1))
