"""What was given as `tools`: one computer, and functions."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from anyio import to_thread

from carrel.agent.tools import FunctionTool, Tool, as_text
from carrel.codec import Json
from carrel.compat.cua.computer import Computer
from carrel.compat.cua.custom import FUNCTIONS
from carrel.computer import Computer as Handle
from carrel.errors import InvalidInput
from carrel.machines.spec import Machine
from carrel.models.context import ToolSpec

__all__ = ["BaseTool", "Given", "sort_tools"]


class BaseTool(ABC):
    """A tool as a class: `name`, `description`, `parameters` (a JSON schema) and `call`."""

    name: str = ""
    description: str = ""

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Json]:
        """The JSON schema of the arguments."""

    @abstractmethod
    def call(self, params: dict[str, Json]) -> object:
        """Do it; may be asynchronous."""


class _Callable(Protocol):
    name: str
    parameters: Mapping[str, Json]

    def call(self, params: dict[str, Json]) -> object: ...


class ObjectTool:
    """A tool of theirs as one of ours; a synchronous `call` runs in a thread."""

    def __init__(self, tool: _Callable) -> None:
        self._tool = tool
        schema: dict[str, Json] = dict(tool.parameters or {"type": "object", "properties": {}})
        if schema.get("type") != "object":
            raise InvalidInput(f"tool {tool.name}: parameters is a JSON schema of an object")
        description = getattr(tool, "description", "") or tool.name
        self.spec = ToolSpec(tool.name, str(description), schema)

    async def call(self, arguments: Mapping[str, Json]) -> str:
        """Check what the schema requires, and call it."""
        self._check(arguments)
        call: Callable[[dict[str, Json]], object] = self._tool.call
        if inspect.iscoroutinefunction(call):
            return as_text(await call(dict(arguments)))
        given = await to_thread.run_sync(lambda: call(dict(arguments)), abandon_on_cancel=True)
        if inspect.isawaitable(given):
            given = await cast("Awaitable[object]", given)
        return as_text(given)

    def _check(self, arguments: Mapping[str, Json]) -> None:
        required = self.spec.schema.get("required")
        names = [str(name) for name in required] if isinstance(required, list) else []
        missing = [name for name in names if name not in arguments]
        if missing:
            raise InvalidInput(f"{self.spec.name} needs {', '.join(missing)}")


@dataclass(frozen=True, slots=True)
class Given:
    """The tools, sorted."""

    computer: object
    tools: tuple[Tool, ...]


def sort_tools(given: Iterable[object]) -> Given:
    """Tell computers from functions.

    Raises:
        InvalidInput: Something is neither, or there is more than one computer.
    """
    computers: list[object] = []
    tools: list[Tool] = []
    for item in given:
        if _is_computer(item):
            computers.append(item)
        else:
            tools.append(_as_tool(item))
    if len(computers) > 1:
        raise InvalidInput(
            f"there are {len(computers)} computers among the tools", hint="an agent has one"
        )
    return Given(computers[0] if computers else None, tuple(tools))


def _is_computer(item: object) -> bool:
    if isinstance(item, str | Machine | Computer | Handle):
        return True
    if isinstance(item, Mapping):
        return "screenshot" in item
    if isinstance(item, type):
        return False
    return all(callable(getattr(item, name, None)) for name in FUNCTIONS[:2])


def _as_tool(item: object) -> Tool:
    if hasattr(item, "spec") and hasattr(item, "call"):
        return cast("Tool", item)
    if all(hasattr(item, name) for name in ("name", "parameters", "call")):
        return ObjectTool(cast("_Callable", item))
    if callable(item) and not isinstance(item, type):
        marked = getattr(item, "__carrel_tool__", None)
        return marked if isinstance(marked, FunctionTool) else FunctionTool(item)
    what = f"a dict of {', '.join(map(str, item))}" if isinstance(item, Mapping) else repr(item)
    raise InvalidInput(
        f"{what[:120]} is neither a computer nor a function",
        hint='a custom computer is {"screenshot": …}; a tool is a function with typed parameters',
    )
