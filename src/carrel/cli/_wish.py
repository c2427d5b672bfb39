"""What a machine should be, as options and settings say it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from carrel.cli._output import Output
from carrel.cli._types import DISK, MAC, MEMORY, NETWORKS, PORT, SCREEN, TEMPLATE, parse_pairs
from carrel.errors import UsageError
from carrel.guest.restarts import Restart
from carrel.machines.presets import PRESETS
from carrel.machines.profiles import PROFILES

if TYPE_CHECKING:
    from carrel.machines.spec import MachineSpec

__all__ = ["STARTS_WITH", "as_fields", "new_wish", "resource_options", "wish_options", "written"]

F = TypeVar("F", bound=Callable[..., None])

_RESOURCES = (
    click.option("--cpus", type=int, metavar="N", help="Most processors it may use; 0: no limit."),
    click.option("--memory", type=MEMORY, help="Most memory it may use, 4GB by default."),
    click.option(
        "--disk",
        type=DISK,
        help="Most room its disk may take; default: no limit, in a virtual machine 20GB.",
    ),
    click.option(
        "--mac",
        type=MAC,
        help="Provider qemu: give it a network card that leads nowhere, with this address; auto "
        "or none.",
    ),
    click.option(
        "--publish",
        "-p",
        "ports",
        type=PORT,
        multiple=True,
        help="Have its port GUEST on HOST of 127.0.0.1; repeatable.",
    ),
    click.option(
        "--restart",
        type=click.Choice(get_args(Restart)),
        help="Whether to start it again when it ends by itself; never by default.",
    ),
)
_WISHES = (
    click.option("--template", "-t", type=TEMPLATE, help="What to make it from: template list."),
    click.option("--profile", type=click.Choice([*PROFILES]), help="How much it may use."),
    click.option("--preset", type=click.Choice([*PRESETS]), help="The most it may be given."),
    click.option(
        "--provider",
        metavar="P",
        help="How to have it; auto is the first of gvisor, namespace, docker and qemu that works.",
    ),
    click.option(
        "--image", metavar="I", help="Its disk: desktop (default), minimal, node or host."
    ),
    click.option("--kind", metavar="K", help="Kind of computer; provider qemu: microvm or q35."),
    click.option("--size", type=SCREEN, help="Its screen, 1280x800 by default."),
    *_RESOURCES,
    click.option("--pids", type=int, metavar="N", help="Most processes it may have."),
    click.option(
        "--network",
        type=click.Choice(NETWORKS),
        help="none (default), allowlist (what --allow names) or nat (that and public addresses).",
    ),
    click.option(
        "--allow", multiple=True, metavar="HOST:PORT", help="Let it reach this; repeatable."
    ),
    click.option(
        "--env", multiple=True, metavar="NAME=VALUE", help="Set for all in it; repeatable."
    ),
    click.option(
        "--url", metavar="tcp://HOST:PORT", help="Provider remote: where the guest listens."
    ),
    click.option("--token-file", metavar="F", help="Provider remote: file that holds its token."),
    click.option("--yes", is_flag=True, help="Do not ask before using provider host."),
)

_MADE = ("image", "kind", "mac", "size")
"""What only a provider that makes the machine can give."""

_BOUNDED = ("memory", "cpus", "pids", "disk", "profile", "template")
"""What only a provider that walls the machine off can promise."""

STARTS_WITH = frozenset({"cpus", "memory", "disk", "mac", "restart"})
"""Settings that `start` has an option of the same name for."""

_ELSEWHERE = ("url", "token_file")


def resource_options(command: F) -> F:
    """The options by which a machine is started."""
    return _with(command, _RESOURCES)


def wish_options(command: F) -> F:
    """The options by which a machine is made."""
    return _with(command, _WISHES)


def _with(command: F, options: tuple[Callable[[F], F], ...]) -> F:
    for option in reversed(options):
        command = option(command)
    return command


def written(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were written, by the names of settings."""
    given = {key: value for key, value in options.items() if value not in (None, ())}
    if "env" in given:
        given["env"] = parse_pairs(given["env"])
    if "allow" in given:
        from carrel.machines.egress import Rule

        given["allow"] = tuple(str(Rule.parse(rule)) for rule in given["allow"])
    return given


def as_fields(given: dict[str, Any]) -> dict[str, Any]:
    """Written options as fields of a spec."""
    from carrel.machines.profiles import get_profile
    from carrel.machines.settings import KEYS

    fields: dict[str, Any] = {}
    if "profile" in given:
        profile = get_profile(given["profile"])
        names = ("cpus", "memory_mb", "disk_mb")
        fields = {name: getattr(profile, name) for name in names}
    for name, value in given.items():
        if name in _ELSEWHERE:
            fields[name] = value
        elif KEYS[name].field:
            fields[KEYS[name].field] = value
    if "allow" in fields:
        fields.setdefault("network", "allowlist")
    return fields


def new_wish(out: Output, name: str, given: dict[str, Any]) -> tuple[MachineSpec, dict[str, str]]:
    """What a machine that is not there yet should be, and where each field comes from.

    Args:
        out: Told what did not go as wished.
        name: Of the machine; files may say something of it.
        given: The options that were written.
    """
    from carrel.machines.settings import Layer, load_layers
    from carrel.machines.spec import MachineSpec
    from carrel.machines.wishes import FLAG, make_wish

    flags = {key: value for key, value in given.items() if key not in _ELSEWHERE}
    elsewhere = {key: given[key] for key in _ELSEWHERE if key in given}
    layers = [*load_layers(name), Layer(FLAG, flags)]
    provider = next((x.values["provider"] for x in layers[::-1] if "provider" in x.values), "auto")
    if not _contains(str(provider)):
        layers = _without_walls(out, str(provider), layers)
    wish = make_wish(layers)
    wish.fields.setdefault("provider", "auto")
    for note in wish.notes:
        out.note(note)
    fields: dict[str, Any] = {**wish.fields, **elsewhere}
    return MachineSpec(**fields), wish.origins


def _contains(provider: str) -> bool:
    from carrel.machines.provider import get_provider

    return provider == "auto" or get_provider(provider).capabilities.contains


def _without_walls(out: Output, provider: str, layers: list[Any]) -> list[Any]:
    """The layers without what such a provider cannot give."""
    from carrel.machines.provider import get_provider
    from carrel.machines.settings import Layer

    flags = layers[-1]
    abilities = get_provider(provider).capabilities
    makes = abilities.images
    refused = _BOUNDED if makes else (*_MADE, *_BOUNDED)
    if not abilities.owns:
        refused = (*refused, "restart")
    for option in refused:
        if option in flags.values:
            why = "cannot promise" if makes else "takes what is there: it has no"
            raise UsageError(
                f"provider {provider} {why} {option}",
                hint=f"leave out --{option}, or name another provider",
            )
    kept = [
        Layer(origin, {key: item for key, item in values.items() if key not in refused})
        for origin, values in layers
    ]
    if not any("network" in layer.values for layer in kept):
        kept.insert(0, Layer(f"provider {provider}", {"network": "nat"}))
        out.note(f"network is nat: provider {provider} cannot promise less")
    return kept
