"""The byte streams a connection can run over: unix sockets, TCP with a token, pipes."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import socket
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
from anyio import lowlevel
from anyio.abc import ByteStream

from carrel.errors import (
    CarrelError,
    InvalidInput,
    MachineLost,
    Refused,
    TimedOut,
)
from carrel.stream._arrivals import Arrivals
from carrel.stream._outbox import Buffer

__all__ = [
    "FdStream",
    "connect_tcp",
    "connect_unix",
    "memory_pair",
    "pipe_stream",
    "socket_stream",
    "take_stdio",
]

_PIPE_SIZE = 1 << 20
_SOCKET_SIZE = 1 << 20
_TURN = 1 << 20
_PEER = struct.Struct("3i")
_JOIN_BELOW = 16 << 10
_UNIX_PATH_MAX = 107
# What both sides of the token handshake know.
TOKEN_SECONDS = 5.0
TOKEN_ACCEPTED = b"ok\n"
TOKEN_REFUSED = b"no\n"


Address = tuple[socket.AddressFamily, socket.SocketKind, int, tuple[object, ...]]


class FdStream(ByteStream):
    """A duplex byte stream over one or two file descriptors, which it owns.

    It waits only where the system call would block, which for the small frames of a request is
    several times faster than a general purpose stream.
    """

    def __init__(self, reader: int, writer: int, sock: socket.socket | None = None) -> None:
        self._reader = reader
        self._writer = writer
        self._sock = sock
        self._arrivals = Arrivals(reader)
        self._closed = False
        self._more = True
        self._unshared = 0
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)

    @property
    def peer_pid(self) -> int | None:
        """The process that connected to us by a socket of this system; None of other streams."""
        if self._sock is None or self._sock.family is not socket.AF_UNIX:
            return None
        told = self._sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
        return int(_PEER.unpack(told)[0])

    async def receive(self, max_bytes: int = 65536) -> bytes:
        """Read what is there, at most `max_bytes`."""
        self._check_open()
        try:
            data = await self._receive(max_bytes)
        except OSError as error:
            raise anyio.BrokenResourceError(*error.args) from error
        self._check_open()
        if not data:
            raise anyio.EndOfStream
        self._more = len(data) == max_bytes
        self._unshared += len(data)
        return data

    async def _receive(self, max_bytes: int) -> bytes:
        if self._more:
            if self._unshared > _TURN:
                # The peer is faster than we read: let the other tasks have a turn.
                self._unshared = 0
                await lowlevel.checkpoint()
            try:
                return os.read(self._reader, max_bytes)
            except BlockingIOError:
                pass
        # Until it has all been taken, nothing may be read past it.
        self._more, self._unshared = False, 0
        return await self._arrivals.next(max_bytes)

    async def send(self, item: bytes) -> None:
        """Write all of `item`."""
        self._check_open()
        view = memoryview(item)
        while view:
            try:
                sent = self.send_nowait([view])
            except OSError as error:
                raise anyio.BrokenResourceError(*error.args) from error
            view = view[sent:]
            if view:
                await self.wait_writable()

    def send_nowait(self, parts: list[Buffer]) -> int:
        """Write what fits now and say how many bytes that was."""
        if self._closed:
            raise OSError(errno.EBADF, "the transport is closed")
        try:
            if len(parts) == 1:
                return os.write(self._writer, parts[0])
            if len(parts) == 2 and len(parts[1]) < _JOIN_BELOW:
                return os.write(self._writer, b"".join(parts))
            return os.writev(self._writer, parts)
        except BlockingIOError:
            return 0

    async def wait_writable(self) -> None:
        """Wait until there is room to write."""
        self._check_open()
        await anyio.wait_writable(self._writer)
        self._check_open()

    async def send_eof(self) -> None:
        """Close the writing half."""
        self._check_open()
        if self._sock is not None:
            self._sock.shutdown(socket.SHUT_WR)
        elif self._writer != self._reader:
            anyio.notify_closing(self._writer)
            os.close(self._writer)
            self._writer = self._reader

    async def aclose(self) -> None:
        """Close the descriptors."""
        if self._closed:
            return
        self._closed = True
        self._arrivals.close()
        for fd in {self._reader, self._writer}:
            anyio.notify_closing(fd)
            if self._sock is None:
                os.close(fd)
        if self._sock is not None:
            self._sock.close()

    def _check_open(self) -> None:
        if self._closed:
            raise anyio.ClosedResourceError


def socket_stream(sock: socket.socket) -> FdStream:
    """A byte stream over a connected socket, which it owns."""
    if sock.family == socket.AF_UNIX:
        # The kernel grants what it may, about 400 KiB: then a whole large frame fits.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SOCKET_SIZE)
    return FdStream(sock.fileno(), sock.fileno(), sock)


def pipe_stream(reader: int, writer: int) -> FdStream:
    """A byte stream that reads from one pipe and writes to another, and owns both."""
    for fd in (reader, writer):
        if stat.S_ISFIFO(os.fstat(fd).st_mode):
            _grow_pipe(fd)
    return FdStream(reader, writer)


def _grow_pipe(fd: int) -> None:
    try:
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)
    except PermissionError:
        return  # the user's share of pipe memory is used up; a small pipe is only slower


def take_stdio() -> FdStream:
    """This process's standard input and output as a byte stream.

    From then on descriptor 0 is empty and descriptor 1 is standard error, so that a stray print
    cannot get between the frames.
    """
    reader, writer = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return pipe_stream(reader, writer)


def memory_pair() -> tuple[FdStream, FdStream]:
    """Two ends of one byte stream inside this process."""
    ours, theirs = socket.socketpair()
    return socket_stream(ours), socket_stream(theirs)


@contextmanager
def short_path(path: Path) -> Iterator[str]:
    """A path that fits into a socket address and names the same file."""
    text = os.fspath(path)
    if "\0" in text:
        raise InvalidInput("a path cannot hold a NUL character")
    if len(os.fsencode(text)) <= _UNIX_PATH_MAX:
        yield text
        return
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        short = f"/proc/self/fd/{folder}/{path.name}"
        if len(os.fsencode(short)) > _UNIX_PATH_MAX:
            raise InvalidInput(f"the file name {path.name[:20]}… is too long for a unix socket")
        yield short
    finally:
        os.close(folder)


async def connect_unix(path: str | os.PathLike[str], *, timeout: float = 5.0) -> FdStream:
    """Connect to a unix socket; the path may be longer than a socket address.

    Raises:
        MachineLost: Nobody listens there.
        TimedOut: The listener does not accept.
    """
    where = Path(path)
    try:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as error:
        raise _why(error, str(where), timeout) from error
    sock.setblocking(False)
    try:
        with anyio.fail_after(timeout), short_path(where) as short:
            await _connect(sock, short)
    except OSError as error:
        sock.close()
        raise _why(error, str(where), timeout) from error
    except BaseException:
        sock.close()
        raise
    return socket_stream(sock)


async def _connect(sock: socket.socket, address: str | tuple[object, ...]) -> None:
    while True:
        try:
            sock.connect(address)
        except BlockingIOError as error:
            if error.errno == errno.EAGAIN:
                # A unix listener with a full backlog gives nothing to wait on.
                await anyio.sleep(0.005)
                continue
            await anyio.wait_writable(sock)
            code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if code:
                raise OSError(code, os.strerror(code)) from None
        return


def _why(error: OSError, where: str, timeout: float) -> CarrelError:
    if isinstance(error, TimeoutError):
        return TimedOut(f"{where} did not answer within {timeout:g} s", op="connect")
    return MachineLost(f"cannot connect to {where}: {error.strerror or error}", op="connect")


def ticket_for(token: str) -> bytes:
    """The first bytes of a client: of one length whatever the token."""
    if not token:
        raise InvalidInput("the token is empty", hint="make one with secrets.token_urlsafe(32)")
    digest = hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()
    return b"carrel/1 " + digest.encode() + b"\n"


async def connect_tcp(
    host: str, port: int, token: str, *, timeout: float = TOKEN_SECONDS
) -> FdStream:
    """Connect to a listener of `listen_tcp`.

    Raises:
        MachineLost: Nobody listens there.
        Refused: The token is not the listener's.
        TimedOut: There was no answer in time.
    """
    ticket = ticket_for(token)
    where = f"{host}:{port}"
    stream: FdStream | None = None
    try:
        with anyio.fail_after(timeout):
            stream = await _dial(host, port)
            await stream.send(ticket)
            answer = await receive_exactly(stream, len(TOKEN_ACCEPTED))
    except (anyio.EndOfStream, anyio.BrokenResourceError) as error:
        await _discard(stream)
        raise MachineLost(f"{where} closed the connection at once", op="connect") from error
    except OSError as error:
        await _discard(stream)
        raise _why(error, where, timeout) from error
    except BaseException:
        await _discard(stream)
        raise
    if answer == TOKEN_ACCEPTED:
        return stream
    await stream.aclose()
    if answer == TOKEN_REFUSED:
        raise Refused(f"{where} does not accept this token", op="connect")
    raise MachineLost(f"{where} is not a Carrel guest", op="connect")


async def _discard(stream: FdStream | None) -> None:
    if stream is not None:
        await stream.aclose()


async def resolve(host: str, port: int) -> list[Address]:
    if not 0 <= port <= 65535:
        raise InvalidInput(f"{port} is not a port", hint="ports go from 0 to 65535")
    try:
        found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (UnicodeError, ValueError) as error:
        raise InvalidInput(f"{host!r} is not a host name: {error}") from None
    return [(family, kind, proto, address) for family, kind, proto, _, address in found]


async def _dial(host: str, port: int) -> FdStream:
    failure: OSError = OSError(errno.EADDRNOTAVAIL, "no address for that name")
    for family, kind, proto, address in await resolve(host, port):
        sock = socket.socket(family, kind, proto)
        sock.setblocking(False)
        try:
            await _connect(sock, address)
        except OSError as error:
            failure = error
            sock.close()
        except BaseException:
            sock.close()
            raise
        else:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return socket_stream(sock)
    raise failure


async def receive_exactly(stream: FdStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        data += await stream.receive(count - len(data))
    return data
