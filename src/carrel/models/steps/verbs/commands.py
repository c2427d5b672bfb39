"""Commands: run on the desk, or typed into a terminal where that is said."""

from __future__ import annotations

from carrel.actions import Shell
from carrel.models.steps.desk import Desk
from carrel.models.steps.program import Run
from carrel.models.steps.reaching.places import stay_in
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.terminals import is_terminal, run_in_terminal

__all__ = ["run"]


def run(desk: Desk, step: Run) -> Turns[str | None]:
    """Run a command; what it says is remembered if it has a name."""
    if step.place is not None and is_terminal(step.place):
        printed = yield from run_in_terminal(desk, step.place, step.command)
        desk.output = printed
        if printed is None and step.name is not None:
            raise Missed(f"{step.place} does not show what {step.command!r} printed")
        return _remembered(desk, step, printed or "")
    if step.place is not None:
        yield from stay_in(desk, step.place)
    results = yield from desk.do(Shell(_unattended(step.command)), why="run it", last=True)
    data = results[0].data
    output, code = str(data.get("stdout", "")).strip(), data.get("exit")
    desk.output = output
    if code != 0:
        said = str(data.get("stderr", "")).strip()[-300:] or output[-300:]
        raise Missed(f"{step.command!r} ended with status {code}: {said}")
    return _remembered(desk, step, output)


def _unattended(command: str) -> str:
    """A command in the background keeps nothing open that would be waited for."""
    alone = command.endswith(" &") and ">" not in command
    return f"( {command[:-2]} ) >/dev/null 2>&1 &" if alone else command


def _remembered(desk: Desk, step: Run, output: str) -> str | None:
    if step.name is not None:
        desk.names[step.name] = output
        return f"{step.name} = {output[:200]}"
    return output[:200] or None
