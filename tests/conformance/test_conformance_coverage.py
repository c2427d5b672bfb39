from __future__ import annotations

import anyio
import pytest
from oracles import until
from proofs import PROOFS, Proof, bounded
from subjects import Subject, lying

from carrel.actions import ACTIONS
from carrel.errors import CarrelError
from conformance import (
    test_conformance_clipboard,
    test_conformance_elements,
    test_conformance_files,
    test_conformance_keyboard,
    test_conformance_open,
    test_conformance_pointer,
    test_conformance_screen,
    test_conformance_shell,
    test_conformance_windows,
)

pytestmark = [pytest.mark.desktop, pytest.mark.browser]

NOTICED = (AssertionError, CarrelError, LookupError, OSError, ValueError, pytest.fail.Exception)

MODULES = (
    test_conformance_clipboard,
    test_conformance_elements,
    test_conformance_files,
    test_conformance_keyboard,
    test_conformance_open,
    test_conformance_pointer,
    test_conformance_screen,
    test_conformance_shell,
    test_conformance_windows,
)


def test_every_action_is_proved_by_a_test_and_every_proof_is_of_an_action() -> None:
    assert set(PROOFS) == set(ACTIONS)


def test_every_proof_is_collected() -> None:
    tests = [value for module in MODULES for value in vars(module).values()]
    for proofs in PROOFS.values():
        for proof in proofs:
            assert proof in tests
            assert proof.__name__.startswith("test_")


@pytest.mark.parametrize("shared_desk", ["local"], indirect=True)
@pytest.mark.parametrize(("action", "proof"), [(a, p[0]) for a, p in PROOFS.items()])
@bounded
async def test_an_action_that_only_says_it_worked_is_found_out(
    desk: Subject, action: str, proof: Proof
) -> None:
    liar = await lying(desk, action)
    with pytest.raises(NOTICED):
        await proof(liar)
    # What was said to be released is released now.
    await desk.computer.key_up("shift")
    await desk.computer.mouse_up()


@pytest.mark.parametrize("shared_desk", ["local"], indirect=True)
@bounded
async def test_a_stroke_of_another_program_is_ended_though_nobody_waits_for_it(
    desk: Subject,
) -> None:
    async def down() -> bool:
        return await desk.peek.held() != ([], [])

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(desk.tool, "xdotool", "keydown", "shift", "sleep", "0.5", "keyup", "shift")
        await until(down, 15, "the key is down")
        tasks.cancel_scope.cancel()
    assert not await down()
