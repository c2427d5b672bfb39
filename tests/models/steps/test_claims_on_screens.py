"""Whole claims as testers put them, true and false ones, on screens in memory."""

from __future__ import annotations

import pytest
from steps_world import World, desk_of, element, play

from carrel.frames import Element
from carrel.models.steps.language import read_sentence
from carrel.models.steps.play import Player


def so(world: World, claim: str) -> bool:
    """Whether a claim passes on a screen."""
    desk = desk_of(world)
    player = Player(read_sentence(claim), desk)
    play(world, player.play(), desk)
    return player.account is None


def text(name: str, at: tuple[int, int, int, int], parent: str) -> Element:
    return element(name, "static", at, parent=parent)


def staff() -> World:
    """A table of people with a line below it, and a closed drop-down."""
    rows = (
        ("Anna Berg", "Engineer", "Oslo"),
        ("Ben Stone", "Designer", "Oslo"),
        ("Emil Roth", "Engineer", "Oslo"),
    )
    listed = [
        element("Staff", "document web", (0, 0, 800, 600), id="page"),
        element("Staff", "heading", (10, 10, 200, 30), parent="page"),
        element("", "table", (10, 60, 600, 120), id="table", parent="page"),
        element("", "table row", (10, 60, 600, 30), id="head", parent="table"),
    ]
    for n, name in enumerate(("Name", "Role", "City", "")):
        at = (10 + 150 * n, 60, 150, 30)
        listed.append(element(name, "column header", at, parent="head", id=f"head-{n}"))
    for r, row in enumerate(rows):
        y = 90 + 30 * r
        listed.append(element("", "table row", (10, y, 600, 30), id=f"row-{r}", parent="table"))
        for n, said in enumerate(row):
            at, cell = (10 + 150 * n, y, 150, 30), f"cell-{r}-{n}"
            listed.append(element(said, "table cell", at, id=cell, parent=f"row-{r}"))
            listed.append(text(said, (14 + 150 * n, y + 5, 80, 20), cell))
        edit = (460, y, 100, 30)
        listed.append(element("Edit", "push button", edit, id=f"edit-{r}", parent=f"row-{r}"))
    return World(*listed)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("Verify that there are three people in the table", True),
        ("Verify that there are two people in the table", False),
        ("Verify that there are two engineers in the table", True),
        ("Verify that there are three engineers in the table", False),
        ("Verify that Ben Stone is the only designer in the table", True),
        ("Verify that Emil Roth is the only designer in the table", False),
        ("Verify that Anna Berg is the only engineer in the table", False),
        ("Verify that Ben Stone is the only person in the table", False),
        ("Verify that the table has 3 rows and none of them is Dora", True),
        ("Verify that the table has 3 rows and none of them is Ben Stone", False),
        ("Verify that the second person in the table is Ben Stone", True),
        ("Verify that the second person in the table is Emil Roth", False),
        ("Verify that Anna Berg is at the top of the table", True),
        ("Verify that Ben Stone is at the top of the table", False),
        ("Emil Roth should come last in the table", True),
        ("Ben Stone should come last in the table", False),
        ("Check that two rows have the role Engineer", True),
        ("Check that three rows have the role Engineer", False),
        ("Every row should have the city Oslo", True),
        ("Every row should have the role Engineer", False),
        ("Verify that everyone in the table is from Oslo", True),
        ("No one in the table should be from Riga", True),
        ("Check that nobody named Dora is in the table", True),
        ("Check that nobody named Ben Stone is in the table", False),
        ("Verify that Ben Stone is a Designer", True),
        ("Verify that Ben Stone is an Engineer", False),
        ("Verify that the columns are Name, Role and City", True),
        ("Verify that the columns are Name and Role", False),
        ("Verify that there is an Edit button in every row", True),
        ("Verify that there is a Print button in every row", False),
        ("Verify that Engineer appears twice in the table", True),
        ("Verify that Engineer appears only once in the table", False),
    ],
)
def test_a_table_is_as_it_is_said_to_be(claim: str, true: bool) -> None:
    assert so(staff(), claim) is true


