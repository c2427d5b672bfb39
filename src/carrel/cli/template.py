"""`carrel template`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._output import Output
from carrel.cli._types import TEMPLATE

if TYPE_CHECKING:
    from carrel.machines.templates import Template

__all__ = ["template"]


@click.group(cls=Group, context_settings=GROUP)
def template() -> None:
    """Show what machines can be made from."""


@template.command("list")
@click.pass_obj
def list_templates(out: Output) -> None:
    """List the templates, Carrel's own and those of installed packages."""
    from carrel.machines.templates import find_templates

    found, problems = find_templates()
    if out.json:
        out.document({"templates": [_describe(item) for item in found], "problems": [*problems]})
        return
    columns = ("name", "image", "profile", "preset", "network", "summary")
    rows = [(t.name, t.image, t.profile, t.preset or "-", t.network, t.summary) for t in found]
    out.table(columns, rows)
    for problem in problems:
        out.note(problem)


@template.command()
@click.argument("name", type=TEMPLATE)
@click.pass_obj
def show(out: Output, name: str) -> None:
    """Show one template with all it stands for."""
    from carrel.machines.amounts import amount_words
    from carrel.machines.presets import get_preset
    from carrel.machines.profiles import get_profile
    from carrel.machines.templates import get_template

    found = get_template(name)
    profile = get_profile(found.profile)
    preset = f"{found.preset}: {get_preset(found.preset).meaning}" if found.preset else "none"
    memory, disk = amount_words(profile.memory_mb), amount_words(profile.disk_mb)
    out.result(
        _describe(found),
        f"{found.name}: {found.summary}",
        f"image    {found.image}",
        f"profile  {profile.name}: {profile.cpus} processors, {memory} memory, {disk} disk",
        f"preset   {preset}",
        f"network  {found.network}",
        *(f"note: {note}" for note in found.notes),
        *([f"from the package {found.origin}"] if found.origin else []),
        f"make one: carrel init NAME -t {found.name}",
    )


def _describe(item: Template) -> dict[str, object]:
    return {
        "name": item.name,
        "summary": item.summary,
        "image": item.image,
        "profile": item.profile,
        "preset": item.preset or None,
        "network": item.network,
        "notes": list(item.notes),
        "package": item.origin or None,
    }
