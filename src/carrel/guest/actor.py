"""Carries out actions, and says what it saw of their effect."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

import anyio
from anyio import to_thread

from carrel import actions, codec
from carrel.actions import Action, EffectClass
from carrel.errors import CarrelError, TimedOut, Unsupported
from carrel.geometry import Size
from carrel.guest._unrest import Unrest
from carrel.guest.answers import Begin
from carrel.guest.clipboard import Clipboard
from carrel.guest.desk import Desk
from carrel.guest.elements import ElementReader
from carrel.guest.files import Files
from carrel.guest.keyboard import Keyboard
from carrel.guest.launch import Launcher
from carrel.guest.pointer import Pointer
from carrel.guest.processes import Processes
from carrel.guest.pulse import Pulse
from carrel.guest.screen import Screen
from carrel.guest.windows import Windows
from carrel.results import Effect, Result

__all__ = ["Actor", "Outcome"]

STILL = 0.1
"""Seconds without a changed pixel that count as settled."""

_ASKING = (actions.Cursor, actions.Elements, actions.GetClipboard, actions.Windows)
"""Observations whose questions to the display server have no bound of their own."""

BRIEF = 3.0
"""Seconds that input and watching it may take and still be carried to their end."""
BRIEF_TEXT = 1000

Evidence = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result, and the image that goes with it if it is a screenshot's."""

    result: Result
    image: bytes = b""


def _done(effect: Effect, evidence: Evidence) -> Outcome:
    """Something was done, and this was read back."""
    return Outcome(Result(True, effect, evidence=_wire(evidence)))


def _read_back(evidence: Evidence) -> Outcome:
    """Something was done, and seen to be so; or it was so before, and `why` tells that."""
    return _done(Effect.SUSPECTED_NOOP if "why" in evidence else Effect.CONFIRMED, evidence)


def _seen(data: Evidence, text: str = "") -> Outcome:
    """Something was asked for, and this is the answer, read from where it happened."""
    return Outcome(Result(True, Effect.CONFIRMED, text, _wire(data)))


def _lasting(result: Result, seconds: float) -> Result:
    """As `replace` would, at a fifth of the price: every click comes by here."""
    seen = (result.text, result.data, result.evidence, result.error, result.frame)
    return Result(result.ok, result.effect, *seen, seconds)


def _wire(values: Evidence) -> dict[str, codec.Json]:
    return cast("dict[str, codec.Json]", codec.encode(dict(values)))


def _unheard() -> None:
    """Nobody wants to know."""


def _is_brief(action: Action, settle: float) -> bool:
    """Whether input is over in a moment, so that nobody need wait for it to be cancelled."""
    if isinstance(action, actions.Drag):
        return action.seconds + settle <= BRIEF
    if isinstance(action, actions.Key):
        return action.hold * action.repeat + settle <= BRIEF
    return settle <= BRIEF and len(getattr(action, "text", "")) <= BRIEF_TEXT


