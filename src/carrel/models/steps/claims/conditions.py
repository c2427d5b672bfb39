"""Whether something is so on the screen."""

from __future__ import annotations

import re

from carrel.actions import StatFile
from carrel.frames import Element
from carrel.models.steps.claims.absences import cannot_count, cannot_tell, nearest_text, row_beyond
from carrel.models.steps.claims.all_seen import (
    PAUSE,
    look_again,
    not_all_seen,
    rests_on_absence,
)
from carrel.models.steps.claims.badges import badge_of, badged_name
from carrel.models.steps.claims.by_records import told_by_records
from carrel.models.steps.claims.chosen import is_chosen, under_drawing
from carrel.models.steps.claims.comparing import compare, read_number
from carrel.models.steps.claims.contents import content_absent, has_content
from carrel.models.steps.claims.copied import clipboard_holds, is_clipboard
from carrel.models.steps.claims.displays import is_display
from carrel.models.steps.claims.done_marks import done_by_box, says_done
from carrel.models.steps.claims.figures import row_saying, told_by_figure
from carrel.models.steps.claims.figures_zh import is_as_told_zh
from carrel.models.steps.claims.files import UNREADABLE, file_meant, in_file
from carrel.models.steps.claims.messages import is_any_message, message_fits
from carrel.models.steps.claims.on_display import as_on_display
from carrel.models.steps.claims.only_these import has_only
from carrel.models.steps.claims.orders import in_order
from carrel.models.steps.claims.outputs import printed
from carrel.models.steps.claims.placements import (
    comes_and_goes,
    is_any_dialog,
    is_drawn_dialog,
    is_question,
    lies_so,
    placed,
)
from carrel.models.steps.claims.said_together import saying
from carrel.models.steps.claims.sheets import meant_cell, shown_in_cell
from carrel.models.steps.claims.some_list import in_some_list
from carrel.models.steps.claims.states import is_so, meant_by, state_untold, status_untold
from carrel.models.steps.claims.tallies import counted_things, is_any_text
from carrel.models.steps.claims.told_counts import told_count
from carrel.models.steps.claims.whole_page import (
    come_to_whole,
    is_by_number,
    is_of_one_table,
    on_whole_page,
)
from carrel.models.steps.claims.window_claims import (
    as_window,
    counted_windows,
    title_meant,
    windows_of,
)
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.bounds import bounded, not_told
from carrel.models.steps.finding.held_entries import entry_naming
from carrel.models.steps.finding.lines_beside import lines_beside
from carrel.models.steps.finding.windowed import (
    has_dialog_window,
    in_named_window,
    is_shown_window,
    is_title,
    is_without,
    last_line,
    looked_into,
    only_window,
    program_gone,
    program_open,
    texts_of_window,
    title_in_front,
)
from carrel.models.steps.finding.wishes import (
    Wish,
    all_fitting,
    is_there,
    look_for,
    resolve,
    wished,
)
from carrel.models.steps.language.held import told_values
from carrel.models.steps.layout.chrome import part_meant, web_page
from carrel.models.steps.layout.entry_rows import ENTRIES
from carrel.models.steps.layout.later import same_as
from carrel.models.steps.layout.modals import dialogs_shown
from carrel.models.steps.phrases.programs import bare, kind_called
from carrel.models.steps.program import (
    Compare,
    Condition,
    Count,
    Every,
    Exists,
    Has,
    Is,
    Not,
    Only,
    Said,
    Shows,
    Sorted,
    WindowOpen,
    Within,
)
from carrel.models.steps.shown.captions import TEXTS
from carrel.models.steps.shown.front import open_windows
from carrel.models.steps.shown.pieces import joined_texts
from carrel.models.steps.shown.reading import chosen_of, fold, text_of
from carrel.models.steps.shown.titles import fitting_windows, told_windows, window_said
from carrel.models.steps.turns import Missed, Turns
from carrel.perception.find import Found
from carrel.perception.roles import CONTROLS, Kind, is_field, kind_of

__all__ = ["absent", "compare", "counted_things", "holds", "read_number"]

_ARTICLE = re.compile(r"^(?:the|an?|any|some)\s+(?=\S)")
LOOKS = 2
"""More of them at a screen that was not seen whole."""
DIGITS = 2
"""Letters of a number that no key of a calculator shows."""
_NO_WINDOW = frozenset({Kind.TAB, Kind.TEXT, Kind.BUTTON, Kind.LINK, Kind.MENU, Kind.MENU_ITEM})


