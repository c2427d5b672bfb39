"""Random requests through a real connection: an answer or an error each time, never a hang."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from proofs import bounded
from subjects import Subject, bare_guest

from apart import apart
from carrel.actions import ACTIONS, EffectClass
from carrel.errors import CarrelError
from carrel.stream import Connection

pytestmark = pytest.mark.desktop

HUGE = 10**12
SECONDS = {"seconds", "stable", "timeout", "hold", "settle"}
HOLDS = {"mouse_down", "key_down"}
"""What they do is to leave something down."""

junk: SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-HUGE, HUGE)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["left", "ctrl", "enter", "/no/such", "~", "..", "\0", "x" * 5000]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
pixels = st.integers(-5, 1300)
points = st.fixed_dictionaries({"x": pixels, "y": pixels})
short = st.sampled_from([0, 0.01, 0.05, -1, HUGE, "1", None, True])
plausible: dict[str, SearchStrategy[Any]] = {
    "x": pixels,
    "y": pixels,
    "path": st.lists(points, max_size=4),
    "button": st.sampled_from(["left", "middle", "right", "back", "nope"]),
    "count": st.integers(-1, 12),
    "repeat": st.integers(-1, 5),
    "modifiers": st.lists(st.sampled_from(["ctrl", "shift", "altgr", "a", "nope"]), max_size=3),
    "dx": st.integers(-20, 20),
    "dy": st.integers(-20, 20),
    "text": st.text(max_size=12),
    "keys": st.lists(st.sampled_from(["ctrl", "shift", "a", "é", "漢", "f3", "nope"]), max_size=4),
    "key": st.sampled_from(["a", "shift", "漢", "nope"]),
    "region": st.fixed_dictionaries({"x": pixels, "y": pixels, "width": pixels, "height": pixels}),
    "format": st.sampled_from(["png", "jpeg", "webp", "gif"]),
    "window": st.integers(0, 2**33),
    "width": st.integers(-1, 2000),
    "height": st.integers(-1, 2000),
}


def _wishes(types: list[str]) -> SearchStrategy[dict[str, Any]]:
    def fields(name: str) -> SearchStrategy[dict[str, Any]]:
        choices = {
            field.name: short
            if field.name in SECONDS
            else (plausible.get(field.name, st.text(max_size=12)) | junk)
            for field in dataclasses.fields(ACTIONS[name])
        }
        some = st.fixed_dictionaries({"type": st.just(name)}, optional=choices)
        every = st.fixed_dictionaries({"type": st.just(name), **choices})
        return some | every

    return st.sampled_from(types).flatmap(fields)


def _headers(types: list[str], ops: list[str]) -> SearchStrategy[dict[str, Any]]:
    ids = st.text(min_size=1, max_size=12).map(lambda text: f"fuzz {text}")
    act = st.fixed_dictionaries(
        {"op": st.just("act"), "id": ids, "args": st.fixed_dictionaries(
            {"action": _wishes(types)}, optional={"settle": short})}
    )  # fmt: skip
    args = st.dictionaries(
        st.sampled_from(["path", "id", "argv", "offset", "length", "host", "port", "mode", "x"]),
        junk,
    )
    op = st.fixed_dictionaries({"op": st.sampled_from(ops), "id": ids, "args": args})
    broken = st.fixed_dictionaries(
        {}, optional={"op": junk, "id": junk, "args": junk, "more": junk}
    )
    return act | act | op | broken


SAFE = sorted(
    name
    for name, action in ACTIONS.items()
    if action.effect in (EffectClass.INPUT, EffectClass.OBSERVE) and name not in HOLDS
)
EVERY = sorted(set(ACTIONS) - HOLDS)
SAFE_OPS = ["info", "process.list", "process.read", "process.kill", "file.read", "no such"]
EVERY_OPS = [*SAFE_OPS, "exec", "process.start", "file.write", "tree.get", "tree.put", "connect"]

unruly = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    database=None,
)


async def _send(link: Connection, header: Mapping[str, Any], body: bytes) -> None:
    """One request; whatever comes back must end."""
    try:
        async with await link.open(header) as stream:
            if body:
                await stream.send(body)
            await stream.end()
            while await stream.receive() is not None:
                pass
    except CarrelError as error:
        if "internal error" in error.message:
            pytest.fail(f"{header}: {error.message}")


async def _bother(desk: Subject, headers: list[dict[str, Any]], body: bytes) -> None:
    transport = await desk.connect()
    async with Connection(transport, initiator=True, hello={"side": "client"}) as link:
        await link.ready()
        for header in headers:
            with anyio.move_on_after(20) as scope:
                await _send(link, header, body)
            assert not scope.cancelled_caught, f"no answer to {header}"
    assert (await desk.computer.info())["phase"] == "ready"
    await desk.at_rest()


@pytest.mark.namespace
@pytest.mark.image
@pytest.mark.parametrize("shared_desk", ["machine"], indirect=True)
@unruly
@given(headers=st.lists(_headers(EVERY, EVERY_OPS), min_size=1, max_size=5), body=st.binary())
@bounded
async def test_a_machine_survives_any_request(
    shared_desk: Subject, headers: list[dict[str, Any]], body: bytes
) -> None:
    await _bother(shared_desk, headers, body)


@pytest.fixture(scope="package")
async def spare_desk(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A guest process of its own: what it shows does not matter to other tests."""
    folder: Path = tmp_path_factory.mktemp("spare")
    async with apart(bare_guest(folder)) as (subject, _):
        yield subject


@unruly
@given(headers=st.lists(_headers(SAFE, SAFE_OPS), min_size=1, max_size=5), body=st.binary())
@bounded
async def test_a_guest_survives_any_request(
    spare_desk: Subject, headers: list[dict[str, Any]], body: bytes
) -> None:
    await _bother(spare_desk, headers, body)
