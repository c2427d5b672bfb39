"""Whether images in a request are images at all, and within what providers take."""

from __future__ import annotations

import base64
import binascii
import io
import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Image", "decode", "decode_url"]


@dataclass(frozen=True, slots=True)
class Image:
    """A decoded image."""

    media_type: str
    width: int
    height: int
    encoded: int
    """Bytes of base64 text, which is what providers count."""


_DATA_URL = re.compile(r"data:([\w/+.-]+);base64,", re.ASCII)


def decode_url(url: str) -> Image | None:
    """The image in a `data:` URL; None when there is none that can be read."""
    match = _DATA_URL.match(url)
    if match is None:
        return None
    found = decode(url[match.end() :])
    return found if found is not None and found.media_type == match[1] else None


@lru_cache(maxsize=256)
def decode(data: str) -> Image | None:
    """The image in base64 text; None when it cannot be read.

    All of its pixels are decoded: the size in a PNG's head says nothing of a cut-off rest.
    """
    from PIL import Image as Pillow

    try:
        content = base64.b64decode(data, validate=True)
        with Pillow.open(io.BytesIO(content)) as image:
            image.load()
            media_type = Pillow.MIME.get(image.format or "", "")
            return Image(media_type, image.width, image.height, len(data))
    except (binascii.Error, ValueError, OSError, SyntaxError):
        return None
