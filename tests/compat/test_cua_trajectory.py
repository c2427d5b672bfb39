"""The trajectory layout, written from a journal."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from cua_board import Board, Log, items_of, make_agent, results_of, scripted
from PIL import Image

from carrel.actions import Click, Key, Type
from carrel.compat import trajectory
from carrel.errors import InvalidInput, NotFound
from carrel.intents import CallTool, Done

pytestmark = pytest.mark.anyio

NAME = re.compile(r"\d{4}-\d\d-\d\d_[a-z0-9_]{1,21}_\d{6}_[0-9a-f]{4}")
FILE = re.compile(
    r"turn_\d{3}/\d{4}_(api_start|api_result|agent_response|computer_call_result"
    r"|function_call_result)\.json|turn_\d{3}/\d{4}_screenshot(_after|_action)?\.png"
)


def add(a: int, b: int) -> int:
    return a + b


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


async def run_one(home: Path, **options: object) -> tuple[str, list[dict[str, object]]]:
    script = scripted(
        [Click(10, 20), Key(("a",))], CallTool("add", {"a": 1, "b": 2}), Type("x"), Done(True, "ok")
    )
    tools = [Board().functions("click", "keypress"), add]
    agent = make_agent(script, tools, home, **options)
    results = await results_of(agent)
    assert agent.last_run is not None
    return agent.last_run.id, results  # type: ignore[return-value]


async def test_the_layout_is_the_one_viewers_read(tmp_path: Path) -> None:
    run, results = await run_one(tmp_path)
    written = trajectory.write(run, tmp_path / "t", home=tmp_path)
    assert NAME.fullmatch(written.name)
    names = files(written)
    assert names[0] == "metadata.json"
    assert [name for name in names[1:] if not FILE.fullmatch(name)] == []
    # One turn for each decision, and one number for each file, in order.
    assert {name[:8] for name in names[1:]} == {f"turn_00{n}" for n in range(4)}
    assert [int(name[9:13]) for name in names[1:]] == list(range(len(names) - 1))
    metadata = json.loads((written / "metadata.json").read_text())
    assert metadata["trajectory_id"] == written.name
    assert metadata["status"] == "completed"
    assert metadata["total_turns"] == 4
    assert metadata["kwargs"]["model"] == "scripted"
    kinds = [item["type"] for item in metadata["new_items"]]
    assert kinds == [item["type"] for item in items_of(results)]  # type: ignore[arg-type]


async def test_items_name_pictures_that_are_there(tmp_path: Path) -> None:
    run, _ = await run_one(tmp_path)
    written = trajectory.write(run, tmp_path / "t", home=tmp_path)
    metadata = json.loads((written / "metadata.json").read_text())
    outputs = [i for i in metadata["new_items"] if i["type"] == "computer_call_output"]
    assert len(outputs) == 2
    for output in outputs:
        picture = (written / output["output"]["image_url"]).read_bytes()
        assert Image.open(io.BytesIO(picture)).size == (320, 240)
    assert "data:image" not in (written / "metadata.json").read_text()


async def test_the_cross_is_where_the_click_was(tmp_path: Path) -> None:
    run, _ = await run_one(tmp_path)
    written = trajectory.write(run, tmp_path / "t", home=tmp_path)
    [marked] = written.rglob("*_screenshot_action.png")
    image = Image.open(marked).convert("RGB")
    assert image.getpixel((10, 20)) == (255, 0, 0)
    assert image.getpixel((300, 200)) == (255, 255, 255)


async def test_a_run_written_twice_is_written_the_same(tmp_path: Path) -> None:
    run, _ = await run_one(tmp_path)
    one = trajectory.write(run, tmp_path / "t", home=tmp_path)
    before = {name: (one / name).read_bytes() for name in files(one)}
    assert trajectory.write(run, tmp_path / "t", home=tmp_path) == one
    assert {name: (one / name).read_bytes() for name in files(one)} == before


async def test_further_runs_go_on_in_the_same_trajectory(tmp_path: Path) -> None:
    board = Board()
    agent = make_agent(
        scripted(Click(1, 1), Done()),
        [board.functions()],
        tmp_path,
        trajectory_dir={"trajectory_dir": tmp_path / "t", "reset_on_run": False},
    )
    await results_of(agent)
    await results_of(agent)
    [folder] = (tmp_path / "t").iterdir()
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["total_turns"] == 4
    assert len([i for i in metadata["new_items"] if i["type"] == "computer_call"]) == 2
    assert len(list(folder.glob("turn_*"))) == 4
    names = [name for name in files(folder) if name.startswith("turn")]
    assert [int(name[9:13]) for name in names] == list(range(len(names)))


async def test_runs_are_kept_apart_otherwise(tmp_path: Path) -> None:
    agent = make_agent(
        scripted(Done()), [Board().functions()], tmp_path, trajectory_dir=str(tmp_path / "t")
    )
    await results_of(agent)
    await results_of(agent)
    assert len(list((tmp_path / "t").iterdir())) == 2


async def test_pictures_go_where_they_are_wanted(tmp_path: Path) -> None:
    places = {"trajectory_dir": str(tmp_path / "t"), "screenshot_dir": str(tmp_path / "shots")}
    await run_one(tmp_path, trajectory_dir=places)
    assert len(list((tmp_path / "shots").glob("*.png"))) == 2


async def test_the_status_is_how_the_run_ended(tmp_path: Path) -> None:
    board = Board()
    cases = [
        (scripted(Done(False, "no")), None, "failed", "gave_up"),
        (scripted(Click(1, 1), Click(2, 2)), Log(stop_after=1), "cancelled", "cancelled"),
    ]
    for number, (model, callback, status, reason) in enumerate(cases):
        place = tmp_path / str(number)
        agent = make_agent(
            model,
            [board.functions()],
            tmp_path,
            trajectory_dir=place,
            callbacks=[callback] if callback else None,
        )
        await results_of(agent)
        [metadata] = place.rglob("metadata.json")
        data = json.loads(metadata.read_text())
        assert (data["status"], data["reason"]) == (status, reason)
        assert data["completed_at"] > data["created_at"]


async def test_a_run_that_was_left_says_so(tmp_path: Path) -> None:
    agent = make_agent(
        scripted(Click(1, 1), Click(2, 2), Done()),
        [Board().functions()],
        tmp_path,
        trajectory_dir=tmp_path / "t",
    )
    results = agent.run("do it")
    await anext(results)
    await results.aclose()  # type: ignore[attr-defined]
    [metadata] = (tmp_path / "t").rglob("metadata.json")
    data = json.loads(metadata.read_text())
    assert data["status"] == "running"
    assert data["total_turns"] == 1
    assert "completed_at" not in data


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        trajectory.write("run_00000000000000000000000000", tmp_path, home=tmp_path)


async def test_another_kind_of_directory_is_not_gone_on_with(tmp_path: Path) -> None:
    run, _ = await run_one(tmp_path)
    with pytest.raises(NotFound):
        trajectory.write(run, tmp_path, home=tmp_path, into="nowhere")
    (tmp_path / "other").mkdir()
    for text in ("{", "{}"):
        (tmp_path / "other" / "metadata.json").write_text(text)
        with pytest.raises(InvalidInput):
            trajectory.write(run, tmp_path, home=tmp_path, into="other")
