"""Screens caught on a real desk, with a real browser and real applications."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from carrel.bench.results import read_results
from carrel.bench.suites.screens.capture import capture, open_desk
from carrel.bench.suites.screens.catalogue import Package, Page
from carrel.bench.suites.screens.desktop import APPS, App, catch_app
from carrel.bench.suites.screens.run import run
from carrel.bench.suites.screens.shot import Shot
from carrel.bench.suites.screens.web import open_gallery
from carrel.computer import Computer
from carrel.errors import ActionFailed, NotFound, Unavailable
from carrel.geometry import Box, Size
from carrel.machines.providers.namespace import NamespaceProvider
from carrel.perception.view import View
from namespaces import require_namespaces

pytestmark = [pytest.mark.anyio, pytest.mark.namespace, pytest.mark.desktop, pytest.mark.browser]

SIZE = Size(800, 600)
PAGES = Path(__file__).parent / "screens_pages"


@pytest.fixture(scope="module")
async def computer(anyio_backend: str) -> AsyncIterator[Computer]:
    probed = await NamespaceProvider().probe()
    require_namespaces(probed.usable, probed.reason)
    async with open_desk(SIZE) as found:
        yield found


@pytest.fixture(scope="module")
async def corners(computer: Computer) -> Shot:
    package = Package("npm", "corners", ("corners.html",))
    with anyio.fail_after(90):
        async with open_gallery(computer) as gallery:
            return await gallery.catch(Page(package, "corners.html"), PAGES)


def box_of(shot: Shot, text: str) -> Box:
    (found,) = [run.box for run in shot.truth.runs if run.text == text]
    return found


async def test_every_text_that_can_be_read_is_told_and_no_other(corners: Shot) -> None:
    assert sorted(run.text for run in corners.truth.runs if run.whole) == sorted(
        [
            *("PAGE OF CORNERS", "Save", "Read more", "A text that is", "wrapped", "First line"),
            *("Remember me", "Email:", "中文也可以", "Click", "By label"),
            *("Name", "Age", "Ada", "36", "Alan", "41"),
        ]
    )


async def test_a_text_is_where_its_ink_is(corners: Shot) -> None:
    pixels = View("x", SIZE, lambda: corners.image).pixels
    for text in (each for each in corners.truth.runs if each.whole):
        box = text.box
        inside = pixels[box.y : box.bottom, box.x : box.right]
        assert (inside.min(axis=2) < 100).sum() > 10, text
        assert (pixels[box.y : box.bottom, max(0, box.x - 6) : box.x - 3].min(axis=2) > 100).all()


async def test_controls_are_told_with_what_is_written_on_them(corners: Shot) -> None:
    found = {(c.kind, c.text or c.label or c.hint) for c in corners.truth.controls}
    assert found == {
        ("button", "Save"),
        ("button", "Print"),
        ("link", "Read more"),
        ("checkbox", "Remember me"),
        ("field", "Email:"),
        ("button", "Send"),
        ("clickable", "Click"),
        ("radio", "By label"),
    }
    boxes = {c.text or c.hint: c.box for c in corners.truth.controls}
    assert boxes["Save"] == Box(20, 60, 120, 40)
    assert boxes["Print"] == Box(400, 60, 40, 40)
    assert boxes["By label"] == Box(400, 300, 100, 24)


async def test_what_is_covered_or_cut_off_counts_neither_way(corners: Shot) -> None:
    assert Box(200, 60, 120, 40) in corners.truth.ignored


async def test_lines_of_one_text_and_labels_know_where_they_belong(corners: Shot) -> None:
    truth = corners.truth
    runs = {run.text: run for run in truth.runs}
    assert runs["A text that is"].block == runs["wrapped"].block != runs["First line"].block
    assert truth.controls[runs["Remember me"].labels].kind == "checkbox"
    assert truth.controls[runs["Email:"].labels].kind == "field"
    assert truth.controls[runs["Save"].owner].text == "Save"


async def test_a_table_is_told_by_its_headings_and_cells(corners: Shot) -> None:
    (table,) = corners.truth.tables
    assert table.headings == ("Name", "Age")
    assert [[cell.text for cell in row] for row in table.rows] == [["Ada", "36"], ["Alan", "41"]]
    cell = table.rows[0][1].box
    assert cell is not None
    assert cell.contains(box_of(corners, "36").center)


async def test_the_sources_are_asked_and_one_line_is_changed(corners: Shot) -> None:
    assert any(e.name == "Save" for e in corners.tree)
    assert corners.browser is not None
    assert any(e.name == "Save" for e in corners.browser)
    before, after = (
        View(n, SIZE, lambda i=i: i) for n, i in (("a", corners.image), ("b", corners.changed))
    )
    changed = after.changed_since(before)
    assert changed
    assert sum(box.area for box in changed) < 0.05 * SIZE.width * SIZE.height


async def test_a_page_that_shows_nothing_is_no_screen(computer: Computer, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text("<!DOCTYPE html><title>x</title>")
    package = Package("npm", "empty", ("empty.html",))
    with anyio.fail_after(90):
        async with open_gallery(computer) as gallery:
            with pytest.raises(ActionFailed, match="shows nothing"):
                await gallery.catch(Page(package, "empty.html"), tmp_path)


@pytest.mark.parametrize("name", ["tk", "xterm"])
async def test_a_program_without_a_tree_tells_where_its_text_is(
    computer: Computer, name: str
) -> None:
    app = next(app for app in APPS if app.name == name)
    with anyio.fail_after(120):
        shot = await catch_app(computer, app)
    assert shot.said == "program"
    assert len(shot.truth.runs) >= 10
    pixels = View("x", SIZE, lambda: shot.image).pixels
    for text in shot.truth.runs:
        box = text.box.intersect(Box(0, 0, SIZE.width, SIZE.height - 40))
        if box == text.box:
            inside = pixels[box.y : box.bottom, box.x : box.right]
            assert (inside.min(axis=2) < 110).sum() > 10, text


async def test_an_application_tells_the_truth_by_its_tree(computer: Computer) -> None:
    app = next(app for app in APPS if app.name == "gtk3-demo")
    with anyio.fail_after(120):
        shot = await catch_app(computer, app)
    assert {"Run", "Info", "Source"} <= {item.text for item in shot.truth.runs}
    assert {window.app.casefold() for window in await computer.windows()} <= {"tint2"}


async def test_an_application_that_is_not_installed_is_told(computer: Computer) -> None:
    with pytest.raises(Unavailable, match="no-such-package is not installed"):
        await catch_app(computer, App("x", "no-such-package", ("no-such-program",), "x"))


@pytest.mark.slow
async def test_screens_are_caught_judged_and_written_down(tmp_path: Path) -> None:
    with anyio.fail_after(300):
        outcome = await run(tmp_path, sizes=[SIZE], only=["tk"], descriptions=8)
    count = outcome.tally.total("text", "ocr")
    assert count.of >= 15
    assert count.right >= 0.9 * count.of
    assert outcome.tally.total("locate", "merged").of == 8
    results = read_results(tmp_path)
    assert results.header.suite == "screens"
    assert {row.desk for row in results.rows} == {"tk@800x600"}
    assert json.loads((tmp_path / "figures.json").read_text())["shots"] == 1
    assert outcome.report.exists()
    before = (tmp_path / "shots" / "tk@800x600" / "shot.json").stat().st_mtime_ns
    again = await capture(tmp_path / "shots", sizes=[SIZE], only=["tk"])
    assert again.keys == ["tk@800x600"]
    assert (tmp_path / "shots" / "tk@800x600" / "shot.json").stat().st_mtime_ns == before


async def test_no_screen_of_that_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nothing has such a name"):
        await run(tmp_path, sizes=[SIZE], only=["no-such-screen"])
