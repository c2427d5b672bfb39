from __future__ import annotations

import io
import random
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from carrel.errors import InvalidInput, Unsupported
from carrel.frames import ImageFormat
from carrel.geometry import Box
from carrel.guest import _jpeg, _native, _pixels, _png, _webp, encode
from carrel.guest._pixels import Pixels, difference


@st.composite
def pictures(draw: st.DrawFn) -> tuple[int, int, bytes]:
    width, height = draw(st.integers(1, 80)), draw(st.integers(1, 24))
    noise = random.Random(draw(st.integers(0, 2**32)))
    colours = [noise.randbytes(4) for _ in range(draw(st.sampled_from([1, 2, 5, 4000])))]
    return width, height, b"".join(noise.choices(colours, k=width * height))


def decoded(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def colours(width: int, height: int, data: bytes) -> Image.Image:
    return Image.frombytes("RGB", (width, height), data, "raw", "BGRX")


@pytest.fixture(params=["libyuv+libisal", "libisal only", "libyuv only", "none"])
def libraries(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name = str(request.param)
    for library in ("libyuv", "libisal"):
        if library not in name:
            for module in (_png, _pixels):
                monkeypatch.setattr(module, library, lambda: None)
        elif getattr(_native, library)() is None:
            pytest.skip(f"{library} is not installed")
    return name


def test_a_png_holds_exactly_the_pixels_whatever_libraries_there_are(libraries: str) -> None:
    @settings(max_examples=60, deadline=None)
    @given(pictures())
    def check(picture: tuple[int, int, bytes]) -> None:
        width, height, data = picture
        image = decoded(encode.encode(Pixels.copy_of(data, width, height)))
        assert (image.format, image.mode) == ("PNG", "RGB")
        assert image.tobytes() == colours(width, height, data).tobytes()

    check()


def test_a_png_of_incompressible_noise_is_exact(libraries: str) -> None:
    width, height = 701, 503
    data = random.Random(7).randbytes(4 * width * height)
    image = decoded(encode.encode(Pixels.copy_of(data, width, height)))
    assert image.tobytes() == colours(width, height, data).tobytes()


def test_a_png_of_one_part_shows_only_that_part(libraries: str) -> None:
    width, height = 37, 29
    data = random.Random(8).randbytes(4 * width * height)
    part = Pixels.copy_of(data, width, height).crop(Box(3, 5, 20, 11))
    expected = colours(width, height, data).crop((3, 5, 23, 16))
    assert decoded(encode.encode(part)).tobytes() == expected.tobytes()


def test_png_checksums_are_right() -> None:
    data = encode.encode(Pixels.copy_of(random.Random(1).randbytes(4 * 64 * 64), 64, 64))
    at, kinds = 8, []
    while at < len(data):
        size = int.from_bytes(data[at : at + 4])
        body = data[at + 4 : at + 8 + size]
        kinds.append(body[:4])
        assert zlib.crc32(body) == int.from_bytes(data[at + 8 + size : at + 12 + size])
        at += 12 + size
    assert kinds == [b"IHDR", b"IDAT", b"IEND"]


def test_a_png_that_does_not_fit_the_fast_room_is_still_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_png.PngEncoder, "_deflate", lambda *_: None)
    data = random.Random(2).randbytes(4 * 50 * 40)
    image = decoded(encode.encode(Pixels.copy_of(data, 50, 40)))
    assert image.tobytes() == colours(50, 40, data).tobytes()


def smooth(width: int, height: int) -> bytes:
    rows = (
        bytes((x * 255 // width, y * 255 // height, 128, x & 255))
        for y in range(height)
        for x in range(width)
    )
    return b"".join(rows)


@pytest.mark.parametrize(("image_format", "quality"), [("jpeg", 85), ("jpeg", 95), ("webp", 85)])
def test_lossy_pictures_come_close(image_format: str, quality: int) -> None:
    data = smooth(123, 77)
    made = encode.encode(Pixels.copy_of(data, 123, 77), image_format, quality)  # type: ignore[arg-type]
    image = decoded(made)
    assert image.format == image_format.upper()
    difference_image = ImageChops.difference(image.convert("RGB"), colours(123, 77, data))
    assert max(high for _, high in difference_image.getextrema()) <= 24  # type: ignore[misc]


@settings(max_examples=30, deadline=None)
@given(pictures())
def test_webp_at_quality_100_is_lossless(picture: tuple[int, int, bytes]) -> None:
    width, height, data = picture
    image = decoded(encode.encode(Pixels.copy_of(data, width, height), "webp", 100))
    assert image.convert("RGB").tobytes() == colours(width, height, data).tobytes()


def test_lower_jpeg_quality_makes_fewer_bytes() -> None:
    pixels = Pixels.copy_of(random.Random(3).randbytes(4 * 200 * 100), 200, 100)
    sizes = [len(encode.encode(pixels, "jpeg", quality)) for quality in (20, 60, 89, 100)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("image_format", "module", "loader", "package"),
    [
        ("jpeg", _jpeg, "libturbojpeg", "libturbojpeg0"),
        ("webp", _webp, "libwebp", "libwebp7"),
    ],
)
def test_a_missing_library_is_named(
    image_format: str, module: object, loader: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, loader, lambda: None)
    with pytest.raises(Unsupported) as caught:
        encode.encode(Pixels.copy_of(bytes(4), 1, 1), image_format)  # type: ignore[arg-type]
    assert package in (caught.value.hint or "")


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InvalidInput, match="gif"):
        encode.encode(Pixels.copy_of(bytes(4), 1, 1), "gif")  # type: ignore[arg-type]


def slow_difference(
    before: bytes, after: bytes, width: int, height: int
) -> tuple[int, tuple[int, int, int, int] | None]:
    changed = [
        (at % width, at // width)
        for at in range(width * height)
        if before[4 * at : 4 * at + 3] != after[4 * at : 4 * at + 3]
    ]
    if not changed:
        return 0, None
    xs, ys = {x for x, _ in changed}, {y for _, y in changed}
    return len(changed), (min(xs), min(ys), max(xs) + 1 - min(xs), max(ys) + 1 - min(ys))


def test_the_difference_is_exact_for_any_pictures(
    libraries: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    @settings(max_examples=150, deadline=None)
    @given(pictures(), st.data())
    def check(picture: tuple[int, int, bytes], data: st.DataObject) -> None:
        width, height, before = picture
        after = bytearray(before)
        for _ in range(data.draw(st.sampled_from([0, 1, 2, 7, 300]))):
            after[data.draw(st.integers(0, len(after) - 1))] = data.draw(st.integers(0, 255))
        monkeypatch.setattr(_pixels, "_BAND_PIXELS", data.draw(st.sampled_from([1, 90, 1 << 16])))
        one, two = (Pixels.copy_of(each, width, height) for each in (before, after))
        change = difference(one, two)
        pixels, box = slow_difference(before, bytes(after), width, height)
        assert change.pixels == pixels
        assert change.share == pixels / (width * height)
        found = change.box
        assert (found and (found.x, found.y, found.width, found.height)) == box
        if found is not None:
            assert difference(one, two, within=found) == change

    check()


def test_the_byte_that_means_nothing_does_not_count(libraries: str) -> None:
    one = Pixels.copy_of(bytes((1, 2, 3, 0)) * 600, 30, 20)
    two = Pixels.copy_of(bytes((1, 2, 3, 255)) * 600, 30, 20)
    assert difference(one, two).pixels == 0


def test_a_picture_of_another_size_differs_everywhere() -> None:
    one, two = Pixels.copy_of(bytes(4 * 6), 2, 3), Pixels.copy_of(bytes(4 * 6), 3, 2)
    change = difference(one, two)
    assert (change.pixels, change.share, change.box) == (6, 1.0, Box(0, 0, 3, 2))


def test_a_part_outside_of_the_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="not inside"):
        Pixels.copy_of(bytes(4 * 6), 2, 3).crop(Box(0, 0, 3, 1))


def test_a_png_made_with_strips_of_the_one_before_is_the_same_as_made_anew(libraries: str) -> None:
    noise = random.Random(11)
    width, height = 1500, 500  # five strips
    data = bytearray(noise.randbytes(40) * (4 * width * height // 40))
    _, strips = encode.encode_anew(Pixels.copy_of(data, width, height), "png", 0, None, None)
    for _ in range(6):
        x, y = noise.randrange(width), noise.randrange(height)
        box = Box(x, y, noise.randint(1, width - x), noise.randint(1, min(90, height - y)))
        for row in range(box.y, box.bottom):
            start = 4 * (row * width + box.x)
            data[start : start + 4 * box.width] = noise.randbytes(4 * box.width)
        pixels = Pixels.copy_of(data, width, height)
        image, strips = encode.encode_anew(pixels, "png", 0, strips, box)
        assert image == encode.encode(pixels)
        assert decoded(image).tobytes() == colours(width, height, bytes(data)).tobytes()


@pytest.mark.parametrize(("image_format", "quality"), [("jpeg", 85), ("jpeg", 95), ("webp", 80)])
def test_another_picture_made_with_strips_of_the_one_before_is_the_same_as_made_anew(
    image_format: ImageFormat, quality: int
) -> None:
    noise = random.Random(11)
    width, height = 1501, 500  # eight strips
    data = bytearray(noise.randbytes(4) * (width * height))
    pixels = Pixels.copy_of(data, width, height)
    _, strips = encode.encode_anew(pixels, image_format, quality, None, None)
    for _ in range(6):
        x, y = noise.randrange(width), noise.randrange(height)
        box = Box(x, y, noise.randint(1, width - x), noise.randint(1, min(90, height - y)))
        for row in range(box.y, box.bottom):
            start = 4 * (row * width + box.x)
            data[start : start + 4 * box.width] = noise.randbytes(4 * box.width)
        pixels = Pixels.copy_of(data, width, height)
        image, strips = encode.encode_anew(pixels, image_format, quality, strips, box)
        assert image == encode.encode(pixels, image_format, quality)


@pytest.mark.parametrize("quality", [30, 85, 95])
@pytest.mark.parametrize("size", [(1, 1), (17, 64), (33, 65), (1024, 768), (701, 503), (9, 1200)])
def test_a_jpeg_in_strips_shows_what_one_in_a_single_piece_does(
    size: tuple[int, int], quality: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    width, height = size
    noise = random.Random(5)
    colours = [noise.randbytes(4) for _ in range(50)]
    pixels = Pixels.copy_of(b"".join(noise.choices(colours, k=width * height)), width, height)
    strips = encode.encode(pixels, "jpeg", quality)
    monkeypatch.setattr(_jpeg, "_ROWS", 1 << 16)
    whole = encode.encode(pixels, "jpeg", quality)
    assert decoded(strips).tobytes() == decoded(whole).tobytes()
    assert (b"\xff\xdd" in whole, b"\xff\xdd" in strips) == (False, height > 64)


@pytest.mark.parametrize("variable", ["TJ_OPTIMIZE", "TJ_PROGRESSIVE", "TJ_RESTART"])
def test_a_jpeg_is_whole_where_the_library_is_told_to_code_otherwise(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = random.Random(6)
    width, height = 160, 200
    sets = [[noise.randbytes(4) for _ in range(row % 9 + 1)] for row in range(height)]
    rows = [b"".join(noise.choices(each, k=width)) for each in sets]
    pixels = Pixels.copy_of(b"".join(rows), width, height)
    plain, _ = _jpeg.JpegEncoder().encode(pixels, 85)
    monkeypatch.setenv(variable, "1")
    told = _jpeg.JpegEncoder()
    first, strips = told.encode(pixels, 85)
    second, _ = told.encode(pixels, 85, strips, Box(0, 70, 5, 5))
    assert first != plain
    assert decoded(first).tobytes() == decoded(second).tobytes() == decoded(plain).tobytes()


def test_a_jpeg_of_another_quality_is_made_anew() -> None:
    pixels = Pixels.copy_of(random.Random(2).randbytes(4 * 90 * 200), 90, 200)
    _, strips = encode.encode_anew(pixels, "jpeg", 60, None, None)
    image, _ = encode.encode_anew(pixels, "jpeg", 85, strips, None)
    assert image == encode.encode(pixels, "jpeg", 85)


def test_strips_of_another_size_are_not_used() -> None:
    one = Pixels.copy_of(bytes(4 * 60 * 40), 60, 40)
    _, strips = encode.encode_anew(one, "png", 0, None, None)
    two = Pixels.copy_of(b"\xff" * (4 * 40 * 60), 40, 60)
    assert encode.encode_anew(two, "png", 0, strips, None)[0] == encode.encode(two)


def test_strips_out_of_the_changed_box_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = Pixels.copy_of(bytes(4 * 1500 * 500), 1500, 500)
    _, strips = encode.encode_anew(pixels, "png", 0, None, None)
    made = []
    real = _png.PngEncoder._strip

    def counted(encoder: _png.PngEncoder, part: Pixels) -> object:
        made.append(part)
        return real(encoder, part)

    monkeypatch.setattr(_png.PngEncoder, "_strip", counted)
    encode.encode_anew(pixels, "png", 0, strips, None)
    assert made == []
    encode.encode_anew(pixels, "png", 0, strips, Box(3, 3, 5, 5))
    assert len(made) == 1
