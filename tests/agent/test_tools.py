from __future__ import annotations

import json
import subprocess
import sys
import threading
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.agent.mcp import McpServer
from carrel.agent.tools import FunctionTool, Toolbox, tool
from carrel.errors import AlreadyExists, InvalidInput, Unavailable

pytestmark = pytest.mark.anyio


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@tool
def book(
    room: str,
    hours: int = 1,
    quiet: bool = False,
    floor: Literal["low", "high"] = "low",
    colour: Colour | None = None,
    guests: list[str] | None = None,
) -> str:
    """Reserve a room.

    It is yours until you leave.

    Args:
        room: Which one, as it is
            written on the door.
        hours: For how long.

    Returns:
        What was reserved.
    """
    return f"{room} {hours} {quiet} {floor} {colour and colour.name} {guests}"


def test_the_schema_comes_from_the_signature_and_the_docstring() -> None:
    spec = book.__carrel_tool__.spec  # type: ignore[attr-defined]
    assert spec.name == "book"
    assert spec.description == "Reserve a room.\n\nIt is yours until you leave."
    properties = spec.schema["properties"]
    assert spec.schema["required"] == ["room"]
    assert spec.schema["additionalProperties"] is False
    assert properties["room"] == {
        "type": "string",
        "description": "Which one, as it is written on the door.",
    }
    assert properties["hours"] == {"type": "integer", "description": "For how long.", "default": 1}
    assert properties["floor"] == {"enum": ["low", "high"], "default": "low"}
    assert properties["guests"]["anyOf"][0] == {"type": "array", "items": {"type": "string"}}
    json.dumps(spec.schema)


def test_the_function_stays_what_it_was() -> None:
    assert book("A") == "A 1 False low None None"


async def test_arguments_arrive_as_their_types() -> None:
    box = Toolbox.of([book])
    result = await box.call(
        "book", {"room": "B", "colour": "red", "guests": ["x"], "floor": "high", "quiet": True}
    )
    assert result.ok
    assert result.text == "B 1 True high RED ['x']"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "needs 'room'"),
        ({"room": 1}, "expected string"),
        ({"room": "A", "hours": "2"}, "expected integer"),
        ({"room": "A", "hours": True}, "expected integer"),
        ({"room": "A", "hours": 1.5}, "expected integer"),
        ({"room": "A", "floor": "middle"}, "not one of low, high"),
        ({"room": "A", "colour": "green"}, "fits none"),
        ({"room": "A", "guests": [1]}, "fits none"),
        ({"room": "A", "nonsense": 1}, "no parameter 'nonsense'"),
    ],
)
async def test_ill_typed_arguments_are_told_and_nothing_is_called(
    arguments: dict[str, object], complaint: str
) -> None:
    result = await Toolbox.of([book]).call("book", arguments)  # type: ignore[arg-type]
    assert not result.ok
    assert complaint in result.text


@given(
    st.dictionaries(
        st.sampled_from(["room", "hours", "quiet", "floor", "colour", "guests", "other"]),
        st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(), max_size=2),
    )
)
def test_any_arguments_give_a_result(arguments: dict[str, object]) -> None:
    async def call() -> None:
        result = await Toolbox.of([book]).call("book", arguments)  # type: ignore[arg-type]
        assert result.ok == (result.error is None)

    anyio.run(call)


async def test_asynchronous_functions_and_threads() -> None:
    @tool
    async def soon() -> dict[str, int]:
        """Wait a little."""
        await anyio.lowlevel.checkpoint()
        return {"a": 1}

    @tool
    def elsewhere() -> str:
        """Say which thread."""
        return threading.current_thread().name

    box = Toolbox.of([soon, elsewhere])
    assert (await box.call("soon", {})).text == '{"a": 1}'
    assert (await box.call("elsewhere", {})).text != threading.current_thread().name


async def test_long_answers_are_cut_and_say_so() -> None:
    @tool
    def long() -> str:
        """Say much."""
        return "x" * 60_000

    result = await Toolbox.of([long]).call("long", {})
    assert len(result.text) < 51_000
    assert "10000 more characters" in result.text


def test_what_cannot_be_described_is_refused_at_once() -> None:
    def untyped(a) -> None:  # type: ignore[no-untyped-def]
        """No types."""

    def rest(*words: str) -> None:
        """Any number."""

    def strange(path: Path) -> None:
        """Not JSON."""

    for function, complaint in ((untyped, "no type"), (rest, "cannot be"), (strange, "cannot be")):
        with pytest.raises(InvalidInput, match=complaint):
            tool(function)
    with pytest.raises(InvalidInput, match="tool's name"):
        FunctionTool(lambda: None)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(AlreadyExists):
        Toolbox.of([book, book])


def test_annotated_parameters_are_described() -> None:
    @tool(name="look-up")
    def look(word: Annotated[str, "what to look up"]) -> str:
        """Look up."""
        return word

    spec = look.__carrel_tool__.spec  # type: ignore[attr-defined]
    assert spec.name == "look-up"
    assert spec.schema["properties"]["word"]["description"] == "what to look up"


SERVER = """
from mcp.server import MCPServer
server = MCPServer("sums")

@server.tool()
def add(a: int, b: int) -> int:
    "Add two numbers."
    return a + b

@server.tool()
def fail() -> str:
    "Fail."
    raise ValueError("no luck")

server.run("stdio")
"""


async def test_tools_of_a_real_mcp_server_are_called(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    server = McpServer("sums", command=(sys.executable, str(script)))
    with anyio.fail_after(30):
        async with server.tools() as tools:
            box = Toolbox.of(tools)
            assert set(box.tools) == {"sums_add", "sums_fail"}
            assert (await box.call("sums_add", {"a": 2, "b": 40})).text == "42"
            failed = await box.call("sums_fail", {})
            assert not failed.ok
            assert "Error executing tool fail" in failed.text


async def test_a_server_that_does_not_start_is_named_with_what_to_try() -> None:
    with anyio.fail_after(30), pytest.raises(Unavailable, match="'gone' cannot be reached"):
        async with McpServer("gone", command=("/nonexistent/program",)).tools():
            pass


def test_tools_need_no_other_package() -> None:
    code = (
        "import sys; from carrel.agent.tools import tool\n"
        "@tool\ndef f(a: int) -> int:\n    'Say.'\n    return a\n"
        "bad = {'numpydoc', 'pydantic', 'mcp', 'openai', 'anthropic'} & set(sys.modules)\n"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
