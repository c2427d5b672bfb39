"""cua's `ComputerAgent` and `Computer` on Carrel: the names people learned, without the defects.

```python
from carrel.compat.cua import Computer, ComputerAgent

async with Computer(display="1280x800") as computer:
    agent = ComputerAgent(model="anthropic/claude-…", tools=[computer])
    async for result in agent.run("Open the terminal and say hello"):
        print(result["output"])
```

See `docs/migrating-from-cua.md` for what behaves differently, and why.
"""

from carrel.compat.cua.agent import ComputerAgent
from carrel.compat.cua.callbacks import AsyncCallbackHandler
from carrel.compat.cua.computer import Computer
from carrel.compat.cua.interface import CommandResult, Interface
from carrel.compat.cua.models import translate
from carrel.compat.cua.session import BudgetExceededError
from carrel.compat.cua.tools import BaseTool

__all__ = [
    "AsyncCallbackHandler",
    "BaseTool",
    "BudgetExceededError",
    "CommandResult",
    "Computer",
    "ComputerAgent",
    "Interface",
    "translate",
]
