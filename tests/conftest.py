from __future__ import annotations

import signal
from contextlib import suppress

import pytest

# Started in the background by a shell, we would ignore Ctrl-C, and so would all we start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Where an ordinary user repeats tests of machines, it is not installed.
with suppress(ModuleNotFoundError):
    from hypothesis import HealthCheck, settings

    # How long an example takes is a matter of what else this system does.
    settings.register_profile("carrel", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("carrel")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    from sharing import Together

    config.option.loadscopereorder = False
    return Together(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        from sharing import longest_first

        longest_first(items)
