"""The same suites as Gymnasium environments.

`gymnasium.make("carrel.gym:carrel/Desk-v0", suite="miniwob", task="click-*")` imports this package,
which registers the environment.
"""

from __future__ import annotations

from carrel.errors import Unavailable

try:
    import gymnasium
except ImportError as error:
    raise Unavailable("gymnasium is not installed", hint="pip install 'carrel[bench]'") from error

from carrel.gym.environment import DeskEnv
from carrel.gym.moves import KEYS, KINDS
from carrel.gym.player import Player

__all__ = ["ID", "KEYS", "KINDS", "DeskEnv", "Player"]

ID = "carrel/Desk-v0"

if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point="carrel.gym.environment:DeskEnv")
