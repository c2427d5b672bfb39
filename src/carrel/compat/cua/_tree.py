"""Accessible elements as the nested dicts that `get_accessibility_tree` gives."""

from __future__ import annotations

from typing import cast

from carrel.codec import Json
from carrel.computer import ElementTree
from carrel.frames import Element

__all__ = ["nested"]


def nested(tree: ElementTree) -> dict[str, Json]:
    """A root with `children`, each with role, name, value, bounds, states and children."""
    nodes = {element.id: _node(element) for element in tree.elements}
    roots: list[Json] = []
    for element in tree.elements:
        node = nodes[element.id]
        parent = nodes.get(element.parent) if element.parent is not None else None
        if parent is None:
            roots.append(node)
        else:
            cast("list[Json]", parent["children"]).append(node)
    return {
        "success": True,
        "role": "desktop",
        "complete": tree.complete,
        "applications": list(tree.apps),
        "children": roots,
    }


def _node(element: Element) -> dict[str, Json]:
    box = element.box
    bounds: Json = None
    if box is not None:
        bounds = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    return {
        "id": element.id,
        "role": element.role,
        "name": element.name,
        "value": element.value,
        "bounds": bounds,
        "states": list(element.states),
        "application": element.app,
        "children": [],
    }
