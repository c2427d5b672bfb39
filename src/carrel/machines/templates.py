"""Templates: what to make a machine from, as data.

A package adds its own with an entry point of the group `carrel.templates` that names a `Template`;
the entry point's name is the template's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from carrel.errors import NotFound, Unavailable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["TEMPLATES", "Template", "find_templates", "get_template"]

GROUP = "carrel.templates"


@dataclass(frozen=True, slots=True)
class Template:
    """Where a machine starts.

    Attributes:
        summary: What it is for, in one line.
        image: What its disk comes from.
        profile: How much it may have, unless something else is wished.
        preset: The most it may be given; a stricter one can be added, never a wider one.
        network: What it reaches, unless something else is wished.
        notes: What whoever makes one should know.
        origin: The package it comes from; nothing for Carrel's own.
    """

    name: str
    summary: str
    image: str = "desktop"
    profile: str = "minimal"
    preset: str = ""
    network: str = "none"
    notes: tuple[str, ...] = ()
    origin: str = ""


_NO_SCREEN = "it has a bare screen: no window manager, panel or browser"
_PYPI = "packages come by --allow HOST for each host of your package index"
_NPM = "packages come by --allow HOST for the host of your registry"

TEMPLATES: Mapping[str, Template] = {
    template.name: template
    for template in (
        Template("desktop", "a desktop with a browser, an editor and a file manager"),
        Template(
            "browser",
            "the same desktop, with room for a browser at work",
            profile="standard",
            notes=("it reaches nothing until you say what: --allow HOST:PORT or --network nat",),
        ),
        Template(
            "mcp-server",
            "Python and Node.js for a server that an agent talks to",
            image="node",
            # Not restricted: most servers are given a key.
            preset="standard",
            notes=(_NO_SCREEN, f"Python: {_PYPI}", f"Node.js: {_NPM}"),
        ),
        Template(
            "python",
            "Python 3.11 with pip and venv",
            image="minimal",
            preset="standard",
            notes=(_NO_SCREEN, _PYPI),
        ),
        Template(
            "node",
            "Node.js 18 with npm",
            image="node",
            preset="standard",
            notes=(_NO_SCREEN, _NPM),
        ),
    )
}


def get_template(name: str) -> Template:
    """The template of that name: Carrel's own, or a package's.

    Raises:
        NotFound: There is none.
        Unavailable: A package says it has one, and it cannot be loaded.
    """
    from importlib.metadata import entry_points

    if name in TEMPLATES:
        return TEMPLATES[name]
    for point in entry_points(group=GROUP, name=name):
        return _load(point)
    known = dict.fromkeys([*TEMPLATES, *(point.name for point in entry_points(group=GROUP))])
    raise NotFound(
        f"there is no template {name[:40]!a}", hint=f"known templates: {', '.join(known)}"
    )


def find_templates() -> tuple[tuple[Template, ...], tuple[str, ...]]:
    """Every template, Carrel's own first; and what is wrong with those that cannot be loaded."""
    from importlib.metadata import entry_points

    found, problems = dict(TEMPLATES), []
    for point in entry_points(group=GROUP):
        if point.name in found:
            problems.append(f"{_package(point)} has another template called {point.name}")
            continue
        try:
            found[point.name] = _load(point)
        except Unavailable as error:
            problems.append(error.message)
    return tuple(found.values()), tuple(problems)


def _load(point: EntryPoint) -> Template:
    try:
        loaded = point.load()
    except Exception as error:  # noqa: BLE001 (another package's code: anything can happen)
        why = f"{type(error).__name__}: {error}"
    else:
        if isinstance(loaded, Template):
            return replace(loaded, name=point.name, origin=_package(point))
        why = f"{point.value} is a {type(loaded).__name__}, not a Template"
    raise Unavailable(
        f"template {point.name} of {_package(point)} cannot be loaded: {why}",
        op="template.load",
        hint=f"update or remove the package {_package(point)}",
    )


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