_SEVERAL = re.compile(r"\d+ elements fit ")


def holds(desk: Desk, condition: Condition, *, closer: bool = False) -> Turns[tuple[bool, str]]:
    """Whether it is so now, and what is there instead.

    With `closer` the pixels are read too, where the applications do not say it. What is counted
    is counted over all of a page. That something is not there is so only when all was seen.
    """
    so, told = yield from _over_all(desk, condition, closer)
    if not so or not rests_on_absence(condition):
        return so, told
    for _ in range(LOOKS):
        if not look_again(desk, condition):
            break
        if desk.seen.closer:
            yield from desk.again(PAUSE, why="not all of the screen was seen")
        yield from desk.closer()
        so, told = yield from _over_all(desk, condition, closer)
        if not so:
            return so, told
    unseen = not_all_seen(desk, condition)
    return (True, told) if unseen is None else (False, unseen)


def _over_all(desk: Desk, condition: Condition, closer: bool) -> Turns[tuple[bool, str]]:
    """Whether it is so, as far as can be seen."""
    if desk.whole is None and is_by_number(condition) and (yield from come_to_whole(desk)):
        with on_whole_page(desk):
            so, told = yield from _holds(desk, condition, closer=closer)
        if so or _SEVERAL.match(told) is None or not is_of_one_table(desk, condition):
            return so, told
    return (yield from _holds(desk, condition, closer=closer))


def _holds(desk: Desk, condition: Condition, *, closer: bool) -> Turns[tuple[bool, str]]:
    if (hidden := (yield from _under_drawing(desk, condition))) is not None:
        return hidden
    if isinstance(condition, Count) and (figure := told_by_figure(desk, condition)) is not None:
        return figure
    so, told = yield from _as_placed(desk, condition, closer)
    if not so and isinstance(condition, Has) and content_absent(desk, condition) is not None:
        told_so = told_by_figure(desk, condition) or is_as_told_zh(desk.elements, condition)
        return told_so or (so, told)
    return so, told


def _as_placed(desk: Desk, condition: Condition, closer: bool) -> Turns[tuple[bool, str]]:
    condition = in_named_window(placed(desk, as_on_display(desk, as_window(desk, condition))))
    inner = condition.condition if isinstance(condition, Within) else condition
    if isinstance(inner, Has) and (output := printed(desk, inner.what)) is not None:
        return compare(output, inner.how, inner.text), f"{output!r} was printed, not {inner.text!r}"
    if isinstance(inner, Has) and (line := (yield from last_line(desk, inner.what))) is not None:
        return compare(
            line, inner.how, inner.text
        ), f"the last line is {line!r}, not {inner.text!r}"
    if isinstance(condition, Within):
        return (yield from _inside(desk, condition, closer))
    if isinstance(condition, Not):
        return (yield from _opposite(desk, condition.condition, closer))
    if isinstance(condition, Every):
        return (yield from _every(desk, condition, closer))
    if isinstance(condition, Compare):
        so = compare(condition.left, condition.how, condition.right)
        return so, f"{condition.left!r} against {condition.right!r}"
    if (known := (yield from _of_desktop(desk, condition, closer))) is not None:
        return known
    so, told = _on_screen(desk, condition)
    # That there are none is known only when the pixels were read, too.
    none = so and isinstance(condition, Count) and not all_fitting(desk, condition.what)
    if (none or (not so and closer)) and (yield from desk.closer()):
        so, told = _on_screen(desk, condition)
    if not so and (yield from _in_windows(desk, condition)):
        return True, told
    if not so and (elsewhere := _told_otherwise(desk, condition)) is not None:
        return True, elsewhere
    return so, told


def _told_otherwise(desk: Desk, condition: Condition) -> str | None:
    """What says that it is so, where the thing itself does not."""
    if (said := message_fits(desk, condition)) is not None:
        return f"a message says {said!r}"
    if not isinstance(condition, Has):
        return None
    if not _stands_somewhere(desk, condition):
        return None
    what = _ARTICLE.sub("", condition.what)
    desk.doubt(f"nothing is called {what}; {condition.text!r} stands on the screen")
    return f"{condition.text!r} can be seen"


