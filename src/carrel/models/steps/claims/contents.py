"""What a thing holds: a field, a label, a cell, a display, the page's title and address."""

from __future__ import annotations

import re
from dataclasses import dataclass

from carrel.frames import Element
from carrel.models.steps.claims.addresses import place_shown
from carrel.models.steps.claims.badges import badge_of, badged_name
from carrel.models.steps.claims.chosen_options import chosen_in_group
from carrel.models.steps.claims.comparing import compare, read_number
from carrel.models.steps.claims.displays import is_display, last_sum, readouts
from carrel.models.steps.claims.lead_ins import led_to
from carrel.models.steps.claims.opened_menus import offered_in_menu
from carrel.models.steps.claims.recalled import recalled
from carrel.models.steps.desk import Desk, children_of, within
from carrel.models.steps.facts import Has
from carrel.models.steps.finding.crossings import cell_meant
from carrel.models.steps.finding.extents import extent_of, members
from carrel.models.steps.finding.held_entries import entries_called, entry_owned, numbered_entry
from carrel.models.steps.finding.held_with import number_counting
from carrel.models.steps.finding.lines_beside import says_beside
from carrel.models.steps.finding.wishes import all_fitting, is_there, look_for, resolve, wished
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.lineage import Lineage
from carrel.models.steps.shown.captions import (
    announced,
    asked_for,
    defined,
    field_labelled,
    told_by,
    value_beside,
    value_named,
)
from carrel.models.steps.shown.pieces import whole_amount
from carrel.models.steps.shown.reading import field_value, fold, text_of
from carrel.models.steps.turns import Missed
from carrel.perception.find import AHEAD, Found
from carrel.perception.labels import labels, written_on
from carrel.perception.roles import FIELDS, Kind, is_field, kind_of

__all__ = ["but_its_label", "content_absent", "has_content"]

_ANY_FIELD = re.compile(
    r"(?:any|some|one of the|one) (?:text )?(?:field|box|input)s?(?: (?:on|of) the page)?"
    r"|(?:页面上?的?)?(?:某一?|任意?一?|其中一?)个?(?:输入框|文本框|字段|框)",
    re.IGNORECASE,
)
_THE_FIELD = re.compile(
    r"(?:the|that|this) (?:(?:same|input|text|entry|edit|search) ?)?(?:field|box|input|combo ?box)"
    r"|(?:该|这个|那个|此)?(?:输入框|文本框|编辑框)",
    re.IGNORECASE,
)
"""Words for the field that was just used."""
_TITLE = re.compile(
    r"(?:the |this )?(?:(?:web ?|current )?page(?:['’]s)?|browser|(?:browser )?tab|document)"
    r" ?titles?"
    r"|(?:the )?title (?:of|in) (?:the|this) (?:(?:web ?|current )?page|(?:browser )?tab|browser)"
    r"|(?:当前)?(?:页面|网页|浏览器|标签页)的?标题",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:the |this )?(?:(?:current |page |browser )?(?:url|web address|page address)|"
    r"address (?:of the page|bar|in the address bar)|url (?:of the page|bar)|location bar)"
    r"|(?:当前|页面|浏览器)?的?(?:网址|地址栏|链接地址|页面地址|URL|url)",
    re.IGNORECASE,
)
_WRITING = re.compile(
    r"(?:the |my |its )?(?:(?:page|note|document|file|message|editor|memo|letter|current|open) ?"
    r"(?:['’]s )?)?(?:text|body|contents?|editor|document|note|page|file|text ?area|editing area)"
    r"(?: (?:area|of the (?:page|note|document|file)))?"
    r"|(?:文档|笔记|正文|文件|页面|编辑[器区]|文本|便签|文章)的?(?:内容|正文|文本|文字|区域?)?",
    re.IGNORECASE,
)
"""Words for what a person writes in a program."""
SHEET = 120
"""Pixels that what one writes a text on is high at least."""
_COLONS = (":", "：")
_ANY_TEXT = re.compile(
    r"the (?:text|paragraph|body text)(?: (?:shown|on the page))?", re.IGNORECASE
)
"""Words for a text that is told only by how it begins."""
_TOTAL = re.compile(
    r"the (?:(?:grand|overall|final|order|cart|basket|invoice|whole) (?:total|sum|amount)|"
    r"total (?:amount|price|sum|cost|to pay|due)|amount (?:to pay|due|payable))",
    re.IGNORECASE,
)
"""Other words for the total, where nothing is called by them."""
OUTER, HIGH = 2, 120
"""How many boxes around a field are looked at, and how high these are at most."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What was read of a thing.

    Attributes:
        text: None where there is no such thing.
        account: Then why not.
        secret: It is a password, which is not told.
        level: It is a bar that tells how far something is.
    """

    text: str | None
    account: str = ""
    secret: bool = False
    level: bool = False


