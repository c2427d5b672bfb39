from __future__ import annotations

from pathlib import Path

import pytest

from carrel.actions import Click, Type
from carrel.decisions import Call, Decision, encode_decision
from carrel.errors import NotFound
from carrel.geometry import Size
from carrel.journal.journal import Journal
from carrel.models.context import Context
from carrel.models.registry import open_model
from carrel.models.replay import ReplayModel


def record(home: Path, run: str, decision: Decision | None) -> None:
    with Journal.create(run, home=home) as journal:
        journal.append("run.started", {"task": "t", "model": "scripted"})
        if decision is not None:
            journal.append("decision", {"step": 1, "decision": encode_decision(decision)})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    record(tmp_path, "run_a1", Decision(calls=(Call("c", "script", (Click(1, 2),)),)))
    record(tmp_path, "run_b2", Decision(calls=(Call("c", "script", (Type("hi"),)),)))
    return tmp_path


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "run", "action"),
    [
        ("run_a1", "run_a1", Click(1, 2)),
        ("a1", "run_a1", Click(1, 2)),
        ("latest", "run_b2", Type("hi")),
    ],
)
async def test_a_run_is_replayed_by_its_id_its_beginning_or_as_the_latest(
    home: Path, text: str, run: str, action: object
) -> None:
    model = ReplayModel(text, home=home)
    # The whole id, for whoever resumes a run of it when the latest is another.
    assert model.name == f"replay:{run}"
    decision = await model.decide(Context("t", Size(9, 9)), print)
    assert decision.calls[0].actions == (action,)


def test_a_replay_is_opened_by_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_RUNS", str(home))
    assert open_model("replay:latest").name == "replay:run_b2"


def test_what_cannot_be_replayed_is_told(tmp_path: Path) -> None:
    for text in ("latest", "run_none"):
        with pytest.raises(NotFound):
            ReplayModel(text, home=tmp_path)
    record(tmp_path, "run_idle", None)
    with pytest.raises(NotFound, match="no decisions"):
        ReplayModel("latest", home=tmp_path)
