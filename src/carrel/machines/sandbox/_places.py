"""Who the agent is inside, and where things are: known before anything else is loaded."""

from __future__ import annotations

__all__ = ["AGENT_GID", "AGENT_HOME", "AGENT_UID", "GUEST_BUNDLE", "STAGE", "STAGED_HOME"]

AGENT_UID = 1000
AGENT_GID = 1000
AGENT_HOME = "/home/agent"
STAGE = "/tmp"  # noqa: S108
"""Where a sandbox is put together: exists everywhere, and is covered first."""
STAGED_HOME = f"{STAGE}/home"
GUEST_BUNDLE = "/run/carrel/guest"