def has_content(desk: Desk, condition: Has) -> tuple[bool, str]:
    """Whether a thing holds a text, and what it holds instead."""
    ordered = condition.how in ("less", "greater")
    if _ANY_FIELD.fullmatch(condition.what.strip()) and not ordered:
        return _any_holds(desk, condition)
    if (entry := numbered_entry(desk, condition.what)) is not None:
        return _entry_says(desk, condition, *entry)
    content = _content(desk, condition.what)
    if content.text is None and is_display(condition.what):
        return _some_display(desk, condition)
    if content.text is None and _is_any_heading(condition.what):
        heads = [text_of(e, desk.elements) for e in all_fitting(desk, condition.what)]
        so = any(compare(text, condition.how, condition.text) for text in heads)
        return so, f"the headings are {', '.join(map(repr, heads)) or 'none'}"
    if content.text is None and condition.how == "starts" and _ANY_TEXT.fullmatch(condition.what):
        texts = [text_of(e, desk.elements) for e in all_fitting(desk, condition.what)]
        return any(compare(t, "starts", condition.text) for t in texts), content.account
    if content.text is None:
        lines = () if ordered else says_beside(desk, condition.what)
        so = any(compare(line, condition.how, condition.text) for line in lines)
        return so, content.account
    if content.secret:
        return False, _unknown(condition.what)
    if ordered and read_number(content.text) is None:
        return False, f"{condition.what} holds {content.text!r}, which is no number"
    return _says_so(desk, condition, content.text, level=content.level)


def _says_so(desk: Desk, condition: Has, text: str, *, level: bool) -> tuple[bool, str]:
    """Whether what was read of a thing is so, or what stands under it, beside it or in it."""
    how, ordered = condition.how, condition.how in ("less", "greater")
    if level and how == "contains" and read_number(condition.text) is not None:
        how = "equals"
    so = compare(text, how, condition.text)
    if not so and is_display(condition.what) and (total := last_sum([text])):
        # A program that keeps its sums as lines: the result is what comes after the sign.
        so = compare(total, condition.how, condition.text)
    if not so and not ordered:
        so, text = _said_otherwise(desk, condition, text)
    return so, f"{condition.what} holds {text!r}, not {condition.text!r}"


def _said_otherwise(desk: Desk, condition: Has, text: str) -> tuple[bool, str]:
    """Whether what goes with a thing says it: what is under it, its whole line, its entries."""
    how, wanted = condition.how, condition.text
    if how == "contains" and (offered := offered_in_menu(desk, condition.what)):
        return any(compare(one, "equals", wanted) for one in offered), ", ".join(offered)
    if under := _under(desk, condition.what, text):
        text = under
        if compare(under, how, wanted):
            return True, under
    leads = how in ("equals", "contains") and _only_called(desk, condition, text)
    if leads and any(_is_whole(e, wanted) for e in part_meant(desk.elements, "")):
        return True, text
    # What was found may be one piece of the line that is meant.
    lines = [x for x in says_beside(desk, condition.what) if " ".join(text.split()) in x]
    if any(compare(line, how, wanted) for line in lines):
        return True, text
    if how == "contains" and (held := _in_entries(desk, condition.what)):
        return any(compare(one, how, wanted) for one in held), ", ".join(held)
    return False, text


def _only_called(desk: Desk, condition: Has, text: str) -> bool:
    """Whether what was found is a link, tab or button of that name: it leads there, holds nothing.

    A text of several words that stands on the page as a whole is then what it says.
    """
    match = resolve(desk, look_for(desk, wished(condition.what), want="read"))
    leads = match is not None and kind_of(match.element) in (Kind.LINK, Kind.TAB, Kind.BUTTON)
    named = fold(text) == fold(asked_for(re.sub(r"^the\s+", "", condition.what)))
    return leads and named and len(condition.text.split()) > 1


