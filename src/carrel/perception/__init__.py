"""What is on the screen: elements from every source, and numbered marks to point at them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from carrel.perception.marks import Mark, annotate, mark_elements, table
    from carrel.perception.merging import merge
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

_HOMES = {
    "marks": ("Mark", "annotate", "mark_elements", "table"),
    "merging": ("merge",),
    "ocr": ("Line", "Reader", "Word"),
    "scene": ("LeftOut", "Scene"),
    "sight": ("Sight",),
    "tracking": ("Tracker",),
    "view": ("View",),
}


def __getattr__(name: str) -> object:
    # Whoever needs the words for what is seen does not need the eyes.
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f"carrel.perception.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'carrel.perception' has no attribute {name!r}")
