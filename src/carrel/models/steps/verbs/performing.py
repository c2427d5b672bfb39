"""An application's own verbs: find the thing, what the screen offers under the verb, fill it in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from carrel.actions import Click, Key
from carrel.frames import Element
from carrel.geometry import Box
from carrel.geometry import Point as Spot
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.by_words import control_meant
from carrel.models.steps.finding.controls import (
    control_for,
    control_said,
    controls_for,
    finishing,
    is_more,
    more_of,
    waits,
)
from carrel.models.steps.finding.wishes import is_there, look_for, resolve, wished
from carrel.models.steps.language.plurals import EACH_TIME
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.floating import dialog_before
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.modals import dialogs_shown, modal_over
from carrel.models.steps.phrases.day_spans import with_whole_days
from carrel.models.steps.phrases.owners import owner_of
from carrel.models.steps.program import Perform, Point
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.reaching.reveal import out_of_sight
from carrel.models.steps.shown.entries import entry_of, tick_box_of
from carrel.models.steps.shown.panes import clear_of_parts
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.adding import (
    add_by_field,
    add_by_form,
    add_to_field,
    filter_column,
    note_in_field,
    show_only,
)
from carrel.models.steps.verbs.asked_back import answer_back, asked_back, is_answer_back
from carrel.models.steps.verbs.by_number import control_by_number
from carrel.models.steps.verbs.codes import by_code
from carrel.models.steps.verbs.consenting import consent
from carrel.models.steps.verbs.conversations import send_in_conversation
from carrel.models.steps.verbs.entering import fields_of, put
from carrel.models.steps.verbs.entry_controls import (
    control_around,
    control_following,
    control_in_entry,
    control_in_line,
    control_in_row,
    control_in_run,
    sign_around,
)
from carrel.models.steps.verbs.filing import file_away
from carrel.models.steps.verbs.filling import by_form, fill_form, finish, refuse_half
from carrel.models.steps.verbs.forms import by_label, fill_in
from carrel.models.steps.verbs.including import tick_what_is_included
from carrel.models.steps.verbs.kindred import choose_by_family
from carrel.models.steps.verbs.labelled_menus import filter_by_menu
from carrel.models.steps.verbs.marking import mark_by_answer, mark_by_choice
from carrel.models.steps.verbs.offers import best_of, refuse_other_sort, take_best
from carrel.models.steps.verbs.on_selected import done_to_selected, entry_boxes
from carrel.models.steps.verbs.owing import is_owed
from carrel.models.steps.verbs.own_fields import choose_into_field, write_into_field
from carrel.models.steps.verbs.plan_slots import enter_in_plan, take_in_plan
from carrel.models.steps.verbs.pointing import named, point
from carrel.models.steps.verbs.quantities import add_so_many, quantity_of
from carrel.models.steps.verbs.rating import rate
from carrel.models.steps.verbs.replying import reply_in_entry
from carrel.models.steps.verbs.rewording import reword
from carrel.models.steps.verbs.row_choices import choose_in_row
from carrel.models.steps.verbs.row_menus import by_row_menu
from carrel.models.steps.verbs.saving import save_in_program
from carrel.models.steps.verbs.seeking import search_field, search_for
from carrel.models.steps.verbs.selecting import box_for
from carrel.models.steps.verbs.sorting import sort_by
from carrel.models.steps.verbs.text_lines import add_line, delete_line
from carrel.models.steps.verbs.ticking import bring_to, is_on, switched, tick_off
from carrel.models.steps.verbs.told import take_told
from carrel.models.steps.verbs.told_forms import by_told_form, in_pairs
from carrel.models.steps.verbs.units import without_unit
from carrel.models.steps.verbs.whole_deeds import (
    do_wholly,
    in_what_came_up,
    name_what_is_made,
    refuse_unchosen,
)
from carrel.models.steps.verbs.windows import arrange, close_called, discard
from carrel.perception.labels import label_of, written_on
from carrel.perception.roles import FIELDS, TICKED, Kind, is_disabled, is_field, kind_of

__all__ = ["perform"]

_MARKED: Mapping[str, str] = {
    r"important|starred|a?\s?favou?rite|重要": "star",
    r"flagged": "flag",
    r"read|已读": "mark as read",
    r"unread|未读": "mark as unread",
    r"spam|junk": "spam",
    r"deleted|trash": "delete",
    r"done|complete[d]?|finished": "done",
}


_INDEFINITE = re.compile(r"(?:an?|some|another|new|\d+)\s|一[个封条份张篇项名位]", re.IGNORECASE)

_NEW = re.compile(
    r"^(?:(?:an?|some|another|the)\s+)?(?:new\s+)?|^一[个封条份张篇项名位]", re.IGNORECASE
)
_IT = r"it|this|that|them|the (?:message|reply|form|mail|e-?mail)|它|回复|消息|邮件"
_OWN_WAYS = (
    done_to_selected,
    name_what_is_made,
    in_pairs,
    rate,
    consent,
    save_in_program,
    discard,
    delete_line,
    add_line,
    file_away,
    reword,
    reply_in_entry,
    send_in_conversation,
    note_in_field,
    write_into_field,
    tick_what_is_included,
    add_to_field,
    enter_in_plan,
    take_in_plan,
    add_by_form,
    choose_into_field,
    add_by_field,
    choose_in_row,
    choose_by_family,
    mark_by_choice,
    mark_by_answer,
    filter_column,
    filter_by_menu,
    show_only,
    do_wholly,
)
_NAMELESS = re.compile(r"(?:the|this|my|our) (?:(?:whole|entire|current) )?[a-z]+")
_SIGNS_IN = frozenset({"log in", "login", "log on", "sign in"})
_MAKES = frozenset({"add", "create", "new", "make"})
"""Verbs that make what they are about: it need not be there yet."""
_BEGINS = _MAKES | {"compose", "write", "draft", "start", "begin", "raise"}
"""Verbs that make something or begin it, with what stands for them."""
_MAIL = re.compile(
    r"(?:an? |one |the )?(?:new )?e-?mail|(?:一封|封)?新?的?(?:邮件|信|信件)", re.IGNORECASE
)
_DENIES = frozenset({"forbid", "disallow", "prohibit", "ban", "deny", "revoke"})
"""Verbs by which a right is taken away."""
_CONSENTS = frozenset({"accept", "agree", "同意", "接受"})
_KEPT = frozenset(TICKED | FIELDS | {Kind.COMBO, Kind.SLIDER})
"""What a click changes."""


def perform(desk: Desk, step: Perform) -> Turns[str | None]:
    """Do it as the application offers it; what was pressed before its fields are filled is owed.

    So is the answer to a dialog that it opened.
    """
    if is_answer_back(step):
        return (yield from answer_back(desk, step))
    if step.what == EACH_TIME:
        # Said by itself, each time is now.
        step = replace(step, what=None)
    shown, commits = desk.elements, desk.commits
    told = yield from _offered(desk, step)
    if step.verb in _MAKES and not step.details and is_owed(desk, shown):
        desk.doubts.clear()
        desk.owed = step
    elif desk.commits != commits and not desk.finished:
        desk.owed = (yield from asked_back(desk, step, shown)) or desk.owed
    return told


def _offered(desk: Desk, step: Perform) -> Turns[str | None]:
    """Do it by the control that is called all that is said, too."""
    if step.verb in _DENIES:
        # Every other way would give what is to be taken.
        if not (yield from do_wholly(desk, step)):
            raise Missed(f"what is shown does not account for all of {desk.step!r}")
        return None
    if (step.what or step.details) and (said := control_said(desk)) is not None:
        return (yield from point(desk, Point(f'"{said}"')))
    before = desk.commits
    try:
        return (yield from _perform(desk, step))
    except Missed:
        away = step.verb != "sort" and desk.commits == before
        if away and (yield from by_told_form(desk, step, sure=False)):
            return None
        told = (yield from _out_of_sight(desk)) if away else None
        if told is None:
            raise
    yield from take_told(desk, told)
    return None


def _out_of_sight(desk: Desk) -> Turns[Element | None]:
    """The control that all the words tell, brought into sight."""
    if not desk.asked or web_page(desk.elements) is None:
        return None
    match = yield from out_of_sight(desk, wished(desk.asked))
    return None if match is None else match.element


def _by_all_words(desk: Desk, step: Perform) -> Turns[bool]:
    """All the words may tell one control: "pay by PayPal", "edit order 1043"."""
    own, told = controls_for(desk, step.verb), control_meant(desk.elements, desk.asked)
    if told is None or (own and told not in own):
        return False
    yield from take_told(desk, told)
    return True


def _perform(desk: Desk, step: Perform) -> Turns[str | None]:
    if step.verb == "sort":
        return (yield from sort_by(desk, step))
    step = _with_whole_days(desk, step)
    finished, desk.finished, desk.pressed = desk.finished, "", ""
    if _is_done(desk, step, finished):
        return f"the step before ended with {finished}"
    count, step = quantity_of(desk, by_code(desk, without_unit(desk, step)))
    if count is not None:
        yield from add_so_many(desk, step, count)
        return None
    if (yield from _in_its_own_way(desk, step)) or (yield from _by_all_words(desk, step)):
        return None
    lacks = step.what and not controls_for(desk, step.verb)
    if lacks and (yield from by_row_menu(desk, step.words)):
        # A click on an entry only opens it; what is done to it is in its menu.
        return None
    step = _meant(step)
    step = replace(step, details=by_label(desk, step.details))
    best = best_of(step.what or "")
    if best is not None:
        refuse_other_sort(desk, step.what or "")
        if step.details:
            yield from fill_form(desk, step)
            yield from finish(desk, "search")
        return (yield from take_best(desk, step.verb, best))
    if (yield from _by_any_form(desk, step)):
        return None
    refuse_half(desk, step)
    refuse_unchosen(desk, step)
    yield from _by_control(desk, step)
    told = all(_is_said_by(desk.pressed, text) for _, text in step.details)
    if not told and (yield from in_what_came_up(desk, step)):
        return None
    left = [detail for detail in step.details if not _is_said_by(desk.pressed, detail[1])]
    if left:
        yield from fill_in(desk, left)
        yield from finish(desk, step.verb)
    return None


def _with_whole_days(desk: Desk, step: Perform) -> Perform:
    """The same where the first of two days leaves its month to the second."""
    whole = with_whole_days(desk.step)
    if whole == desk.step or step.what is None:
        return step
    desk.step = whole
    details = tuple(
        (word, day["day"] if word in ("from", "between") and (day := _FIRST_DAY(whole)) else text)
        for word, text in step.details
    )
    return replace(step, details=details)


_FIRST_DAY = re.compile(
    r"\b(?:from|between) (?P<day>.+?) (?:to|until|till|through|and|[-–]) "
).search


def _by_control(desk: Desk, step: Perform) -> Turns[None]:
    """Use what stands for the verb: on the thing, in a form that is filled, or by itself."""
    if step.what is not None and (yield from _is_there(desk, step)):
        if step.verb == "search" and not step.details and owner_of(step.what):
            return  # to look for what can be seen is to find it
        yield from _use_on(desk, step)
    elif _is_signed_in_by_form(desk, step):
        yield from finish(desk, step.verb)
    elif step.what is None and desk.worked and not controls_for(desk, step.verb):
        _refuse_behind(desk, desk.worked, step.verb)
        yield from _open(desk, desk.worked.center, step.verb)
        if not (yield from choose_by_family(desk, step, opened=True)):
            yield from _use(desk, step.verb)
    else:
        before = desk.elements
        yield from _use(desk, step.verb)
        _doubt_made(desk, step, before)


def _is_signed_in_by_form(desk: Desk, step: Perform) -> bool:
    """Whether all that is left of signing in is to send the form, whatever its button says."""
    if step.verb not in _SIGNS_IN or step.what or step.details or controls_for(desk, step.verb):
        return False
    secret = [e for e in fields_of(desk) if kind_of(e) is Kind.PASSWORD]
    return len(secret) == 1 and bool(secret[0].value)


def _by_any_form(desk: Desk, step: Perform) -> Turns[bool]:
    sure = not _is_own_text(desk, step)
    return (yield from by_told_form(desk, step, sure=sure)) or (yield from by_form(desk, step))


def _is_own_text(desk: Desk, step: Perform) -> bool:
    """Whether it is about a text in quotes that no thing is called: a field has to get it."""
    quoted = bool(step.details) and re.fullmatch(r"[\"“][^\"”]+[\"”]", step.what or "")
    return bool(quoted) and not is_there(look_for(desk, wished(step.what or ""), want="read"))


def _doubt_made(desk: Desk, step: Perform, before: Sequence[Element]) -> None:
    """Doubt that a control made what it does not name, where nothing came of it that does.

    A form or a dialog that came up will ask for it.
    """
    made = _NEW.sub("", step.what or "")
    if not made or _is_said_by(desk.pressed, made):
        return
    known = {(e.role, e.name, e.box) for e in before}
    new = [e for e in desk.elements if (e.role, e.name, e.box) not in known]
    asks = any(is_field(e) or e.role in ("dialog", "alert", "file chooser") for e in new)
    if not asks and not any(_is_said_by(e.name, made) for e in new):
        desk.doubt(f"nothing tells that {step.verb} was about {step.what}")


def _is_said_by(name: str, text: str) -> bool:
    """Whether a control says a particular itself: "Add to wish list"."""
    words = set(re.findall(r"\w+", text.casefold())) - {"the", "my", "a", "an", "your", "this"}
    return bool(words) and words <= set(re.findall(r"\w+", name.casefold()))


def _is_done(desk: Desk, step: Perform, finished: str) -> bool:
    """Whether the step before did it already: "reply …, and send it" is one thing to the screen."""
    what = step.what or "it"
    named_so = re.fullmatch(_IT, what, re.IGNORECASE) or _is_said_by(finished, what)
    if not finished or step.details or not named_so:
        return False
    words = finished.casefold().split()
    return bool({step.verb.casefold(), desk.said} & {*words, finished.casefold()})


def _in_its_own_way(desk: Desk, step: Perform) -> Turns[bool]:
    """Search with the field for it, and rename with the one that comes up; whether it is that."""
    for way in (*_OWN_WAYS, _in_its_entry):
        if (yield from way(desk, step)):
            return True
    if step.verb in ("maximize", "minimize", "restore") and not step.details:
        return (yield from arrange(desk, step.verb, step.what))
    if step.verb == "close" and step.what is not None and not step.details:
        return (yield from _close(desk, step, step.what))
    if step.verb == "cancel" and step.what is not None and not step.details:
        return "取消" in desk.step and (yield from switched(desk, step.what, on=False))
    if step.verb == "search" and step.what is not None and not step.details:
        field = search_field(desk)
        if field is None or best_of(step.what) is not None:
            return False
        yield from search_for(desk, field, step.what)
        return True
    if step.verb == "rename" and step.what is not None and len(step.details) == 1:
        yield from _rename(desk, step, step.details[0][1])
        return True
    if step.verb in ("mark", "set") and step.what is not None and len(step.details) == 1:
        return (yield from tick_off(desk, step.what, step.details[0][1]))
    given = _given(desk, step)
    if given is not None:
        yield from put(desk, given[0], given[1], why=f"what to {step.verb}")
        yield from _use(desk, step.verb)
        return True
    return False


def _close(desk: Desk, step: Perform, what: str) -> Turns[bool]:
    """Switch off, press what a page has for it, or close a window; whether it is one of these."""
    if "关" in desk.step and (yield from switched(desk, what, on=False)):
        return True
    own = [e for e in controls_for(desk, "close") if _is_said_by(e.name, what)]
    if len(own) == 1 and not _is_said_by("window tab page dialog browser", what):
        # No window is meant that is called so, too.
        yield from _press(desk, own[0], step.verb)
        return True
    return (yield from close_called(desk, what))


def _in_its_entry(desk: Desk, step: Perform) -> Turns[bool]:
    """Press the verb's control in the entry that says what is meant; whether there is one."""
    what = step.what or ""
    control = control_in_row(desk, step.verb, what) or control_in_run(desk, step.verb, what)
    if control is not None and not all(_is_said_by(control.name, d[1]) for d in step.details):
        control = None
    if what and not step.details and control is None:
        control = yield from control_by_number(desk, step.verb, what)
    if what and not step.details:
        control = control_in_entry(desk, step.verb, what) or control
    if control is not None:
        refuse_unchosen(desk, step)
        yield from _press(desk, control, step.verb)
    return control is not None


