"""Deeds of which every word is told by what is in front: all is set and ended, or nothing is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from steps_world import World, element
from test_verbs_slots import box, clicks, field, held, on, page, played

from carrel.actions import Action
from carrel.frames import Element
from carrel.models.steps.finding.address_parts import address_in, fields_for_address
from carrel.models.steps.finding.codes_shown import code_shown
from carrel.models.steps.finding.told_words import places_of, read_telling, ways_to_say
from carrel.models.steps.language import read_sentence
from carrel.models.steps.language.writing import write_program


def text(name: str, x: int, y: int) -> Element:
    return element(name, "static", (x, y, 8 * len(name), 18), id=f"{name}-{x}-{y}")


def radio(name: str, x: int, y: int) -> Element:
    return element(name, "radio button", (x, y, 90, 20), id=f"{name}-{y}")


def button(name: str, y: int, x: int = 20) -> Element:
    return element(name, at=(x, y, 120, 24), id=f"{name}-{x}-{y}")


def till() -> World:
    return page(
        text("Size", 20, 20),
        radio("Small", 120, 20),
        radio("Large", 220, 20),
        text("Where", 20, 60),
        radio("Drink here", 120, 60),
        radio("Take away", 220, 60),
        box("Oat milk", 100),
        box("Sugar", 130),
        button("Order", 200),
    )


def test_choices_of_several_groups_are_made_and_then_it_is_ended() -> None:
    world = till()
    assert played(world, "Order a large coffee with oat milk to take away").account is None
    assert set(on(world)) >= {"Oat milk"}
    assert clicks(world) == ["Order"]


@pytest.mark.parametrize(
    "said",
    [
        "Order a large coffee with honey to take away",
        "Order a large coffee with oat milk and cinnamon to take away",
        # What is denied is no choice, whatever box is switched off in the same breath.
        "Order a large coffee that is not to take away, without oat milk",
    ],
)
def test_a_word_that_nothing_takes_leaves_all_as_it_is(said: str) -> None:
    world = till()
    assert played(world, said).account is not None
    assert clicks(world) == []
    assert on(world) == []


def letters(*ticked: str) -> World:
    boxes = (box("Weekly newsletter", 60), box("Product news", 90), box("Surveys", 120))
    return page(
        field("Your e-mail", 20),
        *(replace(b, states=(*b.states, "checked")) if b.name in ticked else b for b in boxes),
        button("Sign up", 200),
    )


def untick(world: World, hit: Element, _action: Action) -> None:
    world.change(hit.name, states=tuple(s for s in hit.states if s != "checked"))


def test_what_is_not_wanted_is_unticked_and_no_more() -> None:
    world = letters("Product news")
    world.on("Product news", untick)
    said = "Sign up for the weekly newsletter with kim@example.net, without the product news"
    assert played(world, said).account is None
    assert held(world) == {"Your e-mail": "kim@example.net"}
    assert on(world) == ["Weekly newsletter"]
    assert clicks(world) == ["Sign up"]


def test_a_password_that_is_asked_for_again_is_said_once() -> None:
    world = page(
        field("Current password", 20),
        field("New password", 60),
        field("Repeat new password", 100),
        button("Change password", 200),
    )
    assert played(world, "Change my password from “old-1” to “New-2”").account is None
    assert held(world) == {
        "Current password": "old-1",
        "New password": "New-2",
        "Repeat new password": "New-2",
    }
    assert clicks(world) == ["Change password"]


def test_of_two_buttons_the_one_behind_what_is_chosen_is_pressed() -> None:
    world = page(
        text("Colour of the chairs", 20, 20),
        radio("Green", 20, 40),
        radio("Red", 120, 40),
        button("Vote", 70),
        text("Day of the team lunch", 20, 120),
        radio("Wednesday", 20, 140),
        radio("Thursday", 120, 140),
        button("Vote", 170),
    )
    hit: list[str] = []
    world.on("Vote", lambda _w, e, _a: hit.append(e.id))
    assert played(world, "Vote for Thursday as the day of the team lunch").account is None
    assert on(world) == ["Thursday"]
    assert hit == ["Vote-20-170"]


def test_nothing_is_pressed_while_a_choice_that_is_named_is_not_made() -> None:
    world = page(radio("Thursday", 20, 40), radio("Friday", 120, 40), button("Vote", 70))
    assert played(world, "Vote for Thursday in the raffle about Rome").account is not None
    assert clicks(world) == []


def test_what_is_said_next_for_the_same_form_comes_before_its_end() -> None:
    world = page(
        text("Repeat", 20, 20),
        radio("Weekdays", 120, 20),
        radio("Weekends", 220, 20),
        field("Label", 60),
        button("Set alarm", 200),
    )
    assert played(world, "Set an alarm on weekdays and call it Gym").account is None
    assert held(world) == {"Label": "Gym"}
    assert on(world) == ["Weekdays"]
    assert clicks(world) == ["Set alarm"]


def test_an_address_goes_into_the_fields_that_a_form_has_for_it() -> None:
    world = page(
        field("First name", 20),
        field("Last name", 60),
        field("Street and number", 100),
        field("Postcode", 140),
        field("City", 180),
        button("Continue", 240),
    )
    said = "Ship it to Greta Holm, Mill Lane 12, 8400 Winterthur, and press Continue"
    assert played(world, said).account is None
    assert held(world) == {
        "First name": "Greta",
        "Last name": "Holm",
        "Street and number": "Mill Lane 12",
        "Postcode": "8400",
        "City": "Winterthur",
    }
    assert clicks(world) == ["Continue"]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "Paul Weber, 7 Harbour Road, BS1 4QA Bristol",
            {
                "name": "Paul Weber",
                "street": "7 Harbour Road",
                "code": "BS1 4QA",
                "town": "Bristol",
            },
        ),
        (
            "Amy Cole, 12 Oak Street, Denver, CO 80203",
            {
                "name": "Amy Cole",
                "street": "12 Oak Street",
                "town": "Denver",
                "state": "CO",
                "code": "80203",
            },
        ),
        ("Ann, Ben and Carla", {}),
        ("the office, when it opens", {}),
    ],
)
def test_the_parts_of_an_address_are_known_by_their_looks(said: str, parts: dict[str, str]) -> None:
    assert address_in(said) == parts


def test_an_address_is_left_alone_where_one_part_has_no_field() -> None:
    parts = {"name": "Ann Lee", "street": "Mill Lane 12", "town": "Bern"}
    assert fields_for_address(parts, {"a": ["Name"], "b": ["Street"]}) == {}
    given = fields_for_address(parts, {"a": ["Name"], "b": ["Street"], "c": ["Town"]})
    assert given == {"a": "Ann Lee", "b": "Mill Lane 12", "c": "Bern"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("€50", "50 euros"),
        ("Monthly", "every month"),
        ("Monthly", "a month"),
        ("2×", "double"),
        ("0.5×", "half"),
        ("4", "four"),
        ("Large (40 cm)", "large"),
    ],
)
def test_what_is_written_on_a_choice_is_said_otherwise(name: str, said: str) -> None:
    telling = read_telling(f"take {said} now")
    assert any(places_of(telling, way) for way in ways_to_say(name))


def test_a_quoted_text_is_no_part_of_a_name() -> None:
    telling = read_telling("write “large and small”")
    assert not any(places_of(telling, way) for way in ways_to_say("Large"))


def banner(*texts: Element) -> tuple[Element, ...]:
    root = element("Shop", "document web", (0, 0, 800, 600), id="page")
    return (root, *(replace(e, parent="page") for e in texts))


def test_a_code_is_told_by_its_looks_and_the_noun_beside_it() -> None:
    shown = banner(
        text("Spring sale! Use the code", 20, 20),
        text("SPR-5971K", 240, 20),
        text("Order AB-1234 is on its way", 20, 300),
    )
    assert code_shown(shown, "the voucher code from the banner") == "SPR-5971K"
    assert code_shown(shown, "the price of the lamp") is None


def test_of_two_codes_none_is_taken() -> None:
    shown = banner(text("Code: AB12-CD", 20, 20), text("Code: EF34-GH", 20, 300))
    assert code_shown(shown, "the code shown on the page") is None


def helpful(*things: str) -> World:
    parts: list[Element] = []
    for at, thing in enumerate(things):
        y = 20 + 120 * at
        parts += [text(thing, 20, y), text("Was this helpful?", 20, y + 40)]
        parts += [button("Yes", y + 38, 200), button("No", y + 38, 340)]
    return page(*parts)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Mark the answer by Priya as helpful", "Yes-200-178"),
        ("Mark the answer by Leo as not helpful", "No-340-58"),
    ],
)
def test_to_mark_as_helpful_is_to_answer_whether_it_was(said: str, meant: str) -> None:
    world, hit = helpful("Leo", "Priya"), list[str]()
    for name in ("Yes", "No"):
        world.on(name, lambda _w, e, _a: hit.append(e.id))
    assert played(world, said).account is None
    assert hit == [meant]


def test_nothing_is_answered_where_nobody_says_of_which_it_is_asked() -> None:
    world, hit = helpful("Leo", "Priya"), list[str]()
    world.on("Yes", lambda _w, e, _a: hit.append(e.id))
    assert played(world, "Mark the answer by Omar as helpful").account is not None
    assert hit == []


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (
            "Let guests comment but do not let them invite others",
            ['allow guests (to: "comment")', 'forbid guests (to: "invite others")'],
        ),
        (
            "Allow editors to publish and take the right to delete away from them",
            ['allow editors (to: "publish")', 'forbid editors (to: "delete")'],
        ),
        ("Text Mum “Landed safely”", ['send "Landed safely" (to: "Mum")']),
        (
            "Like Lena’s comment and answer her “Great idea!”",
            ["like Lena’s comment", 'reply Lena’s comment (with: "Great idea!")'],
        ),
        (
            "Write a note titled “Ideas” that says “A book”",
            ['create a note (titled: "Ideas", saying: "A book")'],
        ),
        ("Take Candles off the list and press Done", ["remove Candles", "click Done"]),
    ],
)
def test_everyday_acts_are_read_as_the_plain_ones(said: str, plain: list[str]) -> None:
    assert write_program(read_sentence(said)).strip().splitlines() == plain


def test_a_text_for_somebody_is_sent_in_the_conversation_with_them() -> None:
    world = page(element("Mum", at=(20, 20, 80, 24)), element("Dad", at=(20, 60, 80, 24)))

    def open_it(w: World, _hit: Element, _action: Action) -> None:
        shown = (field("Message", 140), element("Send", at=(420, 140, 80, 24)))
        w.elements += [replace(e, parent="page") for e in shown]

    world.on("Mum", open_it)
    assert played(world, "Send “Landed safely” to Mum").account is None
    assert held(world) == {"Message": "Landed safely"}
    assert clicks(world) == ["Mum", "Send"]
