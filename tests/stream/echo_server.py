"""A process of its own that answers requests on a unix socket, at once or after a while."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
from anyio.abc import ByteStream

from carrel.stream import Connection, Stream, listen_unix


async def answer(stream: Stream) -> None:
    args = stream.header["args"]
    await anyio.sleep(float(args["after"]))
    await stream.send_message({"result": args}, end=True)


async def serve(transport: ByteStream) -> None:
    async with Connection(transport, initiator=False, handler=answer) as connection:
        await connection.wait_closed()


async def main(path: str) -> None:
    async with listen_unix(Path(path)) as listener:
        await listener.serve(serve)


anyio.run(main, sys.argv[1])