def _is_said(desk: Desk, claim: str, closer: bool) -> Turns[tuple[bool, str]]:
    """Whether one place of the screen says all the words of a claim that no rule reads."""
    text = _saying(desk, claim)
    if text is None and closer and (yield from desk.closer()):
        text = _saying(desk, claim)
    if text is None:
        return False, f"nothing on the screen says all of “{claim}”"
    desk.doubt(f"it was held against the words {text[:200]!r}")
    return True, f"{text!r} can be seen"


def _saying(desk: Desk, claim: str) -> str | None:
    shown = desk.elements
    text = saying(shown, claim)
    if text is not None or told_values(claim) is not None:
        # Values belong to their labels: that a record holds both says nothing of it.
        return text
    return row_saying(shown, claim) or told_by_records(shown, claim)


_OWNED = re.compile(r"\b(?:of|from|by|for)\s|['’]s\s|的", re.IGNORECASE)


def _stands_somewhere(desk: Desk, condition: Has) -> bool:
    """Whether a quoted text of some words is there, of a thing that nothing is called as.

    What a person calls a counter, a caption or a hint has no such name on the screen.
    """
    quoted = re.search(rf"[\"“]{re.escape(condition.text)}[\"”]", desk.step) is not None
    if not quoted or condition.how not in ("equals", "contains") or " " not in condition.text:
        return False
    if not is_display(condition.what) and content_absent(desk, condition) is None:
        return False
    program = kind_called(condition.what) is not None or window_said(condition.what) is not None
    if _OWNED.search(condition.what) or (program and web_page(desk.elements) is None):
        # Of another one, or in the window of another, it may well stand there.
        return False
    return _shows(desk, f'"{condition.text}"')[0]


def _taken(desk: Desk, condition: Has) -> Turns[tuple[bool, str] | None]:
    """Whether a closed drop-down is set to it: what is chosen there is told out of sight only."""
    match = resolve(desk, look_for(desk, wished(condition.what), want="read"))
    if match is None or kind_of(match.element) is not Kind.COMBO:
        return None
    if match.element.value or chosen_of(match.element, desk.elements):
        return None
    yield from desk.again(0, why="what is chosen", hidden=True)
    now = same_as(desk.unseen, match.element)
    chosen = chosen_of(now, desk.unseen) if now is not None else ""
    so = bool(chosen) and compare(chosen, condition.how, condition.text)
    if not chosen or (not so and condition.how != "equals"):
        return None
    return so, f"{condition.what} holds {chosen!r}, not {condition.text!r}"


def _in_windows(desk: Desk, condition: Condition) -> Turns[bool]:
    """Whether it is so of a window, where no element of the screen says it."""
    if isinstance(condition, Has):
        return (yield from _in_program(desk, condition))
    if not isinstance(condition, Shows):
        return False
    if desk.scope is None and (yield from is_shown_window(desk, condition.what)):
        return True
    return is_any_dialog(condition.what) and (yield from has_dialog_window(desk))


def _under_drawing(desk: Desk, condition: Condition) -> Turns[tuple[bool, str] | None]:
    """Whether something is ticked, of what a page hides under a drawing, or done by its box."""
    if isinstance(condition, Has):
        return done_by_box(desk, condition)
    if not isinstance(condition, Is) or condition.state != "checked":
        return None
    drawn = yield from under_drawing(desk, condition.what)
    if drawn is None:
        return None
    so = bool(is_chosen(desk, drawn, condition.state))
    return so, f"{condition.what} is {'' if so else 'not '}{condition.state}"


def _of_desktop(desk: Desk, condition: Condition, closer: bool) -> Turns[tuple[bool, str] | None]:
    """Whether it is so, of what is no one element: windows, files, cells of a sheet, mere words."""
    if isinstance(condition, Said):
        return (yield from _is_said(desk, condition.claim, closer))
    if isinstance(condition, WindowOpen):
        return (yield from _window(desk, condition.title))
    if isinstance(condition, Exists):
        return (yield from _exists(desk, condition.path, closer))
    if isinstance(condition, Has) and (address := meant_cell(desk, condition.what)) is not None:
        text = yield from shown_in_cell(desk, address)
        so = compare(text, condition.how, condition.text)
        return so, f"{address} shows {text!r}, not {condition.text!r}"
    if isinstance(condition, Has) and (off := (yield from _off_screen(desk, condition))):
        return off
    if isinstance(condition, Has) and (named := (yield from title_meant(desk, condition))):
        so = compare(named, condition.how, condition.text)
        return so, f"that window is titled {named!r}, not {condition.text!r}"
    if isinstance(condition, Has) and is_title(condition.what):
        title = yield from title_in_front(desk)
        so = compare(title, condition.how, condition.text)
        return so, f"the window in front is titled {title!r}, not {condition.text!r}"
    if (counted := (yield from counted_windows(desk, condition))) is not None:
        return counted
    if isinstance(condition, Shows):
        is_open = yield from program_open(desk, condition.what)
        if (
            is_open is None
            and (windows := (yield from windows_of(desk, condition.what))) is not None
        ):
            is_open = bool(windows)
        if is_open is not None:
            return is_open, f"{condition.what} {'can be seen' if is_open else 'is not open'}"
    return (yield from _taken(desk, condition)) if isinstance(condition, Has) else None


