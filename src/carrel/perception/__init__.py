"""What is on the screen: elements from every source, and numbered marks to point at them."""

from __future__ import annotations

from carrel.perception.marks import Mark, annotate, mark_elements, table
from carrel.perception.merge import merge
from carrel.perception.ocr import Line, Reader, Word
from carrel.perception.scene import LeftOut, Scene
from carrel.perception.sight import Sight
from carrel.perception.tracking import Tracker
from carrel.perception.view import View

__all__ = [
    "LeftOut",
    "Line",
    "Mark",
    "Reader",
    "Scene",
    "Sight",
    "Tracker",
    "View",
    "Word",
    "annotate",
    "mark_elements",
    "merge",
    "table",
]