def _given(desk: Desk, step: Perform) -> tuple[Element, str] | None:
    """The field for "the coupon SPRING10", and what goes into it; None where it means a thing."""
    words = re.sub(r"^(?:the|an?|my)\s+", "", step.what or "", flags=re.IGNORECASE).split()
    if step.details or len(words) < 2 or not controls_for(desk, step.verb):
        return None
    if is_there(look_for(desk, wished(step.what or ""), want="read")):
        return None
    for at in range(len(words) - 1, 0, -1):
        label, text = " ".join(words[:at]), " ".join(words[at:]).strip("\"“”'")
        fields = [e for e in fields_of(desk) if _begins_with(desk, e, label)]
        if len(fields) == 1 and any(char.isdigit() or char.isupper() for char in text):
            return fields[0], text
    return None


def _begins_with(desk: Desk, field: Element, label: str) -> bool:
    """Whether a field is called by these words, whatever follows them."""
    above = label_of(field, desk.elements)
    names = (field.name, written_on(above) if above is not None else "")
    return any(re.match(rf"{re.escape(label)}(?!\w)", name, re.IGNORECASE) for name in names)


def _rename(desk: Desk, step: Perform, name: str) -> Turns[None]:
    """The control for it, then the new name into the field that comes up, then finish."""
    yield from _is_there(desk, step)
    known = {(e.role, e.name, e.box) for e in desk.elements if is_field(e)}
    yield from _use_on(desk, step)
    field: Element | None = None
    for pause in (0.0, 0.3, 0.7):
        if pause:
            yield from desk.again(pause, why="where the new name goes")
        new = [e for e in fields_of(desk) if (e.role, e.name, e.box) not in known]
        focused = [e for e in new or fields_of(desk) if "focused" in e.states]
        field = new[0] if len(new) == 1 else focused[0] if len(focused) == 1 else None
        if field is not None:
            break
    if field is None:
        raise Missed(f"no field for the new name came up when {step.what} was to be renamed")
    shown = desk.elements
    yield from put(desk, field, name.strip("\"“”'"), why="the new name")
    control = finishing(desk, "rename")
    if control is not None and control.box is not None and _is_new(control, shown, known):
        at = control.box.center
        yield from desk.do(Click(at.x, at.y), why=f"finish with {named(control)}", last=True)
    else:
        yield from desk.do(Key(("enter",)), why="finish with Enter", last=True)
    yield from desk.effect()


