"""Resource profiles: how much of the computer a machine may have, in one word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from carrel.errors import NotFound

__all__ = ["PROFILES", "Profile", "get_profile"]


@dataclass(frozen=True, slots=True)
class Profile:
    """Processors, memory and disk that go together.

    Attributes:
        meant_for: What it suits, in a few words.
    """

    name: str
    cpus: int
    memory_mb: int
    disk_mb: int
    meant_for: str


PROFILES: Mapping[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile("minimal", 2, 4 * 1024, 20 * 1024, "a desk, or a small server"),
        Profile("standard", 4, 8 * 1024, 50 * 1024, "an agent with a browser at work"),
        Profile("performance", 8, 16 * 1024, 100 * 1024, "builds, and models run locally"),
    )
}


def get_profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        NotFound: There is none.
    """
    try:
        return PROFILES[name]
    except KeyError:
        raise NotFound(
            f"there is no profile {name[:40]!a}", hint=f"known profiles: {', '.join(PROFILES)}"
        ) from None
