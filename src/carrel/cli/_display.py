"""What is seen of a run while it goes on: live, plain, JSON lines, or nothing."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, Protocol

import click

from carrel.cli._output import Output, clean, one_line
from carrel.codec import Json, encode
from carrel.events import Event

if TYPE_CHECKING:
    from carrel.cli._person import Console

__all__ = ["DISPLAYS", "Display", "choose_display"]

Mode = Literal["full", "plain", "json", "none"]
DISPLAYS: tuple[Mode, ...] = ("full", "plain", "json", "none")


class Display(Protocol):
    """Sees a run."""

    def event(self, event: Event) -> None:
        """Something happened."""
        ...

    def text(self, piece: str) -> None:
        """A piece of the model's words arrived."""
        ...

    def tick(self) -> None:
        """Time passed."""
        ...

    def clear(self) -> None:
        """Make room for other words."""
        ...


def choose_display(out: Output, mode: Mode | None, console: Console | None = None) -> Display:
    """The display that fits where the words go, unless the person says which."""
    if mode is None:
        mode = "json" if out.json else "full" if sys.stderr.isatty() else "plain"
    if mode == "json":
        return _Json(out)
    if mode == "none":
        return _Nothing()
    return _Words(console, live=mode == "full")


class _Nothing:
    def event(self, event: Event) -> None:
        pass

    def text(self, piece: str) -> None:
        pass

    def tick(self) -> None:
        pass

    def clear(self) -> None:
        pass


class _Json(_Nothing):
    """Every event as a line."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def event(self, event: Event) -> None:
        try:
            self._out.json_line(encode(event))
        except BrokenPipeError:
            # Whoever read has gone; the run goes on, and its journal has everything.
            self.event = super().event  # type: ignore[method-assign]


class _Words:
    """A line for everything that happened, and below, live, what is going on."""

    def __init__(self, console: Console | None = None, *, live: bool) -> None:
        self._console = console
        self._held: list[str] = []
        self._live = live
        self._began = time.monotonic()
        self._step = 0
        self._doing = "looking"
        self._cost: Decimal | None = Decimal(0)
        self._speaking = False

    def event(self, event: Event) -> None:
        step = event.data.get("step")
        self._step = step if isinstance(step, int) else self._step
        teller = _TELLERS.get(event.kind)
        self._held += teller(self, event.data) if teller else []
        self.tick()

    def text(self, piece: str) -> None:
        """Words of the model, as they come."""
        if self._is_covered:
            return  # the decision that follows holds them all
        if not self._speaking:
            self.clear()
        self._speaking = True
        click.echo(clean(piece), nl=False, err=True)

    @property
    def _is_covered(self) -> bool:
        """Whether a question stands where we would write."""
        return self._console is not None and self._console.is_asking

    def tick(self) -> None:
        if self._is_covered:
            return
        held, self._held = self._held, []
        if held:
            self.clear()
        for line in held:
            click.echo(clean(line), err=True)
        if not self._live or self._speaking:
            return
        spent = "cost unknown" if self._cost is None else f"${self._cost:.4f}"
        seconds = time.monotonic() - self._began
        text = f"step {self._step} · {self._doing} · {spent} · {seconds:.0f} s"
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"\r\x1b[K{clean(one_line(text, width))}", nl=False, err=True)

    def clear(self) -> None:
        if self._speaking:
            click.echo("", err=True)
            self._speaking = False
        elif self._live:
            click.echo("\r\x1b[K", nl=False, err=True)

    # What each event looks like

    def decision(self, data: Data) -> list[str]:
        decision = data.get("decision")
        cost = data.get("cost")
        if cost is None:
            self._cost = None
        elif self._cost is not None and isinstance(cost, str):
            self._cost += Decimal(cost)
        said = [] if not isinstance(decision, dict) or self._speaking else _said(decision)
        return [f"{self._step:3}  {one_line(text, 300)}" for text in said]

    def act(self, data: Data) -> list[str]:
        self._doing = str(data.get("words"))
        return [f"{self._step:3}  {self._doing}"]

    def result(self, data: Data) -> list[str]:
        self._doing = "thinking"
        result = data.get("result")
        if not isinstance(result, dict):
            return []
        if result.get("ok"):
            seen = result.get("evidence")
            why = seen.get("why") if isinstance(seen, dict) else None
            noop = result.get("effect") == "suspected_noop"
            return [f"     {why or 'the screen did not change'}"] if noop else []
        return [f"     ! {one_line(str(result.get('text', 'it did not work')), 300)}"]

    def error(self, data: Data) -> list[str]:
        wait = data.get("wait")
        again = f"; again in {wait:.0f} s" if isinstance(wait, int | float) else ""
        return [f"     ! {one_line(str(data.get('message')), 300)}{again}"]

    def status(self, data: Data) -> list[str]:
        self._doing = str(data.get("status"))
        if data.get("status") in ("paused", "waiting"):
            return [f"     {data['status']}: {one_line(str(data.get('reason', '')), 300)}"]
        return []

    def spoken(self, data: Data) -> list[str]:
        return [f"     {data.get('role')}: {one_line(str(data.get('text')), 300)}"]

    def stuck(self, data: Data) -> list[str]:
        return [f"     stuck: {data.get('repeats')} times the same ({data.get('rung')})"]


Data = Mapping[str, Json]


def _said(decision: dict[str, Json]) -> list[str]:
    return [str(decision[key]) for key in ("thought", "text") if decision.get(key)]


_TELLERS: dict[str, Callable[[_Words, Data], list[str]]] = {
    "decision": _Words.decision,
    "act": _Words.act,
    "result": _Words.result,
    "error": _Words.error,
    "run.status": _Words.status,
    "text": _Words.spoken,
    "stuck": _Words.stuck,
}
