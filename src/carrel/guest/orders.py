"""What is to be done to a tree beside the files that cross, done one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeGuard

from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput
from carrel.guest.crossing import Failure, Incoming, Told, in_thread
from carrel.guest.digests import is_name
from carrel.guest.mirror import Mirror

__all__ = ["Orders"]

Order = Mapping[str, Json]


class Orders:
    """Follows orders: `directory`, `link`, `adjust` and `remove`, each with a name.

    Attributes:
        incoming: Takes the files, of which it is told through the stream.
        held_back: Removals not done because something had failed before.
    """

    def __init__(self, mirror: Mirror, told: Told = lambda size, sent: None) -> None:
        self._mirror = mirror
        self._failed: list[Failure] = []
        self.held_back = 0
        self.incoming = Incoming(mirror, told)

    @property
    def failures(self) -> list[Failure]:
        """What could not be done."""
        return [*self._failed, *self.incoming.failed]

    async def do(self, order: Order) -> None:
        """Follow one; what fails is noted, and the rest goes on."""
        name = order.get("name")
        if not isinstance(name, str) or not is_name(name):
            raise InvalidInput("an order has the name of what it is about")
        if order.get("do") == "remove" and order.get("last") and self._is_incomplete(order):
            # What is to go may be all that is left of what did not come.
            self.held_back += 1
            return
        work = self._work(name, order)
        try:
            await in_thread(name, work)
        except CarrelError as error:
            self._failed.append(Failure(name, error.message))

    def _is_incomplete(self, order: Order) -> bool:
        return bool(order.get("failed") or self._failed or self.incoming.failed)

    def _work(self, name: str, order: Order) -> Callable[[], None]:
        mode, mtime, target = order.get("mode"), order.get("mtime_ns"), order.get("target")
        match order.get("do"):
            case "directory" if isinstance(mode, int):
                return partial(self._mirror.make_directory, name, mode)
            case "link" if isinstance(target, str) and is_name(target):
                return partial(self._mirror.make_link, name, target)
            case "adjust" if isinstance(mode, int) and (mtime is None or _is_time(mtime)):
                return partial(self._mirror.adjust, name, mode, mtime)
            case "remove":
                return partial(self._mirror.remove, name)
        raise InvalidInput(f"there is no order {str(order.get('do'))[:40]!r} of that form")


def _is_time(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and abs(value) < 2**63
