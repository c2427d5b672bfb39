from __future__ import annotations

import signal

import pytest

# Started in the background by a shell, we would ignore Ctrl-C, and so would all we start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