def _is_whole(element: Element, text: str) -> bool:
    return kind_of(element) is Kind.TEXT and fold(written_on(element)) == fold(text)


def _entry_says(desk: Desk, condition: Has, entry: Element | None, why: str) -> tuple[bool, str]:
    """Whether one entry of a list or a table says it, in one of its parts or as a whole."""
    if entry is None:
        return False, f"no {condition.what}: {why}"
    whole = text_of(entry, desk.elements)
    parts = [written_on(e) for e in Lineage(desk.elements).below(entry)]
    told = [whole] if condition.how == "contains" else [whole, *filter(None, parts)]
    if condition.how in ("less", "greater"):
        return False, f"{condition.what} holds {whole!r}, which is no number"
    so = any(compare(text, condition.how, condition.text) for text in told)
    return so, f"{condition.what} holds {whole!r}, not {condition.text!r}"


def _is_any_heading(phrase: str) -> bool:
    """Whether no more is said than that it is a heading: of several, one has to say it."""
    one = wished(phrase).description
    told = one.name or one.relations or one.ordinal or one.superlative or one.colour
    return one.kinds == (Kind.HEADING,) and not told


def _in_entries(desk: Desk, phrase: str) -> list[str]:
    """What the entries say that a thing holds, by the heading over them: those of the cart."""
    if not re.fullmatch(r"(?:the|my|your) [a-z]+(?: [a-z]+)?", phrase.strip(), re.IGNORECASE):
        return []
    entries = entries_called(desk, f"items in {phrase.strip()}") or []
    return [text_of(e, desk.elements) for e in entries]


def _under(desk: Desk, phrase: str, said: str) -> str:
    """What stands under a heading that a thing is called by, where only that was read of it."""
    if fold(asked_for(said)) != fold(asked_for(phrase)):
        return ""
    try:
        extent = extent_of(desk, phrase)
    except Missed:
        return ""
    held = members(desk.elements, extent) if extent is not None else ()
    texts = [e for e in held if kind_of(e) is Kind.TEXT and e.box is not None]
    own = [e.box for e in texts if e.box and fold(written_on(e)) == fold(asked_for(said))]
    if own and any(e.box.bottom <= own[0].y for e in texts if e.box and written_on(e)):
        # It stands amidst others, and heads none of them.
        return ""
    return " ".join(written_on(e) for e in texts)


def content_absent(desk: Desk, condition: Has) -> str | None:
    """The account of a thing that is not there to hold anything."""
    if _ANY_FIELD.fullmatch(condition.what.strip()):
        return None
    if (entry := numbered_entry(desk, condition.what)) is not None:
        return None if entry[0] is not None else f"no {condition.what}: {entry[1]}"
    content = _content(desk, condition.what)
    if content.text is None and is_display(condition.what) and readouts(desk):
        return None
    if content.text is None and says_beside(desk, condition.what):
        return None
    if content.secret:
        return _unknown(condition.what)
    return content.account if content.text is None else None


def _unknown(what: str) -> str:
    return f"{what} does not tell what it holds: it is a password"


def _any_holds(desk: Desk, condition: Has) -> tuple[bool, str]:
    """Whether one of all fields, whichever, holds it."""
    fields = [e for e in part_meant(desk.elements, "") if is_field(e)]
    held = [field_value(e) for e in fields if kind_of(e) is not Kind.PASSWORD]
    so = any(compare(text, condition.how, condition.text) for text in held if text)
    return so, f"the fields hold {', '.join(map(repr, held)) or 'nothing'}, not {condition.text!r}"


def _some_display(desk: Desk, condition: Has) -> tuple[bool, str]:
    """Whether what shows a result shows this; of a calculator that is no key, but its display."""
    shown = readouts(desk)
    how = (
        "equals" if condition.how == "contains" and read_number(condition.text) is not None else ""
    )
    texts = [
        text
        for text in shown
        if not (condition.how in ("less", "greater") and read_number(text) is None)
    ]
    texts += filter(None, [last_sum(shown)])
    so = any(compare(text, how or condition.how, condition.text) for text in texts)
    listed = ", ".join(map(repr, shown[:6])) or "nothing"
    return so, f"{condition.what} does not show {condition.text!r}; shown are {listed}"


