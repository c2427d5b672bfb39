"""Where Carrel keeps its files.

`$CARREL_HOME`, when set, holds everything; otherwise the platform's own places do.
"""

from __future__ import annotations

import os
from pathlib import Path

from carrel.errors import Unavailable

__all__ = [
    "USER_FILE",
    "config_home",
    "data_home",
    "machines_home",
    "private_directory",
    "runtime_directory",
    "runtime_path",
    "state_home",
]

USER_FILE = "config.toml"
"""In `config_home`: what the user has set."""


def data_home() -> Path:
    """Images and other things that can be made again."""
    return _home("user_data_path")


def state_home() -> Path:
    """The store and the machines."""
    return _home("user_state_path")


def config_home() -> Path:
    """What the user has set."""
    return _home("user_config_path")


def machines_home() -> Path:
    """One directory per machine, named by its id."""
    return state_home() / "machines"


def private_directory(path: Path) -> Path:
    """Make a directory that only its owner may enter."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def runtime_path(engine: str) -> Path:
    """Where an engine keeps its sockets: of a short name, gone with a restart of this system."""
    import tempfile

    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    usable = 0 < len(runtime) <= 40 and os.access(runtime, os.W_OK | os.X_OK)
    return Path(runtime if usable else tempfile.gettempdir()) / f"carrel-{engine}-{os.getuid()}"


def runtime_directory(engine: str) -> Path:
    """`runtime_path`, made where it is not there.

    Raises:
        Unavailable: It belongs to somebody else.
    """
    path = private_directory(runtime_path(engine))
    if path.stat().st_uid != os.getuid():
        raise Unavailable(f"{path} belongs to somebody else", op=engine, hint=f"remove {path}")
    return path


def _home(kind: str) -> Path:
    override = os.environ.get("CARREL_HOME")
    if override:
        return Path(override).expanduser().absolute()
    import platformdirs

    found: Path = getattr(platformdirs, kind)("carrel", appauthor=False)
    return found
