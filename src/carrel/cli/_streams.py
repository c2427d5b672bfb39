"""The standard streams as a command needs them: open, and with errors that say whose they are."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["STANDARD_OUTPUT", "prepare_streams"]

STANDARD_OUTPUT = "standard output"
"""What an error names as the file that could not be written."""


class _Output(io.FileIO):
    """Standard output; the system does not say of an error which file it was."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from error


def prepare_streams() -> None:
    """Open what the caller closed, and have output take any text and name itself in errors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Takes the lowest free descriptor, which is the one that is missing.
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(nowhere, mode, closefd=False))  # noqa: SIM115 (to the end)
    before = sys.stdout
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(_Output(before.fileno(), "w", closefd=False)),
        encoding=before.encoding,
        # A name that this terminal's encoding lacks must not end the command.
        errors="backslashreplace",
        line_buffering=before.isatty(),
    )