def _of_page(desk: Desk, phrase: str) -> _Content | None:
    """The title of the page, its address, the small number beside a name; None for others."""
    if (name := badged_name(phrase)) is not None:
        seen, badge = badge_of(desk, name)
        if seen and (badge is not None or number_counting(desk, phrase) is None):
            return _Content(written_on(badge).strip() if badge else None, f"{name} has no badge")
    page = web_page(desk.seen.elements)
    if page is not None and _TITLE.fullmatch(phrase.strip()):
        return _Content(page.name)
    if page is not None and page.value and _ADDRESS.fullmatch(phrase.strip()):
        return _Content(page.value)
    if page is None and (shown := place_shown(desk.elements, phrase)) is not None:
        return _Content(shown)
    return None


_OF_NTH = re.compile(
    rf"(?:the )?[\w -]+? (?:of|for|in) the (?:{'|'.join(ORDINALS)}|last) [a-z]+(?: .*)?",
    re.IGNORECASE,
)


def _thing_of(desk: Desk, phrase: str, found: Found) -> Element | None:
    """What is called so; a cell of a numbered row is told by its table, not by what stands near."""
    if _OF_NTH.fullmatch(phrase.strip()) and (cell := cell_meant(desk, phrase)) is not None:
        return cell
    match = resolve(desk, found)
    return match.element if match is not None else but_its_label(desk, found)


def _content(desk: Desk, phrase: str) -> _Content:
    if (told_so := _of_page(desk, phrase)) is not None:
        return told_so
    if _THE_FIELD.fullmatch(phrase.strip()) and (field := _field_in_use(desk)) is not None:
        return _Content(_told(desk, field), "", kind_of(field) is Kind.PASSWORD)
    found = look_for(desk, wished(phrase), want="read")
    element = number_counting(desk, phrase) or _written(desk, phrase)
    element = element or _thing_of(desk, phrase, found)
    element = element or (_sheet_written_on(desk) if _WRITING.fullmatch(phrase.strip()) else None)
    if element is not None and kind_of(element) is Kind.COLUMN:
        # The heading of a column is not what its cells hold.
        element = cell_meant(desk, phrase) or element
    element = element or cell_meant(desk, phrase)
    if element is not None and (chosen := chosen_in_group(desk.elements, element)):
        return _Content(chosen)
    if element is None:
        element = _bar_called(desk, phrase) or entry_owned(desk, phrase)
    if element is None:
        element = recalled(desk, phrase) or _label_of(desk, found.description.name)
    if element is None:
        shown = part_meant(desk.elements, "")
        told = announced(shown, phrase) or led_to(shown, phrase)
        if told is None and _TOTAL.fullmatch(phrase.strip()) is not None:
            return _content(desk, "the total")
        return _Content(told[0] if told is not None else None, found.account())
    if element.role in _LEVELS and element.value:
        return _Content(element.value, level=True)
    element = _called_only(desk, element, phrase) or element
    told_of = _told(desk, element)
    called = fold(told_of).strip(" :：*") == fold(asked_for(phrase))
    if called and not _is_in_wide_row(desk, element):
        # It says only what it is called: what it is, stands beside it.
        beside = value_named(desk.elements, element, phrase)
        told_of = told_of if beside is None else text_of(beside, desk.elements)
    return _Content(told_of, "", kind_of(element) is Kind.PASSWORD)


def _is_in_wide_row(desk: Desk, element: Element) -> bool:
    """Whether it names a row of a table: all of the row is said of it, and not the next cell."""
    tree = Lineage(desk.elements)
    rows = [e for e in tree.above(element) if kind_of(e) is Kind.ROW]
    return any(sum(kind_of(x) is Kind.CELL for x in tree.below(row)) > PAIR for row in rows)


PAIR = 2
"""Cells of a row that are a name and what it is."""
_LEVELS = ("progress bar", "level bar")
_BAR = re.compile(r"the (?P<name>\S.*?) (?:progress )?(?:bar|meter|indicator|gauge)", re.IGNORECASE)


