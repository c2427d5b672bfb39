"""The Chrome DevTools Protocol: commands to a page of a browser, and what it tells.

```python
async with connect(computer.dial, BROWSER_PORT) as page:
    title = await page.evaluate("document.title")
```
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from carrel.browser._socket import Socket
from carrel.browser.targets import TIMEOUT, Dial, Target, list_targets, open_port
from carrel.codec import Json
from carrel.errors import ActionFailed, CarrelError, Interrupted, NotFound, ProtocolError, TimedOut
from carrel.guest.tasks import task_group

__all__ = ["Event", "Events", "ScriptError", "Session", "connect", "first_page"]

MAX_EVENTS = 4096
"""Events that wait for a listener; one that is slower than that has lost some and is told."""

# The protocol has one code for every failure of a script; these are the words for the page's.
_NAVIGATED = ("context was destroyed", "navigated or closed", "default execution context")

Choose = Callable[[tuple[Target, ...]], Target]
"""Which of the targets to talk to."""


class ScriptError(ActionFailed):
    """JavaScript threw; `context` has what it said."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something the browser told without being asked."""

    method: str
    params: dict[str, Json]


@dataclass(slots=True)
class _Pending:
    done: anyio.Event = field(default_factory=anyio.Event)
    answer: dict[str, Json] | None = None


class Events:
    """Events as they come; iterate over it, or take one with `next`."""

    def __init__(self, methods: tuple[str, ...], session: str | None) -> None:
        self._methods = methods
        self._session = session
        self._send: MemoryObjectSendStream[Event]
        self._receive: MemoryObjectReceiveStream[Event]
        self._send, self._receive = anyio.create_memory_object_stream(MAX_EVENTS)
        self._fault: CarrelError | None = None

    def __aiter__(self) -> Events:
        return self

    async def __anext__(self) -> Event:
        try:
            return await self._receive.receive()
        except anyio.EndOfStream as error:
            raise self._fault or Interrupted("the browser went away") from error

    async def next(self, *, timeout: float = TIMEOUT) -> Event:
        """The next one.

        Raises:
            TimedOut: None came in time.
            Interrupted: The browser went away.
            ProtocolError: More came than could be kept for a listener that did not listen.
        """
        try:
            with anyio.fail_after(timeout):
                return await self.__anext__()
        except TimeoutError as error:
            what = " or ".join(self._methods) or "event"
            raise TimedOut(f"no {what} within {timeout:g} s") from error

    def offer(self, event: Event, session: str | None) -> None:
        """Take an event if it is of interest."""
        if session != self._session or (self._methods and event.method not in self._methods):
            return
        try:
            self._send.send_nowait(event)
        except anyio.WouldBlock:
            self.end(ProtocolError(f"more than {MAX_EVENTS} events were not listened to"))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # Nobody listens any more.

    def end(self, fault: CarrelError) -> None:
        """Nothing more comes."""
        self._fault = self._fault or fault
        self._send.close()

    def close(self) -> None:
        """Listen no more."""
        self._send.close()
        self._receive.close()