def _is_new(
    control: Element, shown: Sequence[Element], known: set[tuple[str, str, Box | None]]
) -> bool:
    """Whether it is what ends the form that came up, and no control that was there before."""
    return (control.role, control.name, control.box) not in known and any(
        (e.role, e.name, e.box) == (control.role, control.name, control.box) for e in shown
    )


def _meant(step: Perform) -> Perform:
    """`mark X as important` is to star it, and to create a mail is to write one."""
    if step.verb in _MAKES and not step.details and _MAIL.fullmatch(step.what or ""):
        return replace(step, verb="compose", what=None)
    if step.verb not in ("mark", "set") or len(step.details) != 1 or step.details[0][0] != "as":
        return step
    for words, verb in _MARKED.items():
        if re.fullmatch(words, step.details[0][1].strip(), re.IGNORECASE):
            return replace(step, verb=verb, details=())
    return step


def _is_there(desk: Desk, step: Perform) -> Turns[bool]:
    """Whether the thing is on the screen; what is only made by the verb need not be."""
    assert step.what is not None
    indefinite = _INDEFINITE.match(step.what)
    if indefinite and step.verb in _BEGINS and len(controls_for(desk, step.verb)) == 1:
        # No such thing that is there is meant, whatever goes by that name.
        return False
    if indefinite and resolve(desk, look_for(desk, wished(step.what), want="read")) is None:
        return False
    known = resolve(desk, look_for(desk, wished(step.what), want="read"))
    if known is None and step.verb in _MAKES and len(controls_for(desk, step.verb)) == 1:
        return False
    if known is None and _NAMELESS.fullmatch(step.what) and _only_for(desk, step):
        return False
    if known is None and _is_of_all(desk, step):
        desk.doubt(f"nothing that is shown is called {step.what}")
        return False
    if known is None and _is_spread(desk, step.what) and controls_for(desk, step.verb):
        return False
    match = yield from ground(desk, step.what, want="read")
    desk.worked = match.element.box
    return True