def _bar_called(desk: Desk, phrase: str) -> Element | None:
    """The one bar that tells how far something is, by its name."""
    found = _BAR.fullmatch(phrase.strip())
    bars = [e for e in part_meant(desk.elements, "") if e.role in _LEVELS]
    named = [e for e in bars if found and fold(e.name) == fold(found["name"].strip('"“”'))]
    return named[0] if len(named) == 1 else None


def _called_only(desk: Desk, element: Element, phrase: str) -> Element | None:
    """What a text tells that only says the name of what is asked for: `Total … $20.00`."""
    said = fold(asked_for(text_of(element, desk.elements)))
    if kind_of(element) is not Kind.TEXT or said != fold(asked_for(phrase)):
        return None
    return told_by(desk.elements, element)


def _written(desk: Desk, phrase: str) -> Element | None:
    """The text that one is writing in a program, be a page open behind it."""
    if _WRITING.fullmatch(phrase.strip()) is None:
        return None
    page = web_page(desk.elements)
    own = {e.id for e in children_of(desk.elements, page)} if page is not None else set()
    fields = [e for e in desk.elements if {"multi line", "editable", "focused"} <= set(e.states)]
    return fields[0] if len(fields) == 1 and fields[0].id not in own else None


def _sheet_written_on(desk: Desk) -> Element | None:
    """The one large field of a program that is all about writing."""
    if web_page(desk.elements) is not None:
        return None
    fields = [e for e in part_meant(desk.elements, "") if is_field(e) and e.box]
    large = [e for e in fields if e.box and e.box.height >= SHEET and kind_of(e) in FIELDS]
    return large[0] if len(large) == 1 else None


def but_its_label(desk: Desk, found: Found) -> Element | None:
    """Of a field or a drop-down and the text that says its name, which fit alike, the former."""
    if not is_there(found) or found.best is None:
        return None
    least = found.best.confidence - AHEAD
    rivals = [match.element for match in found.matches if match.confidence > least]
    kept = [e for e in rivals if kind_of(e) in FIELDS | {Kind.COMBO}]
    # What unfolds a field is called as the field is.
    # So is the head of a column: what is in a table is called by its row as well.
    heads = (Kind.TEXT, Kind.COLUMN)
    texts = [e for e in rivals if kind_of(e) in heads or "expandable" in e.states]
    texts = [e for e in texts if e not in kept]
    if len(kept) != 1 or len(texts) != len(rivals) - 1:
        return None
    names = {fold(written_on(e)).rstrip(" :：*") for e in texts}
    called = {fold(kept[0].name).strip(" :：*"), _label_on(desk, kept[0])}
    return kept[0] if names <= called else None


def _label_on(desk: Desk, field: Element) -> str:
    label = labels(tuple(desk.elements)).get(field.id)
    return "" if label is None else fold(written_on(label)).strip(" :：*")


def _field_in_use(desk: Desk) -> Element | None:
    """The field that the last step worked on, else the one with the keyboard, else the only one."""
    fields = [e for e in part_meant(desk.elements, "") if is_field(e) and e.box]
    worked = [e for e in fields if e.box == desk.worked]
    focused = [e for e in fields if "focused" in e.states]
    return next((some[0] for some in (worked, focused, fields) if len(some) == 1), None)


def _label_of(desk: Desk, name: str) -> Element | None:
    """The one label with these words among others: `Total price:` for the price."""
    words = set(re.findall(r"\w+", name.casefold()))
    fitting = [
        e
        for e in part_meant(desk.elements, "")
        if kind_of(e) is Kind.TEXT and (e.name or e.value or "").rstrip().endswith(_COLONS)
        if words and words <= set(re.findall(r"\w+", (e.name or e.value or "").casefold()))
    ]
    return fitting[-1] if len({(e.name or e.value) for e in fitting}) == 1 else None


