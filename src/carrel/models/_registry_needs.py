"""What a family of models takes, and what of it is here: told without asking any server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.models.transports.providers import Provider, find_provider

__all__ = ["Way", "find_way", "what_is_missing", "what_is_needed", "what_is_there"]

# Where a key alone does not do: every group is needed, and one of each group is enough. Names of
# files stand for credentials that the cloud's own tools left there.
_GROUPS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "azure": (("AZURE_OPENAI_API_KEY",), ("AZURE_OPENAI_ENDPOINT",)),
    "bedrock": (
        ("AWS_REGION", "AWS_DEFAULT_REGION"),
        ("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "~/.aws/credentials"),
    ),
    "vertex": (
        ("GOOGLE_CLOUD_PROJECT", "ANTHROPIC_VERTEX_PROJECT_ID"),
        (
            "GOOGLE_APPLICATION_CREDENTIALS",
            "~/.config/gcloud/application_default_credentials.json",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to reach a family.

    Attributes:
        groups: What it takes: one name of each group.
        local: Whether it is a server of the user's own; its groups only say where it is.
    """

    provider: str
    groups: tuple[tuple[str, ...], ...]
    local: bool = False

    def found(self, environ: Mapping[str, str]) -> list[str] | None:
        """The names that are here, one of each group; None when one is missing."""
        here = [next((n for n in group if _is_here(n, environ)), None) for group in self.groups]
        names = [name for name in here if name is not None]
        return names if len(names) == len(self.groups) else None


def _is_here(name: str, environ: Mapping[str, str]) -> bool:
    if not name.startswith("~/"):
        return bool(environ.get(name))
    home = environ.get("HOME")
    return bool(home) and Path(home or "/", name[2:]).is_file()


def find_way(provider: str) -> Way:
    """How a provider is reached."""
    known: Provider = find_provider(provider)
    if known.url_variable is not None:
        return Way(provider, ((known.url_variable,),), local=True)
    return Way(provider, _GROUPS.get(provider, (known.keys,)))


def what_is_needed(ways: Sequence[Way]) -> str:
    """What it takes, in words: `A or B`, `A and B; or C`."""
    servers = ", ".join(f"{way.provider}:" for way in ways if way.local)
    words = [f"a server of your own ({servers})"] if servers else []
    words += [
        " and ".join(" or ".join(group) for group in way.groups) for way in ways if not way.local
    ]
    return (", or " if servers else "; or ").join(words)


def what_is_there(ways: Sequence[Way], environ: Mapping[str, str]) -> str:
    """What makes one of the ways ready, in words; empty when none is known to be."""
    for way in ways:
        found = way.found(environ)
        if found:
            return ", ".join(_told(name) for name in found)
    return ""


def _told(name: str) -> str:
    return f"{name} is there" if name.startswith("~/") else f"{name} is set"


def what_is_missing(ways: Sequence[Way]) -> str:
    """What to do, the shortest way, in words."""
    if any(way.local for way in ways):
        return "ready if your server runs: it is not looked for"
    return "set " + "; or ".join(" and ".join(group[0] for group in way.groups) for way in ways)