def _exists(desk: Desk, path: str, closer: bool) -> Turns[tuple[bool, str]]:
    """Whether there is a file; one without a folder may be in the one that is shown."""
    results = yield from desk.attempt(StatFile(path), why="look", commits=False)
    there = bool(results and results[0].ok)
    if not there and "/" not in path and (yield from looked_into(desk, "the file manager")):
        return (yield from holds(desk, Shows(f'"{path}"'), closer=closer))
    return there, f"there is no {path}"


def _in_program(desk: Desk, condition: Has) -> Turns[bool]:
    """Whether a program that is called by its kind shows a text in its window."""
    kind = kind_called(condition.what)
    if kind is None or condition.how not in ("contains", "equals"):
        return False
    if kind.name == "calculator" and len(condition.text) < DIGITS:
        # Each of its keys says as much.
        return False
    found = yield from looked_into(desk, condition.what)
    if found is not None:
        yield from desk.closer()
    texts = [] if found is None else texts_of_window(desk, *found)
    if kind.name == "calculator":
        texts = [word for text in texts for word in re.split(r"[\s=]+", text)]
        return condition.text in texts
    return any(compare(text, condition.how, condition.text) for text in texts)


def _inside(desk: Desk, condition: Within, closer: bool) -> Turns[tuple[bool, str]]:
    """Whether something is so in a place: what lies anywhere else does not count."""
    window = yield from looked_into(desk, condition.place)
    if window is not None:
        if closer:
            yield from desk.closer()
        with only_window(desk, *window):
            return (yield from holds(desk, condition.condition, closer=closer))
    missing = not_told(desk, condition.place)
    if missing is not None and closer and (yield from desk.closer()):
        missing = not_told(desk, condition.place)
    if missing is not None:
        shown = in_some_list(desk, condition)
        if shown:
            desk.doubt(missing)
        return bool(shown), missing
    with bounded(desk, condition.place):
        so, told = yield from holds(desk, condition.condition, closer=closer)
    return so, told if so else f"{told} (in {condition.place})"


def _opposite(desk: Desk, condition: Condition, closer: bool) -> Turns[tuple[bool, str]]:
    """Whether something is not so: of a thing that is not there, nothing can be said."""
    condition = as_window(desk, condition)
    there = in_named_window(condition)
    if isinstance(there, Within) and (yield from looked_into(desk, there.place)) is not None:
        denied = Within(there.place, Not(there.condition))
        return (yield from _inside(desk, denied, closer=True))
    inner = condition
    while isinstance(inner, Within):
        inner = inner.condition
    if isinstance(inner, Has) and says_done(inner):
        done = done_by_box(desk, inner)
        if done is not None:
            return not done[0], done[1]
    if isinstance(inner, Has) and (off := (yield from _off_screen(desk, inner))) is not None:
        so, told = off
        # Of a file that is not there, nothing can be said.
        return not so and not told.startswith(UNREADABLE), told
    # That something is not to be seen is known only when the pixels were read, too.
    closely = closer or isinstance(inner, Shows | Count)
    so, told = yield from holds(desk, condition, closer=closely)
    shown = inner.what if isinstance(inner, Shows) and not so else ""
    if shown and (beyond := (yield from row_beyond(desk, shown))) is not None:
        return False, f"{shown} is there, out of sight: “{beyond}”"
    if shown and (yield from program_open(desk, shown)) is False:
        doubt = yield from program_gone(desk, shown)
        return doubt is None, doubt or ""
    if shown and (yield from windows_of(desk, shown)) == []:
        return True, ""
    if not so and isinstance(inner, Has) and (yield from is_without(desk, inner.what, inner.text)):
        return True, ""
    ticked = condition.what if isinstance(condition, Is) and condition.state == "checked" else ""
    if not so and ticked and (yield from under_drawing(desk, ticked)) is not None:
        return True, ""
    missing = (absent(desk, condition) or _untold(desk, condition)) if not so else None
    if missing is not None:
        return False, missing
    return not so, told if so else ""


