"""The whole task in the words of models behind chat completions: text forms and function calls."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from talks_native import NOTCHES, TEXT, is_zoomed_goal
from task_desk import FIELD, GOAL, LIST, PIECE, button
from wired import Talk, View

from carrel.codec import Json
from carrel.geometry import Point
from carrel.testing import Answer, anthropic, chat, gemini, openai

THINKERS = ("thinker", "gpt-5.4")
MEASURE = '{"width": 21, "label": "büro"}'


def _ui_tars(place: Callable[[View, Point], list[int]], *, waits: bool) -> Talk:
    def do(action: str) -> Answer:
        return chat.text(f"Thought: This is the next thing to do.\nAction: {action}")

    def box(view: View, point: Point) -> str:
        x, y = place(view, point)
        return f"'({x},{y})'"

    see = yield None
    see = yield do(f"click(start_box={box(see, button(3))})")
    see = yield do(f"left_double(start_box={box(see, button(5))})")
    see = yield do(f"right_single(start_box={box(see, button(6))})")
    see = yield do(f"drag(start_box={box(see, PIECE)}, end_box={box(see, GOAL)})")
    see = yield do(f"click(start_box={box(see, FIELD)})")
    written = TEXT.replace("'", "\\'").replace('"', '\\"')
    see = yield do(f"type(content='{written}\\n')")
    see = yield do(f"scroll(start_box={box(see, LIST)}, direction='down')")
    if waits:
        see = yield do("wait()")
    see = yield do(f"tool(name='measure', arguments='{MEASURE}')")
    assert "büro measures 42" in see.words
    yield do("finished(content='All is done.')")


def ui_tars_15() -> Talk:
    """Pixels of the picture."""
    return _ui_tars(View.pixel, waits=True)


def ui_tars_1() -> Talk:
    """Thousandths."""
    return _ui_tars(View.parts, waits=False)


def ui_tars_2() -> Talk:
    """Tags, several functions in an answer, keys that are held."""

    def call(name: str, **parameters: str) -> str:
        inner = "".join(f"<parameter={k}>{v}</parameter>" for k, v in parameters.items())
        return f"<function={name}>{inner}</function>"

    def do(*calls: str) -> Answer:
        thought = "<gui_think> The next thing. </gui_think>"
        return chat.text(f"{thought}\n<seed:tool_call>{''.join(calls)}</seed:tool_call>")

    def at(view: View, point: Point) -> str:
        x, y = view.parts(point)
        return f"<point>{x} {y}</point>"

    see = yield None
    see = yield do(call("take_screenshot"))
    see = yield do(call("click", point=at(see, button(3))))
    see = yield do(
        call("press", key="shift"),
        call("click", point=at(see, button(4))),
        call("release", key="shift"),
    )
    see = yield do(call("left_double", point=at(see, button(5))))
    see = yield do(call("right_single", point=at(see, button(6))))
    see = yield do(call("drag", start_point=at(see, PIECE), end_point=at(see, GOAL)))
    see = yield do(call("click", point=at(see, FIELD)), call("type", content=f"{TEXT}\\n"))
    see = yield do(call("scroll", point=at(see, LIST), direction="down"))
    see = yield do(call("wait", time="1"))
    see = yield do(call("measure", width="21", label="büro"))
    assert "büro measures 42" in see.words
    yield do(call("finished", content="All is done."))


Wrapped = Callable[[str, dict[str, Json]], Answer]


def _as_json(name: str, arguments: dict[str, Json]) -> Answer:
    call = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return chat.text(f"Action: go on.\n<tool_call>\n{call}\n</tool_call>")


def _as_tags(name: str, arguments: dict[str, Json]) -> Answer:
    written = {k: v if isinstance(v, str) else json.dumps(v) for k, v in arguments.items()}
    inner = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in written.items())
    return chat.text(f"<tool_call>\n<function={name}>\n{inner}</function>\n</tool_call>")


def _as_native(name: str, arguments: dict[str, Json]) -> Answer:
    return chat.tool_calls((name, arguments))


def _qwen(place: Callable[[View, Point], list[int]], wrap: Wrapped) -> Talk:
    def do(action: str, **arguments: Json) -> Answer:
        return wrap("computer_use", {"action": action, **arguments})

    def at(view: View, point: Point) -> list[Json]:
        return list(place(view, point))

    see = yield None
    see = yield do("left_click", coordinate=at(see, button(3)))
    see = yield do("double_click", coordinate=at(see, button(5)))
    see = yield do("right_click", coordinate=at(see, button(6)))
    see = yield do("mouse_move", coordinate=at(see, PIECE))
    see = yield do("left_click_drag", coordinate=at(see, GOAL))
    see = yield do("left_click", coordinate=at(see, FIELD))
    see = yield do("type", text=TEXT)
    see = yield do("key", keys=["enter"])
    see = yield do("mouse_move", coordinate=at(see, LIST))
    see = yield do("scroll", pixels=-100 * NOTCHES)
    see = yield do("wait", time=1)
    see = yield wrap("measure", {"width": 21, "label": "büro"})
    assert "büro measures 42" in see.words
    yield do("answer", text="All is done.")


def qwen_25() -> Talk:
    """Pixels of the picture, calls as JSON."""
    return _qwen(View.pixel, _as_json)


def qwen_3() -> Talk:
    """Thousandths, calls as JSON."""
    return _qwen(View.parts, _as_json)


def qwen_35() -> Talk:
    """Thousandths, calls in tags."""
    return _qwen(View.parts, _as_tags)


def qwen_native() -> Talk:
    """A server that takes the calls out of the text."""
    return _qwen(View.parts, _as_native)


def glm() -> Talk:
    """One call in a box, counted to 999, with a memory."""

    def do(action: str) -> Answer:
        memory = '[{"at": "the page"}]'
        box = f"<|begin_of_box|>{action}<|end_of_box|>"
        return chat.text(f"<think>Next.</think>I go on.\n{box}\nMemory:\n{memory}")

    def at(view: View, point: Point) -> str:
        x, y = view.parts(point, 999)
        return f"'[{x},{y}]'"

    see = yield None
    see = yield do(f"left_click(start_box={at(see, button(3))}, element_info='3')")
    see = yield do(f"left_double_click(start_box={at(see, button(5))})")
    see = yield do(f"right_click(start_box={at(see, button(6))})")
    see = yield do(f"left_drag(start_box={at(see, PIECE)}, end_box={at(see, GOAL)})")
    see = yield do(f"left_click(start_box={at(see, FIELD)}, element_info='the field')")
    written = TEXT.replace("'", "\\'")
    see = yield do(f"type(content='{written}')")
    see = yield do("key(keys='enter')")
    see = yield do(f"scroll(start_box={at(see, LIST)}, direction='down', step={NOTCHES})")
    see = yield do("WAIT()")
    see = yield do(f"tool(name='measure', arguments='{MEASURE}')")
    assert "büro measures 42" in see.words
    yield chat.text("All is done.\n<|begin_of_box|>DONE()<|end_of_box|>")


def opencua() -> Talk:
    """Code for pyautogui, which is read and never run."""

    def do(*lines: str) -> Answer:
        code = "\n".join(("import pyautogui", *lines))
        words = "Thought:\nThe next thing.\n\nAction:\nGo on."
        return chat.text(f"{words}\n\nCode:\n```python\n{code}\n```")

    def at(view: View, point: Point) -> str:
        x, y = view.pixel(point)
        return f"x={x}, y={y}"

    see = yield None
    see = yield do(f"pyautogui.click({at(see, button(3))})")
    see = yield do(
        "pyautogui.keyDown('shift')",
        f"pyautogui.click({at(see, button(4))})",
        "pyautogui.keyUp('shift')",
    )
    see = yield do(f"pyautogui.doubleClick({at(see, button(5))})")
    see = yield do(f"pyautogui.rightClick({at(see, button(6))})")
    see = yield do(
        f"pyautogui.moveTo({at(see, PIECE)})", f"pyautogui.dragTo({at(see, GOAL)}, button='left')"
    )
    written = TEXT.replace('"', '\\"')
    see = yield do(
        f"pyautogui.click({at(see, FIELD)})",
        f'pyautogui.write(message="{written}")',
        "pyautogui.press('enter')",
    )
    see = yield do(f"pyautogui.scroll(-{NOTCHES}, {at(see, LIST)})")
    see = yield do("time.sleep(1)")
    see = yield do(f"computer.tool(name='measure', arguments='{MEASURE}')")
    assert "büro measures 42" in see.words
    yield do("computer.terminate(status='success', answer='All is done.')")


Place = Callable[[View, Point], dict[str, Json]]


def _xy(view: View, point: Point) -> dict[str, Json]:
    x, y = view.pixel(point)
    return {"x": x, "y": y}


def _called(place: Place) -> Talk:
    see = yield None
    see = yield chat.tool_calls(("screenshot", {}))
    # Several calls in one answer, each of which gets its own result.
    see = yield chat.tool_calls(
        ("click", place(see, button(3))),
        ("click", {**place(see, button(4)), "modifiers": ["shift"]}),
        ("click", {**place(see, button(5)), "count": 2}),
        ("click", {**place(see, button(6)), "button": "right"}),
    )
    path: list[Json] = [place(see, PIECE), place(see, GOAL)]
    see = yield chat.tool_calls(("drag", {"path": path}))
    see = yield chat.tool_calls(("click", place(see, FIELD)))
    see = yield chat.tool_calls(("type", {"text": f"{TEXT}\n"}))
    see = yield chat.tool_calls(("scroll", {**place(see, LIST), "dy": NOTCHES}))
    see = yield chat.tool_calls(("wait", {"seconds": 1}))
    see = yield chat.tool_calls(("measure", MEASURE))
    assert "büro measures 42" in see.words
    yield chat.tool_calls(("done", {"success": True, "text": "All is done."}))


def functions() -> Talk:
    """Any model that has tools."""
    return _called(_xy)


def functions_zoom() -> Talk:
    """The same, looking closer before it ends."""
    talk = _called(_xy)
    answer = next(talk)
    while True:
        view = yield answer
        answer = talk.send(view)
        if answer is not None and "drag" in str(answer):
            view = yield answer
            left, top = view.pixel(Point(500, 290))
            right, bottom = view.pixel(Point(560, 350))
            corners: dict[str, Json] = {"left": left, "top": top, "right": right, "bottom": bottom}
            view = yield chat.tool_calls(("screenshot", {"region": corners}))
            assert is_zoomed_goal(view.pictures[-1])
            answer = talk.send(view)


def marks() -> Talk:
    """Numbers on the picture, found by name in what the model is told of them."""

    def mark(view: View, words: str) -> dict[str, Json]:
        found = re.findall(rf"^\[(\d+)\] {words}", view.words, re.MULTILINE)
        assert found, view.words
        return {"mark": int(found[-1])}

    see = yield None
    for number in (3, 14, 29):
        see = yield chat.tool_calls(("click", mark(see, f'push button "{number}"')))
    see = yield chat.tool_calls(("click", mark(see, "entry")))
    see = yield chat.tool_calls(("type", {"text": f"{TEXT}\n"}))
    path: list[Json] = [_xy(see, PIECE), _xy(see, GOAL)]
    see = yield chat.tool_calls(("drag", {"path": path}))
    see = yield chat.tool_calls(("scroll", {**_xy(see, LIST), "dy": NOTCHES}))
    see = yield chat.tool_calls(("measure", MEASURE))
    assert "büro measures 42" in see.words
    yield chat.tool_calls(("done", {"success": True, "text": "All is done."}))


def _find(view: View, places: dict[str, Point], form: Callable[[list[int]], str]) -> Answer | None:
    if view.seen.model in THINKERS:
        return None
    named = [words for words in places if words in view.words]
    assert len(named) == 1, view.words
    return chat.text(form(view.pixel(places[named[0]])))


def composed(form: Callable[[list[int]], str]) -> Talk:
    """One model thinks and describes, the other points; both are asked by the same run."""
    places = {
        "the third button": button(3),
        "the blue piece": PIECE,
        "the dashed goal": GOAL,
        "the text field": FIELD,
        "the list": LIST,
    }
    path: list[Json] = [{"target": "the blue piece"}, {"target": "the dashed goal"}]
    thoughts: list[tuple[str, dict[str, Json]]] = [
        ("click", {"target": "the third button"}),
        ("drag", {"path": path}),
        ("click", {"target": "the text field"}),
        ("type", {"text": f"{TEXT}\n"}),
        ("scroll", {"target": "the list", "dy": NOTCHES}),
        ("measure", {"width": 21, "label": "büro"}),
        ("done", {"success": True, "text": "All is done."}),
    ]
    see = yield None
    for name, arguments in thoughts:
        assert see.seen.model in THINKERS
        see = yield chat.tool_calls((name, arguments))
        while (found := _find(see, places, form)) is not None:
            see = yield found


def gta1() -> Talk:
    """Answers `(x,y)`."""
    return composed(lambda at: f"({at[0]},{at[1]})")


def holo() -> Talk:
    """Answers JSON."""
    return composed(lambda at: f'{{"action": "click_absolute", "x": {at[0]}, "y": {at[1]}}}')


def corner(see: View) -> tuple[list[int], list[int]]:
    """The last pixel of the screen, in pixels of the picture and in thousandths."""
    last = Point(see.screen.width - 1, see.screen.height - 1)
    return see.pixel(last), see.parts(last)


def corner_gpt() -> Talk:
    see = yield None
    see = yield openai.computer_call([{"type": "screenshot"}])
    (x, y), _ = corner(see)
    see = yield openai.computer_call([{"type": "click", "button": "left", "x": x, "y": y}])
    yield openai.text("All is done.")


def corner_claude() -> Talk:
    see = yield None
    see = yield anthropic.tool_use("left_click", {"coordinate": list(corner(see)[0])})
    yield anthropic.text("All is done.")


def corner_gemini() -> Talk:
    see = yield None
    x, y = corner(see)[1]
    see = yield gemini.function_call("click", {"x": x, "y": y})
    yield gemini.text("All is done.")


def corner_qwen() -> Talk:
    see = yield None
    click: dict[str, Json] = {"action": "left_click", "coordinate": list(corner(see)[0])}
    see = yield _as_json("computer_use", click)
    yield _as_json("computer_use", {"action": "answer", "text": "All is done."})
