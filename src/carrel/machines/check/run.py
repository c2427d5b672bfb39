"""Runs the checks one after another on a private store."""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import anyio

from carrel.errors import CarrelError, Unavailable
from carrel.machines.check import desk, lifecycle, walls, work
from carrel.machines.check.subject import CHECKS, Check, Failed, Skipped, Subject
from carrel.machines.lifecycle import Machines, quiet
from carrel.machines.provider import Progress, get_provider
from carrel.machines.spec import MachineSpec
from carrel.machines.store import Store

__all__ = ["CheckResult", "run_checks"]

BOUND = 120.0
"""Seconds one check may take."""

# Importing these modules filled CHECKS; this is the order they run in.
_ORDER = [module.__name__ for module in (lifecycle, work, desk, walls)]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How one check went."""

    id: str
    title: str
    outcome: Literal["passed", "failed", "skipped"]
    detail: str
    seconds: float


async def run_checks(
    name: str, spec: MachineSpec | None = None, progress: Progress = quiet
) -> AsyncIterator[CheckResult]:
    """Check one provider.

    Args:
        name: Which one.
        spec: What to make machines from; by default the smallest wish the provider takes.
        progress: Told about long preparation, such as building the image.

    Raises:
        NotFound: There is no such provider.
        Unavailable: Its probe says it does not work here.
    """
    provider = get_provider(name)
    health = await provider.probe()
    if not health.usable:
        raise Unavailable(f"{name} does not work here: {health.reason}", hint=health.fix)
    wish = spec or MachineSpec(provider=name)
    provider.check_spec(wish)
    await provider.prepare(wish, progress)
    async with _subject(name, wish) as subject:
        for item in sorted(CHECKS, key=lambda check: _ORDER.index(check.run.__module__)):
            progress(item.title, None)
            yield await _run(item, subject)


@asynccontextmanager
async def _subject(name: str, wish: MachineSpec) -> AsyncIterator[Subject]:
    with tempfile.TemporaryDirectory(prefix="carrel-check-", ignore_cleanup_errors=True) as home:
        subject = Subject(get_provider(name), Machines(Store(Path(home))), wish)
        try:
            yield subject
        finally:
            for standing in await subject.machines.list():
                await subject.machines.delete(standing.machine.name)


async def _run(item: Check, subject: Subject) -> CheckResult:
    started = time.perf_counter()
    outcome: Literal["passed", "failed", "skipped"] = "passed"
    detail = ""
    try:
        with anyio.fail_after(BOUND):
            await item.run(subject)
    except Skipped as verdict:
        outcome, detail = "skipped", str(verdict)
    except Failed as verdict:
        outcome, detail = "failed", str(verdict)
    except CarrelError as error:
        outcome, detail = "failed", f"{error.code}: {error}"
    except TimeoutError:
        outcome, detail = "failed", f"took longer than {BOUND:.0f} seconds"
    return CheckResult(item.id, item.title, outcome, detail, time.perf_counter() - started)
