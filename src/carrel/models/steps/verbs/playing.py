"""Playing noughts and crosses on the board that the screen shows."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from carrel.actions import Click
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.chrome import part_meant
from carrel.models.steps.desk import Desk, children_of
from carrel.models.steps.noughts import best_move, winner
from carrel.models.steps.program import Noughts
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.labels import written_on

if TYPE_CHECKING:
    from carrel.perception.view import View

__all__ = ["play_noughts"]

SMALLEST, ALIKE = 12, 1.25
"""Pixels across a place of the board; and by how much they may differ in size."""
REPLIES = (0.0, 0.15, 0.3, 0.6)
"""Seconds to wait for the other one's move."""
INKED = 0.03
"""What part of a place must be drawn on for it to be taken."""
_SIGNS = {**dict.fromkeys("xX×✕✗✖❌", "X"), **dict.fromkeys("oO0○◯⭕", "O")}


def play_noughts(desk: Desk, step: Noughts) -> Turns[str | None]:
    """Move after move, until somebody has won or the board is full."""
    for _ in range(5):
        places = _places(desk)
        board = _board(desk, places)
        at = best_move(board, step.mark)
        if at is None:
            break
        spot = places[at].center
        why = f"place {at + 1} of the board {_told(board)}"
        yield from desk.do(Click(spot.x, spot.y), why=why)
        yield from _reply(desk, board, step.mark)
    won = winner(_board(desk, _places(desk)))
    if won and won != step.mark:
        raise Missed(f"{won} has won the game")
    return f"{won} has won the game" if won else "nobody has won the game"


def _told(board: tuple[str, ...]) -> str:
    return "/".join("".join(mark or "." for mark in board[row : row + 3]) for row in (0, 3, 6))


def _reply(desk: Desk, before: tuple[str, ...], mark: str) -> Turns[None]:
    """Wait until the other one has moved, or the game is over."""
    for pause in REPLIES:
        if pause:
            yield from desk.again(pause, why="what the other one does")
        try:
            now = _board(desk, _places(desk))
        except Missed:
            # The board is gone, and so is the game.
            return
        own = sum(one == mark for one in now) > sum(one == mark for one in before)
        taken = sum(map(bool, now)) - sum(map(bool, before))
        if winner(now) or all(now) or (own and taken >= 2):
            return


def _places(desk: Desk) -> list[Box]:
    """The nine places of the board, row by row.

    Raises:
        Missed: There are no nine things of one size in three rows of three.
    """
    boxes = {e.box for e in part_meant(desk.elements, "") if e.box is not None}
    sized = sorted((b for b in boxes if min(b.width, b.height) >= SMALLEST), key=lambda b: b.area)
    for at in range(len(sized) - 8):
        alike = [b for b in sized[at:] if _is_alike(b, sized[at])]
        board = _square(_apart(alike))
        if board is not None:
            return board
    raise Missed("no board of three rows of three is to be seen")


def _is_alike(one: Box, other: Box) -> bool:
    wide = max(one.width, other.width) <= ALIKE * min(one.width, other.width)
    return wide and max(one.height, other.height) <= ALIKE * min(one.height, other.height)


def _apart(boxes: list[Box]) -> list[Box]:
    """One of those that lie on each other."""
    kept: list[Box] = []
    for box in boxes:
        if not any(other.contains(box.center) for other in kept):
            kept.append(box)
    return kept


def _square(boxes: list[Box]) -> list[Box] | None:
    if len(boxes) != 9:
        return None
    by_row = sorted(boxes, key=lambda b: b.y)
    rows = [sorted(by_row[at : at + 3], key=lambda b: b.x) for at in (0, 3, 6)]
    level = all(abs(a.y - b.y) <= a.height // 3 for row in rows for a, b in pairwise(row))
    upright = all(
        abs(a.x - b.x) <= a.width // 3
        for up, down in pairwise(rows)
        for a, b in zip(up, down, strict=True)
    )
    return [box for row in rows for box in row] if level and upright else None


def _board(desk: Desk, places: list[Box]) -> tuple[str, ...]:
    view = desk.seen.view
    return tuple(_mark(desk, view, box) for box in places)


def _mark(desk: Desk, view: View | None, box: Box) -> str:
    """What stands in a place: by its text, or else by its pixels."""
    here = [
        e for e in part_meant(desk.elements, "") if e.box is not None and box.contains(e.box.center)
    ]
    inner = [e for e in here if e.box is not None and e.box.area <= 1.3 * box.area]
    signs = {_sign(e) for e in inner} | {_sign(c) for e in inner for c in children_of(here, e)}
    signs.discard("")
    if len(signs) == 1:
        return signs.pop()
    return drawn_mark(view, box) if view is not None else ""


def _sign(element: Element) -> str:
    return _SIGNS.get(written_on(element).strip(), "")


def drawn_mark(view: View, box: Box) -> str:
    """A cross is drawn through the middle of its place, and a nought around it."""
    from carrel.perception.colours import crop, most_common

    inset = max(2, min(box.width, box.height) // 10)
    inner = Box(box.x + inset, box.y + inset, box.width - 2 * inset, box.height - 2 * inset)
    pixels = crop(view.pixels, inner).astype(int)
    blank = most_common(crop(view.pixels, inner).reshape(-1, 3)).astype(int)
    inked = abs(pixels - blank).max(axis=2) > 60
    if inked.mean() < INKED:
        return ""
    high, wide = inked.shape
    middle = inked[int(0.4 * high) : int(0.6 * high) + 1, int(0.4 * wide) : int(0.6 * wide) + 1]
    return "X" if middle.mean() > 0.1 else "O"
