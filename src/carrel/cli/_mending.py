"""What `carrel doctor --fix` says: every fault before, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carrel.cli._machines import run
from carrel.cli._output import Output

if TYPE_CHECKING:
    from carrel.machines.mending import Fault, Outcome

__all__ = ["show_mending"]


def show_mending(out: Output, *, dry_run: bool, install: bool) -> int:
    """Look for faults, mend them unless it is a rehearsal, and tell; how many remain."""
    found = run(_find, install)
    if not out.json:
        _show_found(out, found)
    outcomes: tuple[Outcome, ...] = () if dry_run else run(_mend, install)
    remain = len(found) if dry_run else sum(each.result != "mended" for each in outcomes)
    if out.json:
        out.document(
            {
                "dry_run": dry_run,
                "found": [_describe(fault) for fault in found],
                "outcomes": [
                    {**_describe(each.fault), "result": each.result, "said": each.said}
                    for each in outcomes
                ],
                "remaining": remain,
            }
        )
    else:
        for outcome in outcomes:
            _show_outcome(out, outcome)
        out.line(_total(found, outcomes, remain, dry_run=dry_run))
    return remain


async def _find(install: bool) -> tuple[Fault, ...]:
    from carrel.machines.mending import find_faults

    return await find_faults(install=install)


async def _mend(install: bool) -> tuple[Outcome, ...]:
    from carrel.machines.mending import mend

    return await mend(install=install)


def _describe(fault: Fault) -> dict[str, object]:
    return {
        "kind": fault.kind,
        "subject": fault.subject,
        "detail": fault.detail,
        "plan": fault.plan,
        "hint": fault.hint,
    }


def _show_found(out: Output, found: tuple[Fault, ...]) -> None:
    for fault in found:
        out.line(f"found   {fault.kind} {fault.subject}: {fault.detail}")
        if fault.plan is not None:
            out.line(f"        to mend it: {fault.plan}")
        elif fault.hint is not None:
            out.line(f"        only you can: {fault.hint}")


def _show_outcome(out: Output, outcome: Outcome) -> None:
    fault = outcome.fault
    said = outcome.said or fault.detail
    out.line(f"{outcome.result.ljust(6)}  {fault.kind} {fault.subject}: {said}")
    if outcome.result != "mended" and fault.hint is not None:
        out.line(f"        try: {fault.hint}")


def _total(
    found: tuple[Fault, ...], outcomes: tuple[Outcome, ...], remain: int, *, dry_run: bool
) -> str:
    if not found and not outcomes:
        return "Everything is as it should be."
    if dry_run:
        can = sum(fault.plan is not None for fault in found)
        return f"{len(found)} found, {can} of them can be mended: carrel doctor --fix"
    return f"{len(outcomes) - remain} mended, {remain} left."
