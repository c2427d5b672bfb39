"""Carrying out an action that passed the gate: by the machine, a tool or the runtime."""

from __future__ import annotations

from carrel.actions import ACTIONS, Action, Screenshot
from carrel.agent.parts import Parts
from carrel.agent.past import Past, Request
from carrel.errors import CarrelError, Interrupted, InvalidInput, MachineLost, Unsupported
from carrel.intents import CallTool, Done, Note
from carrel.results import Effect, Result

__all__ = ["do", "why_lost"]

LOOK = "it may have happened: look before you repeat it"


async def do(parts: Parts, action: Action, request: Request, *, again: bool) -> Result:
    """Do it once; what went wrong is in the result.

    Args:
        parts: Of the run.
        action: What to do.
        request: Under which it is sent to the machine.
        again: It may have been done already, before the run's process ended. The machine is asked
            under the same request, and answers without acting twice; where it cannot know, nothing
            is done and the model is told to look.

    Raises:
        MachineLost: There is no machine any more.
        Interrupted: It may or may not have happened.
    """
    if isinstance(action, Done):
        return Result(True, Effect.CONFIRMED, action.text)
    if isinstance(action, Note):
        parts.history.note(action.text)
        return Result(True, Effect.CONFIRMED, "noted")
    if isinstance(action, CallTool):
        if again:
            raise Interrupted("the run was interrupted during this call", hint=LOOK)
        return await _call_tool(parts, action)
    if isinstance(action, Screenshot):
        # The look that follows every call is the screenshot.
        return Result(True, Effect.CONFIRMED, "the screenshot is attached")
    try:
        if again and (not request.boot or request.boot != parts.hands.boot):
            raise Interrupted("the run was interrupted during this action", hint=LOOK)  # noqa: TRY301
        return await _act(parts, action, request.id)
    except (MachineLost, Interrupted):
        raise
    except CarrelError as error:
        if again and isinstance(error, InvalidInput):
            # The machine may know the request in another form: then it was carried out in that.
            raise Interrupted(error.message, hint=LOOK) from error
        return Result.failed(error)


async def _call_tool(parts: Parts, action: CallTool) -> Result:
    try:
        if parts.secrets.references(action):
            filled = parts.secrets.resolve(action, await parts.hands.focus())
            assert isinstance(filled, CallTool)
            action = filled
    except CarrelError as error:
        return Result.failed(error)
    return await parts.toolbox.call(action.name, action.arguments)


async def _act(parts: Parts, action: Action, request: str) -> Result:
    if action.type in parts.hands.lacks:
        raise Unsupported(f"this computer cannot carry out {action.type!r}")
    if parts.secrets.references(action):
        action = parts.secrets.resolve(action, await parts.hands.focus())
    return await parts.hands.act(action, request)


def why_lost(parts: Parts, past: Past, action: Action, *, again: bool) -> Interrupted | None:
    """Why an action from before a restart cannot be taken up; None for any other."""
    if not past.knows(action):
        told = "the run was interrupted, and this action held what is never written down"
        return Interrupted(told, hint=LOOK if again else "decide it again")
    denied = parts.gate.forbids(action) if again and action.type in ACTIONS else None
    if denied is not None:
        told = f"the run was interrupted during this action, and by now {denied}"
        return Interrupted(told, hint=LOOK)
    return None
