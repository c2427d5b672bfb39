"""The two networks that read text: where it is, and what it says.

The weights are those of RapidOCR (PP-OCR), out of its wheel. They are run directly, because
RapidOCR itself loads half a second of libraries, fetches what it misses from the network, and
scales every picture up to 736 pixels, however small.
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.errors import Unavailable
from carrel.perception.view import EXTRA

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession  # type: ignore[import-untyped]

    from carrel.perception.view import Pixels

__all__ = ["Nets", "Spelled", "can_read"]

THREADS = 2
"""More would take the processor from the desk that is being looked at."""
STEP = 32
"""Sides that the first network takes are multiples of this."""
HEIGHT = 48
"""Height of the lines that the second network takes."""
NARROWEST = 96
"""Very short texts are padded to this width: they are read better so."""
BATCH = 6


@dataclass(frozen=True, slots=True)
class Spelled:
    """What one line says.

    Attributes:
        columns: Of each character its place, as a share of the line's width.
    """

    text: str
    confidence: float
    columns: tuple[float, ...]


def can_read() -> bool:
    """Whether everything that reads text is installed."""
    needed = ("numpy", "cv2", "onnxruntime", "rapidocr")
    return all(importlib.util.find_spec(name) is not None for name in needed)


class Nets:
    """Both networks, loaded on first use.

    Raises:
        Unavailable: When they are first used and something is not installed.
    """

    def __init__(self, threads: int = THREADS) -> None:
        self._threads = max(1, min(threads, os.cpu_count() or 1))
        self._finder: InferenceSession | None = None
        self._speller: InferenceSession | None = None
        self._alphabet: list[str] = []

    def heat(self, pixels: Pixels) -> NDArray[float32]:
        """How likely each pixel belongs to text, 0 to 1; as large as the picture."""
        if self._finder is None:
            self._finder = self._open("det")
        import cv2
        import numpy as np

        height, width = pixels.shape[:2]
        room = np.full((-height % STEP + height, -width % STEP + width, 3), 255, np.uint8)
        room[:height, :width] = pixels
        given = cv2.dnn.blobFromImage(room, 1 / 127.5, mean=(127.5, 127.5, 127.5), swapRB=True)
        (found,) = self._finder.run(None, {self._finder.get_inputs()[0].name: given})
        return np.asarray(found, np.float32)[0, 0, :height, :width]

    def spell(self, lines: list[Pixels]) -> list[Spelled]:
        """What each of some lines says; each picture holds one."""
        if self._speller is None:
            self._speller = self._open("rec")
            kept = self._speller.get_modelmeta().custom_metadata_map["character"]
            self._alphabet = ["", *kept.splitlines(), " "]
        order = sorted(range(len(lines)), key=lambda n: lines[n].shape[1] / lines[n].shape[0])
        spelled: dict[int, Spelled] = {}
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            spelled.update(zip(batch, self._spell([lines[n] for n in batch]), strict=True))
        return [spelled[number] for number in range(len(lines))]

    def _spell(self, lines: list[Pixels]) -> list[Spelled]:
        import numpy as np

        assert self._speller is not None
        widths = [max(1, round(HEIGHT * line.shape[1] / line.shape[0])) for line in lines]
        room = max(NARROWEST, *widths) if len(widths) > 1 else max(NARROWEST, widths[0])
        given = np.zeros((len(lines), 3, HEIGHT, room), np.float32)
        for number, (line, width) in enumerate(zip(lines, widths, strict=True)):
            given[number, :, :, :width] = _normal(line, width)
        (found,) = self._speller.run(None, {self._speller.get_inputs()[0].name: given})
        scores = np.asarray(found)
        return [self._decode(s, room / width) for s, width in zip(scores, widths, strict=True)]

    def _decode(self, scores: NDArray[float32], stretch: float) -> Spelled:
        """Characters in their order: what repeats or is blank says nothing new."""
        best = scores.argmax(axis=1)
        new = best != 0
        new[1:] &= best[1:] != best[:-1]
        at = new.nonzero()[0]
        text = "".join(self._alphabet[best[column]] for column in at)
        sure = float(scores[at, best[at]].mean()) if len(at) else 0.0
        places = tuple(float((column + 0.5) / len(best) * stretch) for column in at)
        return Spelled(text, sure, places)

    def _open(self, kind: str) -> InferenceSession:
        path = _weights(kind)
        try:
            import cv2  # noqa: F401
            import onnxruntime
        except ImportError as error:
            raise _missing(error.name or "onnxruntime") from error
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        # Waiting threads would otherwise burn the processor between two looks.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])


def _normal(line: Pixels, width: int) -> NDArray[float32]:
    import cv2
    import numpy as np

    scaled = cv2.resize(line, (width, HEIGHT), interpolation=cv2.INTER_LINEAR)
    turned = scaled[:, :, ::-1].transpose(2, 0, 1)
    return np.asarray(turned, np.float32) / np.float32(127.5) - np.float32(1)


def _weights(kind: str) -> Path:
    """The file inside RapidOCR's wheel; nothing is ever fetched."""
    found = importlib.util.find_spec("rapidocr")
    if found is None or not found.submodule_search_locations:
        raise _missing("rapidocr")
    folder = Path(found.submodule_search_locations[0], "models")
    files = sorted(folder.glob(f"*_{kind}_*.onnx"))
    if not files:
        raise Unavailable(
            f"this rapidocr brings no weights that match *_{kind}_*.onnx", hint=f"{EXTRA} -U"
        )
    return files[-1]


def _missing(what: str) -> Unavailable:
    return Unavailable(f"text cannot be read from pixels: {what} is not installed", hint=EXTRA)
