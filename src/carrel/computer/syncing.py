"""A tree here and a tree in the machine made alike, either way: only what differs crosses."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal

from anyio import to_thread

from carrel.codec import Json
from carrel.computer.differences import Problem, Step, Synced, SyncPlan, plan
from carrel.computer.link import Link
from carrel.errors import InvalidInput, NotFound, ProtocolError
from carrel.guest import disk
from carrel.guest.crossing import (
    Basis,
    Incoming,
    in_thread,
    local_basis,
    send_file,
    send_order,
)
from carrel.guest.digests import (
    DIGEST,
    MAX_DIGESTS,
    Entry,
    block_size,
    decode_entry,
    kind_of_root,
    walk,
)
from carrel.guest.mirror import Anchor, Mirror
from carrel.guest.orders import Orders
from carrel.guest.tar import printable
from carrel.guest.tasks import task_group
from carrel.stream import Message, Stream

__all__ = ["Options", "describe_tree", "sync_in", "sync_out", "unwatched"]

MAX_ENTRIES = 1_000_000
MAX_LINE = 64 * 1024
"""Of a listing: two paths, of which every byte may be escaped, and what else there is to say."""

Progress = Callable[[int, int], None]
"""Told how many bytes of all that are to cross are dealt with."""


def unwatched(done: int, total: int) -> None:
    """Report progress to nobody."""


Tree = dict[str, Entry]
Root = Literal["file", "directory", "missing"]


@dataclass(frozen=True, slots=True)
class Options:
    """How to sync; see `Computer.sync_in`."""

    delete: bool = False
    checksum: bool = False
    dry_run: bool = False
    progress: Progress = unwatched


# What there is


async def list_tree(link: Link, path: str, *, hashed: bool = False) -> tuple[Root, Tree]:
    """What a path in the machine leads to, and all that is below it."""
    tree: Tree = {}
    rest = b""
    args = {"path": path, "hashed": hashed}
    async with await link.open("sync.list", args, end=True) as stream:
        result = (await stream.receive_message()).get("result")
        async for part in stream.body():
            *lines, rest = (rest + part).split(b"\n")
            if max(map(len, (rest, *lines))) > MAX_LINE:
                raise ProtocolError(f"a line of a tree has more than {MAX_LINE} bytes")
            for line in lines:
                _add(tree, decode_entry(line), path)
    if rest:
        raise ProtocolError("the machine ended in the middle of a tree")
    kind = result.get("kind") if isinstance(result, dict) else None
    match kind:
        case "file" | "directory" | "missing":
            return kind, tree
    raise ProtocolError("the machine did not say what a path leads to")


async def describe_tree(link: Link, path: str, *, hashed: bool) -> list[dict[str, Json]]:
    """All that is below a path in the machine, in the words of `Computer.list_files`."""
    kind, tree = await list_tree(link, path, hashed=hashed)
    _require(kind, path, "in the machine")
    return [_describe(tree[name]) for name in sorted(tree)]


def _describe(entry: Entry) -> dict[str, Json]:
    about: dict[str, Json] = {
        "name": printable(entry.name),
        "kind": entry.kind,
        "size": entry.size,
        "mode": f"{entry.mode:04o}",
        "modified": entry.mtime_ns / 1e9,
    }
    if entry.kind == "link":
        about["target"] = printable(entry.target)
    if entry.kind == "refused":
        about["why"] = entry.target
    if entry.digest:
        about["sha256"] = entry.digest
    return about


def _local_tree(path: str, *, hashed: bool) -> tuple[Root, Tree]:
    tree: Tree = {}
    with disk.os_errors(path):
        kind = kind_of_root(path)
        for entry in walk(path, hashed=hashed):
            _add(tree, entry, path)
    return kind, tree


def _add(tree: Tree, entry: Entry, path: str) -> None:
    if len(tree) == MAX_ENTRIES:
        raise InvalidInput(f"there are more than {MAX_ENTRIES} things in {path}", hint="sync parts")
    tree[entry.name] = entry


# Which side is what


async def sync_in(link: Link, source: Path, path: str, options: Options) -> Synced:
    """Make a tree in the machine like one here."""
    listing = partial(_local_tree, str(source), hashed=options.checksum)
    kind, wanted = await to_thread.run_sync(listing)
    _require(kind, str(source), "here")
    there, present = await list_tree(link, path, hashed=options.checksum)
    if kind == "file" and (there == "directory" or path.endswith("/")):
        path = str(PurePosixPath(path) / source.resolve().name)
        there, present = await list_tree(link, path, hashed=options.checksum)
    _require_fitting(kind, there, path)
    return await _Upload(link, str(source), path, kind == "file").run(wanted, present, options)


async def sync_out(link: Link, path: str, target: Path, options: Options) -> Synced:
    """Make a tree here like one in the machine."""
    kind, wanted = await list_tree(link, path, hashed=options.checksum)
    _require(kind, path, "in the machine")
    if kind == "file" and target.is_dir():
        target /= PurePosixPath(path).name
    listing = partial(_local_tree, str(target), hashed=options.checksum)
    there, present = await to_thread.run_sync(listing)
    _require_fitting(kind, there, str(target))
    return await _Download(link, path, str(target), kind == "file").run(wanted, present, options)


def _require(kind: Root, path: str, where: str) -> None:
    if kind == "missing":
        raise NotFound(f"there is no {printable(path)} {where}", op="sync")


def _require_fitting(kind: Root, there: Root, path: str) -> None:
    if there not in ("missing", kind):
        raise InvalidInput(
            f"{printable(path)} is a {there}, and what it should be like is a {kind}", op="sync"
        )


# The work


class _Sync:
    """Steps carried out one after the other, with what came of them."""

    def __init__(self, link: Link, source: str, target: str, single: bool) -> None:
        self._link = link
        self._source, self._target, self._single = source, target, single
        self._done = self._crossed = self._total = 0
        self._progress: Progress = unwatched

    async def run(self, wanted: Tree, present: Tree, options: Options) -> Synced:
        found = plan(wanted, present, delete=options.delete, checksum=options.checksum)
        self._total = sum(step.size for step in found.files)
        self._progress = options.progress
        if options.dry_run or not found.steps:
            return self._outcome(found, 0, [], 0)
        return await self._carry_out(found)

    async def _carry_out(self, found: SyncPlan) -> Synced:
        raise NotImplementedError

    def _told(self, size: int, sent: bool) -> None:
        self._done += size
        self._crossed += size if sent else 0
        self._progress(self._done, self._total)

    def _outcome(
        self, found: SyncPlan, files: int, failed: list[Problem], held_back: int
    ) -> Synced:
        ours = [Problem(printable(item.name), item.why) for item in found.failed]
        return Synced(
            tuple(replace(s, name=printable(s.name)) for s in found.steps if not s.quiet),
            files,
            self._total,
            self._crossed,
            found.unchanged,
            tuple(Problem(printable(p.name), p.why) for p in found.refused),
            (*ours, *failed),
            held_back,
        )


def _order(step: Step) -> dict[str, Json]:
    """What is to be done to something that does not cross."""
    order: dict[str, Json] = {"do": step.do, "name": step.name}
    match step.do:
        case "directory":
            order["mode"] = step.mode
        case "link":
            order["target"] = step.target
        case "mode":
            order |= {"do": "adjust", "mode": step.mode, "mtime_ns": step.mtime_ns}
        case "delete":
            order["do"] = "remove"
    return order


class _Upload(_Sync):
    async def _carry_out(self, found: SyncPlan) -> Synced:
        where = {"path": self._target, "single": self._single}
        make = partial(Anchor, self._source, single=self._single)
        with await in_thread(self._source, make) as anchor:
            async with await self._link.open("sync.put", where) as stream:
                for step in found.before:
                    await send_order(stream, **_order(step))
                for step in found.files:
                    basis = await self._basis(step) if step.basis else Basis()
                    await send_file(stream, anchor, step.name, basis, self._told)
                for step in found.after:
                    when = {"last": True, "failed": bool(found.failed)}
                    await send_order(stream, **_order(step), **when)
                await stream.end()
                result = (await stream.receive_message()).get("result")
        if not isinstance(result, dict):
            raise ProtocolError("the answer to a sync is not an object")
        done, held_back = _number(result, "done"), _number(result, "held_back")
        return self._outcome(found, done, _failures(result), held_back)

    async def _basis(self, step: Step) -> Basis:
        """The hashes of what the machine has of a file."""
        block = block_size(step.size)
        where = {"path": self._target, "single": self._single}
        digests = bytearray()
        async with await self._link.open("sync.hashes", where) as stream:
            await send_order(stream, name=step.name, block=block, blocks=0)
            await stream.end()
            await stream.receive_message()
            async for part in stream.body():
                digests += part
                if len(digests) > MAX_DIGESTS * DIGEST:
                    raise ProtocolError("the machine sends more hashes than a file has blocks")
        return Basis(block, bytes(digests))


def _failures(result: dict[str, Json]) -> list[Problem]:
    found = result.get("failures")
    if not isinstance(found, list):
        raise ProtocolError("the answer to a sync does not say what failed")
    problems = [
        Problem(str(item[0]), str(item[1]))
        for item in found
        if isinstance(item, list) and len(item) == 2
    ]
    if (more := _number(result, "failed") - len(problems)) > 0:
        problems.append(Problem("…", f"and {more} more"))
    return problems


def _number(result: dict[str, Json], name: str) -> int:
    value = result.get(name)
    if not isinstance(value, int):
        raise ProtocolError(f"the answer to a sync does not say {name}")
    return value


class _Download(_Sync):
    async def _carry_out(self, found: SyncPlan) -> Synced:
        make = partial(Mirror, self._target, single=self._single, make=True)
        # Two ways in: the files to come are looked at while others arrive.
        with (
            await in_thread(self._target, make) as mirror,
            await in_thread(self._target, make) as present,
        ):
            orders = Orders(mirror, self._told)
            for step in found.before:
                await orders.do(_order(step))
            if found.files:
                with closing(orders.incoming):
                    await self._fetch(found.files, orders.incoming, present)
            for step in found.after:
                await orders.do({**_order(step), "last": True, "failed": bool(found.failed)})
        failed = [Problem(printable(item.name), item.why) for item in orders.failures]
        return self._outcome(found, orders.incoming.done, failed, orders.held_back)

    async def _fetch(self, files: list[Step], incoming: Incoming, present: Mirror) -> None:
        awaited: deque[str] = deque()
        where = {"path": self._source, "single": self._single}
        async with await self._link.open("sync.get", where) as stream, task_group() as tasks:
            tasks.start_soon(self._ask, stream, files, present, awaited)
            left = len(files)
            while left:
                left -= await _take(stream, incoming, awaited)

    async def _ask(
        self, stream: Stream, files: list[Step], present: Mirror, awaited: deque[str]
    ) -> None:
        """Ask for one file after the other, with the hashes of what is here of it."""
        for step in files:
            basis = Basis()
            if step.basis:
                block = block_size(step.size)
                basis = await in_thread(step.name, local_basis, present, step.name, block)
            awaited.append(step.name)
            blocks = len(basis.digests) // DIGEST
            await send_order(stream, name=step.name, block=basis.block, blocks=blocks)
            await stream.send(basis.digests)
        await stream.end()


async def _take(stream: Stream, incoming: Incoming, awaited: deque[str]) -> bool:
    """Take what comes next; whether a file is done with. The machine is not trusted."""
    item = await stream.receive()
    if item is None:
        raise ProtocolError("the machine ended before all files had come")
    if not isinstance(item, Message):
        await incoming.write(item.data)
        return False
    order = item.data
    told = order.get("file") if order.get("do") == "file" else order.get("name")
    if order.get("do") in ("file", "failed") and (not awaited or told != awaited[0]):
        raise ProtocolError(f"the machine sends {str(told)[:200]!a}, which was not asked for")
    if not await incoming.take(order):
        raise ProtocolError("the machine sends something that is no part of a file")
    if order.get("do") not in ("end", "failed"):
        return False
    awaited.popleft()
    return True