def _is_spread(desk: Desk, phrase: str) -> bool:
    """Whether the screen says each word of it, here and there: it is what all of it is about.

    A name of several words is only said where they stand together.
    """
    texts = [written_on(e) for e in part_meant(desk.elements, "")]
    for name in re.findall(r"[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)+", phrase):
        if not any(name.casefold() in text.casefold() for text in texts):
            return False
    words = set(re.findall(r"\w+", phrase.casefold())) - {"the", "a", "an", "some", "of"}
    shown = " ".join(e.name or e.value or e.text for e in part_meant(desk.elements, ""))
    return bool(words) and words <= set(re.findall(r"\w+", shown.casefold()))


def _use_on(desk: Desk, step: Perform) -> Turns[None]:
    """The verb's control next to the thing, behind it, or in the menu it has."""
    assert step.what is not None
    control = control_for(desk, step.verb, near=True) or control_around(desk, step.verb)
    control = control or _only_one(desk, step)
    for told in (sign_around, control_in_line, control_following):
        control = control or told(desk, step.verb)
    if control is None and (more := more_of(desk)) is not None and more.box is not None:
        at = more.box.center
        _refuse_behind(desk, more.box, step.verb)
        yield from desk.do(Click(at.x, at.y), why=f"what {named(more)} has", commits=False)
        control = control_for(desk, step.verb, near=False)
    if control is not None:
        yield from _press(desk, control, step.verb)
        return
    match = yield from ground(desk, step.what, want="read")
    if kind_of(match.element) in TICKED and step.verb.casefold() in _CONSENTS:
        yield from bring_to(desk, match.element, True, f"{step.verb} is to tick it")
        return
    box = box_for(desk, match.element)
    if box is not None and (controls_for(desk, step.verb) or waits(desk.elements, step.verb)):
        # It is about what is selected: this one, and nothing else.
        yield from _only_ticked(desk, box, step.verb)
        yield from _use(desk, step.verb)
        return
    if match.element.box is not None:
        _refuse_behind(desk, match.element.box, step.verb)
    if web_page(desk.elements) is None:
        item = yield from _in_its_menu(desk, match.point, step.verb)
        if item is not None:
            yield from _press(desk, item, step.verb)
            return
    new = yield from _open(desk, match.point, step.verb)
    now = same_as(desk.elements, match.element)
    if not new and controls_for(desk, step.verb) and not (now is not None and is_on(now)):
        # What was there all along may be about something else.
        desk.doubt(f"nothing tells that {step.verb} was about {step.what}")
        if new is None:
            raise Missed(f"no control to {step.verb} {step.what} with, next to it or behind it")
    if not (yield from choose_by_family(desk, step, opened=True)):
        yield from _use(desk, step.verb)


