"""Text given on the command line or through standard input."""

from __future__ import annotations

import sys

from carrel.errors import InvalidInput

__all__ = ["text_or_stdin"]

MOST = 64 * 1024 * 1024


def text_or_stdin(text: str) -> str:
    """The text, or all of standard input when it is `-`.

    Raises:
        InvalidInput: The input is too long or not UTF-8.
    """
    if text != "-":
        return text
    data = sys.stdin.buffer.read(MOST + 1)
    if len(data) > MOST:
        raise InvalidInput("standard input is longer than 64 MiB", hint="carrel cp takes any size")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InvalidInput(
            "standard input is not UTF-8", hint="carrel cp takes any bytes"
        ) from None
