"""What is on the screen: elements from every source, and numbered marks to point at them."""

from __future__ import annotations

from carrel.perception.marks import Mark, annotate, mark_elements, table
from carrel.perception.scene import LeftOut, Scene
from carrel.perception.view import View

__all__ = ["LeftOut", "Mark", "Scene", "View", "annotate", "mark_elements", "table"]
