"""Pictures as PNG, JPEG or WebP bytes.

PNG is lossless and needs no library at all (`carrel.guest._png`). JPEG and WebP need theirs.
"""

from __future__ import annotations

from carrel.errors import InvalidInput
from carrel.frames import ImageFormat
from carrel.geometry import Box
from carrel.guest import _webp
from carrel.guest._jpeg import JpegEncoder, JpegStrips
from carrel.guest._pixels import Pixels
from carrel.guest._png import PngEncoder, PngStrips

__all__ = ["Strips", "encode", "encode_anew"]

Strips = PngStrips | JpegStrips
"""What a picture was made of, for the next that differs from it in part."""


def encode(pixels: Pixels, image_format: ImageFormat = "png", quality: int = 85) -> bytes:
    """Encode a picture.

    Args:
        pixels: What to encode.
        image_format: PNG ignores `quality`.
        quality: From 1 to 100. JPEG keeps the full colour resolution from 90 on; WebP is lossless
            at 100.

    Raises:
        Unsupported: The library for this format is not installed in the machine.
    """
    return encode_anew(pixels, image_format, quality, None, None)[0]


def encode_anew(
    pixels: Pixels,
    image_format: ImageFormat,
    quality: int,
    before: Strips | None,
    changed: Box | None,
) -> tuple[bytes, Strips | None]:
    """As `encode`, with what was made of a picture that differs inside of `changed` only.

    The bytes are the same as if nothing had been made before.

    Returns:
        The bytes, and what they are made of where the format can make use of it.
    """
    if image_format == "png":
        return _png.encode(pixels, before if isinstance(before, PngStrips) else None, changed)
    if image_format == "jpeg":
        kept = before if isinstance(before, JpegStrips) else None
        return _jpeg.encode(pixels, quality, kept, changed)
    if image_format == "webp":
        return _webp.encode(pixels, quality), None
    raise InvalidInput(f"{image_format!r} is not an image format", hint="use png, jpeg or webp")


_png = PngEncoder()
_jpeg = JpegEncoder()