def cart() -> World:
    """A card with a sum, whose values stand at the end of their lines; choices and a field."""
    listed = [
        element("Your cart", "document web", (0, 0, 800, 600), id="page"),
        element("", "section", (400, 60, 300, 120), id="card", parent="page"),
    ]
    lines = (("Subtotal", "$21.00"), ("Shipping", "Free"), ("Discount", "-$1.00"))
    for n, (name, value) in enumerate((*lines, ("Total", "$20.00"))):
        listed.append(text(name, (410, 70 + 25 * n, 70, 20), "card"))
        listed.append(text(value, (630, 70 + 25 * n, 60, 20), "card"))
    listed += [
        element("Cart 3", "link", (650, 10, 60, 20), id="cart", parent="page"),
        text("Cart", (650, 10, 40, 20), "cart"),
        text("3", (695, 10, 10, 20), "cart"),
        element("Delivery", "panel", (10, 200, 300, 80), id="delivery", parent="page"),
        text("Delivery", (10, 200, 70, 20), "delivery"),
        element("Standard", "radio button", (10, 225, 16, 16), "checked", parent="delivery"),
        element("Express", "radio button", (10, 250, 16, 16), parent="delivery"),
        element("Extras", "panel", (10, 300, 300, 90), id="extras", parent="page"),
        text("Extras", (10, 300, 70, 20), "extras"),
    ]
    for n, (name, on) in enumerate((("Gift wrap", True), ("Greeting card", True), ("Bow", False))):
        states = ("checkable", *(("checked",) if on else ()))
        at = (10, 325 + 20 * n, 16, 16)
        listed.append(element(name, "check box", at, *states, parent="extras"))
    code = ("read only", "focusable", "disabled")
    listed.append(element("Code", "entry", (10, 420, 200, 20), *code, value="TEA", parent="page"))
    listed.append(text("2", (10, 500, 10, 20), "page"))
    listed.append(text(" items left", (20, 500, 80, 20), "page"))
    return World(*listed)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The total should be $20.00", True),
        ("The total should be $21.00", False),
        ("The total should be 20 dollars", True),
        ("The total should be 20 euros", False),
        ("Check that the grand total comes to $20.00", True),
        ("Verify that shipping is free", True),
        ("Verify that the discount is free", False),
        ("Verify that the total is less than the subtotal", True),
        ("Verify that the total is greater than the subtotal", False),
        ("Verify that the cart badge shows 3", True),
        ("Verify that the cart badge shows 2", False),
        ("Verify that Standard is the selected delivery option", True),
        ("Verify that Express is the selected delivery option", False),
        ("Verify that Gift wrap and Greeting card are ticked", True),
        ("Verify that Gift wrap and Bow are ticked", False),
        ("Verify that only Gift wrap and Greeting card are ticked", True),
        ("Verify that only Gift wrap is ticked", False),
        ("Verify that two of the extras are ticked", True),
        ("Verify that three of the extras are ticked", False),
        ("Verify that the Code field is read-only", True),
        ("Verify that the Code field is editable", False),
        ('Verify that "2 items left" is shown', True),
        ('Verify that "3 items left" is shown', False),
        ("Verify that 2 items are left", True),
        ("Verify that 3 items are left", False),
    ],
)
def test_a_cart_is_as_it_is_said_to_be(claim: str, true: bool) -> None:
    assert so(cart(), claim) is true