def _is_of_all(desk: Desk, step: Perform) -> bool:
    """Whether the one button for a verb is about the whole page, and a mere noun means that."""
    controls = controls_for(desk, step.verb)
    named_so = _NAMELESS.fullmatch(step.what or "") is not None and step.details != ()
    alone = len(controls) == 1 and kind_of(controls[0]) is Kind.BUTTON
    return named_so and alone and entry_of(desk.elements, controls[0]) is None


def _only_for(desk: Desk, step: Perform) -> bool:
    """Whether the one control for a verb says what it is done to itself: `Next song`."""
    controls = controls_for(desk, step.verb)
    return len(controls) == 1 and _is_said_by(written_on(controls[0]), step.what or "")


def _only_one(desk: Desk, step: Perform) -> Element | None:
    """The only control for a verb, where the thing has no name: it is what the page is about."""
    controls = controls_for(desk, step.verb)
    if len(controls) != 1 or not _NAMELESS.fullmatch(step.what or ""):
        return None
    return controls[0] if entry_of(desk.elements, controls[0]) is None else None


def _in_its_menu(desk: Desk, at: Spot, verb: str) -> Turns[Element | None]:
    """What stands for a verb in the menu that a thing of a program has for itself, if one does."""
    known = {(e.role, e.name, e.box) for e in desk.elements}
    why = f"whether its menu has {verb}"
    yield from desk.do(Click(at.x, at.y, "right"), why=why, commits=False)
    new: list[Element] = []
    for pause in (0.2, 0.5):
        new = [e for e in desk.elements if (e.role, e.name, e.box) not in known]
        fitting = controls_for(desk, verb, new) if new else []
        if len(fitting) == 1:
            return fitting[0]
        yield from desk.again(pause, why="its menu may take a moment")
    if any(kind_of(e) is Kind.MENU_ITEM for e in new):
        yield from desk.do(Key(("escape",)), why="close it again", commits=False)
    return None


