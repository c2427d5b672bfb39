"""Images without a desktop: for programs that talk, such as MCP servers.

They have a bare screen all the same, because the guest has one: `xvfb` and no window manager.
"""

from __future__ import annotations

from carrel.machines.images.desktop import LEAVE_OUT
from carrel.machines.images.recipe import Recipe

__all__ = ["MINIMAL", "NODE"]

_SYSTEM = ("ca-certificates", "curl", "less", "procps", "python3", "python3-pip", "python3-venv")
_SCREEN = ("x11-xkb-utils", "xauth", "xkb-data", "xvfb")

MINIMAL = Recipe(name="minimal", packages=_SYSTEM + _SCREEN, leave_out=LEAVE_OUT)

NODE = Recipe(name="node", packages=(*MINIMAL.packages, "nodejs", "npm"), leave_out=LEAVE_OUT)
