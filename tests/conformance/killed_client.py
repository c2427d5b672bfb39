"""A client that drags for a minute; the test kills it on the way.

python killed_client.py tcp:PORT:TOKEN | unix:PATH
"""

from __future__ import annotations

import sys

import anyio
from anyio.abc import ByteStream

from carrel.computer import Computer
from carrel.stream import connect_tcp, connect_unix

WHERE = sys.argv[1]


async def connect() -> ByteStream:
    kind, _, rest = WHERE.partition(":")
    if kind == "unix":
        return await connect_unix(rest)
    port, _, token = rest.partition(":")
    return await connect_tcp("127.0.0.1", int(port), token)


async def main() -> None:
    async with Computer(connect) as computer:
        await computer.drag([(100, 100), (300, 300)], modifiers=("shift",), seconds=60)


anyio.run(main)