def _only_ticked(desk: Desk, box: Element, verb: str) -> Turns[None]:
    """Select one entry by its box.

    Raises:
        Missed: Others are selected as well; what is done would be done to them, too.
    """
    yield from bring_to(desk, box, True, f"{verb} is about what is selected")
    entry = entry_of(desk.elements, box)
    parent = entry.parent if entry is not None else None
    peers = [e for e in desk.elements if e.parent == parent and kind_of(e) is kind_of(entry or e)]
    boxes = [tick_box_of(desk.elements, e) for e in peers] if entry else entry_boxes(desk)
    others = [e for e in boxes if e is not None and is_on(e) and e.box != box.box]
    if others:
        raise Missed(f"{', '.join(map(named, others[:4]))} selected as well: {verb} all of them?")


def _refuse_behind(desk: Desk, place: Box, verb: str) -> None:
    """Click nothing behind an open dialog to look for something: that may answer the dialog.

    Raises:
        Missed: It is behind one.
    """
    if (over := dialog_before(desk.elements, place)) is not None:
        raise Missed(f"no control to {verb} with in the dialog {named(over)}, which is open")


def _open(desk: Desk, at: Spot, verb: str) -> Turns[bool | None]:
    """Open the thing at a point; whether that brought what stands for the verb, None if nothing."""
    here = [e for e in desk.elements if e.box is not None and e.box.contains(at)]
    kept = next((e for e in here if kind_of(e) in _KEPT or _is_mere_sign(e)), None)
    if kept is not None:
        # A click would change it, or do what it stands for, and open nothing.
        raise Missed(f"no control to {verb} with; {named(kept)} is not opened for it")
    before = {(e.name, e.box) for e in controls_for(desk, verb)}
    why = f"open it: {verb} is not next to it"
    yield from desk.do(Click(at.x, at.y), why=why, commits=False)
    changed = desk.changed
    for pause in (0.0, 0.2, 0.5):
        if pause:
            yield from desk.again(pause, why="it is opening")
        if any((e.name, e.box) not in before for e in controls_for(desk, verb)):
            return True
    return False if changed else None


