from __future__ import annotations

import ast
import gc
import inspect
import signal
from collections.abc import Generator
from contextlib import suppress

import pytest

from parsing import DISTURBED, undisturbed

if DISTURBED:
    ast.parse = undisturbed(ast.parse)

# Started in the background by a shell, we would ignore Ctrl-C, and so would all we start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Where an ordinary user repeats tests of machines, these are not installed.
try:
    import sniffio
except ModuleNotFoundError:
    sniffio = None
with suppress(ModuleNotFoundError):
    from hypothesis import HealthCheck, settings

    # How long an example takes is a matter of what else this system does.
    settings.register_profile("carrel", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("carrel")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def _is_async(test: object) -> bool:
    examples = getattr(test, "hypothesis", None)
    return inspect.iscoroutinefunction(examples.inner_test if examples else test)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Let a test without a loop run one, also while a desk waits in a loop of the session's."""
    if _is_async(pyfuncitem.obj) or sniffio is None:
        return (yield)
    waiting = sniffio.current_async_library_cvar.set(None)
    try:
        return (yield)
    finally:
        sniffio.current_async_library_cvar.reset(waiting)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    from sharing import Together

    config.option.loadscopereorder = False
    return Together(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        from sharing import longest_first

        longest_first(items)


def pytest_collection_finish() -> None:
    """Spare every later search for garbage the thousands of tests, which stay to the end."""
    gc.collect()
    gc.freeze()
