"""Runs the command line inside the test's process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from click.testing import CliRunner, Result

from carrel.cli import root

Carrel = Callable[..., Result]


def invoke(args: Sequence[str], text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(root, list(args), input=text)
