"""Choosing a provider when the owner did not."""

from __future__ import annotations

from dataclasses import replace

from carrel.errors import CarrelError, Unavailable
from carrel.machines import proof
from carrel.machines.changes import require_hardware
from carrel.machines.provider import get_provider, provider_names, try_probe
from carrel.machines.spec import MachineSpec

__all__ = ["AUTO_ORDER", "choose_provider"]

AUTO_ORDER = ("gvisor", "namespace", "docker", "qemu")
"""Strongest first, but for `qemu`: without the processor's help it is several times slower. `host`
is never in it: nobody gets an agent on their own screen by default."""

_LEAST = "namespace"
"""What needs nothing to be installed."""


async def choose_provider(spec: MachineSpec | None = None) -> tuple[str, str]:
    """The first provider that works here and can make such a machine, and why.

    One that has worked under the same conditions is not tried again: its next start is the trial.

    Args:
        spec: What the machine is to be; anything by default.

    Raises:
        CarrelError: The wish is such that none would make it: as the least demanding one says.
        Unavailable: None works; the hint is the fix for the one that needs least.
    """
    refusals: list[str] = []
    wrong: dict[str, CarrelError] = {}
    fixes: dict[str, str | None] = {}
    for name in AUTO_ORDER:
        if name not in provider_names():
            continue
        if (refusal := _refusal(name, spec)) is not None:
            refusals.append(f"{name}: {refusal.message}")
            wrong[name] = refusal
            continue
        if proof.is_proven(name):
            return name, "it has worked here before"
        health = await try_probe(get_provider(name))
        if health.usable:
            proof.remember(name)
            return name, health.reason
        refusals.append(f"{name}: {health.reason}")
        fixes[name] = health.fix
    if spec is not None and wrong and not fixes:
        raise _nobodys(spec, refusals, wrong)
    raise Unavailable(
        "no isolated machine can be had here: " + "; ".join(refusals),
        op="provider.choose",
        hint=fixes.get(_LEAST) or next(filter(None, fixes.values()), None),
    )


def _refusal(name: str, spec: MachineSpec | None) -> CarrelError | None:
    """Why a provider cannot make such a machine."""
    try:
        provider = get_provider(name)
        if spec is not None:
            provider.check_spec(replace(spec, provider=name))
            require_hardware(provider, spec)
    except CarrelError as error:
        return error
    return None


def _nobodys(spec: MachineSpec, refusals: list[str], wrong: dict[str, CarrelError]) -> CarrelError:
    """What is said of a wish that no provider takes."""
    from carrel.machines.images.cache import image_names, unknown_image

    if spec.image not in image_names():
        return unknown_image(spec.image)
    least = wrong.get(_LEAST) or next(iter(wrong.values()))
    return type(least)(
        "no provider makes such a machine: " + "; ".join(refusals),
        op="provider.choose",
        hint=least.hint,
    )