def _told(desk: Desk, element: Element) -> str:
    """What a thing says; of a label what it labels, or (`Price:`) what stands beside it."""
    element = field_labelled(desk.elements, element) or element
    element = _drop_down_around(desk, element) or element
    element = defined(desk.elements, element) or element
    text = text_of(element, desk.elements)
    if kind_of(element) is Kind.COMBO and _says_what_is_chosen(desk, element):
        return element.name
    if kind_of(element) is Kind.COMBO and text in ("", element.name):
        # It is called by its label, and what is chosen is written in it.
        return _written_in(desk, element, element) or _around_it(desk, element) or text
    if kind_of(element) is Kind.COMBO and text in (several := _around_it(desk, element)).split(
        ", "
    ):
        # Of several that were chosen it tells only the last.
        return several
    if kind_of(element) in FIELDS and not text.strip():
        return _drawn_over(desk, element)
    if kind_of(element) is Kind.CELL:
        return _beside_buttons(desk, element) or text
    if text.rstrip().endswith(_COLONS):
        value = value_beside(desk.elements, element)
        amount = None if value is None else whole_amount(desk.elements, value)
        return text if value is None else amount or text_of(value, desk.elements)
    return text


def _says_what_is_chosen(desk: Desk, combo: Element) -> bool:
    """Whether a drop-down is named by what is chosen in it, as those of programs often are.

    A label beside it says what it is called, and it tells of no value. One of a page has its label
    as its name, or one of its own that it does not show.
    """
    label = labels(tuple(desk.elements)).get(combo.id)
    if label is None or combo.value or combo.source != "tree" or not combo.name.strip():
        return False
    if fold(combo.name).strip(" :：*") == fold(written_on(label)).strip(" :：*"):
        return False
    tree = Lineage(desk.elements)
    outermost = (combo, *tree.above(combo))[-1]
    holder = tree.by_id.get(outermost.parent or "")
    return holder is None or holder.role != "document web"


def _drop_down_around(desk: Desk, field: Element) -> Element | None:
    """The drop-down that an empty field is a part of: what was chosen stands beside the field."""
    if not is_field(field) or field_value(field) or kind_of(field) is Kind.COMBO:
        return None
    around = Lineage(desk.elements).above(field)
    return next((e for e in around if kind_of(e) is Kind.COMBO and within(field.box, e.box)), None)


def _written_in(desk: Desk, holder: Element, combo: Element) -> str:
    """What is written on a drop-down, but for its name and the signs that open or clear it."""
    known = labels(tuple(desk.elements))
    label = known.get(combo.id)
    names = {combo.name.strip(), written_on(label) if label is not None else ""}
    # What another one in it is called is not written in this one.
    own = [e for e in desk.elements if e.id in known and e.id != combo.id]
    others = {known[e.id].id for e in own if within(e.box, holder.box)}
    said = [
        written_on(e)
        for e in desk.elements
        if e.id != combo.id
        and e.id not in others
        and within(e.box, holder.box)
        and kind_of(e) is Kind.TEXT
        if e.box and holder.box and e.box.height <= holder.box.height
    ]
    kept = [text for text in said if text not in names and any(map(str.isalnum, text))]
    return ", ".join(dict.fromkeys(kept))


def _around_it(desk: Desk, combo: Element) -> str:
    """What is written in the box around a drop-down that is only the field for what is to come."""
    for holder in Lineage(desk.elements).above(combo)[:OUTER]:
        if holder.box is None or holder.box.height > HIGH or kind_of(holder) is not Kind.GROUP:
            return ""
        if said := _written_in(desk, holder, combo):
            return said
    return ""


def _drawn_over(desk: Desk, field: Element) -> str:
    """What a page writes on an empty field: what was chosen there, and is not typed into it."""
    if kind_of(field) is Kind.PASSWORD or field.box is None:
        return ""
    return " ".join(
        written_on(e)
        for e in desk.elements
        if kind_of(e) is Kind.TEXT and e.source in ("tree", "browser") and e.id != field.id
        if within(e.box, field.box) and e.box and e.box.height <= field.box.height
        # Not the signs there that clear it, or open its list.
        if any(map(str.isalnum, written_on(e)))
    )


def _beside_buttons(desk: Desk, cell: Element) -> str:
    """What a cell says beside the buttons in it: `2` between `-` and `+`."""
    tree = Lineage(desk.elements)
    held = tree.below(cell)
    buttons = [e for e in held if kind_of(e) is Kind.BUTTON]
    on_them = {x.id for e in buttons for x in (e, *tree.below(e))}
    said = [e for e in held if e.id not in on_them and kind_of(e) is Kind.TEXT]
    said = [e for e in said if e.source in ("tree", "browser") and not tree.below(e)]
    return " ".join(filter(None, map(written_on, said))) if buttons else ""
