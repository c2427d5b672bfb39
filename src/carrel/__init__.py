"""Carrel: a desk of its own for an AI agent.

```python
import anyio
from carrel import Machines

async def main() -> None:
    machines = Machines()
    await machines.up("desk")
    async with machines.computer("desk") as computer:
        await computer.open("xterm")
        frame = await computer.screenshot()

anyio.run(main)
```

Programs that are not asynchronous use `carrel.sync`.
"""

from __future__ import annotations

# Not from typing, which costs more than all else here: a machine's start waits for this module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from carrel.agent.agent import Agent
    from carrel.agent.running import Running
    from carrel.agent.tools import tool
    from carrel.computer import Computer, ElementTree, Process
    from carrel.errors import CarrelError
    from carrel.frames import Change, Element, Frame, Window
    from carrel.geometry import Box, Point, Size
    from carrel.journal.run import Run
    from carrel.machines.lifecycle import Machines, Standing
    from carrel.machines.spec import Machine, MachineSpec
    from carrel.machines.state import State
    from carrel.policy.limits import Limits
    from carrel.policy.policy import Policy
    from carrel.results import Effect, Result

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Box",
    "CarrelError",
    "Change",
    "Computer",
    "Effect",
    "Element",
    "ElementTree",
    "Frame",
    "Limits",
    "Machine",
    "MachineSpec",
    "Machines",
    "Point",
    "Policy",
    "Process",
    "Result",
    "Run",
    "Running",
    "Size",
    "Standing",
    "State",
    "Window",
    "__version__",
    "tool",
]

_HOMES = {
    "carrel.agent.agent": ("Agent",),
    "carrel.agent.running": ("Running",),
    "carrel.agent.tools": ("tool",),
    "carrel.computer": ("Computer", "ElementTree", "Process"),
    "carrel.errors": ("CarrelError",),
    "carrel.frames": ("Change", "Element", "Frame", "Window"),
    "carrel.geometry": ("Box", "Point", "Size"),
    "carrel.journal.run": ("Run",),
    "carrel.machines.lifecycle": ("Machines", "Standing"),
    "carrel.machines.spec": ("Machine", "MachineSpec"),
    "carrel.machines.state": ("State",),
    "carrel.policy.limits": ("Limits",),
    "carrel.policy.policy": ("Policy",),
    "carrel.results": ("Effect", "Result"),
}


def __getattr__(name: str) -> object:
    # Names are loaded when first used, so that `import carrel` costs next to nothing.
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'carrel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
