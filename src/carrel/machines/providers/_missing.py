"""Stands in for a provider that is not installed, or cannot be loaded, to delete its machines."""

from __future__ import annotations

from typing import ClassVar

from carrel.errors import Unavailable
from carrel.machines.keep import KeeperPlan
from carrel.machines.provider import Capabilities
from carrel.machines.providers._kept import Kept
from carrel.machines.spec import Machine

__all__ = ["MissingProvider"]


class MissingProvider(Kept):
    """Ends the keeper of a machine and removes its directory.

    What an engine of its own holds of it is out of reach: the provider removes that when it is
    there again and finds a machine that nobody knows.
    """

    name: ClassVar[str] = "missing"
    capabilities: ClassVar[Capabilities] = Capabilities(contains=False)

    def plan(self, machine: Machine) -> KeeperPlan:
        """Nobody knows how it is started.

        Raises:
            Unavailable: Always.
        """
        raise Unavailable(f"the provider {machine.spec.provider} of {machine.name} is missing")
