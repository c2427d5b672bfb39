"""One duplex byte stream to a machine, shared by everything that crosses it.

Requests, streaming bodies, port forwards and tunnels are streams of one `Connection`, each with
flow control of its own. See docs/adr/0003-one-stream.md.
"""

from __future__ import annotations

from carrel.stream.call import Body, Reply, call, request
from carrel.stream.connection import Connection, Handler
from carrel.stream.frames import MAX_CHUNK, MAX_MESSAGE, WINDOW, Lane
from carrel.stream.line import Line, Nested
from carrel.stream.listeners import Listener, listen_inherited, listen_tcp, listen_unix
from carrel.stream.streams import Chunk, Message, Stream
from carrel.stream.transports import (
    FdStream,
    connect_tcp,
    connect_unix,
    memory_pair,
    pipe_stream,
    socket_stream,
    take_stdio,
)

__all__ = [
    "MAX_CHUNK",
    "MAX_MESSAGE",
    "WINDOW",
    "Body",
    "Chunk",
    "Connection",
    "FdStream",
    "Handler",
    "Lane",
    "Line",
    "Listener",
    "Message",
    "Nested",
    "Reply",
    "Stream",
    "call",
    "connect_tcp",
    "connect_unix",
    "listen_inherited",
    "listen_tcp",
    "listen_unix",
    "memory_pair",
    "pipe_stream",
    "request",
    "socket_stream",
    "take_stdio",
]
