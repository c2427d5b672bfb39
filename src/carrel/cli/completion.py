"""`carrel completion`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from carrel.cli._group import Command
from carrel.cli._output import Output

__all__ = ["completion"]


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    r"""Print a shell completion script.

    \b
    bash: eval "$(carrel completion bash)"
    zsh:  eval "$(carrel completion zsh)"
    fish: carrel completion fish | source
    """
    cls = get_completion_class(shell)
    assert cls is not None
    script = cls(context.find_root().command, {}, "carrel", "_CARREL_COMPLETE").source()
    out: Output = context.obj
    out.result({"shell": shell, "script": script}, script)
