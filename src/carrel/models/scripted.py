"""A model that answers from a list: for tests, demonstrations and exact repetitions.

`scripted:FILE` reads one decision per line of a JSON Lines file: `{"actions": [{"type": "click",
"x": 1, "y": 2}], "thought": "…"}`. Without a `done` the run ends well after the last line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from carrel.actions import Action
from carrel.decisions import Call, Decision
from carrel.errors import InvalidInput, NotFound, Unsupported
from carrel.geometry import Point
from carrel.intents import Done, decode_any
from carrel.models.context import Context
from carrel.models.model import OnText
from carrel.models.picture import Picture

__all__ = ["ScriptedModel", "read_script"]

EXAMPLE = '{"actions": [{"type": "click", "x": 1, "y": 2}]}'


class ScriptedModel:
    """Gives its decisions in order, each in the step it stands for.

    The step is counted from the context, so that a resumed run goes on where it was.

    Args:
        script: A decision, an action, or several actions for each step.
    """

    dialect = "scripted"
    wants_elements = False

    def __init__(
        self, script: Iterable[Decision | Action | Sequence[Action]], name: str = "scripted"
    ) -> None:
        self.name = name
        self._script = [_decision(number, item) for number, item in enumerate(script)]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    async def decide(self, context: Context, on_text: OnText) -> Decision:
        """The next decision of the script, or the end of it."""
        step = context.decided
        if step < len(self._script):
            decision = self._script[step]
        else:
            decision = _decision(step, Done(True, "the script is at its end"))
        if decision.text:
            on_text(decision.text)
        return decision

    async def locate(self, picture: Picture, description: str) -> Point:
        """A script does not see."""
        raise Unsupported("a script cannot say where something is")


def _decision(number: int, item: Decision | Action | Sequence[Action]) -> Decision:
    if isinstance(item, Decision):
        return item
    actions = (item,) if isinstance(item, Action) else tuple(item)
    return Decision(calls=(Call(f"step_{number}", "script", actions),))


def read_script(path: Path) -> list[Decision]:
    """Read a script file.

    Raises:
        NotFound: There is no such file.
        InvalidInput: A line is not a decision, and the message names it; or there is none.
    """
    try:
        lines = path.read_text().splitlines()
    except FileNotFoundError:
        raise NotFound(f"there is no script {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}") from error
    script: list[Decision] = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            script.append(_read_line(line, f"{path.name}:{number}", len(script)))
    if not script:
        raise InvalidInput(f"{path} holds no decision", hint=f"write lines such as {EXAMPLE}")
    return script


def _read_line(line: str, where: str, number: int) -> Decision:
    try:
        wire = json.loads(line)
    except ValueError as error:
        raise InvalidInput(f"{where}: not JSON: {error}") from None
    if not isinstance(wire, dict):
        raise InvalidInput(f"{where}: a line is an object", hint=EXAMPLE)
    unknown = sorted(set(wire) - {"actions", "thought", "text"})
    if unknown:
        raise InvalidInput(
            f"{where}: unknown field {', '.join(unknown)}", hint="known: actions, thought, text"
        )
    actions = wire.get("actions", [])
    if not isinstance(actions, list):
        raise InvalidInput(f"{where}: actions is a list")
    try:
        decoded = tuple(map(decode_any, actions))
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error.message}", hint=error.hint) from None
    call = Call(f"step_{number}", "script", decoded)
    thought, text = str(wire.get("thought", "")), str(wire.get("text", ""))
    return Decision(calls=(call,), thought=thought, text=text)
