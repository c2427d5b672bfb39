"""Making the screen easier to point at: numbered marks on what can be used."""

from __future__ import annotations

from carrel.perception.marks import Mark, annotate, mark_elements, table

__all__ = ["Mark", "annotate", "mark_elements", "table"]
