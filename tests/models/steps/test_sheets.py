from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, desk_of, element, play

from carrel.actions import Action, Click, GetClipboard, Key, SetClipboard, Type
from carrel.models.steps.claims.sheets import meant_cell
from carrel.models.steps.program import Check, Clear, Copy, Enter, Has, Point, Press, Read
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.clipboard import copy
from carrel.models.steps.verbs.entering import clear, enter
from carrel.models.steps.verbs.looking import check, read
from carrel.models.steps.verbs.pointing import point, press
from carrel.results import Result


class Sheet(World):
    """A spreadsheet that draws its cells, and tells only of the two fields over them."""

    def __init__(self) -> None:
        editable = ("editable", "focusable", "single line")
        super().__init__(
            element("Book - Sheets", "frame", (0, 0, 800, 600), "active", id="w"),
            element("", "text", (10, 40, 100, 24), *editable, value="A1", parent="w", id="at"),
            element("", "text", (150, 40, 500, 24), *editable, value="", parent="w", id="bar"),
            element("Zoom", "text", (10, 10, 60, 24), *editable, value="100%", parent="w", id="z"),
        )
        self.cells: dict[str, str] = {}
        self.at, self.typing, self.board, self.in_box = "A1", "", "", False

    def _act(self, action: Action) -> Result:
        if isinstance(action, SetClipboard):
            self.board = action.text
        if isinstance(action, GetClipboard):
            self.done.append(action)
            return replace(super()._act(Key(("f1",))), data={"text": self.board})
        return super()._act(action)

    def _click(self, action: Click) -> None:
        self.in_box = action.x < 120 and action.y > 30

    def _type(self, text: str) -> None:
        self.typing = text
        if not self.in_box:
            self._tell(bar=text)

    def _key(self, action: Key) -> None:
        if action.keys == ("ctrl", "c"):
            self.board = self._shown(self.at) + "\n"
        if action.keys == ("delete",):
            self.cells.pop(self.at, None)
            self._tell(bar="")
        if action.keys != ("enter",):
            return
        if self.in_box:
            self.at, self.in_box = self.typing.upper(), False
        elif self.typing:
            self.cells[self.at] = self.typing
            self.at = f"{self.at[0]}{int(self.at[1:]) + 1}"
        self.typing = ""
        self._tell(bar=self.cells.get(self.at, ""))

    def _shown(self, at: str) -> str:
        text = self.cells.get(at, "")
        return "100" if text.startswith("=") else text

    def _tell(self, *, bar: str) -> None:
        values = {"at": self.at, "bar": bar}
        self.elements = [replace(e, value=values.get(e.id, e.value)) for e in self.elements]


@pytest.mark.parametrize(
    "phrase", ["cell B2", "B2", "the cell b2", "单元格 B2", "B2单元格", "“B2”"]
)
def test_a_cell_is_known_by_its_address(phrase: str) -> None:
    assert meant_cell(desk_of(Sheet()), phrase) == "B2"


@pytest.mark.parametrize("phrase", ["B2B sales", "Save", "b2", "row 2", "COVID"])
def test_other_words_are_no_address(phrase: str) -> None:
    assert meant_cell(desk_of(Sheet()), phrase) is None


def test_without_a_sheet_an_address_is_a_mere_name() -> None:
    seats = World(element("B2"), element("", "entry", (10, 90, 80, 20), "editable", value="x"))
    assert meant_cell(desk_of(seats), "B2") is None
    play(seats, point(desk_of(seats), Point("B2")))
    assert seats.done == [Click(50, 20)]


def test_a_cell_is_gone_to_written_in_and_read() -> None:
    sheet = Sheet()
    desk = desk_of(sheet)
    play(sheet, point(desk, Point("单元格 B2")), desk)
    assert sheet.at == "B2"
    play(sheet, enter(desk, Enter("25")), desk)
    assert sheet.typing == "25"
    assert not desk.doubts
    play(sheet, enter(desk, Enter("=B2*4", "cell B3")), desk)
    assert sheet.cells["B3"] == "=B2*4"
    play(sheet, read(desk, Read("cell B3", "total")), desk)
    assert desk.names["total"] == "100"
    play(sheet, clear(desk, Clear("B3")), desk)
    assert "B3" not in sheet.cells


def test_what_a_cell_shows_is_checked_and_the_clipboard_put_back() -> None:
    sheet = Sheet()
    sheet.cells["B3"] = "=B2*4"
    sheet.board = "mine"
    play(sheet, check(desk_of(sheet), Check(Has("单元格 B3", "100"))))
    assert sheet.board == "mine"
    with pytest.raises(Missed, match="B3 shows '100', not '25'"):
        play(sheet, check(desk_of(sheet), Check(Has("单元格 B3", "25"))))


def test_a_cell_is_copied() -> None:
    sheet = Sheet()
    sheet.cells["B3"] = "7"
    play(sheet, copy(desk_of(sheet), Copy("cell B3")))
    assert sheet.board == "7\n"


def test_a_sheet_that_does_not_go_there_is_told() -> None:
    sheet = Sheet()
    sheet._key = lambda action: None  # type: ignore[method-assign]
    with pytest.raises(Missed, match="the sheet shows A1 after going to C9"):
        play(sheet, point(desk_of(sheet), Point("cell C9")))


def test_typing_goes_to_the_cell_and_not_into_the_fields_over_the_sheet() -> None:
    sheet = Sheet()
    play(sheet, enter(desk_of(sheet), Enter("hello")))
    assert [a for a in sheet.done if isinstance(a, Click)] == []
    assert [a.text for a in sheet.done if isinstance(a, Type)] == ["hello"]


class Forgetful(Sheet):
    """A sheet that drops an entry which is not finished when one goes elsewhere."""

    def _click(self, action: Click) -> None:
        self.typing = ""
        super()._click(action)


def test_what_was_typed_into_a_cell_is_entered_before_going_to_another() -> None:
    sheet = Forgetful()
    desk = desk_of(sheet)
    play(sheet, point(desk, Point("A1")), desk)
    play(sheet, enter(desk, Enter("840")), desk)
    play(sheet, point(desk, Point("A3")), desk)
    assert (sheet.cells, sheet.at) == ({"A1": "840"}, "A3")


def test_what_was_entered_by_a_step_is_not_entered_again() -> None:
    sheet = Forgetful()
    desk = desk_of(sheet)
    play(sheet, enter(desk, Enter("840")), desk)
    play(sheet, press(desk, Press(("enter",))), desk)
    before = len([a for a in sheet.done if a == Key(("enter",))])
    play(sheet, point(desk, Point("B1")), desk)
    assert len([a for a in sheet.done if a == Key(("enter",))]) == before + 1
    assert sheet.cells == {"A1": "840"}
