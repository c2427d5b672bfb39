"""`carrel models`."""

from __future__ import annotations

import click

from carrel.cli._group import Command
from carrel.cli._output import Output
from carrel.codec import encode

__all__ = ["models"]


@click.command(cls=Command)
@click.pass_obj
def models(out: Output) -> None:
    """List the families of models, and what each needs."""
    from carrel.models.registry import families

    found = families()
    if out.json:
        out.document({"families": [encode(family) for family in found]})
        return
    out.table(
        ("family", "for example", "needs", "here"),
        [
            (
                family.name,
                ", ".join(family.examples[:2]),
                ", ".join(family.needs) or "nothing",
                "ready" if family.available else family.reason,
            )
            for family in found
        ],
    )
