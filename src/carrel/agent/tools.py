"""Function tools: a typed Python function that a model may call."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar, cast, overload

from anyio import to_thread

from carrel.agent._signature import convert, read_docstring, schema_of, type_hints
from carrel.codec import Json
from carrel.errors import AlreadyExists, CarrelError, InvalidInput, NotFound
from carrel.models.context import ToolSpec
from carrel.results import Effect, Failure, Result

__all__ = ["FunctionTool", "Tool", "Toolbox", "tool"]

MAX_RESULT = 50_000
"""Characters of a tool's answer that a model is shown."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")

F = TypeVar("F", bound=Callable[..., object])


class Tool(Protocol):
    """Something a model may call by name."""

    spec: ToolSpec

    async def call(self, arguments: Mapping[str, Json]) -> str:
        """Do it, and say what came of it.

        Raises:
            CarrelError: It did not work; the model is told why.
        """
        ...


@overload
def tool(function: F, /) -> F: ...
@overload
def tool(*, name: str | None = None, description: str | None = None) -> Callable[[F], F]: ...
def tool(
    function: Callable[..., object] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
) -> object:
    """Mark a typed function as a tool, and check at once that models can be told of it.

    The schema comes from the signature, the descriptions from the docstring (Google style). The
    function stays what it was and may be asynchronous or not; a synchronous one runs in a thread.

    Raises:
        InvalidInput: A parameter has no type, or one that JSON cannot carry.
    """

    def mark(function: F) -> F:
        function.__carrel_tool__ = FunctionTool(function, name, description)  # type: ignore[attr-defined]
        return function

    return mark if function is None else mark(function)


class FunctionTool:
    """A Python function as a tool."""

    def __init__(
        self,
        function: Callable[..., object],
        name: str | None = None,
        description: str | None = None,
    ) -> None:
        self._function = function
        text, parameters = read_docstring(inspect.getdoc(function) or "")
        chosen = name or str(getattr(function, "__name__", ""))
        if _NAME.fullmatch(chosen) is None:
            raise InvalidInput(
                f"{chosen!r} cannot be a tool's name",
                hint="letters, digits, _ and -, at most 64; give one with @tool(name=…)",
            )
        self._hints = type_hints(function, chosen)
        self._signature = inspect.signature(function)
        schema = schema_of(self._signature, self._hints, parameters, chosen)
        self.spec = ToolSpec(chosen, description or text or chosen, schema)

    async def call(self, arguments: Mapping[str, Json]) -> str:
        """Check the arguments, call the function and return what it gave as text."""
        values = self._check(arguments)
        if inspect.iscoroutinefunction(self._function):
            given = await self._function(**values)
        else:
            given = await to_thread.run_sync(
                partial(self._function, **values), abandon_on_cancel=True
            )
            if inspect.isawaitable(given):
                given = await cast("Awaitable[object]", given)
        return as_text(given)

    def _check(self, arguments: Mapping[str, Json]) -> dict[str, object]:
        known = self._signature.parameters
        unknown = sorted(set(arguments) - set(known))
        if unknown:
            raise InvalidInput(
                f"{self.spec.name} has no parameter {', '.join(map(repr, unknown))}",
                hint=f"its parameters: {', '.join(known) or 'none'}",
            )
        for name, parameter in known.items():
            if parameter.default is inspect.Parameter.empty and name not in arguments:
                raise InvalidInput(f"{self.spec.name} needs {name!r}")
        return {
            name: convert(self._hints[name], value, f"{self.spec.name}.{name}")
            for name, value in arguments.items()
        }


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one run, by name."""

    tools: Mapping[str, Tool]

    @classmethod
    def of(cls, given: Iterable[Tool | Callable[..., object]]) -> Toolbox:
        """Collect tools; plain functions become tools as if they were decorated."""
        found: dict[str, Tool] = {}
        for item in given:
            made = _as_tool(item)
            if made.spec.name in found:
                raise AlreadyExists(f"there are two tools called {made.spec.name!r}")
            found[made.spec.name] = made
        return cls(found)

    def with_tools(self, given: Iterable[Tool | Callable[..., object]]) -> Toolbox:
        """These tools and more."""
        return Toolbox.of((*self.tools.values(), *given))

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What models are told."""
        return tuple(item.spec for item in self.tools.values())

    def _find(self, name: str) -> Tool:
        found = self.tools.get(name)
        if found is None:
            known = ", ".join(self.tools) or "none"
            raise NotFound(f"there is no tool {name[:64]!r}", hint=f"known tools: {known}")
        return found

    async def call(self, name: str, arguments: Mapping[str, Json]) -> Result:
        """Call a tool; whatever goes wrong in it is told, and ends nothing."""
        try:
            text = await self._find(name).call(arguments)
        except CarrelError as error:
            return Result.failed(error)
        except Exception as error:  # noqa: BLE001 (the tool is the user's code; its fault is told to the model)
            failure = Failure("tool_failed", f"{name}: {type(error).__name__}: {error}")
            return Result(False, Effect.UNVERIFIABLE, failure.message, error=failure)
        if len(text) > MAX_RESULT:
            text = f"{text[:MAX_RESULT]}\n[{len(text) - MAX_RESULT} more characters left out]"
        return Result(True, Effect.UNVERIFIABLE, text)


def _as_tool(item: Tool | Callable[..., object]) -> Tool:
    if hasattr(item, "spec") and hasattr(item, "call"):
        return item
    marked = getattr(item, "__carrel_tool__", None)
    if isinstance(marked, FunctionTool):
        return marked
    if callable(item):
        return FunctionTool(item)
    raise InvalidInput(
        f"{type(item).__name__} is not a tool", hint="decorate a function with @tool"
    )


def as_text(value: object) -> str:
    """What a model reads of a value that a function returned."""
    if value is None:
        return "done"
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(value)
