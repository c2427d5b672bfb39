"""What there is to compare: cua-agent in a virtual environment of its own, and what each weighs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import platformdirs
from packaging.requirements import Requirement

import carrel

__all__ = [
    "RIVAL",
    "environment",
    "installed",
    "rival_environment",
    "rival_python",
    "weigh_ours",
    "weigh_theirs",
]

RIVAL = "cua-agent==0.9.1"
_PATIENCE = 400
_ROOT = Path(__file__).parent.parent
_WEIGH = """
import json
from importlib import metadata
tools = ("pip", "setuptools", "wheel")
found = [each for each in metadata.distributions() if each.name.lower() not in tools]
files = {file.locate() for each in found for file in each.files or () if file.suffix != ".pyc"}
print(json.dumps([len(found), sum(file.stat().st_size for file in files if file.is_file())]))
"""


def environment() -> dict[str, str]:
    """The variables of a measured process: no telemetry, and no fetching of price lists."""
    quiet = {"CUA_TELEMETRY": "off", "CUA_TELEMETRY_ENABLED": "false", "DO_NOT_TRACK": "1"}
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    return {**os.environ, **quiet, **keys, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


def rival_environment() -> dict[str, str]:
    """The same for cua-agent, which has its bytecode beside it."""
    return {k: v for k, v in environment().items() if k != "PYTHONPYCACHEPREFIX"}


def rival_python() -> tuple[Path | None, str]:
    """The interpreter of an environment with cua-agent in it, made if need be; or None, and why."""
    cache = platformdirs.user_cache_path("carrel", appauthor=False) / "benchmarks"
    place = cache / RIVAL.replace("==", "-")
    python, ready = place / "bin" / "python", place / "ready"
    if ready.exists():
        return python, ""
    shutil.rmtree(place, ignore_errors=True)
    cache.mkdir(parents=True, exist_ok=True)
    for command in _recipe(place, python):
        try:
            done = subprocess.run(
                command,
                check=False,
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                env=rival_environment(),
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return None, str(error)
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            return None, said[-1] if said else f"{command[0]} ended with {done.returncode}"
    ready.touch()
    return python, ""


def _recipe(place: Path, python: Path) -> list[list[str]]:
    uv = shutil.which("uv")
    make = [uv, "venv", "-q", str(place)] if uv else [sys.executable, "-m", "venv", str(place)]
    pip = [uv, "pip", "install", "--python", str(python)] if uv else [str(python), "-m", "pip"]
    install = [*pip, "-q", RIVAL] if uv else [*pip, "install", "-q", RIVAL]
    # With bytecode, as ours; a file that some Python cannot compile is none of our business.
    code = f"import compileall; compileall.compile_dir({str(place / 'lib')!r}, quiet=2)"
    return [make, install, [str(python), "-c", code]]


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
