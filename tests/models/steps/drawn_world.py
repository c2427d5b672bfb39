"""A screen in memory that is painted: what the hands do can change the picture."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable

from PIL import Image, ImageDraw
from steps_world import SIZE, World

from carrel.actions import Action, Click, Drag
from carrel.frames import Element
from carrel.models.picture import Picture
from carrel.models.steps.turns import Seen
from carrel.results import Result

Paint = Callable[[ImageDraw.ImageDraw], None]


class PaintedWorld(World):
    """A world with pixels.

    Attributes:
        paint: Paints what is there now on white.
        clicked: Called with every place that is clicked, or where something is let go.
    """

    def __init__(self, *elements: Element, paint: Paint) -> None:
        super().__init__(*elements)
        self.paint = paint
        self.clicked: Callable[[int, int], None] = lambda _x, _y: None

    def seen(self, results: tuple[Result, ...] = (), closer: bool = False) -> Seen:
        """What is there now, with its pixels."""
        image = Image.new("RGB", (SIZE.width, SIZE.height), "white")
        self.paint(ImageDraw.Draw(image))
        out = io.BytesIO()
        image.save(out, "png", compress_level=1)
        data = out.getvalue()
        shown = (*self.elements, *(self.closer_elements if closer else ()))
        identity = hashlib.sha256(data + repr(shown).encode()).hexdigest()
        return Seen(Picture(identity, SIZE, lambda: data, elements=shown), shown, results, closer)

    def _act(self, action: Action) -> Result:
        if isinstance(action, Click):
            self.clicked(action.x, action.y)
        elif isinstance(action, Drag):
            self.clicked(action.path[-1].x, action.path[-1].y)
        result = super()._act(action)
        # The picture changes where the elements do not.
        return Result(result.ok, result.effect, data=result.data, evidence={"settled": True})
