"""Choosing a provider when the owner did not."""

from __future__ import annotations

from carrel.errors import Unavailable
from carrel.machines import proof
from carrel.machines.provider import get_provider, provider_names

__all__ = ["AUTO_ORDER", "choose_provider"]

AUTO_ORDER = ("namespace",)
"""Strongest first. `host` is never in it: nobody gets an agent on their own screen by default."""


async def choose_provider() -> tuple[str, str]:
    """The strongest provider that works here, and why.

    One that has worked under the same conditions is not tried again: its next start is the trial.

    Raises:
        Unavailable: None does; the hint is the fix for the first.
    """
    refusals: list[str] = []
    fix: str | None = None
    for name in AUTO_ORDER:
        if name not in provider_names():
            continue
        if proof.is_proven(name):
            return name, "it has worked here before"
        health = await get_provider(name).probe()
        if health.usable:
            proof.remember(name)
            return name, health.reason
        refusals.append(f"{name}: {health.reason}")
        fix = fix or health.fix
    raise Unavailable(
        "no isolated machine can be had here: " + "; ".join(refusals),
        op="provider.choose",
        hint=fix,
    )
