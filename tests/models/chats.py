"""What tests of chat dialects share: contexts, answers, pictures, hostile text."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import strategies as st
from PIL import Image

from carrel.actions import Action
from carrel.codec import Json
from carrel.decisions import Call, Decision
from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.models.context import Context, Outcome, ToolSpec, Turn
from carrel.models.dialect import Dialect
from carrel.models.picture import Picture

SCREEN = Size(1920, 1080)
TOOL = ToolSpec(
    "weather",
    "Tells the weather.",
    {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}},
)


def picture(
    screen: Size = SCREEN, *, region: Box | None = None, elements: tuple[Element, ...] = ()
) -> Picture:
    size = Size(region.width, region.height) if region else screen
    out = io.BytesIO()
    Image.new("RGB", (size.width, size.height), (40, 90, 140)).save(out, "png", compress_level=1)
    data = out.getvalue()
    return Picture(f"p{id(data)}", screen, lambda: data, region=region, elements=elements)


def context(*turns: Turn, **given: object) -> Context:
    settings = {"task": "Open the editor.", "screen": SCREEN, "turns": turns, **given}
    return Context(**settings)  # type: ignore[arg-type]


def answer(
    text: str | None = None, *, calls: list[Json] | None = None, **more: Json
) -> dict[str, Json]:
    message: dict[str, Json] = {"role": "assistant", "content": text}
    if calls is not None:
        message["tool_calls"] = calls
    finish = more.pop("finish_reason", "stop")
    message |= more
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "served-model",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "prompt_tokens_details": {"cached_tokens": 60},
            "completion_tokens_details": {"reasoning_tokens": 5},
        },
    }


def native(name: str, arguments: Json, id_: str = "c1") -> dict[str, Json]:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": written}}


def only(decision: Decision) -> tuple[Action, ...]:
    """The actions of the one call of a decision that was understood."""
    (call,) = decision.calls
    assert call.problem is None, call.problem
    return call.actions


def actions_of(decision: Decision) -> list[Action]:
    assert all(call.problem is None for call in decision.calls), decision.calls
    return [action for call in decision.calls for action in call.actions]


def problem_of(decision: Decision) -> str:
    (call,) = decision.calls
    assert call.problem is not None
    assert call.actions == ()
    return call.problem.message


def foreign(*actions: Action, thought: str = "so") -> Turn:
    """A turn that another dialect decided."""
    call = Call("toolu_1", "computer", actions)
    decision = Decision(calls=(call,), thought=thought, raw={"dialect": "elsewhere", "items": []})
    return Turn(decision, (Outcome("toolu_1", "It worked."),))


def messages(dialect: Dialect, given: Context) -> list[dict[str, Json]]:
    found = dialect.encode("m", given).body["messages"]
    assert isinstance(found, list)
    return [item for item in found if isinstance(item, dict)]


def said(message: dict[str, Json]) -> str:
    """The words of a message."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    assert isinstance(content, list)
    return "\n".join(
        str(part["text"]) for part in content if isinstance(part, dict) and "text" in part
    )


def written_again(dialect: Dialect, *actions: Action) -> list[Action]:
    """Actions of another dialect, written in this one's words and read back."""
    history = messages(dialect, context(foreign(*actions)))
    (assistant,) = [item for item in history if item["role"] == "assistant"]
    calls = assistant.get("tool_calls")
    body = answer(str(assistant["content"]), calls=calls if isinstance(calls, list) else None)
    return actions_of(dialect.decode(body, context(tools=(TOOL,))))


@contextmanager
def quick(seconds: float = 2.0) -> Iterator[None]:
    """No text may make a parser slow."""
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


INJECTIONS = (
    "__import__('os').system('touch /tmp/carrel-was-here')",
    "eval(\"open('/tmp/carrel-was-here','w')\")",
    "click(start_box=__import__('os').getcwd())",
    "pyautogui.click(x=(lambda: 1)(), y=1)",
    "pyautogui.__class__.__base__.__subclasses__()",
    "computer.terminate(status=open('/etc/passwd').read())",
    "exec('x'*10**9)",
    "{'a': 10**10**10}",
    "pyautogui.click(x=9**9**9, y=1)",
    "type(content='' + ''.join(['a']*10))",
    "[x for x in ().__class__.__bases__]",
)
PIECES = (
    "Thought: ",
    "Action: ",
    "click(start_box='(",
    "click(point='<point>1 2</point>')",
    "<|box_start|>",
    "<|begin_of_box|>",
    "<|end_of_box|>",
    "left_click(start_box='[",
    "type(content='",
    "<seed:tool_call>",
    "</seed:tool_call>",
    "<function=click>",
    "<parameter=point>",
    "</parameter>",
    "</function>",
    "<tool_call>",
    "</tool_call>",
    '{"name": "computer_use", "arguments": {"action": "',
    '{"name": "click", "arguments": {"x": ',
    "```python\n",
    "```json\n",
    "```",
    "pyautogui.click(x=",
    "pyautogui.write('",
    "computer.terminate(status='success')",
    "NaN",
    "Infinity",
    "-1e999",
    "9" * 400,
    "'",
    '"',
    "\\",
    "\\'",
    "\ud800",
    "\x00",
    ")",
    "(",
    "[",
    "{",
    "}",
    "\n",
    ", y=",
    *INJECTIONS,
)

hostile = st.lists(
    st.one_of(st.sampled_from(PIECES), st.text(max_size=20), st.integers().map(str)), max_size=30
).map("".join)

GIANTS = (
    "(" * 1_000_000,
    "[" * 1_000_000,
    "{" * 1_000_000,
    "'" * 1_000_000,
    "a{" * 500_000,
    "\\" * 1_000_000,
    "<function=" * 100_000,
    "<tool_call>" * 90_000,
    "<seed:tool_call><function=a>" * 35_000,
    "Action: " + "click(" * 150_000,
    "Action: click(start_box='" + "(" * 900_000,
    "Action: type(content='" + "') " * 300_000,
    "Action: type(content='" + "', '" * 200_000,
    "```python\n" + "pyautogui.click(" * 60_000,
    "```python\n" * 90_000,
    "```json\n" + '{"a":' * 150_000,
    "<|begin_of_box|>" + "type(content='" * 60_000,
    "Action:\n" * 120_000,
    " " * 1_000_000,
    "\n" * 1_000_000,
    "a" * 3_000_000,
    "<parameter=" * 90_000,
    "Memory:" * 140_000,
    "(1," * 300_000,
    "[1,2,3," * 130_000,
)


def check_survives(dialect: Dialect, text: str) -> Decision:
    """Whatever a model writes is a decision, and one that can be sent back."""
    decision = dialect.decode(answer(text), context())
    turn = Turn(decision, tuple(Outcome(call.id, "told") for call in decision.calls))
    json.dumps(dict(dialect.encode("m", context(turn)).body), allow_nan=False).encode()
    return decision
