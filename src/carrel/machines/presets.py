"""Security presets: the most that a machine may be given, whatever else is wished."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from carrel.errors import NotFound, Refused
from carrel.machines.amounts import amount_words
from carrel.machines.spec import MachineSpec

__all__ = [
    "PRESETS",
    "Preset",
    "allowed_words",
    "check_preset",
    "get_preset",
    "narrow",
    "strictest",
]

_CREDENTIAL = re.compile(
    r"(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE)(?:_|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A bound on every wish.

    Attributes:
        networks: What the machine's network may be; the first is what a wider one becomes.
        pids: Most processes and threads; None is no bound of its own.
        memory_mb: Most memory; None is no bound of its own.
        env: Which variables it may be given: any, all but those named like credentials, or none.
        ports: Whether its ports may be published.
        volumes: Whether it may have volumes.
        walls: Whether its provider must contain it.
    """

    name: str
    meaning: str
    networks: tuple[str, ...] = ("none", "allowlist", "nat")
    pids: int | None = None
    memory_mb: int | None = None
    env: Literal["any", "plain", "none"] = "any"
    ports: bool = True
    volumes: bool = True
    walls: bool = True


_STRICTER = (
    Preset("trusted", "whatever is wished, also your own screen", walls=False),
    Preset(
        "standard",
        "walls around it, and no network but what is named",
        networks=("none", "allowlist"),
        pids=4096,
        memory_mb=16 * 1024,
    ),
    Preset(
        "restricted",
        "as standard, smaller, and no credentials in its environment",
        networks=("none", "allowlist"),
        pids=1024,
        memory_mb=8 * 1024,
        env="plain",
    ),
    Preset(
        "isolated",
        "no network, no variables, no published ports, no volumes",
        networks=("none",),
        pids=512,
        memory_mb=4 * 1024,
        env="none",
        ports=False,
        volumes=False,
    ),
)
"""Each allows less than the one before in every respect, so that two are merged by the later."""

PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in _STRICTER}


def get_preset(name: str) -> Preset:
    """The preset of that name.

    Raises:
        NotFound: There is none.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise NotFound(
            f"there is no preset {name[:40]!a}", hint=f"known presets: {', '.join(PRESETS)}"
        ) from None


def strictest(names: Iterable[str]) -> str:
    """The most restrictive of some presets; nothing where none is named."""
    order = list(PRESETS)
    found = [order.index(get_preset(name).name) for name in names if name]
    return order[max(found)] if found else ""


def narrow(preset: Preset, wish: Mapping[str, object]) -> dict[str, object]:
    """The fields of a wish that the preset does not allow, each with what it allows instead."""
    spec = {**_DEFAULTS, **wish}
    less: dict[str, object] = {}
    for field, bound in (("pids", preset.pids), ("memory_mb", preset.memory_mb)):
        asked = spec[field]
        if bound is not None and isinstance(asked, int) and asked > bound:
            less[field] = bound
    if spec["network"] not in preset.networks:
        less["network"] = preset.networks[0]
        if spec["allow"]:
            less["allow"] = ()
    less.update({key: () for key in _forbidden_lists(preset) if spec[key]})
    env = spec["env"]
    if isinstance(env, Mapping) and (kept := _allowed_env(preset, env)) != dict(env):
        less["env"] = kept
    return less


_DEFAULTS: Mapping[str, object] = {
    name: getattr(MachineSpec(), name)
    for name in ("pids", "memory_mb", "network", "allow", "env", "ports", "volumes")
}


def _forbidden_lists(preset: Preset) -> list[str]:
    return [name for name in ("ports", "volumes") if not getattr(preset, name)]


def _allowed_env(preset: Preset, env: Mapping[str, str]) -> dict[str, str]:
    if preset.env == "none":
        return {}
    if preset.env == "plain":
        return {name: value for name, value in env.items() if _CREDENTIAL.search(name) is None}
    return dict(env)


def check_preset(spec: MachineSpec, *, contains: bool) -> None:
    """Refuse a wish that its own preset does not allow.

    Args:
        spec: The wish.
        contains: Whether its provider puts walls around it.

    Raises:
        Refused: With every point.
    """
    if not spec.preset:
        return
    preset = get_preset(spec.preset)
    wish = {name: getattr(spec, name) for name in _DEFAULTS}
    points = [allowed_words(preset, name) for name in narrow(preset, wish)]
    if preset.walls and not contains:
        points.append(f"no provider without walls, such as {spec.provider}")
    if points:
        raise Refused(
            f"preset {preset.name} allows {'; '.join(points)}",
            op="machine.check",
            hint="ask for less, or make the machine with another preset",
            context={"preset": preset.name},
        )


def allowed_words(preset: Preset, field: str) -> str:
    """What a preset allows of a field, in words."""
    if field == "memory_mb" and preset.memory_mb is not None:
        return f"memory up to {amount_words(preset.memory_mb)}"
    if field == "pids":
        return f"pids up to {preset.pids}"
    if field == "network":
        return f"network {' or '.join(preset.networks)}"
    if field == "env" and preset.env == "plain":
        return "no variables named like credentials"
    return {"env": "no variables", "allow": "no allow rules"}.get(field, f"no {field}")
