"""Screens are kept as they were, trees become truth, and results can be compared."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from carrel import codec
from carrel.bench.compare import Comparison, compare
from carrel.bench.results import read_results
from carrel.bench.suites.screens.figures import as_json, as_text, sheets
from carrel.bench.suites.screens.record import header_of, rows_of, write_rows
from carrel.bench.suites.screens.report import draw_misses, missed, write_report
from carrel.bench.suites.screens.run import run
from carrel.bench.suites.screens.score import Mark
from carrel.bench.suites.screens.shot import Shot, read_shot, shot_names, write_shot
from carrel.bench.suites.screens.tally import Judged, misses, tally
from carrel.bench.suites.screens.trees import truth_of_tree
from carrel.bench.suites.screens.truth import Control, Run, Truth
from carrel.errors import InvalidInput, NotFound
from carrel.frames import Element, Window
from carrel.geometry import Box, Point, Size

SIZE = Size(200, 100)
BOXES = st.builds(Box, *(st.integers(0, 300) for _ in range(4)))
TRUTHS = st.builds(
    Truth,
    st.just(SIZE),
    runs=st.lists(st.builds(Run, st.text(), BOXES, st.integers(-1, 5))).map(tuple),
    controls=st.lists(st.builds(Control, st.text(), BOXES, text=st.text())).map(tuple),
    ignored=st.lists(BOXES).map(tuple),
)


def picture(colour: str = "white") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (SIZE.width, SIZE.height), colour).save(out, "png")
    return out.getvalue()


@given(TRUTHS)
def test_the_truth_comes_back_from_json_as_it_was(truth: Truth) -> None:
    wire = json.loads(json.dumps(codec.encode(truth)))
    assert codec.decode(Truth, wire) == truth


@pytest.mark.parametrize("changed", [b"", picture("black")])
def test_a_shot_comes_back_as_it_was_kept(tmp_path: Path, changed: bytes) -> None:
    shot = Shot(
        "page",
        SIZE,
        "dom",
        Truth(SIZE, (Run("你好", Box(1, 2, 3, 4)),)),
        tree=(Element("e1", "link", "Home", box=Box(0, 0, 9, 9)),),
        browser=(),
        windows=(Window(7, "page", Box(0, 0, 200, 100)),),
        seconds={"tree": 0.25},
        image=picture(),
        changed=changed,
    )
    write_shot(shot, tmp_path)
    assert shot_names(tmp_path) == ("page@200x100",)
    assert read_shot(tmp_path, "page@200x100") == shot


def test_a_shot_that_is_not_there_or_damaged_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="there is no shot page@1x1"):
        read_shot(tmp_path, "page@1x1")
    (tmp_path / "page@1x1").mkdir()
    (tmp_path / "page@1x1" / "shot.json").write_text("{")
    with pytest.raises(InvalidInput, match="not a shot"):
        read_shot(tmp_path, "page@1x1")


def said(role: str, name: str, box: Box, **more: object) -> Element:
    return Element(f"e{box.x}-{box.y}", role, name, box=box, app="editor", **more)  # type: ignore[arg-type]


def test_a_name_that_no_pixel_shows_is_a_hint() -> None:
    bar = said("tool bar", "", Box(0, 0, 200, 30))
    icon = said("push button", "Open", Box(2, 2, 26, 26), parent=bar.id)
    wide = said("push button", "Cancel", Box(10, 50, 80, 26))
    narrow = said("toggle button", "Keep it below all other windows", Box(100, 50, 26, 26))
    truth = truth_of_tree([bar, icon, wide, narrow], SIZE, "editor")
    assert [(c.text, c.hint) for c in truth.controls] == [
        ("", "Open"),
        ("Cancel", ""),
        ("", "Keep it below all other windows"),
    ]
    assert [run.text for run in truth.runs] == ["Cancel"]


def test_what_is_off_the_screen_or_of_another_application_is_not_counted() -> None:
    half = said("push button", "Save", Box(190, 10, 80, 26))
    foreign = Element("e9", "push button", "Menu", box=Box(0, 80, 50, 20), app="panel")
    value = said("entry", "Name", Box(10, 10, 90, 24), value="Ada")
    truth = truth_of_tree([half, foreign, value], SIZE, "editor")
    assert [(c.kind, c.value) for c in truth.controls] == [("field", "Ada")]
    assert truth.ignored == (Box(190, 10, 10, 26), Box(0, 80, 50, 20))


def test_what_an_application_draws_without_a_word_is_not_counted() -> None:
    sheet = said("panel", "", Box(0, 20, 200, 80))
    holder = said("panel", "", Box(0, 0, 200, 20))
    inside = said("push button", "Apply", Box(2, 0, 60, 18), parent=holder.id)
    assert truth_of_tree([sheet, holder, inside], SIZE, "editor").ignored == (sheet.box,)


def test_a_label_that_lies_on_a_button_is_its_text() -> None:
    button = said("push button", "", Box(10, 10, 90, 30))
    label = said("label", "Apply", Box(20, 15, 50, 18))
    truth = truth_of_tree([button, label], SIZE, "editor")
    assert truth.runs[0].owner == 0


def judged(*rights: bool, size: Size = SIZE) -> Judged:
    marks = [
        Mark("text", "merged", "plain", f"text {n}", right, "" if right else "not found")
        for n, right in enumerate(rights)
    ]
    marks += [
        Mark("boxes", "merged", "icon", "icon ''", True, box=Box(1, 1, 9, 9)),
        Mark("claims", "merged", "icon", "icon", False, box=Box(50, 1, 9, 9)),
        Mark(
            *("locate", "merged", "name en", "Save", False, "not sure: two are named Save"),
            box=Box(5, 5, 20, 10),
            answer=Point(90, 50),
        ),
        Mark("locate", "merged", "name en", "Open", False, "took label 'Open'"),
    ]
    return Judged(f"page@{size}", size, True, tuple(marks), {"first": 1.0, "again": 0.25})


def test_sums_tell_right_wrong_and_not_sure_apart() -> None:
    total = tally([judged(True, False), judged(True, True, size=Size(400, 300))])
    count = total.total("text", "merged")
    assert (count.right, count.of, count.unsure) == (3, 4, 0)
    found = total.total("locate", "merged")
    assert (found.right, found.wrong, found.unsure) == (0, 2, 2)
    assert total.sizes == ("200x100", "400x300")
    assert total.count("apps", "200x100", "text", "merged").rate is None
    assert [mark.subject for _, mark in misses([judged(True, False)], "text", "merged")] == [
        "text 1"
    ]


def test_the_figures_are_the_same_in_words_and_in_json() -> None:
    total = tally([judged(True, False)])
    text = as_text(sheets(total))
    assert ".500" in text
    assert re.search(r"second look, nothing changed +0\.250\n", text)
    document = as_json(total)
    assert json.loads(json.dumps(document)) == document
    counts = document["counts"]
    assert isinstance(counts, list)
    assert {
        "where": "pages",
        "size": "200x100",
        "measure": "text",
        "source": "merged",
        "kind": "all",
        "asked": 2,
        "right": 1,
        "unsure": 0,
    } in counts


def test_two_results_are_compared_question_by_question(tmp_path: Path) -> None:
    for name, rights in (("first", (True, False, False)), ("second", (True, True, True))):
        rows = tuple(rows_of([judged(*rights)]))
        (tmp_path / name).mkdir()
        write_rows(tmp_path / name, header_of(rows), rows)
    first, second = (read_results(tmp_path / name) for name in ("first", "second"))
    assert first.missing == ()
    assert not any(row.task.startswith("claims") for row in first.rows)
    found = compare(first, second)
    assert (found.overall.gained, found.overall.lost) == (2, 0)
    assert found.only_first == found.only_second == 0


def looked_at(*, better: int, source: str, kind: str = "plain") -> tuple[Judged, ...]:
    """A screen of twelve texts at two sizes; of one source, so many were found."""
    screens = []
    for size in (SIZE, Size(400, 300)):
        marks = [
            Mark("text", each, kind, f"text {number}", number < better or each != source)
            for each in ("tree", "ocr", "pixels", "merged")
            for number in range(12)
        ]
        screens.append(Judged(f"page@{size}", size, True, tuple(marks), {}))
    return tuple(screens)


def compared(place: Path, *both: tuple[Judged, ...]) -> Comparison:
    found = []
    for number, each in enumerate(both):
        rows = tuple(rows_of(each))
        (place / str(number)).mkdir(parents=True)
        write_rows(place / str(number), header_of(rows), rows)
        found.append(read_results(place / str(number)))
    return compare(*found)


def test_a_question_counts_once_at_however_many_sizes_it_is_put(tmp_path: Path) -> None:
    none = looked_at(better=0, source="merged")
    little = compared(tmp_path / "little", none, looked_at(better=4, source="merged"))
    # Four questions that went better: by chance one time in eight, at one size or at two.
    assert (little.overall.gained, little.overall.questions) == (8, 12)
    assert little.overall.p == pytest.approx(2 / 2**4)
    assert "chance" in little.verdict
    much = compared(tmp_path / "much", none, looked_at(better=7, source="merged"))
    assert (much.overall.better, much.overall.worse) == (7, 0)
    assert much.verdict == "better"


def test_only_all_sources_together_count_for_the_whole(tmp_path: Path) -> None:
    before, after = (looked_at(better=n, source="ocr") for n in (0, 12))
    found = compared(tmp_path, before, after)
    assert (found.overall.episodes, found.overall.gained) == (24, 0)
    assert "no difference" in found.verdict
    assert found.clear == {"text ocr 200x100", "text ocr 400x300"}


def test_a_shot_is_what_its_directory_is_called(tmp_path: Path) -> None:
    home = tmp_path / "shots"
    shot = Shot("page", SIZE, "dom", Truth(SIZE), image=picture())
    write_shot(shot, home)
    kept = home / "page@200x100" / "shot.json"
    wire = json.loads(kept.read_text())
    for name in ("../../outside", "/tmp/outside", "other"):
        kept.write_text(json.dumps({**wire, "name": name}))
        with pytest.raises(InvalidInput, match="not a shot: it says that it is"):
            read_shot(home, "page@200x100")


@pytest.mark.anyio
async def test_a_shot_cannot_have_anything_written_elsewhere(tmp_path: Path) -> None:
    home, place = tmp_path / "shots", tmp_path / "in" / "out"
    write_shot(Shot("page", SIZE, "dom", Truth(SIZE), image=picture()), home)
    kept = home / "page@200x100" / "shot.json"
    kept.write_text(json.dumps({**json.loads(kept.read_text()), "name": "../../outside"}))
    with pytest.raises(InvalidInput, match="not a shot"):
        await run(place, shots=home)
    assert not place.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["shots"]


def test_the_same_question_twice_on_a_screen_is_two_rows() -> None:
    mark = Mark("boxes", "tree", "icon", "icon ''", True)
    one = Judged("page@1x1", Size(1, 1), True, (mark, mark), {})
    trials = [row.trial for row in rows_of([one])]
    assert len(set(trials)) == 2


def test_the_report_has_a_picture_for_every_screen_with_misses(tmp_path: Path) -> None:
    image = tmp_path / "screen.png"
    image.write_bytes(picture())
    bad, good = judged(True, False), Judged("fine@1x1", Size(1, 1), True, (), {})
    images = {"page@200x100": image, "fine@1x1": image}
    missing = {"other": "<npm> is not installed"}
    page = write_report(tmp_path, sheets(tally([bad])), [bad, good], images, missing)
    text = page.read_text()
    assert "&lt;npm&gt; is not installed" in text
    assert "text plain: text 1" in text
    assert [path.name for path in (tmp_path / "misses").iterdir()] == ["page@200x100.webp"]


def test_a_miss_is_drawn_where_it_is_and_where_it_was_taken_to_be() -> None:
    marks = missed(judged(True))
    drawn = Image.open(io.BytesIO(draw_misses(picture(), marks))).convert("RGB")
    around = [drawn.getpixel((x, y)) for x in range(86, 95) for y in range(46, 55)]
    assert any(colour != (255, 255, 255) for colour in around)
