from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.frames import Element
from carrel.geometry import Box
from carrel.perception import Tracker

SAVE = Element("t1", "push button", "Save", box=Box(10, 10, 80, 30))
NAME = Element("t2", "entry", "Name", box=Box(10, 60, 200, 30), parent="t1")
HELP = Element("t3", "link", "Help", box=Box(10, 110, 60, 20))


def ids(elements: tuple[Element, ...]) -> dict[str, str]:
    return {element.name: element.id for element in elements}


def test_what_stays_keeps_its_id_whatever_it_was_called_by_its_source() -> None:
    tracker = Tracker()
    first = ids(tracker.track([SAVE, NAME, HELP]))
    again = ids(tracker.track([replace(HELP, id="x1"), replace(SAVE, id="x2")]))
    assert again == {"Help": first["Help"], "Save": first["Save"]}


def test_a_change_of_value_state_or_name_is_not_another_thing() -> None:
    tracker = Tracker()
    first = tracker.track([SAVE, NAME])
    later = tracker.track(
        [
            replace(SAVE, name="Saved", states=("focused",)),
            replace(NAME, value="Ada", box=Box(10, 60, 203, 30)),
        ]
    )
    assert [element.id for element in later] == [element.id for element in first]


def test_what_moved_or_is_new_has_an_id_nothing_ever_had() -> None:
    tracker = Tracker()
    first = ids(tracker.track([SAVE, NAME, HELP]))
    moved = replace(SAVE, box=Box(300, 300, 80, 30))
    later = ids(tracker.track([moved, NAME]))
    assert later["Name"] == first["Name"]
    assert later["Save"] not in first.values()
    back = ids(tracker.track([SAVE, NAME, HELP]))
    assert back["Help"] not in {*first.values(), *later.values()}


def test_parents_follow_the_ids() -> None:
    save, name = Tracker().track([SAVE, NAME])
    assert name.parent == save.id


def test_what_nobody_was_asked_for_is_not_forgotten() -> None:
    tracker = Tracker()
    text = Element("o1", "label", "Total", box=Box(400, 10, 40, 16), source="ocr")
    first = ids(tracker.track([SAVE, text]))
    tracker.track([SAVE], ("tree",))
    assert ids(tracker.track([SAVE, text])) == first


boxes = st.builds(Box, *[st.integers(0, 60)] * 2, *[st.integers(1, 60)] * 2)
things = st.builds(
    lambda role, name, box: Element("", role, name, box=box),
    st.sampled_from(["push button", "link"]),
    st.sampled_from(["", "a", "b"]),
    boxes,
)
frames = st.lists(things, max_size=8)


def numbered(elements: list[Element], prefix: str) -> list[Element]:
    return [replace(e, id=f"{prefix}{n}") for n, e in enumerate(elements)]


@settings(deadline=None)
@given(st.lists(frames, min_size=1, max_size=5))
def test_ids_are_unique_and_the_same_frame_has_the_same_ids(seen: list[list[Element]]) -> None:
    tracker = Tracker()
    for number, elements in enumerate(seen):
        tracked = tracker.track(numbered(elements, f"f{number}-"))
        assert len({element.id for element in tracked}) == len(tracked)
        again = tracker.track(numbered(elements, "again-"))
        assert [element.id for element in again] == [element.id for element in tracked]