def _is_mere_sign(element: Element) -> bool:
    """Whether it is a button with but a sign on it."""
    button = kind_of(element) is Kind.BUTTON and bool(element.name.strip())
    return button and not any(map(str.isalnum, element.name)) and not is_more(element)


def _use(desk: Desk, verb: str) -> Turns[None]:
    """Click what stands for a verb."""
    if verb == "confirm" and dialogs_shown(desk.elements):
        # Browsers take no answer to a question that has just come up.
        yield from desk.again(0.6, why="it has to be there for a moment")
    control = control_for(desk, verb, near=False)
    if control is None and (yield from desk.closer()):
        control = control_for(desk, verb, near=False)
    if control is None:
        control = (yield from ground(desk, verb)).element
    yield from _press(desk, control, verb)


def _press(desk: Desk, control: Element, verb: str) -> Turns[None]:
    assert control.box is not None
    if (over := modal_over(desk.elements, control)) is not None:
        raise Missed(f"{named(control)} is behind the dialog {named(over)}")
    if is_disabled(control):
        raise Missed(f"{named(control)} is there, but disabled")
    control = yield from clear_of_parts(desk, control)
    assert control.box is not None
    at = control.box.center
    yield from desk.do(Click(at.x, at.y), why=f"{named(control)} stands for {verb}")
    desk.pressed = control.name
    yield from desk.effect()
