"""Machines as containers of an engine that speaks Docker's API: Docker itself, or Podman."""

from __future__ import annotations

__all__: list[str] = []