def _off_screen(desk: Desk, condition: Has) -> Turns[tuple[bool, str] | None]:
    """Whether a file or the clipboard holds a text; None where it is about the screen."""
    if is_clipboard(condition.what):
        return (yield from clipboard_holds(desk, condition))
    file = yield from file_meant(desk, condition.what)
    return None if file is None else (yield from in_file(desk, file, condition))


def _untold(desk: Desk, condition: Condition) -> str | None:
    """Why it is not known that something is not there; None when it is, or was not asked."""
    condition = placed(desk, condition)
    if isinstance(condition, Within):
        if not_told(desk, condition.place) is not None:
            return None
        with bounded(desk, condition.place):
            return _untold(desk, condition.condition)
    if isinstance(condition, Shows) or (isinstance(condition, Is) and condition.state == "visible"):
        return cannot_tell(desk, condition.what)
    if isinstance(condition, Count) and not all_fitting(desk, condition.what):
        return cannot_count(desk, condition.what)
    if isinstance(condition, Has):
        return status_untold(desk, condition)
    if isinstance(condition, Every):
        accounts = (_untold(desk, one) for one in condition.conditions)
        return next((account for account in accounts if account is not None), None)
    return None


def absent(desk: Desk, condition: Condition) -> str | None:
    """The account of a thing whose state or content is asked for, and which is not there."""
    condition = placed(desk, condition)
    if isinstance(condition, Within):
        missing = not_told(desk, condition.place)
        if missing is not None and in_some_list(desk, condition) is False:
            return None
        if missing is not None:
            # Of whatever dialog there may be nothing is left when none is open.
            gone = comes_and_goes(condition.place) and isinstance(condition.condition, Shows)
            return None if gone else missing
        with bounded(desk, condition.place):
            return absent(desk, condition.condition)
    if isinstance(condition, Not):
        return absent(desk, condition.condition) or _untold(desk, condition.condition)
    if isinstance(condition, Every):
        accounts = (absent(desk, one) for one in condition.conditions)
        return next((account for account in accounts if account is not None), None)
    if isinstance(condition, Is) and condition.state != "visible":
        found, match = meant_by(desk, condition)
        return found.account() if match is None else state_untold(desk, match.element, condition)
    if isinstance(condition, Has):
        return None if meant_cell(desk, condition.what) else content_absent(desk, condition)
    return None


def _every(desk: Desk, condition: Every, closer: bool) -> Turns[tuple[bool, str]]:
    told: list[str] = []
    for one in condition.conditions:
        so, words = yield from holds(desk, one, closer=closer)
        if so and condition.any:
            return True, ""
        if not so:
            told.append(words)
            if not condition.any:
                return False, words
    return not condition.any, "; ".join(told)


def _window(desk: Desk, title: str) -> Turns[tuple[bool, str]]:
    """Whether a window is open: one of the desktop, or a dialog that is called a window."""
    listed = yield from open_windows(desk)
    told = f"no window {title}; open are: {told_windows(listed)}"
    if fitting := fitting_windows(listed, title):
        return True, f"open is: {told_windows(fitting)}"
    found = look_for(desk, wished(f'the "{bare(title)}" dialog'), want="read")
    best = found.best.element if found.best is not None else None
    # A tab or a field that says so is no window.
    other = best is not None and (kind_of(best) in _NO_WINDOW or is_field(best))
    return is_there(found) and not other, told


def _on_screen(desk: Desk, condition: Condition) -> tuple[bool, str]:
    if isinstance(condition, Shows):
        return _shows(desk, condition.what)
    if isinstance(condition, Count):
        return _counted(desk, condition)
    if isinstance(condition, Has):
        return has_content(desk, condition)
    if isinstance(condition, Sorted):
        return in_order(desk, condition)
    if isinstance(condition, Only):
        return has_only(desk, condition)
    if isinstance(condition, Is):
        return is_so(desk, condition)
    raise Missed(f"nothing can tell whether {type(condition).__name__} is so")


