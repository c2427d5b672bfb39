"""Choosing options: of drop-downs, lists, menus, radio buttons, tabs and suggestions."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.geometry import Box
from carrel.models.steps.claims.sheets import go_to_cell, meant_cell, meant_range
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import names_of
from carrel.models.steps.finding.told_choices import choices_meant
from carrel.models.steps.finding.wishes import Wish, is_there, look_for, resolve, wished
from carrel.models.steps.language import readings
from carrel.models.steps.layout.chrome import part_meant
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.lineage import Lineage, lineage_of
from carrel.models.steps.phrases.in_lists import listed_name
from carrel.models.steps.program import Choose, Highlight, SetValue
from carrel.models.steps.reaching.drawn_menus import drawn_title
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.splitting import split_as_seen
from carrel.models.steps.shown.captions import field_labelled
from carrel.models.steps.shown.entries import several_entries
from carrel.models.steps.shown.mere_words import is_legend, is_marker
from carrel.models.steps.shown.reading import fold, options_of
from carrel.models.steps.shown.segments import segment_said
from carrel.models.steps.shown.tick_boxes import box_called
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.calendars import find_calendar
from carrel.models.steps.verbs.cascades import choose_in_chain, offered
from carrel.models.steps.verbs.dates import day_meant, pick_day
from carrel.models.steps.verbs.drop_downs import choose_from_combo, choose_from_suggestions
from carrel.models.steps.verbs.fields import column_field
from carrel.models.steps.verbs.grids import choice_in_grid
from carrel.models.steps.verbs.groups import choice_in, come_to_group, described_choices
from carrel.models.steps.verbs.highlighting import highlight, is_written_part
from carrel.models.steps.verbs.lists import choose_from_list, click_option, list_of, takes_many
from carrel.models.steps.verbs.made_up import choose_from_made_up, made_up_dropdown
from carrel.models.steps.verbs.menus import follow, opens_menu
from carrel.models.steps.verbs.only_offer import only_drop_down, silent_drop_down
from carrel.models.steps.verbs.partly_called import drop_down_called, drop_down_hinting, drops_down
from carrel.models.steps.verbs.pointing import named
from carrel.models.steps.verbs.popped import SOURCE, is_drawn_menu
from carrel.models.steps.verbs.popups import OPTION
from carrel.models.steps.verbs.selecting import SELECTED, has_box, select
from carrel.models.steps.verbs.slots import choice_said
from carrel.models.steps.verbs.ticking import bring_to, is_on, take_choice
from carrel.models.steps.verbs.told import take_told
from carrel.models.steps.verbs.unit_steppers import has_signs, step_by_signs
from carrel.perception.colours import web_colour
from carrel.perception.describe import Description
from carrel.perception.find import Found, Match
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import TICKED, Kind, is_disabled, is_field, kind_of

__all__ = ["choose"]

_NTH = re.compile(r"the \d{1,2}(?:st|nd|rd|th)|\d{1,2}[日号]", re.IGNORECASE)
DEEP = 4
"""How deep in a button the words on it may be."""
HEADED = 160
"""Pixels from what names a group of choices down to one of them."""
CALLED = 0.92
"""How sure it has to be that something is called by all the words of a choice."""
COMING = (0.4, 0.8)
"""Seconds in which a form comes up that was just asked for."""


def choose(desk: Desk, step: Choose) -> Turns[str | None]:
    """Choose one or more options; where none is called so, those that are told together."""
    before = desk.commits
    if (yield from _together(desk, step)):
        return None
    try:
        return (yield from _choose(desk, step))
    except Missed:
        if desk.commits != before or not (yield from _together(desk)):
            raise
    return None


def _together(desk: Desk, step: Choose | None = None) -> Turns[bool]:
    """Take those that are told together; before the step is read only what has no name itself."""
    if step is not None and any(is_there(look_for(desk, wished(o))) for o in step.options):
        return False
    together = choices_meant(desk.elements, desk.asked) if desk.asked else []
    for choice in together:
        yield from take_told(desk, same_as(desk.elements, choice) or choice)
    return bool(together)


def _choose(desk: Desk, step: Choose) -> Turns[str | None]:
    if (yield from _from_open_menu(desk, step)) or (yield from choose_in_chain(desk, step)):
        return None
    if (yield from _from_drawn_menu(desk, step)) or (yield from _counted(desk, step)):
        return None
    if step.path and step.source is not None and _drops(desk, step.source):
        # Options of one list, one after another: none leads to the next.
        step = replace(step, path=False)
    if step.path:
        # The menu that an item with others below it is in comes before it.
        first = (step.source,) if step.source is not None and _is_menu(step.source) else ()
        yield from follow(desk, (*first, *step.options))
        return None
    if step.source is None and len(step.options) == 1:
        if (yield from _of_document(desk, step.options[0])):
            return None
        step = _of_menu(step)
    if (day := _day_of(desk, step)) is not None:
        yield from pick_day(desk, day)
        return None
    step = _with_source(desk, _as_called(desk, _as_listed(desk, step)))
    if step.source is None or _is_no_source(desk, step.source):
        yield from _choose_freely(desk, step.options)
        return None
    if (yield from _in_grid(desk, step)) or (yield from _as_described(desk, step)):
        return None
    step = _as_field_of_column(desk, step)
    assert step.source is not None
    drop = drop_down_called(desk, step.source) or _list_told(desk, step.source)
    made_up = made_up_dropdown(desk, step.source) if drop is None else None
    if made_up is not None and len(step.options) == 1:
        yield from choose_from_made_up(desk, made_up, step.options[0])
        return None
    kinds = wished(step.source).description.kinds
    source = drop or (yield from _source_or_only(desk, step))
    dropped = kinds[0] if kinds in ((Kind.COMBO,), (Kind.MENU,)) else None
    if len(step.options) > 1 and step.said and opens_menu(source) and source.box:
        step = yield from _as_in_menu(desk, source.box, step)
    step = yield from _as_offered(desk, source, step)
    yield from _choose_each(desk, source, step.options, dropped)
    return None


_COUNT = re.compile(r"(?P<n>\d+)(?: (?P<of>\D+))?")


def _counted(desk: Desk, step: Choose) -> Turns[bool]:
    """`2 adults`: a number between a minus and a plus is brought to what is chosen."""
    told = [_COUNT.fullmatch(option.strip('"“”')) for option in step.options]
    pairs = [(one["of"] or step.source or "", one["n"]) for one in told if one is not None]
    if not pairs or len(pairs) < len(told) or not all(of for of, _ in pairs):
        return False
    if not all(has_signs(desk, of) for of, _ in pairs):
        return False
    for of, number in pairs:
        yield from step_by_signs(desk, SetValue(of, number, line=step.line))
    return True


def _of_document(desk: Desk, phrase: str) -> Turns[bool]:
    """Whether it is a part of a document, a range of cells or words in a text, and is marked."""
    address = meant_range(desk, phrase) or meant_cell(desk, phrase)
    if address is not None:
        yield from go_to_cell(desk, address)
    elif is_written_part(desk, phrase):
        yield from highlight(desk, Highlight(phrase))
    else:
        return False
    return True


def _source_or_only(desk: Desk, step: Choose) -> Turns[Element]:
    """What is called so, or else the one drop-down that has what is chosen; that is in doubt.

    Raises:
        Missed: There is neither.
    """
    assert step.source is not None
    before = desk.commits
    try:
        return (yield from _source(desk, step.source))
    except Missed:
        only = None
        # A drop-down that has them as well is not the list that is said.
        if desk.commits == before and not listed_name(step.source):
            only = yield from only_drop_down(desk, step.options)
        if only is None:
            raise
    desk.doubt(f"nothing is called {step.source!r}: only {named(only)} has {step.options[0]}")
    return only


def _list_told(desk: Desk, phrase: str) -> Element | None:
    """The one list box that has the name behind “the list of”."""
    name = fold(listed_name(phrase))
    lists = [e for e in part_meant(desk.elements, "") if name and kind_of(e) is Kind.LIST and e.box]
    labels = ((e, label_of(e, desk.elements)) for e in lists)
    called = [e for e, by in labels if name in (fold(e.name), fold(written_on(by)) if by else "")]
    return called[0] if len(called) == 1 and not is_disabled(called[0]) else None


def _from_open_menu(desk: Desk, step: Choose) -> Turns[bool]:
    """Whether it was taken from the menu that is open, where only “the menu” is said of it."""
    if step.source is None or len(step.options) != 1 or step.path:
        return False
    one = wished(step.source).description
    if one.kinds != (Kind.MENU,) or one.name or one.relations or one.ordinal:
        return False
    wanted = fold(step.options[0].strip("\"“”'"))
    items = [e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.MENU_ITEM and e.box]
    above = lineage_of(desk.elements).above
    items = [e for e in items if any(kind_of(h) is Kind.MENU for h in above(e))]
    meant = [e for e in items if fold(written_on(e)) == wanted and not is_disabled(e)]
    if len(meant) != 1 or meant[0].box is None:
        return False
    at = meant[0].box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(meant[0])} in the open menu", last=True)
    yield from desk.effect()
    return True


def _from_drawn_menu(desk: Desk, step: Choose) -> Turns[bool]:
    """Whether it was an item of a menu that nobody tells of."""
    if step.source is None or len(step.options) != 1 or step.path:
        return False
    if not _is_menu(step.source):
        return False
    if (yield from drawn_title(desk, step.source)) is None:
        return False
    yield from follow(desk, (step.source, step.options[0]))
    return True


def _is_menu(phrase: str) -> bool:
    return wished(phrase).description.kinds == (Kind.MENU,)


def _choose_each(
    desk: Desk, source: Element, options: tuple[str, ...], dropped: Kind | None
) -> Turns[None]:
    """One after another; a list that takes several may stay open."""
    before, label = desk.elements, label_of(source, desk.elements)
    for number, option in enumerate(options):
        open_still = number and kind_of(source) is Kind.COMBO
        match = offered(desk, source, option, before) if open_still else None
        if match is None:
            yield from _choose_from(desk, source, option, more=number > 0, dropped=dropped)
            continue
        click = Click(match.point.x, match.point.y)
        yield from desk.do(click, why=f"{option}, {match.why}: its list is still open", last=True)
        yield from desk.effect()
        if number == len(options) - 1 and offered(desk, source, option, before):
            # It lies over what comes next; escape may close the dialog around it as well.
            at = label.box.center if label is not None and label.box is not None else None
            away = Click(at.x, at.y) if at is not None else Key(("escape",))
            yield from desk.do(away, why="close its list", commits=False)


def _choose_freely(desk: Desk, options: tuple[str, ...]) -> Turns[None]:
    """Choose each of them, where it is not said of what."""
    for number, said in enumerate(options):
        option = yield from _as_swatch(desk, said)
        if not (yield from _choose_several(desk, option)):
            yield from _choose_anywhere(desk, option, more=number > 0)


_COLOURED = re.compile(r"(?:the )?colou?r [\"“]?(?P<name>[a-z]+)[\"”]?", re.IGNORECASE)


def _as_swatch(desk: Desk, option: str) -> Turns[str]:
    """`the colour Teal`: a patch of that colour, where its name is written nowhere."""
    said = _COLOURED.fullmatch(option.strip())
    if said is None or web_colour(said["name"].casefold()) is None:
        return option
    name = fold(said["name"])
    written = any(name in fold(written_on(e)).split() for e in part_meant(desk.elements, ""))
    if written:
        return option
    yield from desk.closer()
    ways = [f"the {said['name'].casefold()} {noun}" for noun in ("swatch", "button")]
    there = [way for way in ways if resolve(desk, look_for(desk, wished(way))) is not None]
    return there[0] if there else option


def _in_grid(desk: Desk, step: Choose) -> Turns[bool]:
    """Take an answer where the line of its question and its own column meet."""
    if step.source is None or len(step.options) != 1:
        return False
    question, answer = (text.strip('"“”') for text in (step.source, step.options[0]))
    choice = choice_in_grid(desk, question, answer)
    if choice is not None:
        yield from take_choice(desk, choice, answer)
    return choice is not None


def _as_described(desk: Desk, step: Choose) -> Turns[bool]:
    """Take boxes by their names, where what they are said to be is written nowhere."""
    if step.source is None or drop_down_called(desk, step.source) is not None:
        return False
    boxes = described_choices(desk, step.options, step.source)
    for box in boxes:
        yield from take_choice(desk, box, written_on(box))
    return bool(boxes)


def _day_of(desk: Desk, step: Choose) -> int | None:
    """The day of the calendar that is meant; of the one that is shown where none is named."""
    if len(step.options) != 1:
        return None
    source, option = step.source, step.options[0]
    if source is None and _NTH.fullmatch(option.strip()) and find_calendar(desk) is not None:
        source = "the calendar"
    return day_meant(option, source)


def _of_column(desk: Desk) -> Element | None:
    """The drop-down of the column that the step is about: its cells are not there to be chosen."""
    field = column_field(desk, desk.place.phrase) if desk.place is not None else None
    return field if field is not None and kind_of(field) is Kind.COMBO else None


_OF_MENU = re.compile(
    r"(?P<menu>.+?菜单)(?:里面|里|中|下面|下|内|上)?的?\s*(?P<item>[^的]+?)(?:菜单项|选项|命令|一?项)?"
)


def _of_menu(step: Choose) -> Choose:
    """`“文件”菜单中的“保存”` says the menu and its item in one."""
    found = _OF_MENU.fullmatch(step.options[0].strip())
    if found is None:
        return step
    return replace(step, options=(found["item"].strip(),), source=found["menu"])


_IN_FIELD = re.compile(
    r"(?P<option>.+?) (?:in|from) the (?:[\w-]+ )?(?:box|field|filter|input|list|drop-?down)",
    re.IGNORECASE,
)


def _as_field_of_column(desk: Desk, step: Choose) -> Choose:
    """`Furniture in the filter box` of a column: only the option, where its field was found."""
    found = _IN_FIELD.fullmatch(step.options[0]) if len(step.options) == 1 else None
    if found is None or step.source is None:
        return step
    match = resolve(desk, look_for(desk, wished(step.source, SOURCE)))
    if match is None or not (is_field(match.element) or kind_of(match.element) is Kind.COMBO):
        return step
    return replace(step, options=(found["option"],))


_SAID_IN = re.compile(r"(?P<option>.+?) (?:in|from|under|for) (?P<source>.+)", re.IGNORECASE)


def _with_source(desk: Desk, step: Choose) -> Choose:
    """`Alaska and Wyoming in States`: what they are chosen from, where that has a list.

    A place that is a drop-down is what is chosen from as well: "under States choose Alaska".
    """
    if not step.options:  # nothing is to be chosen
        return step
    if step.source is None and desk.place is not None and _drops(desk, desk.place.phrase):
        # Its list comes up outside of it.
        source, desk.place = desk.place.phrase, None
        return replace(step, source=source)
    found = _SAID_IN.fullmatch(step.options[-1]) if step.source is None else None
    if found is None or is_there(look_for(desk, wished(step.options[-1], OPTION))):
        return step
    match = resolve(desk, look_for(desk, wished(found["source"], SOURCE)))
    if match is None or kind_of(match.element) not in SOURCE:
        return step
    return replace(step, options=(*step.options[:-1], found["option"]), source=found["source"])


def _drops(desk: Desk, phrase: str) -> bool:
    """Whether a closed drop-down is called so, which shows nothing to choose from yet."""
    match = resolve(desk, look_for(desk, wished(phrase, SOURCE), desk.elements))
    return match is not None and kind_of(match.element) is Kind.COMBO


def _choose_several(desk: Desk, phrase: str) -> Turns[bool]:
    """Select as many entries as are said, from the first or the last on; whether it says so."""
    entries = several_entries(desk, phrase)
    if entries is None:
        return False
    if not entries:
        raise Missed(f"there are not so many entries of one list as “{phrase}”")
    for number, entry in enumerate(entries):
        assert entry.box is not None
        yield from select(desk, entry, entry.box.center, "one of them", more=number > 0)
    return True


def _as_in_menu(desk: Desk, menu: Box, step: Choose) -> Turns[Choose]:
    """The options split as a closed menu has them: only an open one can tell."""
    at = menu.center
    yield from desk.do(Click(at.x, at.y), why=f"whether it has {step.said}", commits=False)
    whole = look_for(desk, wished(step.said, (Kind.MENU_ITEM,)))
    kept = [resolve(desk, look_for(desk, wished(one, TICKED))) for one in step.options]
    yield from desk.do(Key(("escape",)), why="close it again", commits=False)
    if is_there(whole) or not all(match and kind_of(match.element) in TICKED for match in kept):
        # Only what stays switched on is chosen together with others; else it is one name.
        return replace(step, options=(step.said,))
    return step


_ENTRY = re.compile(
    r"^the (?:entry|entries|options?|items?|values?|choices?)(?: (?:called|named|"
    r"labell?ed))? (?=\S)",
    re.IGNORECASE,
)


def _as_offered(desk: Desk, source: Element, step: Choose) -> Turns[Choose]:
    """The options split as a list has them, be it closed or scrolled: a name may hold an "and"."""
    said = step.said or " ".join(step.options)
    one = len(step.options) == 1 and not _ENTRY.match(said)
    if one or not step.options or kind_of(source) not in (Kind.COMBO, Kind.LIST):
        return step
    shown = options_of(source, desk.elements)
    if all(look_for(desk, wished(option, OPTION), shown).sure for option in step.options):
        return step
    yield from desk.again(0, why=f"how {said} is listed", hidden=True)
    listed = options_of(same_as(desk.unseen, source) or source, desk.unseen)
    for split in (step.options, *readings(_ENTRY.sub("", said))):
        if all(look_for(desk, wished(one, OPTION), listed).sure for one in split):
            return replace(step, options=split)
    return step


def _is_no_source(desk: Desk, phrase: str) -> bool:
    """Whether it only says that they are options, `from the suggestions`, or what came up."""
    description = wished(phrase).description
    options = description.kinds == OPTION and not (description.name or description.relations)
    labels = [e for e in desk.elements if options and fold(written_on(e)) == fold(phrase)]
    if any(field_labelled(desk.elements, label) for label in labels):
        # A field may be called so: “项目”.
        return False
    return options or is_drawn_menu(desk, phrase)


def _as_listed(desk: Desk, step: Choose) -> Choose:
    """The options split as the screen has them: an "and" may belong to a name."""
    split = split_as_seen(desk, step.said, step.options, OPTION)
    return replace(step, options=split)


def _as_called(desk: Desk, step: Choose) -> Choose:
    """`one way`: not one of the ways, where an option is called just so."""
    if step.source is None or len(step.options) != 1:
        return step
    step = replace(step, said=step.said or re.sub(r"^\w+\s+", "", step.words.strip(" .")))
    if not step.said:
        return step
    found = look_for(desk, wished(step.said, OPTION))
    if found.sure and (found.matches[0].confidence >= CALLED or _is_titled(desk, found, step.said)):
        return replace(step, options=(step.said,), source=None)
    if (said := choice_said(desk, step.said)) is not None:
        return replace(step, options=(f'"{written_on(said)}"',), source=None)
    shown = [e for e in part_meant(desk.elements, "") if fold(written_on(e)) == fold(step.said)]
    if len({e.box for e in shown if kind_of(e) is Kind.TEXT}) == 1:
        return replace(step, options=(f'"{step.said}"',), source=None)
    return step


def _is_titled(desk: Desk, found: Found, said: str) -> bool:
    """Whether it is a choice that is called just so before a price or a remark."""
    element = found.matches[0].element
    names = names_of(lineage_of(tuple(desk.elements)), element)
    return kind_of(element) in TICKED and fold(said) in map(fold, names)


def _source(desk: Desk, phrase: str) -> Turns[Element]:
    """What the options belong to."""
    match = resolve(desk, look_for(desk, wished(phrase, SOURCE)))
    if match is None:
        match = resolve(desk, look_for(desk, _as_drop_down(wished(phrase))))
    if match is None or kind_of(match.element) not in SOURCE:
        hinting = drop_down_hinting(desk, phrase)
        if hinting is not None:
            desk.worked = hinting.box
            return hinting
    if match is None:
        yield from come_to_group(desk, phrase)
        match = yield from ground(desk, phrase)
    match = yield from _coming_up(desk, phrase, match)
    source = _drop_down_around(desk, match.element) or match.element
    if kind_of(source) is Kind.TEXT:
        # What is called by a hint in it goes by the words beside it, too.
        source = field_labelled(desk.elements, source) or source
    if is_disabled(source):
        raise Missed(f"{named(source)} is there, but disabled")
    desk.worked = source.box
    return source


def _coming_up(desk: Desk, phrase: str, match: Match) -> Turns[Match]:
    """For the head of a column, the drop-down of that name that a form may yet come up with."""
    for pause in COMING if kind_of(match.element) is Kind.COLUMN else ():
        yield from desk.again(pause, why=f"whether a form with {phrase} comes up")
        source = resolve(desk, look_for(desk, wished(phrase, SOURCE)))
        if source is not None and kind_of(source.element) is not Kind.COLUMN:
            return source
    return match


def _drop_down_around(desk: Desk, element: Element) -> Element | None:
    """The drop-down in use that a field which takes no text only shows the choice of."""
    if not is_field(element) or "editable" in element.states:
        return None
    around = (e for e in Lineage(desk.elements).above(element) if kind_of(e) is Kind.COMBO)
    return next((e for e in around if e.box is not None and not is_disabled(e)), None)


def _as_drop_down(wish: Wish) -> Wish:
    """What options are chosen from is called a list, though it be closed."""

    def dropped(one: Description) -> Description:
        return replace(one, kinds=(Kind.COMBO,)) if one.kinds == (Kind.LIST,) else one

    readings = tuple(map(dropped, wish.description.readings))
    return replace(wish, description=replace(dropped(wish.description), readings=readings))


def _choose_from(
    desk: Desk, source: Element, option: str, *, more: bool, dropped: Kind | None
) -> Turns[None]:
    """Of what options belong to, one; `dropped` is what it is called, a drop-down or a menu."""
    if dropped is Kind.COMBO and is_field(source) and source.source == "detector":
        # Nothing tells of it, so the word for it does.
        source = replace(source, role="combo box")
    kind = kind_of(source)
    if is_field(source) and "read only" not in source.states:
        yield from choose_from_suggestions(desk, source, option)
    elif is_field(source) or kind is Kind.COMBO or "has popup" in source.states:
        yield from choose_from_combo(desk, source, option)
    elif kind is Kind.LIST:
        yield from choose_from_list(desk, source, option, more=more)
    elif opens_menu(source):
        yield from follow(desk, (source.name, option))
    elif dropped is Kind.MENU and source.source in ("ocr", "detector"):
        # The title of a menu that nobody tells of, as it was read.
        yield from follow(desk, (f'"{written_on(source)}"', option))
    elif (choice := choice_in(desk, source, _bare(option))) is not None:
        yield from take_choice(desk, choice, option)
    elif dropped and (button := _opener(desk, source)) is not None:
        open_it = choose_from_combo if dropped is Kind.MENU else choose_from_made_up
        yield from open_it(desk, button, option)
    else:
        yield from _choose_anywhere(desk, option, more=more, near=source)


def _opener(desk: Desk, source: Element) -> Element | None:
    """The button that a person calls a drop-down, or that has its words on it."""
    chain = [source, *Lineage(desk.elements).above(source)][:DEEP]
    return next((e for e in chain if kind_of(e) is Kind.BUTTON and e.box is not None), None)


def _bare(option: str) -> str:
    return wished(option).description.name or option


def _choose_anywhere(
    desk: Desk, option: str, *, more: bool, near: Element | None = None
) -> Turns[None]:
    """An option of which it is not said where."""
    if near is None and (dropped := _of_column(desk)) is not None:
        yield from choose_from_combo(desk, dropped, option)
        return
    wish = wished(option, OPTION)
    if near is not None and near.box is not None:
        inner = Wish(wish.phrase, wish.description, near.box)
        match = resolve(desk, look_for(desk, inner)) or resolve(desk, look_for(desk, wish))
    else:
        match = resolve(desk, look_for(desk, wish))
    if match is None and not is_there(look_for(desk, wish)):
        match = _with_group(desk, option) or _in_segments(desk, option)
    if match is None and not is_there(look_for(desk, wish)):
        # "the Student ticket" is "Student – 80 EUR": what is left of the words is but its noun.
        said = choice_said(desk, option)
        why = f"its name is in {option!r}"
        match = Match(said, 1.0, said.box.center, why) if said is not None and said.box else None
    if match is None and not is_there(look_for(desk, wish)):
        named_in = _named_within(desk, option) if near is None else None
        # "Reef tank" may be what an option of the drop-down “Tank” is called.
        combo = yield from _combo_with(desk, wish, whole=named_in is not None)
        if combo is None and named_in is not None:
            yield from choose_from_combo(desk, *named_in)
            return
        if combo is not None:
            yield from choose_from_combo(desk, combo, option)
            return
    if match is None:
        match = yield from _looked_for(desk, option, near)
        if match is None:
            return
    if near is not None and kind_of(near) is Kind.COLUMN and _lists(match.element):
        # What stands in a table is there to be read.
        raise Missed(f"{named(near)} heads a column, and no drop-down or list is called so")
    if near is not None and drops_down(match.element):
        # A click would only open it.
        raise Missed(f"{named(match.element)} is a drop-down, and no option of {named(near)}")
    yield from _take(desk, match, more=more)


def _looked_for(desk: Desk, option: str, near: Element | None) -> Turns[Match | None]:
    """The option wherever it is; None where it was taken from a drop-down that told of none.

    Raises:
        Missed: It is nowhere.
    """
    try:
        return (yield from ground(desk, option, OPTION, loose=True))
    except Missed:
        silent = silent_drop_down(desk) if near is None else None
        if silent is None or choices_meant(desk.elements, desk.asked):
            raise
    yield from choose_from_combo(desk, silent, option)
    return None


def _lists(element: Element) -> bool:
    """Whether it is only a text, as the cells of a table are."""
    return kind_of(element) in (Kind.TEXT, Kind.CELL)


def _with_group(desk: Desk, phrase: str) -> Match | None:
    """`the Part-time contract`, `the contract Part-time`: the choice of those the noun heads."""
    words = re.sub(r"^(?:the|an?)\s+", "", phrase.strip(), flags=re.IGNORECASE).split()
    shown = part_meant(desk.elements, "")
    choices = {fold(e.name) for e in shown if kind_of(e) in TICKED}
    for cut in range(len(words) - 1, 0, -1):
        parts = " ".join(words[:cut]), " ".join(words[cut:])
        for name, noun in (parts, parts[::-1]):
            # The label of a choice heads nothing: "Automatic with insurance" are two of them.
            heads = [e for e in shown if fold(noun) not in choices and _heads(e, fold(noun))]
            match = resolve(desk, look_for(desk, wished(name, OPTION))) if heads else None
            if match is None or kind_of(match.element) not in TICKED or match.element.box is None:
                continue
            at = match.element.box
            if any(e.box and e.box.y <= at.bottom and at.y - e.box.bottom <= HEADED for e in heads):
                return match
    return None


def _in_segments(desk: Desk, phrase: str) -> Match | None:
    """`the crust Thin`: of words side by side the one that is called so under their noun."""
    one = segment_said(desk, phrase)
    return Match(one, 1.0, one.box.center, f"of {phrase}") if one is not None and one.box else None


def _heads(element: Element, noun: str) -> bool:
    """Whether it is what heads a group: the noun, also before a colon and the group itself."""
    if element.box is None:
        return False
    return re.split(r"[:：]", fold(written_on(element)))[0].strip(" *") == noun


def _named_within(desk: Desk, phrase: str) -> tuple[Element, str] | None:
    """The drop-down that is named after the option or before it: "5 entries per page"."""
    found: dict[str, tuple[Element, str]] = {}
    for combo in (e for e in part_meant(desk.elements, "") if kind_of(e) is Kind.COMBO and e.box):
        label = label_of(combo, desk.elements)
        for called in (combo.name, written_on(label) if label is not None else ""):
            rest = _without(phrase.strip(), called.strip(" :：*"))
            if rest:
                found[combo.id] = (combo, rest)
    return next(iter(found.values())) if len(found) == 1 else None


def _without(phrase: str, name: str) -> str:
    """What is said before or after a name; nothing where it is not said, or within a word."""
    said, called = phrase.casefold(), name.casefold()
    if not called or len(said) <= len(called):
        return ""
    for rest in (
        phrase[: -len(called)] if said.endswith(called) else "",
        phrase[len(called) :] if said.startswith(called) else "",
    ):
        if rest.strip() and (rest != rest.strip() or not (called[0] + called[-1]).isascii()):
            return rest.strip()
    return ""


def _combo_with(desk: Desk, wish: Wish, *, whole: bool) -> Turns[Element | None]:
    """The closed drop-down that has such an option; with `whole` one that is called just so."""
    if not any(kind_of(e) is Kind.COMBO for e in desk.elements):
        return None
    yield from desk.again(0, why=f"which drop-down has {wish.phrase}", hidden=True)
    having = []
    for combo in (e for e in desk.unseen if kind_of(e) is Kind.COMBO):
        match = look_for(desk, wish, options_of(combo, desk.unseen)).best
        if match is not None and (not whole or match.confidence >= CALLED):
            having.append(same_as(desk.elements, combo) or combo)
    return having[0] if len(having) == 1 else None


def _take(desk: Desk, match: Match, *, more: bool) -> Turns[None]:
    """Take the option that was found, as its kind wants it."""
    element = box_called(desk.elements, match.element) or match.element
    kind = kind_of(element)
    if kind in TICKED:
        yield from bring_to(desk, element, True, match.why)
        return
    if is_marker(element) or is_legend(lineage_of(desk.elements), element):
        raise Missed(f"{named(element)} only says what stands beside it: nothing to choose")
    holder = list_of(desk.elements, element)
    if holder is not None and not has_box(desk, element):
        yield from click_option(desk, element, more=more and takes_many(holder))
        return
    if kind in SELECTED:
        yield from select(desk, element, match.point, match.why, more=more)
        return
    desk.worked = element.box
    yield from desk.do(
        Click(match.point.x, match.point.y), why=f"{named(element)}, {match.why}", last=True
    )
    if not is_on(element):
        yield from desk.effect()