class Actor:
    """One pair of hands and eyes for one desk.

    Two clients never interleave: every action that touches input holds the same lock.
    """

    def __init__(self, desk: Desk, processes: Processes, files: Files, launcher: Launcher) -> None:
        display = desk.display
        self.screen = Screen(display)
        self._keyboard = Keyboard(display)
        self._pointer = Pointer(display, self._keyboard)
        self._windows = Windows(display)
        self._pulse = Pulse(display)
        self._unrest = Unrest(display)
        self._clipboard = Clipboard(display)
        self._elements = ElementReader(desk.env)
        self._processes = processes
        self._files = files
        self._launcher = launcher
        self._input = anyio.Lock(fast_acquire=True)
        self._table = self._make_table()

    def close(self) -> None:
        """Release every key and button, and let the display go."""
        for part in (self._pointer, self._keyboard, self._clipboard, self.screen, self._pulse):
            part.close()
        self._unrest.close()
        self._windows.disconnect()

    async def watch(self) -> None:
        """See what moves by itself, for as long as this runs."""
        await self._unrest.watch()

    async def perform(
        self, action: Action, settle: float | None = None, begin: Begin = _unheard
    ) -> Outcome:
        """Do one action.

        Input of a moment is carried to its end once it has begun, also when whoever asked goes
        away: a client that died can then be told what happened.

        Args:
            action: What to do.
            settle: Watch the screen for at most this many seconds afterwards and report what
                changed; without it an input action is `unverifiable`.
            begin: Called at the moment from which the action may have an effect.
        """
        started = time.perf_counter()
        try:
            outcome = await self._perform(action, settle, begin)
        except CarrelError as error:
            outcome = Outcome(Result.failed(error))
        seconds = round(time.perf_counter() - started, 6)
        return Outcome(_lasting(outcome.result, seconds), outcome.image)

    async def _perform(self, action: Action, settle: float | None, begin: Begin) -> Outcome:
        act = self._table.get(type(action))
        if act is None:
            raise Unsupported(f"this machine cannot carry out {action.type!r}")
        if action.effect is EffectClass.INPUT or isinstance(action, _ASKING):
            await self._pulse.check()
        if action.effect is not EffectClass.INPUT:
            begin()
            do = self._acted if isinstance(action, actions.Open) else self._done
            return await do(act, action, settle)
        async with self._input:
            begin()
            with anyio.CancelScope(shield=_is_brief(action, settle or 0.0)):
                done = await self._acted(act, action, settle)
            return done  # noqa: RET504 (a scope may swallow, for all mypy knows)

    async def _acted(self, act: Act, action: Action, settle: float | None) -> Outcome:
        """Have it done; what is drawn meanwhile does not move by itself."""
        self._unrest.begin()
        try:
            return await self._done(act, action, settle)
        finally:
            self._unrest.end()

    async def _done(self, act: Act, action: Action, settle: float | None) -> Outcome:
        return await (act(action) if settle is None else self._watched(act, action, settle))

    async def _watched(self, act: Act, action: Action, settle: float) -> Outcome:
        moving = self._unrest.places()
        before = await to_thread.run_sync(self.screen.mark)
        outcome = await act(action)
        settled = True
        try:
            await self.screen.wait_stable(min(STILL, settle), settle)
        except TimedOut:
            settled = False
        change, telling = await to_thread.run_sync(self.screen.change_since, before, moving)
        result = outcome.result
        effect = result.effect
        evidence = {**result.evidence, "change": codec.encode(change), "settled": settled}
        if effect is Effect.UNVERIFIABLE:
            evidence.pop("why", None)
            if change.pixels and not telling:
                evidence["why"] = "it changed only where it was changing by itself before"
            else:
                effect = Effect.CONFIRMED if telling else Effect.SUSPECTED_NOOP
        return Outcome(replace(result, effect=effect, evidence=evidence), outcome.image)

    def _make_table(self) -> dict[type[Action], Act]:
        pointer, keyboard, windows, files = (
            self._pointer,
            self._keyboard,
            self._windows,
            self._files,
        )
        table: dict[type[Action], Act] = {
            actions.Screenshot: self._screenshot,
            actions.Screen: self._read_screen,
            actions.Cursor: self._cursor,
            actions.Elements: self._read_elements,
            actions.Windows: self._list_windows,
            actions.Wait: self._wait,
            actions.ResizeScreen: self._resize_screen,
            actions.GetClipboard: self._get_clipboard,
            actions.SetClipboard: self._set_clipboard,
            actions.Type: self._type,
            actions.Shell: self._shell,
            actions.Open: self._open,
            actions.ReadFile: self._observe(files.read_text),
            actions.ListFiles: self._observe(files.list),
            actions.StatFile: self._observe(files.stat),
            actions.WriteFile: self._change(files.write_text),
            actions.AppendFile: self._change(files.append_text),
            actions.MakeDirectory: self._change(files.make_directory),
            actions.MoveFile: self._change(files.move),
            actions.DeleteFile: self._change(files.delete),
            actions.Click: self._deliver(pointer.click),
            actions.Drag: self._deliver(pointer.drag),
            actions.MouseDown: self._press(pointer.mouse_down),
            actions.MouseUp: self._press(pointer.mouse_up),
            actions.Move: self._confirm(pointer.move),
            actions.Scroll: self._deliver(pointer.scroll),
            actions.Key: self._deliver(keyboard.key),
            actions.KeyDown: self._confirm(lambda a: keyboard.down(a.key)),
            actions.KeyUp: self._confirm(lambda a: keyboard.up(a.key)),
            actions.FocusWindow: self._confirm(windows.focus),
            actions.MoveWindow: self._confirm(windows.move),
            actions.ResizeWindow: self._confirm(windows.resize),
            actions.MinimizeWindow: self._confirm(windows.minimize),
            actions.MaximizeWindow: self._confirm(windows.maximize),
            actions.CloseWindow: self._confirm(windows.close),
        }
        return table

    def _deliver(self, method: Method) -> Act:
        """An action whose effect only the screen can show."""

        async def act(action: Action) -> Outcome:
            return _done(Effect.UNVERIFIABLE, await method(action))

        return act

    def _confirm(self, method: Method) -> Act:
        """An action that reads its effect back before it returns, or says why it had none."""

        async def act(action: Action) -> Outcome:
            return _read_back(await method(action))

        return act

    def _press(self, method: Method) -> Act:
        """A button, whose state the server tells for some buttons only."""

        async def act(action: Action) -> Outcome:
            evidence = await method(action)
            known = "down" in evidence
            return _read_back(evidence) if known else _done(Effect.UNVERIFIABLE, evidence)

        return act

    def _observe(self, method: Method) -> Act:
        async def act(action: Action) -> Outcome:
            return _seen(await method(action))

        return act

    def _change(self, method: Method) -> Act:
        """An action whose answer is what was read back of its effect."""

        async def act(action: Action) -> Outcome:
            found = _wire(await method(action))
            return Outcome(Result(True, Effect.CONFIRMED, data=found, evidence=found))

        return act

    async def _open(self, action: Action) -> Outcome:
        found = _wire(await self._launcher.open(cast("actions.Open", action)))
        if found["running"]:
            return Outcome(Result(True, Effect.CONFIRMED, data=found, evidence=found))
        evidence = {**found, "why": "it ended at once: another may have taken over, or nothing"}
        return Outcome(Result(True, Effect.UNVERIFIABLE, data=found, evidence=evidence))

    async def _screenshot(self, action: Action) -> Outcome:
        wish = cast("actions.Screenshot", action)
        frame = self.screen.glance(wish)
        if frame is None:
            frame = await to_thread.run_sync(self.screen.shoot, wish)
        data = cast("dict[str, codec.Json]", codec.encode(replace(frame, image=b"")))
        return Outcome(Result(True, Effect.CONFIRMED, data=data, frame=frame.id), frame.image)

    async def _read_screen(self, action: Action) -> Outcome:
        size = await to_thread.run_sync(self.screen.size)
        return _seen({"width": size.width, "height": size.height}, str(size))

    async def _cursor(self, action: Action) -> Outcome:
        point = self._pointer.position()
        return _seen({"x": point.x, "y": point.y}, f"{point.x}, {point.y}")

    async def _read_elements(self, action: Action) -> Outcome:
        reading = cast("actions.Elements", action)
        return _seen(await to_thread.run_sync(self._elements.read, reading))

    async def _list_windows(self, action: Action) -> Outcome:
        return _seen({"windows": self._windows.list()})

    async def _wait(self, action: Action) -> Outcome:
        wait = cast("actions.Wait", action)
        if wait.seconds is not None:
            await anyio.sleep(wait.seconds)
            return _seen({"seconds": wait.seconds})
        waited = await self.screen.wait_stable(wait.stable or 0.0, wait.timeout)
        return _seen({"seconds": round(waited, 3)})

    async def _resize_screen(self, action: Action) -> Outcome:
        wish = cast("actions.ResizeScreen", action)
        wanted = Size(wish.width, wish.height)
        size = await to_thread.run_sync(self.screen.resize, wanted)
        return _done(Effect.CONFIRMED, {"width": size.width, "height": size.height})

    async def _get_clipboard(self, action: Action) -> Outcome:
        text = await self._clipboard.get()
        return _seen({"text": text}, text)

    async def _set_clipboard(self, action: Action) -> Outcome:
        wish = cast("actions.SetClipboard", action)
        return _done(Effect.CONFIRMED, await self._clipboard.set(wish.text))

    async def _type(self, action: Action) -> Outcome:
        wish = cast("actions.Type", action)
        return _done(Effect.UNVERIFIABLE, await self._keyboard.type(wish.text))

    async def _shell(self, action: Action) -> Outcome:
        data = await self._processes.run(cast("actions.Shell", action))
        outcome = _seen(data, str(data.get("stdout", "")))
        ended = {key: outcome.result.data[key] for key in ("exit", "signal")}
        return Outcome(replace(outcome.result, evidence=ended))


Act = Callable[[Action], Awaitable[Outcome]]
# Each method takes its own action type; the table guarantees the match that mypy cannot see.
Method = Callable[..., Awaitable[Evidence]]
