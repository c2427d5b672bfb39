"""The options people gave to `ComputerAgent`, read into ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import cast

from carrel.errors import InvalidInput, Unsupported
from carrel.models.context import Options

__all__ = ["Budget", "BudgetLike", "Trajectories", "TrajectoryLike", "generation"]

BudgetLike = float | int | Mapping[str, object]
TrajectoryLike = str | Path | Mapping[str, object]

_TOKENS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
_KNOWN = (*_TOKENS, "temperature", "reasoning_effort", "reasoning")


def generation(given: Mapping[str, object]) -> Options:
    """How to ask the model.

    Raises:
        Unsupported: An option would be silently left out.
    """
    unknown = sorted(set(given) - set(_KNOWN))
    if unknown:
        raise Unsupported(
            f"ComputerAgent cannot pass on {', '.join(unknown)}",
            hint=f"what it passes on to the model: {', '.join(_KNOWN)}",
        )
    limits = [given[name] for name in _TOKENS if given.get(name) is not None]
    reasoning = given.get("reasoning_effort")
    if isinstance(given.get("reasoning"), Mapping):
        reasoning = cast("Mapping[str, object]", given["reasoning"]).get("effort", reasoning)
    temperature = given.get("temperature")
    return Options(
        max_tokens=int(cast("int", limits[0])) if limits else None,
        temperature=None if temperature is None else float(cast("float", temperature)),
        reasoning=None if reasoning is None else str(reasoning),
    )


@dataclass(slots=True)
class Budget:
    """The most that runs may cost, in US dollars.

    Attributes:
        spent: By the runs so far, when they are counted together.
    """

    most: Decimal
    each_run: bool = True
    raises: bool = False
    spent: Decimal = Decimal(0)

    @classmethod
    def of(cls, given: BudgetLike | None) -> Budget | None:
        """Read `max_trajectory_budget`."""
        if given is None:
            return None
        if not isinstance(given, Mapping):
            return cls(_dollars(given))
        _refuse_unknown(
            given, ("max_budget", "reset_after_each_run", "raise_error"), "max_trajectory_budget"
        )
        return cls(
            _dollars(given.get("max_budget")),
            bool(given.get("reset_after_each_run", True)),
            bool(given.get("raise_error", False)),
        )

    @property
    def left(self) -> Decimal:
        """For the next run."""
        return self.most if self.each_run else max(Decimal(0), self.most - self.spent)


def _dollars(given: object) -> Decimal:
    number = isinstance(given, int | float | Decimal) and not isinstance(given, bool)
    if not number or not 0 <= cast("float", given) < float("inf"):
        raise InvalidInput(f"a budget is an amount of dollars, not {given!r}")
    return Decimal(str(given))


@dataclass(slots=True)
class Trajectories:
    """Where runs are written to, in the layout of `carrel.compat.trajectory`.

    Attributes:
        current: The trajectory that further runs go on with, when they are not kept apart.
    """

    directory: Path
    reset_on_run: bool = True
    screenshot_dir: Path | None = None
    current: str | None = None

    @classmethod
    def of(cls, given: TrajectoryLike | None) -> Trajectories | None:
        """Read `trajectory_dir`."""
        if given is None or given == "":
            return None
        if not isinstance(given, Mapping):
            return cls(Path(given))
        _refuse_unknown(
            given, ("trajectory_dir", "reset_on_run", "screenshot_dir"), "trajectory_dir"
        )
        if not given.get("trajectory_dir"):
            raise InvalidInput("trajectory_dir needs a trajectory_dir")
        shots = given.get("screenshot_dir")
        return cls(
            Path(str(given["trajectory_dir"])),
            bool(given.get("reset_on_run", True)),
            Path(str(shots)) if shots else None,
        )


def _refuse_unknown(given: Mapping[str, object], known: tuple[str, ...], name: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise InvalidInput(f"{name} has no {', '.join(unknown)}", hint=f"it has {', '.join(known)}")