def _counted(desk: Desk, condition: Count) -> tuple[bool, str]:
    things, wanted = counted_things(desk, condition.what), condition.number
    number = len(things)
    if not any(kind_of(e) in ENTRIES or kind_of(e) in CONTROLS for e in things):
        if not number and (told := is_as_told_zh(desk.elements, condition)) is not None:
            return told
        shown = part_meant(desk.elements, "")
        number = told_count(shown, condition.what, joined_texts(shown)) or number
    so = {"equals": number == wanted, "least": number >= wanted, "most": number <= wanted}
    unknown = cannot_count(desk, condition.what) if not number else None
    if not number and is_any_text(condition.what):
        unknown = f"cannot tell how many {condition.what} there are: nothing here is called so"
    if number and wished(condition.what).description.relations and all(map(_is_bare, things)):
        # Plain boxes beside a text need not be what is counted.
        unknown = f"cannot tell how many {condition.what} there are"
    if unknown is not None:
        return False, unknown
    return so[condition.how], f"there are {number} of {condition.what}, not {wanted}"


def _is_bare(element: Element) -> bool:
    return kind_of(element) is Kind.GROUP and not element.name


def _is_only_column(found: Found, wish: Wish) -> bool:
    """Whether what fits words about a thing is but the heading of a column."""
    best, described = found.best, wish.description
    if best is None or not described.relations or Kind.COLUMN in described.kinds:
        return False
    return kind_of(best.element) is Kind.COLUMN


def _shows(desk: Desk, phrase: str) -> tuple[bool, str]:
    if (name := badged_name(phrase)) is not None and (badge := badge_of(desk, name))[0]:
        return badge[1] is not None, f"{name} has {'a' if badge[1] else 'no'} badge"
    if is_any_message(phrase):
        # Any text would fit the word.
        return bool(dialogs_shown(desk.elements)), "no message came with the last step"
    wish = wished(phrase)
    found = look_for(desk, wish)
    named = entry_naming(desk, phrase)
    there = is_there(found) and not _is_only_column(found, wish)
    if there or (named is not None and named[1]):
        return True, f"{phrase} can be seen"
    if is_drawn_dialog(desk, phrase) or is_question(desk, phrase) or lies_so(desk, wish, found):
        return True, f"{phrase} can be seen"
    # Of a thing with a kind or a place, the name alone somewhere is not that thing.
    described = wish.description
    if described.exact and described.name and described.kinds in ((), (Kind.TEXT,)):
        lines = lines_beside(desk, described)
        if any(_says(fold(line), fold(described.name)) for line in lines):
            return True, f"{phrase} can be seen"
    text = described.kinds in ((), (Kind.TEXT,))
    told = described.relations or described.ordinal or described.states or described.colour
    bare = text and not told
    words = fold(described.name if described.exact and bare else described.text or phrase)
    words = _ARTICLE.sub("", words)
    if described.kinds and not described.name:
        words = ""
    for element in part_meant(desk.elements, phrase):
        if words and any(_says(fold(text), words) for text in _written(desk, element)):
            return True, f"{phrase} can be seen"
    if bare and described.exact and len(words) > 1:
        shown = joined_texts(part_meant(desk.elements, phrase))
        if any(_says(fold(text), words) for text in shown):
            return True, f"{phrase} can be seen"
    account = found.account()
    near = nearest_text(desk, words) if "nearest" not in account else None
    return False, f"{account}; nearest: {near}" if near else account


def _written(desk: Desk, element: Element) -> tuple[str, ...]:
    """What can be read on it; a text may be called otherwise than what it says."""
    said = text_of(element, desk.elements)
    return (said, element.value or "", element.text) if kind_of(element) in TEXTS else (said,)


def _says(text: str, words: str) -> bool:
    """Whether whole words are in a text: "1 item" is not in "21 items"."""
    if re.search(r"[\u3400-\u9fff]", words):
        # Between Chinese and other signs a space is a matter of taste.
        text, words = "".join(text.split()), "".join(words.split())
    start = r"(?<!\w)" if words[0].isascii() and words[0].isalnum() else ""
    end = r"(?!\w)" if words[-1].isascii() and words[-1].isalnum() else ""
    return re.search(start + re.escape(words) + end, text) is not None
