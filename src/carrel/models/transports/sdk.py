"""Loading the providers' SDKs, only when one is used."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import warnings
from types import ModuleType

from carrel.errors import Unavailable

__all__ = ["check", "load"]


def check(module: str, extra: str) -> None:
    """Find out whether a provider's SDK is installed, without importing it.

    Raises:
        Unavailable: It is not.
    """
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise _missing(module, extra)


def load(module: str, extra: str) -> ModuleType:
    """Import a provider's SDK.

    Args:
        module: What to import.
        extra: Which extra of ours installs it.

    Raises:
        Unavailable: It is not installed.
    """
    try:
        if module in sys.modules:
            # Filters of warnings belong to the whole process: other threads may be at them.
            return importlib.import_module(module)
        with warnings.catch_warnings():
            # Warnings of other people's source are not for the person who runs an agent.
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        raise _missing(module, extra) from error


def _missing(module: str, extra: str) -> Unavailable:
    return Unavailable(
        f"the Python package {module} is not installed",
        op="model.open",
        hint=f"pip install 'carrel[{extra}]'",
        context={"module": module},
    )
