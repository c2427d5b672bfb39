from __future__ import annotations

import anyio
import pytest

from carrel.codec import Json
from carrel.errors import ActionFailed, Interrupted, InvalidInput
from carrel.guest import answers
from carrel.guest.answers import Answers, Begin, check_request_id

pytestmark = pytest.mark.anyio


async def test_an_id_acts_once_and_answers_the_same_ever_after() -> None:
    kept = Answers()
    calls = 0

    async def act(begin: Begin) -> dict[str, Json]:
        begin()
        nonlocal calls
        calls += 1
        return {"n": calls}

    assert await kept.once("req_1", {}, act) == {"n": 1}
    assert await kept.once("req_1", {}, act) == {"n": 1}
    assert await kept.once("req_2", {}, act) == {"n": 2}


async def test_a_second_asker_waits_for_the_first_answer() -> None:
    kept = Answers()
    going = anyio.Event()
    calls = 0

    async def act(begin: Begin) -> dict[str, Json]:
        begin()
        nonlocal calls
        calls += 1
        await going.wait()
        return {"n": calls}

    results: list[dict[str, Json]] = []

    async def ask() -> None:
        results.append(await kept.once("req", {}, act))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            tasks.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            going.set()
    assert results == [{"n": 1}, {"n": 1}]


async def test_an_error_is_an_answer_too() -> None:
    kept = Answers()
    calls = 0

    async def act(begin: Begin) -> dict[str, Json]:
        begin()
        nonlocal calls
        calls += 1
        raise ActionFailed("no")

    for _ in range(2):
        with pytest.raises(ActionFailed, match="no"):
            await kept.once("req", {}, act)
    assert calls == 1


async def test_a_cancelled_request_is_never_repeated() -> None:
    kept = Answers()
    calls = 0

    async def act(begin: Begin) -> dict[str, Json]:
        begin()
        nonlocal calls
        calls += 1
        await anyio.sleep_forever()
        return {}

    with anyio.move_on_after(0.01):
        await kept.once("req", {}, act)
    with pytest.raises(Interrupted, match="cancelled"):
        await kept.once("req", {}, act)
    assert calls == 1


async def test_what_was_cancelled_before_it_began_may_be_asked_again() -> None:
    kept = Answers()
    free = anyio.Event()
    effects: list[str] = []

    async def act(begin: Begin) -> dict[str, Json]:
        await free.wait()
        begin()
        effects.append("done")
        return {"n": len(effects)}

    answered: list[dict[str, Json]] = []

    async def ask() -> None:
        answered.append(await kept.once("req", {}, act))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            with anyio.move_on_after(0.05):
                tasks.start_soon(ask)
                await kept.once("req", {}, act)
            free.set()
    assert effects == ["done"]
    assert await kept.once("req", {}, act) == {"n": 1}
    assert answered == [{"n": 1}]


async def test_the_oldest_answers_go_first_and_are_never_acted_out_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "MAX_ANSWERS", 10)
    kept = Answers()
    calls = 0

    async def act(begin: Begin) -> dict[str, Json]:
        begin()
        nonlocal calls
        calls += 1
        return {"n": calls}

    for number in range(20):
        await kept.once(f"req_{number}", {}, act)
    assert await kept.once("req_19", {}, act) == {"n": 20}
    with pytest.raises(Interrupted, match="no longer kept"):
        await kept.once("req_0", {}, act)
    assert calls == 20


async def test_an_id_stands_for_one_wish_only() -> None:
    kept = Answers()

    async def act(begin: Begin) -> dict[str, Json]:
        begin()
        return {"done": True}

    await kept.once("req", {"x": 1, "y": 2}, act)
    assert await kept.once("req", {"y": 2, "x": 1}, act) == {"done": True}
    with pytest.raises(InvalidInput, match="another request"):
        await kept.once("req", {"x": 1, "y": 3}, act)


@pytest.mark.parametrize("value", [None, 3, "", "x" * 129, ["a"]])
def test_what_is_no_id_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput):
        check_request_id(value)
