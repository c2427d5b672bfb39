"""`FakeProvider`: a server that speaks the real wire of model providers, and is as strict as they.

It listens on loopback and speaks OpenAI's Responses and chat completions, Anthropic's Messages and
Gemini's `generateContent`, streamed and not, also at the paths of Azure, Bedrock and Vertex. It
answers what it is told, and refuses what the real API would refuse, with its status and words:
unknown or ill-typed fields, a wrong key, calls without results and results without calls, changed
reasoning, missing beta headers, images that are none.

```python
from carrel.testing import FakeProvider, openai


async def test_it_clicks():
    async with FakeProvider() as provider:
        provider.script(openai.computer_call([{"type": "screenshot"}]), openai.text("Done."))
        client = AsyncOpenAI(base_url=provider.openai_url, api_key=provider.key)
        ...
        assert provider.seen[0].body["tools"] == [{"type": "computer"}]
```

A script is a list of replies, or a function from the request to a reply; what the function raises
is raised again when the provider is left. Every request is kept in
`seen`, also those that were refused (`Seen.refused` says why).
"""

from __future__ import annotations

import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Self

import anyio.to_thread

from carrel.errors import WrongState
from carrel.models.transports import sdk
from carrel.testing._ledger import Ledger
from carrel.testing._refusals import Refusal
from carrel.testing.answers import Reply
from carrel.testing.seen import Seen

if TYPE_CHECKING:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["FakeProvider", "Script"]

Script = Callable[[Seen], Reply]
"""Decides the reply to a request. Called on the server's own thread."""


class FakeProvider:
    """A provider of models on loopback. Use it with `async with`, or with `with`.

    Args:
        key: The API key it lets in; a random one when None.
        models: The names it lists.

    Attributes:
        seen: Every request so far.
    """

    def __init__(self, *, key: str | None = None, models: tuple[str, ...] = ("fake",)) -> None:
        self.key = key or f"sk-fake-{secrets.token_hex(16)}"
        self.seen: list[Seen] = []
        self._models = models
        self._replies: deque[Reply] = deque()
        self._decide: Script | None = None
        self._ledger = Ledger(secrets.token_bytes(32))
        self._protocols: dict[tuple[str, int], H11Protocol] = {}
        self._changed = threading.Condition()
        self._failure: Exception | None = None
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    # Telling it what to answer

    def script(self, *replies: Reply) -> None:
        """Add replies to the end of the queue."""
        self._replies.extend(replies)

    def decide(self, script: Script) -> None:
        """Let a function decide the replies that the queue has not."""
        self._decide = script

    def reset(self) -> None:
        """Forget replies that nobody asked for, and requests; for a provider that tests share."""
        self._replies.clear()
        self.seen.clear()
        self._decide = self._failure = None

    @property
    def left(self) -> int:
        """How many queued replies nobody has asked for."""
        return len(self._replies)

    # Where it is

    @property
    def url(self) -> str:
        """Its address, which is the base URL of Anthropic's and Gemini's clients."""
        if self._socket is None:
            raise WrongState("the fake provider is not running", hint="use it with `async with`")
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def openai_url(self) -> str:
        """The base URL of OpenAI's clients."""
        return f"{self.url}/v1"

    @property
    def connections(self) -> int:
        """How many connections are open now."""
        return len(self._protocols)

    def wait_for_connections(self, count: int, timeout: float = 5.0) -> bool:
        """Wait until that many connections are open; False when they never were."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._protocols) == count, timeout)

    def wait_for_requests(self, count: int, timeout: float = 5.0) -> bool:
        """Wait until that many requests were seen; False when they were not."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.seen) >= count, timeout)

    # Life

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()
        self._blame(kind)

    async def __aenter__(self) -> Self:
        await anyio.to_thread.run_sync(self._start)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._stop)
        self._blame(kind)

    def _blame(self, kind: type[BaseException] | None) -> None:
        """Raise what the script raised, unless the test has failed with something else."""
        failure, self._failure = self._failure, None
        if failure is not None and kind is None:
            raise failure

    def _start(self) -> None:
        sdk.check("uvicorn", "testing")
        sdk.check("starlette", "testing")
        import uvicorn

        from carrel.testing._app import App

        if self._socket is not None:
            raise WrongState("the fake provider is running already")
        # Connections are queued from here on, before the server takes the first one.
        self._socket = socket.create_server(("127.0.0.1", 0))
        app = App(self.key, self._ledger, self._choose, self._record, self._abort, self._models)
        config = uvicorn.Config(
            app, http=self._protocol(), ws="none", lifespan="off", log_config=None, access_log=False
        )
        self._server = uvicorn.Server(config)
        target, sockets = self._server.run, [self._socket]
        self._thread = threading.Thread(target=target, args=(sockets,), name="fake-provider")
        self._thread.start()

    def _stop(self) -> None:
        assert self._server is not None
        assert self._thread is not None
        assert self._socket is not None
        self._server.should_exit = True
        for address in list(self._protocols):
            self._abort(address)
        self._thread.join()
        self._socket.close()
        self._socket = None

    def _protocol(self) -> type[H11Protocol]:
        """Uvicorn's protocol, which also tells us of connections that come and go."""
        from uvicorn.protocols.http.h11_impl import H11Protocol

        provider = self

        class Watched(H11Protocol):
            def connection_made(self, transport: object) -> None:
                super().connection_made(transport)  # type: ignore[arg-type]
                with provider._changed:
                    provider._protocols[self.client] = self  # type: ignore[index]
                    provider._changed.notify_all()

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                with provider._changed:
                    provider._protocols.pop(self.client, None)  # type: ignore[arg-type]
                    provider._changed.notify_all()

        return Watched

    # What the server calls, on its own thread

    def _abort(self, address: tuple[str, int]) -> None:
        protocol = self._protocols.get(address)
        if protocol is not None:
            protocol.loop.call_soon_threadsafe(protocol.transport.abort)

    def _choose(self, seen: Seen) -> Reply:
        if self._replies:
            return self._replies.popleft()
        if self._decide is not None:
            return self._ask_script(self._decide, seen)
        raise Refusal(f"FakeProvider: the script has no answer for request {seen.number}")

    def _ask_script(self, script: Script, seen: Seen) -> Reply:
        try:
            return script(seen)
        except Exception as error:
            self._failure = error
            words = f"{type(error).__name__}: {error}"
            raise Refusal(f"FakeProvider: the script raised {words}") from error

    def _record(self, seen: Seen, refused: str) -> None:
        with self._changed:
            self.seen.append(replace(seen, refused=refused))
            self._changed.notify_all()
