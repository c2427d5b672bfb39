"""Where a machine's settings came from is kept beside it, and goes with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.machines.origins import origin_of, read_origins, write_origins
from carrel.machines.spec import Machine, MachineSpec

FIELDS = ("cpus", "memory_mb", "network", "ports")


def machine(directory: Path, **wishes: object) -> Machine:
    spec = MachineSpec(**wishes)  # type: ignore[arg-type]
    return Machine("mac_x", "desk", spec, directory, 0.0)


def test_later_words_replace_earlier_ones_of_the_same_field(tmp_path: Path) -> None:
    desk = machine(tmp_path)
    write_origins(desk, {"cpus": "flag", "network": "template python"})
    write_origins(desk, {"cpus": "carrel start"})
    assert read_origins(desk) == {"cpus": "carrel start", "network": "template python"}
    assert [path.name for path in tmp_path.iterdir()] == ["origins.json"]


def test_what_was_never_noted_is_judged_by_its_value(tmp_path: Path) -> None:
    desk = machine(tmp_path, cpus=2)
    noted = read_origins(desk)
    assert origin_of(desk, "cpus", noted) == "given when it was made"
    assert origin_of(desk, "pids", noted) == "default"


def test_a_machine_kept_elsewhere_has_no_notes(tmp_path: Path) -> None:
    there = machine(tmp_path / "nowhere")
    write_origins(there, {"cpus": "flag"})
    assert read_origins(there) == {}
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_note_is_no_note(tmp_path: Path) -> None:
    desk = machine(tmp_path)
    for text in ("", "{", "[1]", "3"):
        (tmp_path / "origins.json").write_text(text)
        assert read_origins(desk) == {}
    (tmp_path / "origins.json").write_text('{"cpus": "flag", "colour": "red"}')
    assert read_origins(desk) == {"cpus": "flag"}


@given(st.dictionaries(st.sampled_from(FIELDS), st.text(st.characters(exclude_categories=["Cs"]))))
def test_notes_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, notes: dict[str, str]
) -> None:
    desk = machine(tmp_path_factory.mktemp("machine"))
    write_origins(desk, notes)
    assert read_origins(desk) == notes
