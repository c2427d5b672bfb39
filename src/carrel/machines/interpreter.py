"""Python processes of our own that start quickly and know nothing of their caller."""

from __future__ import annotations

import importlib.util
import os
import sys
from functools import cache
from pathlib import Path

__all__ = ["command", "environment"]

_PACKAGES = ("carrel", "anyio", "idna", "typing_extensions", "sniffio")
_NEEDED = (
    "PATH",
    "LD_LIBRARY_PATH",
    "PYTHONHOME",
    "PYTHONPYCACHEPREFIX",
    "PYTHONDONTWRITEBYTECODE",
)


def command(module: str, *arguments: str) -> list[str]:
    """The command that calls `main` of a module.

    Without `site`, whose work takes as long as the rest of the interpreter's start, and without the
    current directory, which is nobody's module path: told where our packages are instead.
    """
    code = f"import sys; sys.path[:0] = {_places()!r}; from {module} import main; main()"
    return [sys.executable, "-S", "-s", "-P", "-c", code, module, *arguments]


def environment() -> dict[str, str]:
    """What an interpreter needs to start, and not the caller's secrets.

    Process 1 of a machine is a copy of such a process, memory and all.
    """
    return {name: os.environ[name] for name in _NEEDED if name in os.environ}


@cache
def _places() -> list[str]:
    """The directories that hold our packages."""
    found: dict[str, None] = {}
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            origin = Path(spec.origin).absolute()
            home = origin.parent if origin.name == "__init__.py" else origin
            found[str(home.parent)] = None
    return list(found)
