"""Small screens for tests, written as rows of controls."""

from __future__ import annotations

from carrel.frames import Element
from carrel.geometry import Box

USABLE = ("enabled", "sensitive", "showing", "visible")


class Screen:
    """Collects elements; ids are given in turn."""

    def __init__(self) -> None:
        self.elements: list[Element] = []

    def add(
        self,
        role: str,
        name: str = "",
        box: tuple[int, int, int, int] = (0, 0, 100, 20),
        *states: str,
        parent: Element | None = None,
        value: str | None = None,
        off: bool = False,
        **more: object,
    ) -> Element:
        element = Element(
            f"e{len(self.elements)}",
            role,
            name,
            value,
            Box(*box),
            states if off else (*USABLE, *states),
            parent.id if parent else None,
            **more,  # type: ignore[arg-type]
        )
        self.elements.append(element)
        return element
