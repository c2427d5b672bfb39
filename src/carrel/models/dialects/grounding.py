"""Models that only point: Holo, GTA1, UI-Ins, Gelato, InternVL.

They answer where something is and decide nothing. Prompts and forms are those of their model cards.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from carrel.codec import Json
from carrel.decisions import Decision
from carrel.errors import InvalidInput, UsageError
from carrel.geometry import Point
from carrel.models.context import Context
from carrel.models.dialect import Api, Request
from carrel.models.dialects._text import Grid
from carrel.models.dialects._text_json import find_objects
from carrel.models.dialects._text_locate import locate_request, located, whole_answer
from carrel.models.picture import Picture

__all__ = ["GTA1", "Gelato", "Holo", "Holo2", "InternVL", "Pointing", "UIIns"]

_NUMBER = r"[-+]?\d{1,9}(?:\.\d{1,20})?"
_POINT = re.compile(rf"[(\[]\s*({_NUMBER})\s*,\s*({_NUMBER})\s*[)\]]")
_TAG = re.compile(rf"<point>\s*({_NUMBER})[\s,]+({_NUMBER})\s*</?point>")
_BOX = re.compile(rf"\[\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]")

_EXPERT = """\
You are an expert UI element locator. Given a GUI image and a user's element description, provide \
the coordinates of the specified element as a single (x,y) point.{size} For elements with area, \
return the center point.

Output the coordinate pair exactly:
(x,y)"""

_HOLO = """\
Localize an element on the GUI image according to the provided target and output a click position.
 * You must output a valid JSON following the format: {schema}
 Your target is:
{target}"""

_UI_INS = """\
You are a GUI agent. You are given a task and your action history, with screenshots. You need to \
perform the next action to complete the task.

## Output Format
Return a json object with a reasoning process in <think> tags, a function name and arguments \
within <tool_call> XML tags:
```
<think>
...
</think>
<tool_call>
{"name": "grounding", "arguments": <args-json-object>}
</tool_call>
```
<args-json-object> represents the following item of the action space:
## Action Space{"action": "click", "coordinate": [x, y]}
Your task is to accurately locate a UI element based on the instruction. You should first analyze \
instruction in <think> tags and finally output the function in <tool_call> tags."""


class Pointing(ABC):
    """What all of them share: one question, one point."""

    name: ClassVar[str]
    api: ClassVar[Api] = Api.OPENAI_CHAT
    wants_elements: ClassVar[bool] = False
    points_only: ClassVar[bool] = True
    grid: ClassVar[Grid] = Grid("pixels")

    def encode(self, model: str, context: Context) -> Request:
        """Never: raises `UsageError`."""
        raise _only_points(model)

    def decode(self, body: Mapping[str, Json], context: Context) -> Decision:
        """Never: raises `UsageError`."""
        raise _only_points(self.name)

    @abstractmethod
    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""

    def decode_locate(self, body: Mapping[str, Json], picture: Picture) -> Point:
        """The point on the screen; raises `ActionFailed` when the answer holds none."""
        text = whole_answer(body)
        return located(lambda: find_point(text), picture, self.grid)


def _only_points(name: str) -> UsageError:
    return UsageError(
        f"{name} only says where things are; it cannot work on a task",
        hint=f"let another model think: {name}+PROVIDER:MODEL",
    )


class GTA1(Pointing):
    """Salesforce GTA1: pixels, told the size of the picture."""

    name: ClassVar[str] = "gta1"

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        size = self.grid.shown(picture.size)
        words = f" The image resolution is height {size.height} and width {size.width}."
        system = _EXPERT.format(size=words)
        return locate_request(model, picture, self.grid, description, system=system)


class Gelato(GTA1):
    """Gelato-30B-A3B (Qwen3-VL): thousandths."""

    name: ClassVar[str] = "gelato"
    grid: ClassVar[Grid] = Grid("thousand", factor=32)

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        system = _EXPERT.format(size="")
        return locate_request(model, picture, self.grid, description, system=system)


class UIIns(Pointing):
    """UI-Ins: reasons, then calls `grounding` with a coordinate in pixels."""

    name: ClassVar[str] = "ui-ins"

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        return locate_request(model, picture, self.grid, description, system=_UI_INS)


class Holo(Pointing):
    """Holo1 and Holo1.5: JSON with `x` and `y` in pixels."""

    name: ClassVar[str] = "holo"

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        words = _HOLO.format(schema=json.dumps(self._schema()), target=description)
        return locate_request(model, picture, self.grid, words)

    def _schema(self) -> dict[str, Json]:
        return {
            "properties": {
                "action": {"const": "click_absolute", "type": "string"},
                "x": {"description": "Number of pixels from the left edge.", "type": "integer"},
                "y": {"description": "Number of pixels from the top edge.", "type": "integer"},
            },
            "required": ["action", "x", "y"],
            "title": "ClickAbsoluteAction",
            "type": "object",
        }


class Holo2(Holo):
    """Holo2 and Holo3 (Qwen3-VL): JSON in thousandths."""

    name: ClassVar[str] = "holo2"
    grid: ClassVar[Grid] = Grid("thousand", factor=32)

    def _schema(self) -> dict[str, Json]:
        axis: Json = {"type": "integer", "minimum": 0, "maximum": 1000}
        return {
            "properties": {"x": axis, "y": axis},
            "required": ["x", "y"],
            "title": "ClickCoordinates",
            "type": "object",
        }


class InternVL(Pointing):
    """InternVL: a box `[[x1, y1, x2, y2]]` in thousandths."""

    name: ClassVar[str] = "internvl"
    grid: ClassVar[Grid] = Grid("thousand", factor=1)

    def encode_locate(self, model: str, picture: Picture, description: str) -> Request:
        """The request that asks where `description` is."""
        words = (
            "Please provide the bounding box coordinate of the UI element this user instruction "
            f"describes: <ref>{description}</ref>. Answer in the format of [[x1, y1, x2, y2]]"
        )
        return locate_request(model, picture, self.grid, words)


def find_point(text: str) -> object:
    """The point or box in an answer: JSON, a tag, `(x,y)` or `[x1, y1, x2, y2]`.

    The last one counts: what comes before is reasoning.

    Raises:
        InvalidInput: There is none.
    """
    for item in reversed(_objects(text)):
        point = _in_object(item)
        if point is not None:
            return point
    for pattern in (_TAG, _BOX, _POINT):
        found = pattern.findall(text)
        if found:
            return [float(number) for number in found[-1]]
    raise InvalidInput(f"{text[:60]!r} holds no point")


def _objects(text: str) -> list[dict[str, Json]]:
    text = text.replace("<tool_call>", "\n").replace("</tool_call>", "\n")
    try:
        return find_objects(text)
    except InvalidInput:
        return []


def _in_object(item: Mapping[str, Json]) -> Json:
    inner = item.get("arguments")
    if isinstance(inner, dict):
        item = inner
    if "x" in item and "y" in item:
        return [item["x"], item["y"]]
    for name in ("coordinate", "coordinates", "point", "point_2d", "bbox_2d", "bbox"):
        if name in item:
            return item[name]
    return None
