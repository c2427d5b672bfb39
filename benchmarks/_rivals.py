"""Programs of others to compare with, each in a virtual environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs

__all__ = ["environment", "rival_environment", "rival_python"]

_PATIENCE = 400


def environment() -> dict[str, str]:
    """The variables of a measured process: no telemetry, and no fetching of price lists."""
    quiet = {"CUA_TELEMETRY": "off", "CUA_TELEMETRY_ENABLED": "false", "DO_NOT_TRACK": "1"}
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    return {**os.environ, **quiet, **keys, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}


def rival_environment() -> dict[str, str]:
    """The same for one of them, which has its bytecode beside it."""
    return {k: v for k, v in environment().items() if k != "PYTHONPYCACHEPREFIX"}


def rival_python(
    rival: str, pythons: tuple[tuple[int, int], ...] = (), beside: tuple[str, ...] = ()
) -> tuple[Path | None, str]:
    """The interpreter of an environment with that in it, made if need be; or None, and why.

    Args:
        rival: What to install from PyPI, `name==version`.
        pythons: Versions of Python that it runs with; ours when there are none.
        beside: Bounds on what is installed with it.
    """
    cache = platformdirs.user_cache_path("carrel", appauthor=False) / "benchmarks"
    place = cache / rival.replace("==", "-")
    python, ready = place / "bin" / "python", place / "ready"
    if ready.exists():
        return python, ""
    base = next(_interpreters(pythons), None)
    if base is None:
        wanted = ", ".join(f"{major}.{minor}" for major, minor in pythons)
        return None, f"it needs Python {wanted}, and none was found"
    shutil.rmtree(place, ignore_errors=True)
    cache.mkdir(parents=True, exist_ok=True)
    for command in _recipe([rival, *beside], base, place, python):
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


def _interpreters(pythons: tuple[tuple[int, int], ...]) -> Iterator[str]:
    if not pythons or sys.version_info[:2] in pythons:
        yield sys.executable
    for major, minor in pythons:
        name = f"python{major}.{minor}"
        # Where several are kept beside each other, ours is one of them.
        others = sorted(Path(sys.base_prefix).parent.glob(f"*{major}.{minor}*/bin/{name}"))
        for found in (shutil.which(name), *map(str, others)):
            # What is on the path may only stand for an interpreter that is not there.
            if found and _runs(found, (major, minor)):
                yield found


def _runs(python: str, version: tuple[int, int]) -> bool:
    code = f"import sys, venv; sys.exit(sys.version_info[:2] != {version})"
    try:
        done = subprocess.run([python, "-c", code], check=False, capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _recipe(wanted: list[str], base: str, place: Path, python: Path) -> list[list[str]]:
    uv = shutil.which("uv")
    make = [uv, "venv", "-q", "--python", base] if uv else [base, "-m", "venv"]
    pip = [uv, "pip", "install", "--python", str(python)] if uv else [str(python), "-m", "pip"]
    install = [*pip, "-q", *wanted] if uv else [*pip, "install", "-q", *wanted]
    # With bytecode, as ours; a file that some Python cannot compile is none of our business.
    code = f"import compileall; compileall.compile_dir({str(place / 'lib')!r}, quiet=2)"
    return [[*make, str(place)], install, [str(python), "-c", code]]
