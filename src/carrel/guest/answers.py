"""Answers already given, so that a repeated request id never acts twice."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from carrel.codec import Json
from carrel.errors import CarrelError, Interrupted, InvalidInput

__all__ = ["Act", "Answers", "Begin", "check_request_id"]

Wire = dict[str, Json]

_SIZED = frozenset({str, dict, list})
_WISHES = json.JSONEncoder(sort_keys=True, check_circular=False)

MAX_ANSWERS = 1024
MAX_BYTES = 32 * 1024 * 1024
MAX_FORGOTTEN = 65_536
"""Ids remembered after their answers: a client that asks late is told, never served twice."""


def check_request_id(value: object) -> str:
    """Return a request's id if it is one.

    Raises:
        InvalidInput: It is missing, empty, too long or not text.
    """
    if not isinstance(value, str) or not 1 <= len(value) <= 128:
        raise InvalidInput("a request needs an id of 1 to 128 characters")
    return value


@dataclass(slots=True)
class _Answer:
    wish: int
    done: bool = False
    awaited: anyio.Event | None = None
    value: Wire | None = None
    size: int = 0
    error: CarrelError | None = None
    begun: bool = False

    def begin(self) -> None:
        self.begun = True

    @property
    def cancelled(self) -> bool:
        """Whether it ended without a value and without an error."""
        return self.done and self.value is None and self.error is None


Begin = Callable[[], None]
Act = Callable[[Begin], Awaitable[Wire]]
"""Does something; calls what it is given at the moment from which that may have an effect."""


class Answers:
    """The last answers by request id.

    Holds at most `MAX_ANSWERS` of them and `MAX_BYTES` in all; the oldest finished go first, and
    of those only the ids are remembered.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
        self._forgotten: OrderedDict[str, None] = OrderedDict()
        self._bytes = 0

    async def once(self, request: str, wish: object, act: Act) -> Wire:
        """Call `act` the first time an id is seen; later, wait for and return that answer.

        What is cancelled before it began has not happened, and its id may be used again.

        Args:
            request: The id.
            wish: What is asked for, as JSON; an id stands for one wish only.
            act: Carries it out, and says when it begins to have an effect.

        Raises:
            CarrelError: What `act` raised, the first time and every time after.
            InvalidInput: The id was used for another wish.
            Interrupted: It was carried out, at least in part, and there is no answer to give.
        """
        mark = hash(_WISHES.encode(wish))
        known = self._answers.get(request)
        if known is not None:
            if known.wish != mark:
                raise InvalidInput("this request id was used for another request")
            await _done(known)
            if self._answers.get(request) is known or request in self._forgotten:
                return _open(known)
            # It was cancelled before it began: now it is for us to do.
            return await self.once(request, wish, act)
        if request in self._forgotten:
            raise Interrupted(
                "this request was carried out before, and its answer is no longer kept",
                hint="look before you repeat it",
            )
        answer = self._answers[request] = _Answer(mark)
        try:
            answer.value = await act(answer.begin)
        except CarrelError as error:
            answer.error = error
        finally:
            answer.done = True
            if answer.awaited is not None:
                answer.awaited.set()
            if answer.cancelled and not answer.begun:
                del self._answers[request]
            else:
                answer.size = _size(answer.value)
                self._bytes += answer.size
                self._trim()
        return _open(answer)

    def _trim(self) -> None:
        while len(self._answers) > MAX_ANSWERS or self._bytes > MAX_BYTES:
            oldest = next((key for key, a in self._answers.items() if a.done), None)
            if oldest is None:
                return
            self._bytes -= self._answers.pop(oldest).size
            self._forgotten[oldest] = None
            if len(self._forgotten) > MAX_FORGOTTEN:
                self._forgotten.popitem(last=False)


async def _done(answer: _Answer) -> None:
    if not answer.done:
        answer.awaited = answer.awaited or anyio.Event()
        await answer.awaited.wait()


def _open(answer: _Answer) -> Wire:
    if answer.error is not None:
        raise answer.error
    if answer.value is None:
        raise Interrupted(
            "the request was cancelled while it was carried out", hint="look before you repeat it"
        )
    return answer.value


def _size(value: Json) -> int:
    """Roughly how much memory a JSON value takes."""
    if isinstance(value, str):
        return len(value) + 50
    if isinstance(value, dict):
        size = 200
        for key, item in value.items():
            size += len(key) + (_size(item) if type(item) in _SIZED else 30)
        return size
    if isinstance(value, list):
        return 60 + sum(map(_size, value))
    return 30
