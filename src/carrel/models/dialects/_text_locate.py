"""Asking a chat model where something is, and reading the point it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from carrel.codec import Json
from carrel.errors import ActionFailed, InvalidInput
from carrel.geometry import Point, Size
from carrel.models.dialect import Api, Request
from carrel.models.dialects._text import (
    MAX_ANSWER,
    Grid,
    image_part,
    read_answer,
    split_thinking,
    text_part,
    user,
)
from carrel.models.dialects._text_points import read_pair
from carrel.models.picture import Picture
from carrel.models.space import Space

__all__ = ["locate_request", "located", "whole_answer"]

MAX_TOKENS = 2048


def locate_request(
    model: str,
    picture: Picture,
    grid: Grid,
    words: str,
    *,
    system: str | None = None,
    extra: Mapping[str, Json] | None = None,
) -> Request:
    """A request with one picture and some words; the same answer for the same picture."""
    image = image_part(picture.data_url(grid.shown(picture.size)))
    messages: list[Json] = [{"role": "system", "content": system}] if system else []
    messages.append(user([image, text_part(words)]))
    body: dict[str, Json] = {
        "model": model,
        "messages": messages,
        "temperature": 0,
        "max_tokens": MAX_TOKENS,
    }
    return Request(Api.OPENAI_CHAT, {**body, **(extra or {})})


def whole_answer(body: Mapping[str, Json]) -> str:
    """The words of an answer without its thinking.

    Raises:
        ActionFailed: The model refused, or wrote nothing or far too much.
    """
    answer = read_answer(body)
    if answer.refusal is not None:
        raise ActionFailed(f"the model declined to point: {answer.refusal[:200]}", op="locate")
    text = split_thinking(answer.content)[1]
    if not text.strip() or len(text) > MAX_ANSWER:
        raise ActionFailed("the model did not answer with a point", op="locate")
    return text


def located(read: Callable[[], object], picture: Picture, grid: Grid) -> Point:
    """The pixel of the screen for what `read` finds.

    Raises:
        ActionFailed: It finds nothing, or something outside the picture. Never a guess.
    """
    region = picture.region
    part = Size(region.width, region.height) if region else picture.screen
    try:
        point = Space(part, grid.shown(picture.size), grid.kind).to_screen(*read_pair(read()))
    except InvalidInput as error:
        raise ActionFailed(
            f"the model did not point at a place on the picture: {error.message}",
            op="locate",
            hint="describe the target in other words",
        ) from None
    return Point(point.x + region.x, point.y + region.y) if region else point
