"""From settings, template, profile and preset to what a machine should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from carrel.errors import Refused
from carrel.machines.limits import load_limits
from carrel.machines.presets import allowed_words, get_preset, narrow, strictest
from carrel.machines.profiles import get_profile
from carrel.machines.settings import KEYS, Layer
from carrel.machines.templates import Template, get_template

__all__ = ["FLAG", "Wish", "make_wish"]

FLAG = "flag"
"""The origin of what was written on the command line."""


@dataclass(slots=True)
class Wish:
    """The fields of a spec, each with where it comes from.

    Attributes:
        fields: What is known of the spec; the rest is its defaults.
        origins: Of each field.
        notes: What did not go as wished.
    """

    fields: dict[str, object] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def put(self, name: str, value: object, origin: str) -> None:
        """Set one field."""
        self.fields[name] = value
        self.origins[name] = origin

    def drop(self, name: str) -> None:
        """Leave one field to its default."""
        self.fields.pop(name, None)
        self.origins.pop(name, None)


def make_wish(layers: Sequence[Layer]) -> Wish:
    """Put together what a new machine should be.

    A template is the ground, its profile or another says how much, and single settings say more.
    The strictest preset that anybody has named narrows the outcome.

    Args:
        layers: Weakest first; what was written on the command line is the last, with `FLAG`.

    Raises:
        Refused: The command line asks for more than a preset allows.
    """
    wish = Wish()
    chosen = _strongest(layers)
    template = None
    if "template" in chosen:
        template = get_template(str(chosen["template"][0]))
        _lay_template(wish, template, chosen["template"][1])
    if "profile" in chosen:
        _lay_profile(wish, str(chosen["profile"][0]))
    for name, (value, origin) in chosen.items():
        if KEYS[name].field and name not in ("template", "preset"):
            wish.put(KEYS[name].field, value, origin)
    _agree_on_network(wish, layers)
    _lay_preset(wish, layers, template)
    return wish


def _strongest(layers: Sequence[Layer]) -> dict[str, tuple[object, str]]:
    return {
        name: (value, layer.origin)
        for layer in layers
        for name, value in layer.values.items()
        if name in KEYS
    }


def _lay_template(wish: Wish, template: Template, origin: str) -> None:
    words = f"template {template.name}"
    wish.put("template", template.name, origin)
    wish.put("image", template.image, words)
    wish.put("network", template.network, words)
    _lay_profile(wish, template.profile)
    # Nobody has asked for so much in person.
    limits = load_limits()
    for name, most in (("cpus", limits.cpus), ("memory_mb", limits.memory_mb)):
        wanted = wish.fields[name]
        if limits.check and most is not None and isinstance(wanted, int) and wanted > most:
            wish.put(name, most, f"{words}, cut to what this computer has")


def _lay_profile(wish: Wish, name: str) -> None:
    profile = get_profile(name)
    for each in ("cpus", "memory_mb", "disk_mb"):
        wish.put(each, getattr(profile, each), f"profile {name}")


def _agree_on_network(wish: Wish, layers: Sequence[Layer]) -> None:
    """Of rules and a network that contradict them, the one from the stronger layer holds."""
    if not wish.fields.get("allow") or wish.fields.get("network") == "allowlist":
        return
    ranks = {name: at for at, layer in enumerate(layers) for name in layer.values}
    if ranks["allow"] > ranks.get("network", -1):
        wish.put("network", "allowlist", wish.origins["allow"])
    elif ranks["allow"] < ranks["network"]:
        wish.drop("allow")


def _lay_preset(wish: Wish, layers: Sequence[Layer], template: Template | None) -> None:
    named = {
        str(layer.values["preset"]): layer.origin for layer in layers if "preset" in layer.values
    }
    if template is not None and template.preset:
        named.setdefault(template.preset, f"template {template.name}")
    name = strictest(named)
    if not name:
        return
    wish.put("preset", name, named[name])
    last = next((n for n, origin in named.items() if origin == FLAG), name)
    if last != name:
        wish.notes.append(f"preset {name} of {named[name]} is stricter than {last}, and holds")
    _narrow(wish, name)


def _narrow(wish: Wish, name: str) -> None:
    preset = get_preset(name)
    less: Mapping[str, object] = narrow(preset, wish.fields)
    asked = [each for each in less if wish.origins.get(each) == FLAG]
    if asked:
        points = "; ".join(allowed_words(preset, each) for each in asked)
        raise Refused(
            f"preset {name} of {wish.origins['preset']} allows {points}",
            op="machine.check",
            hint="ask for less, or name another preset where that one comes from",
            context={"preset": name, "fields": asked},
        )
    for each, value in less.items():
        if each in wish.fields:
            wish.notes.append(
                f"preset {name} allows {allowed_words(preset, each)}: "
                f"what {wish.origins[each]} asked for is cut"
            )
        wish.put(each, value, f"preset {name}")
