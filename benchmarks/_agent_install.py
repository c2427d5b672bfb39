"""What installing cua-agent and Carrel brings, and what it weighs."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

import carrel

__all__ = ["RIVAL", "installed", "weigh_ours", "weigh_theirs"]

RIVAL = "cua-agent==0.9.1"
_ROOT = Path(__file__).parent.parent
_WEIGH = """
import json
from importlib import metadata
tools = ("pip", "setuptools", "wheel")
found = [each for each in metadata.distributions() if each.name.lower() not in tools]
files = {file.locate() for each in found for file in each.files or () if file.suffix != ".pyc"}
print(json.dumps([len(found), sum(file.stat().st_size for file in files if file.is_file())]))
"""


def weigh_theirs(python: Path) -> tuple[int, float]:
    """Distributions and megabytes in cua-agent's environment, without bytecode."""
    done = subprocess.run([str(python), "-c", _WEIGH], capture_output=True, text=True, check=True)
    count, size = json.loads(done.stdout)
    return count, size / 1e6


def weigh_ours(*extras: str) -> tuple[int, float]:
    """Distributions and megabytes that installing Carrel brings, without bytecode."""
    found = installed("carrel", extras)
    source = Path(carrel.__file__).parent
    files = {path for path in source.rglob("*") if path.is_file()}
    for name in found - {"carrel"}:
        files |= {Path(str(file.locate())) for file in metadata.files(name) or ()}
    sizes = (path.stat().st_size for path in files if path.suffix != ".pyc" and path.is_file())
    return len(found), sum(sizes) / 1e6


def installed(name: str, extras: tuple[str, ...] = ()) -> set[str]:
    """A distribution and all it requires, of what is installed here."""
    found: set[str] = set()
    waiting = [(name, ("", *extras))]
    while waiting:
        name, extras = waiting.pop()
        found.add(_plain(name))
        for need in map(Requirement, _requires(name, extras)):
            wanted = need.marker is None or any(need.marker.evaluate({"extra": e}) for e in extras)
            if wanted and (_plain(need.name) not in found or need.extras):
                waiting.append((need.name, ("", *need.extras)))
    return found


def _requires(name: str, extras: tuple[str, ...]) -> list[str]:
    if name != "carrel":
        return metadata.requires(name) or []
    # An editable installation may know of older dependencies.
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    return [
        *project["dependencies"],
        *(need for extra in extras for need in optional.get(extra, ())),
    ]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