class _Wire:
    """One WebSocket: numbers commands, and hands out answers and events."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._number = 0
        self._pending: dict[int, _Pending] = {}
        self._listeners: list[Events] = []
        self._fault: CarrelError | None = None

    async def command(
        self, session: str | None, method: str, params: Mapping[str, object], timeout: float
    ) -> dict[str, Json]:
        if self._fault is not None:
            raise Interrupted(self._fault.message)
        self._number += 1
        number, pending = self._number, _Pending()
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        self._pending[number] = pending
        try:
            with anyio.fail_after(timeout):
                await self._socket.send(json.dumps(message))
                await pending.done.wait()
        except TimeoutError as error:
            raise TimedOut(f"{method} was not answered within {timeout:g} s") from error
        finally:
            self._pending.pop(number, None)
        return _result(method, pending.answer, self._fault)

    async def read(self) -> None:
        """Read until the connection ends; whoever waits is told why."""
        try:
            while True:
                self._take(await self._socket.receive())
        except CarrelError as error:
            self.end(error)

    def _take(self, text: str) -> None:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("the browser sent what is not JSON") from error
        if not isinstance(message, dict):
            raise ProtocolError("the browser sent what is not an object")
        number, method = message.get("id"), message.get("method")
        if isinstance(number, int):
            pending = self._pending.get(number)
            if pending is not None:
                pending.answer = message
                pending.done.set()
        elif isinstance(method, str):
            self._tell(message, method)

    def _tell(self, message: dict[str, Json], method: str) -> None:
        params, session = message.get("params"), message.get("sessionId")
        event = Event(method, params if isinstance(params, dict) else {})
        for listener in self._listeners:
            listener.offer(event, session if isinstance(session, str) else None)

    def end(self, fault: CarrelError) -> None:
        self._fault = fault
        for pending in self._pending.values():
            pending.done.set()
        for listener in self._listeners:
            listener.end(fault)

    @asynccontextmanager
    async def listen(self, methods: tuple[str, ...], session: str | None) -> AsyncIterator[Events]:
        events = Events(methods, session)
        if self._fault is not None:
            events.end(self._fault)
        self._listeners.append(events)
        try:
            yield events
        finally:
            self._listeners.remove(events)
            events.close()


def _result(
    method: str, answer: dict[str, Json] | None, fault: CarrelError | None
) -> dict[str, Json]:
    if answer is None:
        why = fault.message if fault is not None else "it gave no answer"
        raise Interrupted(f"the browser went away during {method}: {why}")
    error = answer.get("error")
    if isinstance(error, dict):
        raise ActionFailed(
            f"{method}: {error.get('message', 'failed')}",
            context={"method": method, "code": error.get("code"), "data": error.get("data")},
        )
    result = answer.get("result")
    if not isinstance(result, dict):
        raise ProtocolError(f"{method} was answered without a result")
    return result


class Session:
    """A conversation with one page, or with a part of it.

    Attributes:
        target: What this talks to; None for a session within another.
        timeout: Seconds a command may take unless it is told otherwise.
    """

    def __init__(
        self, wire: _Wire, target: Target | None, timeout: float, session: str | None = None
    ) -> None:
        self.target = target
        self.timeout = timeout
        self._wire = wire
        self._session = session

    async def send(
        self,
        method: str,
        params: Mapping[str, object] | None = None,
        *,
        timeout: float | None = None,
    ) -> dict[str, Json]:
        """Send a command such as `Page.navigate` and wait for its result.

        Raises:
            ActionFailed: The browser could not carry it out; `context` has its code.
            TimedOut: It did not answer in time; the command may still take effect.
            Interrupted: It went away first.
        """
        bound = self.timeout if timeout is None else timeout
        return await self._wire.command(self._session, method, params or {}, bound)

    async def evaluate(
        self, expression: str, *, timeout: float | None = None, apart: bool = False
    ) -> Json:
        """The value of a JavaScript expression in the page, as JSON; a promise is awaited.

        Args:
            expression: What to evaluate.
            timeout: Seconds it may take.
            apart: In a world of its own: the same document, but nothing that scripts of the page
                defined or changed.

        Raises:
            ScriptError: It threw, or its value has no JSON form.
            TimedOut: It took too long.
            Interrupted: The page or the browser went away first.
        """
        params: dict[str, object] = {"expression": expression}
        params |= {"returnByValue": True, "awaitPromise": True}
        try:
            if apart:
                params["contextId"] = await self._world_apart(timeout)
            answer = await self.send("Runtime.evaluate", params, timeout=timeout)
        except ActionFailed as error:
            if any(words in error.message for words in _NAVIGATED):
                raise Interrupted("the page went away before its script ended") from error
            raise ScriptError(error.message, context=error.context) from error
        details = answer.get("exceptionDetails")
        if isinstance(details, dict):
            raise _script_error(details)
        result = answer.get("result")
        if not isinstance(result, dict):
            raise ProtocolError("Runtime.evaluate was answered without a value")
        if "unserializableValue" in result:
            raise ScriptError(f"{result['unserializableValue']} has no JSON form")
        return result.get("value")

    async def _world_apart(self, timeout: float | None) -> Json:
        tree = (await self.send("Page.getFrameTree", timeout=timeout)).get("frameTree")
        frame = tree.get("frame") if isinstance(tree, dict) else None
        if not isinstance(frame, dict):
            raise ProtocolError("Page.getFrameTree was answered without a frame")
        params = {"frameId": frame.get("id"), "worldName": "carrel"}
        made = await self.send("Page.createIsolatedWorld", params, timeout=timeout)
        return made.get("executionContextId")

    @asynccontextmanager
    async def listen(self, *methods: str) -> AsyncIterator[Events]:
        """Collect the events of these names, or all, while the block runs.

        Most are only told after their domain was enabled: `send("Page.enable")`.
        """
        async with self._wire.listen(methods, self._session) as events:
            yield events

    def within(self, session: str) -> Session:
        """The session of that id on the same connection, such as a frame's.

        The browser tells it in `Target.attachedToTarget` after `Target.setAutoAttach` with
        `flatten`, or in the answer to `Target.attachToTarget`.
        """
        return Session(self._wire, None, self.timeout, session)


def _script_error(details: dict[str, Json]) -> ScriptError:
    thrown = details.get("exception")
    said = thrown.get("description") or thrown.get("value") if isinstance(thrown, dict) else None
    text = str(said or details.get("text") or "unknown error")
    first = text.splitlines()[0] if text.splitlines() else text
    return ScriptError(f"the page's script failed: {first[:500]}", context={"thrown": text[:4000]})


def first_page(targets: tuple[Target, ...]) -> Target:
    """The tab that was used last.

    Raises:
        NotFound: The browser has no page open.
    """
    for target in targets:
        if target.kind == "page":
            return target
    raise NotFound("the browser has no page open", hint="open one: carrel do open URL")


@asynccontextmanager
async def connect(
    dial: Dial, port: int, choose: Choose | Target = first_page, *, timeout: float = TIMEOUT
) -> AsyncIterator[Session]:
    """Talk to a page of the browser whose debugging port is `port`.

    Args:
        dial: Opens a connection to a port: `computer.dial`, or `dial_tcp`.
        port: The debugging port.
        choose: Which page; without it the one used last.
        timeout: Seconds that connecting, and each command, may take.

    Raises:
        Unavailable: No browser answers there.
        NotFound: It has no such page.
        TimedOut: It did not answer in time.
        Refused: It does not let itself be talked to.
    """
    if isinstance(choose, Target):
        target = choose
    else:
        target = choose(await list_targets(dial, port, timeout=timeout))
    async with _open(dial, port, target.path, timeout) as socket, task_group() as tasks:
        wire = _Wire(socket)
        tasks.start_soon(wire.read)
        try:
            yield Session(wire, target, timeout)
        finally:
            tasks.cancel_scope.cancel()


@asynccontextmanager
async def _open(dial: Dial, port: int, path: str, timeout: float) -> AsyncIterator[Socket]:
    try:
        with anyio.fail_after(timeout):
            socket = Socket(await open_port(dial, port))
            try:
                await socket.open(f"127.0.0.1:{port}", path)
            except BaseException:
                await socket.aclose()
                raise
    except TimeoutError as error:
        raise TimedOut(f"the browser did not answer within {timeout:g} s") from error
    async with socket:
        yield socket
