"""What the model is shown of a run: the last turns whole, the ones before in a line each.

The cost of a step must not grow with the run: turns, pictures and the summary are all bounded.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from carrel.actions import Action, Click, Drag, Move, Screenshot, Scroll
from carrel.decisions import Decision
from carrel.geometry import Size
from carrel.journal.words import in_words
from carrel.models.context import Context, Options, Outcome, ToolSpec, Turn
from carrel.models.picture import Picture

__all__ = ["History"]

KEEP_PICTURES = 3
KEEP_TURNS = 40
FOLD = 20
"""Turns put into the summary at a time: rarely, because each time a provider's cache is lost."""
SUMMARY_LINES = 60
NOTE_LINES = 40
LINE = 300


class History:
    """The memory of one run, as the next request will tell it."""

    def __init__(
        self,
        task: str,
        screen: Size,
        *,
        instructions: str = "",
        tools: tuple[ToolSpec, ...] = (),
        actions: frozenset[str] | None = None,
        options: Options | None = None,
        keep_pictures: int = KEEP_PICTURES,
    ) -> None:
        self._base = Context(
            task,
            screen,
            instructions=instructions,
            tools=tools,
            actions=actions,
            options=options or Options(),
        )
        self._keep_pictures = max(1, keep_pictures)
        self._first: Picture | None = None
        self._turns: list[Turn] = []
        self._folded = 0
        self._decided = 0
        self._lines: deque[str] = deque(maxlen=SUMMARY_LINES)
        self._notes: deque[str] = deque(maxlen=NOTE_LINES)

    def begin(self, picture: Picture) -> None:
        """Show the screen before the first turn."""
        self._first = picture

    def add(self, turn: Turn) -> None:
        """Add a finished turn."""
        self._turns.append(turn)
        if len(self._turns) >= KEEP_TURNS + FOLD:
            self._fold(FOLD)
        self._forget_pictures()

    def close(self, decision: Decision, outcomes: tuple[Outcome, ...]) -> None:
        """A decision is dealt with; one that said nothing is only counted."""
        self._decided += 1
        if not decision.is_empty:
            self.add(Turn(decision, outcomes))

    def say(self, text: str) -> None:
        """Add what the person, or the runtime, says to the model."""
        if not self._turns:
            self.add(Turn(None, (), (text,)))
            return
        last = self._turns[-1]
        self._turns[-1] = replace(last, said=(*last.said, text))

    def note(self, text: str) -> None:
        """Keep something for the rest of the run."""
        self._notes.append(_short(text))

    def context(self) -> Context:
        """Everything the model is told now."""
        return replace(
            self._base,
            turns=tuple(self._turns),
            first=self._first,
            summary=self._summary(),
            decided=self._decided,
        )

    def _summary(self) -> str:
        parts: list[str] = []
        if self._folded:
            left_out = self._folded - len(self._lines)
            lines = [f"({left_out} steps before that are left out)"] if left_out else []
            parts.append("Earlier steps:\n" + "\n".join((*lines, *self._lines)))
        if self._notes:
            parts.append("Your notes:\n" + "\n".join(f"- {note}" for note in self._notes))
        return "\n\n".join(parts)

    def _fold(self, count: int) -> None:
        for turn in self._turns[:count]:
            self._folded += 1
            self._lines.append(_short(f"{self._folded}. {_line(turn)}"))
        del self._turns[:count]

    def _forget_pictures(self) -> None:
        """Keep the newest pictures only; a turn that loses its own keeps its words."""
        left = self._keep_pictures
        for number in range(len(self._turns) - 1, -1, -1):
            turn = self._turns[number]
            held = sum(outcome.picture is not None for outcome in turn.outcomes)
            if held > left:
                self._turns[number] = replace(turn, outcomes=_last_pictures(turn.outcomes, left))
            left = max(0, left - held)
        if not left:
            self._first = None


def _last_pictures(outcomes: tuple[Outcome, ...], keep: int) -> tuple[Outcome, ...]:
    kept: list[Outcome] = []
    for outcome in reversed(outcomes):
        if outcome.picture is not None and keep <= 0:
            outcome = replace(outcome, picture=None)  # noqa: PLW2901
        keep -= outcome.picture is not None
        kept.append(outcome)
    return tuple(reversed(kept))


def _line(turn: Turn) -> str:
    if turn.decision is None:
        return f"the person said: {' '.join(turn.said)}"
    parts = []
    for call, outcome in zip(turn.decision.calls, turn.outcomes, strict=True):
        did = ", ".join(map(_gist, call.actions)) or f"a call of {call.name or 'nothing'}"
        parts.append(did if outcome.ok else f"{did} ({outcome.text or 'not done'})")
    said = f"; the person said: {' '.join(turn.said)}" if turn.said else ""
    return ("; ".join(parts) or turn.decision.text or "nothing") + said


def _gist(action: Action) -> str:
    """What was done; not where, because the model counts in pixels of its own."""
    placed = isinstance(action, Click | Move | Drag | Scroll | Screenshot)
    return action.type if placed else in_words(action)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LINE else f"{text[: LINE - 1]}…"
