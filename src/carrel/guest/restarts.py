"""When a program that ended is started again, and after how long."""

from __future__ import annotations

from typing import Literal

__all__ = ["FIRST_DELAY", "LONGEST_DELAY", "STEADY", "Restart", "Restarts"]

Restart = Literal["never", "on-failure", "always"]

FIRST_DELAY = 0.5
LONGEST_DELAY = 30.0
STEADY = 60.0
"""One that ran for so many seconds had started well: the next delay is the first again."""


class Restarts:
    """The restart policy of one program: each failure in a row waits twice as long."""

    def __init__(self, policy: Restart) -> None:
        self._policy = policy
        self._in_a_row = 0
        self.count = 0

    def after(self, failed: bool, lived: float) -> float | None:
        """Seconds until it is started again; None when it is not.

        Args:
            failed: Whether it ended by a signal or with another status than 0.
            lived: Seconds it ran.
        """
        if self._policy == "never" or (self._policy == "on-failure" and not failed):
            return None
        if lived >= STEADY:
            self._in_a_row = 0
        delay = min(FIRST_DELAY * 2.0 ** min(self._in_a_row, 16), LONGEST_DELAY)
        self._in_a_row += 1
        self.count += 1
        return delay
