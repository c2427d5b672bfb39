"""What the transports share: a client of an SDK, opened late, bounded, its errors told plainly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Generic, Self, TypeVar

import anyio
import anyio.to_thread

from carrel.codec import Json
from carrel.errors import CarrelError
from carrel.models.dialect import Api, Request
from carrel.models.model import OnText
from carrel.models.transports import faults
from carrel.models.transports.bodies import check_api
from carrel.models.transports.transport import Timeouts

__all__ = ["ClientTransport"]

C = TypeVar("C")


class ClientTransport(ABC, Generic[C]):
    """Talks to one server through a client of type `C`.

    Args:
        provider: As the person named it, for messages.
        make: Makes the client.
        secrets: Values that must never be in a message.
    """

    apis: tuple[Api, ...]

    def __init__(
        self,
        provider: str,
        make: Callable[[], C],
        *,
        secrets: Sequence[str] = (),
        timeouts: Timeouts = Timeouts(),  # noqa: B008 (frozen)
    ) -> None:
        self._provider, self._secrets, self._timeouts = provider, tuple(secrets), timeouts
        self._make = make
        self._client: C | None = None

    async def __aenter__(self) -> Self:
        # In a thread: the first import of an SDK takes seconds, and a run must stay answerable.
        self._client = await anyio.to_thread.run_sync(self._make)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        client, self._client = self._client, None
        if client is not None:
            with anyio.CancelScope(shield=True):
                await self._close(client)

    async def send(
        self, model: str, request: Request, on_text: OnText | None = None
    ) -> Mapping[str, Json]:
        """Send a request and bring its answer back; see `Transport.send`."""
        assert self._client is not None, "use it with `async with`"
        check_api(self._provider, request.api, self.apis)
        try:
            with anyio.fail_after(self._timeouts.total):
                found = await self._send(self._client, model, request, on_text)
        except TimeoutError:
            raise faults.too_slow(self._provider, self._timeouts.total) from None
        except CarrelError:
            raise
        except self._faults() as error:
            # Not chained: the SDK's error holds the request, and with it the key.
            raise self._translate(error) from None
        return found

    @abstractmethod
    async def _close(self, client: C) -> None: ...

    @abstractmethod
    async def _send(
        self, client: C, model: str, request: Request, on_text: OnText | None
    ) -> dict[str, Json]: ...

    @abstractmethod
    def _faults(self) -> tuple[type[Exception], ...]:
        """What the SDK raises."""

    @abstractmethod
    def _translate(self, error: Exception) -> CarrelError: ...
