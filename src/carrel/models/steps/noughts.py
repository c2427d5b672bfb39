"""Noughts and crosses: the board as lines of marks, and the best move on it."""

from __future__ import annotations

from functools import cache

__all__ = ["best_move", "winner"]

Board = tuple[str, ...]
"""Nine of `X`, `O` and an empty text, row by row."""

_LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


def winner(board: Board) -> str:
    """Who has three in a line; nobody is an empty text."""
    for one, two, three in _LINES:
        if board[one] and board[one] == board[two] == board[three]:
            return board[one]
    return ""


def best_move(board: Board, mark: str) -> int | None:
    """The free place that loses against nobody, and wins most often against those who err."""
    free = [at for at in range(9) if not board[at]]
    if not free or winner(board):
        return None
    other = _other(mark)
    return max(
        free,
        key=lambda at: (
            -_worst(_with(board, at, mark), other, other),
            _hope(_with(board, at, mark), other, mark),
        ),
    )


def _other(mark: str) -> str:
    return "O" if mark == "X" else "X"


def _with(board: Board, at: int, mark: str) -> Board:
    return (*board[:at], mark, *board[at + 1 :])


@cache
def _worst(board: Board, turn: str, mark: str) -> int:
    """What comes of it for a mark when both play their best: 1 won, 0 drawn, -1 lost."""
    won = winner(board)
    if won:
        return 1 if won == mark else -1
    free = [at for at in range(9) if not board[at]]
    if not free:
        return 0
    values = [_worst(_with(board, at, turn), _other(turn), mark) for at in free]
    return max(values) if turn == mark else min(values)


@cache
def _hope(board: Board, turn: str, mark: str) -> float:
    """The same when the other one plays at random, except for what wins at once."""
    won = winner(board)
    if won:
        return 1.0 if won == mark else -1.0
    free = [at for at in range(9) if not board[at]]
    if not free:
        return 0.0
    values = [_hope(_with(board, at, turn), _other(turn), mark) for at in free]
    return max(values) if turn == mark else sum(values) / len(values)