def mail() -> World:
    """Two lists under headings, the entries of one with numbers beside their names."""
    listed = [
        element("Mail", "document web", (0, 0, 800, 600), id="page"),
        element("Folders", "heading", (10, 10, 100, 20), parent="page"),
        element("", "list", (10, 40, 200, 90), id="folders", parent="page"),
        element("Inbox", "heading", (300, 10, 100, 20), parent="page"),
        element("Messages", "list", (300, 40, 400, 90), id="messages", parent="page"),
        element("Signature", "toggle button", (300, 200, 90, 20), "expandable", parent="page"),
        element("Quota", "progress bar", (300, 250, 90, 20), value="75", parent="page"),
    ]
    for n, (name, count) in enumerate((("Inbox", "2"), ("Sent", ""), ("Drafts", "1"))):
        item = element("", "list item", (10, 40 + 30 * n, 200, 30), id=name, parent="folders")
        listed += [item, text(name, (20, 45 + 30 * n, 60, 20), name)]
        listed += [text(count, (180, 45 + 30 * n, 10, 20), name)] if count else []
    for n, (who, about) in enumerate((("Omar Haddad", "Contract"), ("Lena Park", "Lunch"))):
        item = element("", "list item", (300, 40 + 45 * n, 400, 45), id=who, parent="messages")
        listed += [item, text(who, (310, 42 + 45 * n, 90, 20), who)]
        listed += [text(about, (310, 62 + 45 * n, 90, 20), who)]
    return World(*listed)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ("The inbox should then hold two messages", True),
        ("The inbox should then hold three messages", False),
        ("Verify that there are 3 folders", True),
        ("Verify that there are 5 folders", False),
        ("Verify that the first message is from Omar Haddad", True),
        ("Verify that the first message is from Lena Park", False),
        ("Verify that Lena Park is the last message in the list", True),
        ("Verify that there is no message from Tom in the inbox", True),
        ("Verify that there is no message from Lena Park in the inbox", False),
        ("The badge next to Drafts should show 1", True),
        ("The badge next to Drafts should show 2", False),
        ("Verify that there is no badge next to Sent", True),
        ("Verify that there is no badge next to Inbox", False),
        ("Verify that the Signature section is collapsed", True),
        ("Verify that the Signature section is expanded", False),
        ("Verify that the quota bar shows 75%", True),
        ("Verify that the quota bar shows 7%", False),
        ("Verify that the quota is 75% full", True),
    ],
)
def test_a_mailbox_is_as_it_is_said_to_be(claim: str, true: bool) -> None:
    assert so(mail(), claim) is true


def board() -> World:
    """Cards in columns that only have headings."""
    listed = [element("Board", "document web", (0, 0, 800, 600), id="page")]
    columns = (("To do", ("Write tests", "Fix login")), ("Doing", ("Review plan",)), ("Done", ()))
    for n, (head, cards) in enumerate(columns):
        x = 10 + 260 * n
        listed.append(element(head, "heading", (x, 20, 240, 20), id=head, parent="page"))
        listed.append(text(head, (x, 20, 60, 20), head))
        for r, name in enumerate(cards):
            at = (x, 50 + 40 * r, 240, 36)
            listed.append(element("", "section", at, id=name, parent="page"))
            listed.append(text(name, (x + 8, 58 + 40 * r, 90, 20), name))
    return World(*listed)


@pytest.mark.parametrize(
    ("claim", "true"),
    [
        ('Verify that "Fix login" is in To do', True),
        ('Verify that "Fix login" is in Done', False),
        ('Verify that "Fix login" is in the To do column and not in the Done column', True),
        ('Verify that "Fix login" is in the Done column and no longer in To do', False),
        ("Verify that the Done column is empty", True),
        ("Verify that the Doing column is empty", False),
        ("Verify that the cards in To do are Write tests and Fix login", True),
        ("Verify that the cards in To do are Write tests and Review plan", False),
        ("Verify that the cards in To do are Write tests and Fix login in that order", True),
        ("Verify that the cards in To do are Fix login and Write tests in that order", False),
    ],
)
def test_a_board_is_as_it_is_said_to_be(claim: str, true: bool) -> None:
    assert so(board(), claim) is true
