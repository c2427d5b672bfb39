"""How well the screen is seen: real pages and applications, against what they say of themselves.

No agent plays here. `run` catches the screens on desks, looks at them with `carrel.perception`,
and holds what it saw against the truth.
"""

from __future__ import annotations

from carrel.bench.suites.screens.run import Outcome, run

__all__ = ["Outcome", "run"]
