"""The operations by which a client makes a tree in the machine and one outside alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from anyio import CapacityLimiter, from_thread, to_thread

from carrel import codec
from carrel.codec import Json
from carrel.errors import InvalidInput
from carrel.guest import disk
from carrel.guest.crossing import (
    Basis,
    in_thread,
    local_basis,
    send_file,
)
from carrel.guest.digests import (
    BLOCK,
    DIGEST,
    MAX_DIGESTS,
    encode_entry,
    is_name,
    kind_of_root,
    walk,
)
from carrel.guest.mirror import Anchor, Mirror
from carrel.guest.orders import Orders
from carrel.guest.tar import printable
from carrel.stream import Chunk, Lane, Message, Stream

__all__ = ["Syncing"]

CHUNK = 256 * 1024
MAX_WALKS = 8
"""Trees told at once; each keeps a thread for as long as its peer is slow."""
MAX_FAILED = 200
"""Failures told by name; the others are counted."""

Args = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ListArgs:
    """The arguments of `sync.list`."""

    path: str
    hashed: bool = False


@dataclass(frozen=True, slots=True)
class TreeArgs:
    """The arguments of `sync.hashes`, `sync.get` and `sync.put`.

    Attributes:
        single: The path is one file, not a directory.
    """

    path: str
    single: bool = False


class Syncing:
    """Trees of this machine, compared and changed.

    Args:
        resolve: Gives the path that a client's words mean.
    """

    def __init__(self, resolve: Callable[[str], str]) -> None:
        self._resolve = resolve
        self._walks = CapacityLimiter(MAX_WALKS)

    async def list(self, stream: Stream, args: Args) -> None:
        """Tell what a tree holds: `{kind}`, then one line of JSON for each thing in it."""
        wish = codec.decode(ListArgs, args, where="sync.list")
        path = self._resolve(wish.path)
        kind = await in_thread(path, kind_of_root, path)
        await stream.send_message({"result": {"kind": kind, "path": path}})
        told = partial(_tell, stream, path, wish.hashed)
        await to_thread.run_sync(told, limiter=self._walks)

    async def hashes(self, stream: Stream, args: Args) -> None:
        """Send the hashes of the blocks of what there is of every file that is asked for."""
        wish = codec.decode(TreeArgs, args, where="sync.hashes")
        path = self._resolve(wish.path)
        with await in_thread(path, partial(Mirror, path, single=wish.single)) as mirror:
            while (item := await stream.receive()) is not None:
                name, basis = await _asked(stream, item)
                found = await in_thread(name, local_basis, mirror, name, basis.block)
                await stream.send_message({"blocks": len(found.digests) // DIGEST})
                await stream.send(found.digests)

    async def get(self, stream: Stream, args: Args) -> None:
        """Send every file that is asked for, without the blocks that the client has."""
        wish = codec.decode(TreeArgs, args, where="sync.get")
        path = self._resolve(wish.path)
        with await in_thread(path, partial(Anchor, path, single=wish.single)) as anchor:
            while (item := await stream.receive()) is not None:
                name, basis = await _asked(stream, item)
                await send_file(stream, anchor, name, basis)

    async def put(self, stream: Stream, args: Args) -> dict[str, Json]:
        """Do as the client says to a tree: `{done, failed, failures, held_back}`."""
        wish = codec.decode(TreeArgs, args, where="sync.put")
        path = self._resolve(wish.path)
        make = partial(Mirror, path, single=wish.single, make=True)
        with await in_thread(path, make) as mirror:
            orders = Orders(mirror)
            try:
                while (item := await stream.receive()) is not None:
                    await _follow(orders, item)
            finally:
                orders.incoming.close()
        failed = orders.failures
        shown: list[Json] = [[printable(item.name), item.why] for item in failed[:MAX_FAILED]]
        return {
            "done": orders.incoming.done,
            "failed": len(failed),
            "failures": shown,
            "held_back": orders.held_back,
        }


def _tell(stream: Stream, path: str, hashed: bool) -> None:
    """Runs in a thread, which waits for the peer."""
    buffer = bytearray()
    with disk.os_errors(path):
        for entry in walk(path, hashed=hashed):
            buffer += encode_entry(entry)
            if len(buffer) >= CHUNK:
                from_thread.run(stream.send, bytes(buffer))
                buffer.clear()
    from_thread.run(stream.send, bytes(buffer))


async def _follow(orders: Orders, item: Message | Chunk) -> None:
    if isinstance(item, Message):
        if not await orders.incoming.take(item.data):
            await orders.do(item.data)
    elif item.lane is Lane.DATA:
        await orders.incoming.write(item.data)
    else:
        raise InvalidInput("the content of files comes as data")


async def _asked(stream: Stream, item: Message | Chunk) -> tuple[str, Basis]:
    """A file that is wanted, with the hashes that follow the wish."""
    if not isinstance(item, Message):
        raise InvalidInput("hashes came before the name of a file")
    name, block, count = (item.data.get(key) for key in ("name", "block", "blocks"))
    if not (isinstance(name, str) and is_name(name)):
        raise InvalidInput("a file is asked for by a name that it can have")
    if not isinstance(block, int) or not isinstance(count, int):
        raise InvalidInput("a file is asked for by name, block and blocks")
    if not 0 <= count <= MAX_DIGESTS or block < BLOCK:
        raise InvalidInput("too many blocks, or too small ones")
    digests = bytearray()
    while len(digests) < count * DIGEST:
        part = await stream.receive()
        if not isinstance(part, Chunk) or part.lane is not Lane.DATA:
            raise InvalidInput("the hashes of a file are missing")
        digests += part.data
    return name, Basis(block, bytes(digests))
