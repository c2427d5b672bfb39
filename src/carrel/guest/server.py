"""The guest's side of the stream: requests in, answers out."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
from anyio import to_thread
from anyio.abc import ByteStream

from carrel import codec
from carrel.actions import ACTIONS, EffectClass, Open, decode_action
from carrel.errors import CarrelError, Interrupted, InvalidInput, Unsupported, WrongState
from carrel.guest.actor import Actor
from carrel.guest.answers import Act, Answers, Begin, check_request_id
from carrel.guest.desk import Desk
from carrel.guest.egress import Egress
from carrel.guest.files import Files
from carrel.guest.launch import Launcher
from carrel.guest.processes import Processes
from carrel.guest.syncing import Syncing
from carrel.guest.tasks import task_group
from carrel.guest.tunnels import Tunnels
from carrel.ids import new_id
from carrel.results import Result
from carrel.stream import Connection, Stream

__all__ = ["VERSION", "Guest"]

VERSION = 1
"""Of the requests below; a client refuses a guest that speaks another."""

INLINE_RESULT = 128 * 1024
MAX_REQUEST = 128 * 1024 * 1024

DESK_WAIT, FURNITURE_WAIT = 30.0, 5.0
"""Seconds an action waits for a desk that is still coming up, and a program for its furniture."""

_RESULTS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

logger = logging.getLogger(__name__)

Args = dict[str, codec.Json]
Op = Callable[[Stream, Args], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Act:
    action: object
    settle: float | None = None

    def __post_init__(self) -> None:
        if self.settle is not None and not 0 <= self.settle <= 60:
            raise InvalidInput("settle must be between 0 and 60 seconds")


class Guest:
    """What runs inside one machine, shared by every connection to it."""

    def __init__(self, desk: Desk, home: Path) -> None:
        self._desk = desk
        self._started = time.time()
        self._answers = Answers()
        self._egress = Egress()
        self._processes = Processes(self._environment, str(home))
        self._files = Files(str(home))
        self._syncing = Syncing(self._files.path)
        self._launcher = Launcher(self._environment, str(home))
        self._tunnels = Tunnels()
        self._actor: Actor | None = None
        self._ready = anyio.Event()
        self._stop = anyio.Event()
        self._cause = "stopped"
        self._furnished = anyio.Event()
        # A client that sees another boot id knows that this guest has forgotten its requests.
        self._hello = {"carrel": VERSION, "side": "guest", "boot": new_id("boot")}
        self._ops = self._make_ops()

    def _environment(self) -> dict[str, str]:
        env = {**os.environ, **self._desk.environment(), **self._egress.env()}
        # The guest's own packages are not for the programs it starts.
        env.pop("PYTHONPATH", None)
        return env

    async def run(self) -> str:
        """Bring the desk up and keep it until it dies or is told to stop; say which."""
        async with task_group() as tasks:
            await tasks.start(self._egress.serve)
            await self._desk.start()
            try:
                self._actor = Actor(self._desk, self._processes, self._files, self._launcher)
                self._ready.set()
                tasks.start_soon(self._watch_desk)
                tasks.start_soon(self._actor.watch)
                tasks.start_soon(self._furnish)
                await self._stop.wait()
            finally:
                # Also when we are cancelled: the desk's programs are not ours alone to forget.
                with anyio.CancelScope(shield=True):
                    await self._clear_away()
            tasks.cancel_scope.cancel()
        return self._cause

    async def _clear_away(self) -> None:
        self._stop.set()
        if self._actor is not None:
            self._actor.close()
        await self._processes.close()
        if self._desk.options.display is None:
            # On a display of somebody else's, what was opened is theirs to keep.
            await self._launcher.close()
        await self._desk.stop()

    async def _furnish(self) -> None:
        """Wait for the window manager and the rest; a desk without them still works."""
        try:
            await self._desk.ready()
        except CarrelError as error:
            logger.warning("the desk is not complete: %s", error)
            self._desk.missing.append(error.message)
        self._furnished.set()

    async def _watch_desk(self) -> None:
        cause = await self._desk.wait_died()
        # A desk that is being stopped dies too, and that is not why we end.
        if not self._stop.is_set():
            self._cause = cause
            self._stop.set()

    def request_stop(self) -> None:
        """End `run` soon."""
        self._stop.set()

    async def serve(self, transport: ByteStream) -> None:
        """Answer one client until it goes away."""

        async def handle(stream: Stream) -> None:
            await self._handle(stream, connection)

        connection = Connection(transport, initiator=False, handler=handle, hello=self._hello)
        async with connection:
            await connection.wait_closed()

    async def _handle(self, stream: Stream, connection: Connection) -> None:
        """Answer one request; an error raised here reaches the client as it is."""
        name, args = stream.header.get("op"), stream.header.get("args", {})
        check_request_id(stream.header.get("id"))
        if not isinstance(args, dict):
            raise InvalidInput("args must be an object")
        if name == "egress.attach":
            _take_nothing(name, args)
            await self._attach(stream, connection)
            return
        op = self._ops.get(name) if isinstance(name, str) else None
        if op is None:
            known = ", ".join([*self._ops, "egress.attach"])
            raise Unsupported(
                f"this guest has no operation {str(name)[:40]!r}", hint=f"it has {known}"
            )
        await op(stream, args)

    def _make_ops(self) -> dict[str, Op]:
        return {
            "info": self._info,
            "act": self._act,
            "exec": partial(self._live, self._exec),
            "process.start": partial(self._once, self._start_process),
            "process.list": partial(self._reply, self._processes.list),
            "process.read": self._processes.read,
            "process.kill": partial(self._once, self._processes.kill),
            "file.read": self._files.read,
            "file.write": partial(self._once_with_body, self._files.write),
            "tree.get": self._files.tree_get,
            "tree.put": partial(self._once_with_body, self._files.tree_put),
            "sync.list": self._syncing.list,
            "sync.hashes": self._syncing.hashes,
            "sync.get": self._syncing.get,
            "sync.put": partial(self._once_with_body, self._syncing.put),
            "connect": partial(self._live, self._tunnels.connect),
            "shutdown": self._shutdown,
        }

    async def _info(self, stream: Stream, args: Args) -> None:
        _take_nothing("info", args)
        screen = self._actor.screen if self._actor is not None else None
        # Not on the event loop: the screen may be busy for somebody else.
        size = await to_thread.run_sync(screen.size) if screen is not None else None
        await stream.send_message(
            {
                "result": {
                    "version": VERSION,
                    "pid": os.getpid(),
                    "python": sys.executable,
                    "phase": "ready" if self._furnished.is_set() else "starting",
                    "display": self._desk.display or None,
                    "size": codec.encode(size),
                    "missing": list(self._desk.missing),
                    "actions": sorted(ACTIONS),
                    "started_at": self._started,
                }
            }
        )

    async def _act(self, stream: Stream, args: Args) -> None:
        wish = await _read_json(stream, args) if "json" in args else args
        request = codec.decode(_Act, wish, where="act")
        action = decode_action(request.action)
        actor = await self._wait_for_desk()
        if isinstance(action, Open):
            await self._wait_for_furniture()
        if action.effect is EffectClass.OBSERVE:
            outcome = await actor.perform(action, request.settle)
            await _send_result(stream, _wire(outcome.result), outcome.image)
            return

        async def act(begin: Begin) -> Args:
            return _wire((await actor.perform(action, request.settle, begin)).result)

        await _send_result(stream, await self._answer_once(stream, wish, act))

    async def _answer_once(self, stream: Stream, wish: codec.Json, act: Act) -> Args:
        header = stream.header
        return await self._answers.once(str(header["id"]), [header["op"], wish], act)

    # Before its desk is there, a program would find neither display nor session bus.

    async def _exec(self, stream: Stream, args: Args) -> None:
        await self._wait_for_desk()
        await self._processes.exec(stream, args)

    async def _start_process(self, args: Args) -> Args:
        await self._wait_for_desk()
        await self._wait_for_furniture()
        return await self._processes.start(args)

    async def _wait_for_desk(self) -> Actor:
        if self._actor is not None:
            return self._actor
        with anyio.move_on_after(DESK_WAIT):
            await self._ready.wait()
        if self._actor is None:
            raise WrongState("the desk is still starting", hint="try again in a moment")
        return self._actor

    async def _wait_for_furniture(self) -> None:
        """What opens a window before accessibility is there may never show what is in it."""
        with anyio.move_on_after(FURNITURE_WAIT):
            await self._furnished.wait()

    async def _once(
        self, method: Callable[[Args], Awaitable[Args]], stream: Stream, args: Args
    ) -> None:
        answer = await self._answer_once(stream, args, _at_once(partial(method, args)))
        await stream.send_message({"result": answer}, end=True)

    async def _once_with_body(
        self, method: Callable[[Stream, Args], Awaitable[Args]], stream: Stream, args: Args
    ) -> None:
        """As `_once`; the body of a repeated request is not read."""
        answer = await self._answer_once(stream, args, _at_once(partial(method, stream, args)))
        await stream.send_message({"result": answer}, end=True)

    async def _live(self, op: Op, stream: Stream, args: Args) -> None:
        """Serve a stream that goes on for as long as both want, which no answer can repeat."""
        first = False

        async def serve(begin: Begin) -> Args:
            nonlocal first
            begin()
            first = True
            await op(stream, args)
            return {}

        await self._answer_once(stream, args, serve)
        if not first:
            raise Interrupted(
                "this request was served before, and what it sent is not kept",
                hint="look before you repeat it under a new id",
            )

    async def _reply(
        self, method: Callable[[Args], Awaitable[Args]], stream: Stream, args: Args
    ) -> None:
        await stream.send_message({"result": await method(args)}, end=True)

    async def _attach(self, stream: Stream, connection: Connection) -> None:
        """Use this client as the way out for as long as it keeps the stream open."""
        async with self._egress.attached(connection):
            await stream.send_message({"result": {}})
            while await stream.receive() is not None:
                pass

    async def _shutdown(self, stream: Stream, args: Args) -> None:
        _take_nothing("shutdown", args)
        await stream.send_message({"result": {}})
        self.request_stop()


def _at_once(act: Callable[[], Awaitable[Args]]) -> Act:
    """What may have an effect from its first moment on."""

    def begin_and_act(begin: Begin) -> Awaitable[Args]:
        begin()
        return act()

    return begin_and_act


def _take_nothing(op: str, args: Args) -> None:
    if args:
        raise InvalidInput(f"{op} takes no arguments")


def _wire(result: Result) -> Args:
    wire = codec.encode(result)
    assert isinstance(wire, dict)
    return wire


@dataclass(frozen=True, slots=True)
class _LargeRequest:
    json: int

    def __post_init__(self) -> None:
        if not 0 < self.json <= MAX_REQUEST:
            raise InvalidInput(f"a request takes at most {MAX_REQUEST} bytes")


async def _read_json(stream: Stream, args: Args) -> codec.Json:
    """A request too large for a header, which follows it as bytes."""
    size = codec.decode(_LargeRequest, args, where="act").json
    text = bytearray()
    async for data in stream.body():
        text += data
        if len(text) > size:
            break
    if len(text) != size:
        raise InvalidInput(f"the request is not {size} bytes long, as it said")
    try:
        wish: codec.Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the request is not JSON: {error}") from None
    return wish


async def _send_result(stream: Stream, wire: Args, image: bytes = b"") -> None:
    text = _RESULTS.encode(wire).encode()
    if len(text) <= INLINE_RESULT:
        await stream.send_json(b'{"result":{"result":' + text + b"}}", body=image, end=True)
        return
    # An element tree may be larger than a message: it goes ahead of the image as bytes.
    await stream.send_message({"result": {"json": len(text)}})
    await stream.send(text, end=not image)
    if image:
        await stream.send(image, end=True)
