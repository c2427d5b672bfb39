"""`carrel do`: every action as a command."""

from __future__ import annotations

import click

from carrel.cli._group import GROUP, Lazy, LazyGroup
from carrel.cli.do._command import add_do_options

__all__ = ["do"]

_COMMANDS = {
    "shot": Lazy("carrel.cli.do.look:shot", "Take a picture of the screen."),
    "click": Lazy("carrel.cli.do.pointer:click_", "Click at a point."),
    "double-click": Lazy("carrel.cli.do.pointer:double_click", "Click twice at a point."),
    "right-click": Lazy("carrel.cli.do.pointer:right_click", "Click with the right button."),
    "move": Lazy("carrel.cli.do.pointer:move", "Move the pointer."),
    "drag": Lazy("carrel.cli.do.pointer:drag", "Press, move along points, release."),
    "mouse-down": Lazy("carrel.cli.do.pointer:mouse_down", "Press a button and keep it down."),
    "mouse-up": Lazy("carrel.cli.do.pointer:mouse_up", "Release a button."),
    "scroll": Lazy("carrel.cli.do.pointer:scroll", "Turn the wheel at a point."),
    "type": Lazy("carrel.cli.do.keyboard:type_", "Type text: any Unicode."),
    "key": Lazy("carrel.cli.do.keyboard:key", "Press keys together, such as ctrl+l."),
    "key-down": Lazy("carrel.cli.do.keyboard:key_down", "Press a key and keep it down."),
    "key-up": Lazy("carrel.cli.do.keyboard:key_up", "Release a key."),
    "elements": Lazy("carrel.cli.do.look:elements", "List what the applications say is shown."),
    "windows": Lazy("carrel.cli.do.windows:windows", "List the windows, the topmost last."),
    "window": Lazy("carrel.cli.do.windows:window", "Focus, move, resize or close a window."),
    "clipboard": Lazy("carrel.cli.do.work:clipboard", "Read or set the clipboard."),
    "cursor": Lazy("carrel.cli.do.look:cursor", "Show where the pointer is."),
    "screen": Lazy("carrel.cli.do.look:screen", "Show or change the size of the screen."),
    "wait": Lazy("carrel.cli.do.look:wait", "Wait for a time, or until the screen is still."),
    "open": Lazy("carrel.cli.do.work:open_", "Open an application, a URL or a file."),
    "shell": Lazy("carrel.cli.do.work:shell", "Run a shell command and wait for it."),
    "files": Lazy("carrel.cli.do.files:files", "Read, write, list, move and delete files."),
    "act": Lazy("carrel.cli.do.work:act", "Do an action written as JSON."),
}


@add_do_options
@click.group(cls=LazyGroup, lazy=_COMMANDS, context_settings=GROUP)
def do() -> None:
    """See and use a machine: one action per command.

    Without -m it is the only machine there is, or the one called desk. Says in one line what
    was observed; --json gives the whole result.
    """
