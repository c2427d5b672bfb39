"""Waiting for clients: unix sockets, and TCP behind a token."""

from __future__ import annotations

import errno
import hmac
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from carrel.errors import AlreadyExists, InvalidInput, Unavailable
from carrel.stream.transports import (
    TOKEN_ACCEPTED,
    TOKEN_REFUSED,
    TOKEN_SECONDS,
    FdStream,
    receive_exactly,
    resolve,
    short_path,
    socket_stream,
    ticket_for,
)

__all__ = ["Listener", "listen_inherited", "listen_tcp", "listen_unix"]

# How many clients may be here without having shown their token yet.
_MAX_STRANGERS = 64
# What keeps one client out and says nothing about the next.
_PASSING = (errno.ECONNABORTED, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

logger = logging.getLogger("carrel.stream")


class Listener:
    """Accepts byte streams.

    Attributes:
        address: The path, or `(host, port)` as bound.
    """

    def __init__(
        self, sock: socket.socket, path: Path | None, ticket: bytes | None, *, owner: bool = True
    ) -> None:
        sock.setblocking(False)
        self._sock = sock
        self._path = path if owner else None
        self._ticket = ticket
        name = sock.getsockname()
        self.address: str | tuple[str, int] = str(path) if path else (name[0], name[1])

    @property
    def port(self) -> int:
        """The TCP port."""
        if isinstance(self.address, str):
            raise InvalidInput(f"{self.address} is a unix socket and has no port")
        return self.address[1]

    async def serve(self, handle: Callable[[FdStream], Awaitable[None]]) -> None:
        """Run `handle` in a task of its own for every client, until cancelled or closed.

        With a token, a client is nobody until it has sent it: `handle` never sees it, and it is
        gone within five seconds.
        """
        strangers = anyio.Semaphore(_MAX_STRANGERS)
        async with anyio.create_task_group() as group:
            while True:
                await strangers.acquire()
                try:
                    sock = await self._accept()
                except anyio.ClosedResourceError:
                    return
                group.start_soon(self._welcome, sock, strangers, handle)

    async def _accept(self) -> socket.socket:
        while True:
            if self._sock.fileno() < 0:
                raise anyio.ClosedResourceError
            try:
                return self._sock.accept()[0]
            except BlockingIOError:
                await anyio.wait_readable(self._sock)
            except OSError as error:
                if error.errno not in _PASSING:
                    raise
                # Out of descriptors or memory: clients already here must go before the next.
                await anyio.sleep(0.05)

    async def _welcome(
        self,
        sock: socket.socket,
        strangers: anyio.Semaphore,
        handle: Callable[[FdStream], Awaitable[None]],
    ) -> None:
        stream = socket_stream(sock)
        try:
            try:
                if sock.family != socket.AF_UNIX:
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                known = self._ticket is None or await _check_ticket(stream, self._ticket)
            finally:
                strangers.release()
            if known:
                await handle(stream)
        except Exception:  # one client's failure must not end the service of the others
            logger.exception("serving a client failed")
        finally:
            await stream.aclose()

    async def aclose(self) -> None:
        """Stop listening and remove the socket file, if it was made here."""
        if self._sock.fileno() >= 0:
            anyio.notify_closing(self._sock)
            self._sock.close()
            if self._path is not None:
                self._path.unlink(missing_ok=True)

    async def __aenter__(self) -> Listener:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()


async def _check_ticket(stream: FdStream, ticket: bytes) -> bool:
    try:
        with anyio.fail_after(TOKEN_SECONDS):
            given = await receive_exactly(stream, len(ticket))
            known = hmac.compare_digest(given, ticket)
            await stream.send(TOKEN_ACCEPTED if known else TOKEN_REFUSED)
    except (TimeoutError, anyio.EndOfStream, anyio.BrokenResourceError):
        return False
    return known


def listen_unix(path: str | os.PathLike[str], *, mode: int = 0o600) -> Listener:
    """Listen on a unix socket that only its owner may use.

    Raises:
        AlreadyExists: Something is already at that path.
        Unavailable: The socket cannot be made there.
    """
    where = Path(path)
    try:
        with short_path(where) as short:
            sock = _bind_unix(short, mode)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AlreadyExists(f"{where} exists already") from error
        raise Unavailable(f"cannot listen on {where}: {error.strerror}") from error
    return Listener(sock, where, None)


def listen_inherited(fd: int) -> Listener:
    """Listen on a unix socket that the parent process made and passed on.

    Raises:
        InvalidInput: The descriptor is not a listening unix socket.
    """
    try:
        sock = socket.socket(fileno=fd)
        listening = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as error:
        raise InvalidInput(f"descriptor {fd} is not a socket: {error.strerror}") from error
    if sock.family != socket.AF_UNIX or not listening:
        sock.close()
        raise InvalidInput(f"descriptor {fd} is not a listening unix socket")
    # The name is the parent's: here it may mean another file, or none.
    return Listener(sock, Path(sock.getsockname()), None, owner=False)


def _bind_unix(address: str, mode: int) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # The mode is set on the socket before it has a name: no moment when others may use it.
        os.fchmod(sock.fileno(), mode)
        sock.bind(address)
        sock.listen(128)
    except BaseException:
        sock.close()
        raise
    return sock


async def listen_tcp(token: str, host: str = "127.0.0.1", port: int = 0) -> Listener:
    """Listen on TCP for clients that know `token`; on loopback unless told otherwise.

    Raises:
        InvalidInput: The token is empty.
        Unavailable: The address cannot be had.
    """
    ticket = ticket_for(token)
    try:
        family, kind, proto, address = (await resolve(host, port))[0]
        sock = socket.socket(family, kind, proto)
    except OSError as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {error}") from error
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise Unavailable(f"cannot listen on {host}:{port}: {error.strerror}") from error
    return Listener(sock, None, ticket)
