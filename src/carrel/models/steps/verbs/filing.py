"""Files and folders in a file manager: made, renamed and deleted as such programs have it.

Many of them draw what they show and tell nothing of it; all of them take the same keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from carrel.actions import Action, Click, Key
from carrel.frames import Element, Window
from carrel.models.steps.claims.copied import clipboard_text
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.endings import ends
from carrel.models.steps.phrases.programs import program_kind
from carrel.models.steps.program import Perform, Point
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.front import in_window, is_panel, open_windows
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import put, typed
from carrel.models.steps.verbs.menus import follow
from carrel.perception.roles import Kind, is_disabled, is_field, kind_of

__all__ = ["file_away", "file_manager", "file_name", "select_file", "select_named"]

_FOLDER = re.compile(
    r"(?:(?:an?|the|one|another)\s+)?(?:new\s+|empty\s+)*(?:sub-?)?(?:folder|directory)"
    r"|(?:一个)?(?:新的?|空的?|空白)?(?:子)?(?:文件夹|目录)",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"(?:(?:an?|the|one|another)\s+)?(?:new\s+|empty\s+)*(?:text\s+)?(?:file|document)"
    r"|(?:一个)?(?:新的?|空的?|空白)?(?:文本)?(?:文件|文档)",
    re.IGNORECASE,
)
_IN_FOLDER = re.compile(
    r"(?P<kind>.+?)\s+(?:in|inside|within|under)\s+(?:the\s+)?(?:folder\s+)?[\"“]?(?P<in>[^\"”]+?)"
    r"[\"”]?(?:\s+(?:folder|directory))?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?P<kind>.+?)\s*[\"“'](?P<name>[^\"”']+)[\"”']")
_NAMING = ("called", "named", "name", "titled", "as", "with the name", "命名", "名为", "text")
_THING = re.compile(
    r"(?:the\s+)?(?:file|folder|directory|document|item)\s+(?:named\s+|called\s+)?"
    r"|\s+(?:file|folder|directory|document)$|(?:文件夹|文件|目录|文档)(?=[\"“\s\w])"
    r"|\s*(?:文件夹|文件|目录)$",
    re.IGNORECASE,
)
_MAKES = (("File", "Create New", "Empty File"), ("File", "Create Document", "Empty File"))
_YES = re.compile(r"_?(?:yes|ok|delete|move to trash|trash|是|确定|删除)", re.IGNORECASE)
_HERE = (
    *("the file manager", "file manager", "this folder", "the current folder", "here", "it"),
    *("this directory", "the current directory", "文件管理器", "当前文件夹", "这个文件夹"),
)
LOOKS = (0.3, 0.5, 1.0)


def file_away(desk: Desk, step: Perform) -> Turns[bool]:
    """Make, rename or delete a file where a file manager is in front; whether that is meant."""
    if step.verb not in ("create", "add", "rename", "delete", "make", "new"):
        return False
    front = yield from file_manager(desk)
    if front is None:
        return False
    if step.verb == "rename":
        return (yield from _rename(desk, step, front))
    if step.verb == "delete":
        return (yield from _delete(desk, step))
    return (yield from _make(desk, step, front))


def file_manager(desk: Desk) -> Turns[Window | None]:
    """The window in front, where it is a file manager's."""
    listed = yield from open_windows(desk)
    front = next((window for window in listed if window.focused), None)
    kind = None if front is None else program_kind(front)
    return front if kind is not None and kind.name == "file manager" else None


def select_file(desk: Desk, phrase: str) -> Turns[str | None]:
    """Select a file or a folder by a click; its name, or None where no file manager is in front."""
    if web_page(desk.elements) is not None or (yield from file_manager(desk)) is None:
        return None
    return (yield from _select(desk, phrase))


def _named(step: Perform, front: Window) -> tuple[str, str] | None:
    """What is to be made, and what it shall be called; None where more is said than that."""
    what = (step.what or "").strip()
    given = [text for word, text in step.details if word in _NAMING]
    here = [pair for pair in step.details if _is_here(pair, front)]
    if len(step.details) > len(given) + len(here) or len(given) > 1:
        return None
    quoted = _QUOTED.fullmatch(what) if not given else None
    if quoted is not None:
        return quoted["kind"], quoted["name"]
    return what, given[0].strip("\"“”'") if given else ""


def _is_here(detail: tuple[str, str], front: Window) -> bool:
    """Whether a particular only says that it is in the window in front, or in what that shows."""
    word, text = detail
    here = text.strip("\"“”' ").casefold()
    shown = (front.title.casefold(), *_HERE)
    return word in ("in", "inside", "within", "with", "using") and here in shown


def _make(desk: Desk, step: Perform, front: Window) -> Turns[bool]:
    if (made := _named(step, front)) is None:
        return False
    what, name = made
    placed = _IN_FOLDER.fullmatch(what)
    if placed is not None and placed["in"].casefold() in ("it", front.title.casefold()):
        # It is the one that is shown.
        what = placed["kind"]
    folder = _FOLDER.fullmatch(what) is not None
    if not folder and _FILE.fullmatch(what) is None:
        return False
    before = yield from open_windows(desk)
    if folder:
        chord = Key(("ctrl", "shift", "n"))
        yield from desk.do(chord, why="the keys for a new folder")
    else:
        yield from _new_file(desk)
    if not name:
        # A step that follows says what it shall be called.
        yield from desk.effect()
        return True
    yield from _answer_name(desk, name, before, front)
    yield from _see(desk, name)
    return True


def _new_file(desk: Desk) -> Turns[None]:
    """Through the menu: there are no keys for it.

    Raises:
        Missed: No menu has it.
    """
    for number, path in enumerate(_MAKES):
        try:
            yield from follow(desk, path)
        except Missed:
            yield from desk.do(Key(("escape",)), Key(("escape",)), why="not there: close the menu")
            if number == len(_MAKES) - 1:
                raise
        else:
            return


def _rename(desk: Desk, step: Perform, front: Window) -> Turns[bool]:
    if step.what is None or len(step.details) != 1:
        return False
    name = step.details[0][1].strip("\"“”'")
    if _FOLDER.fullmatch(step.what) or _FILE.fullmatch(step.what):
        # It was only just made, and asks for its name.
        others = [w for w in (yield from open_windows(desk)) if w.id != front.id]
        yield from _answer_name(desk, name, others, front)
        yield from _see(desk, name)
        return True
    old = yield from _select(desk, step.what)
    before = yield from open_windows(desk)
    yield from desk.do(Key(("f2",)), why=f"the key to rename {old}")
    yield from _answer_name(desk, name, before, front)
    yield from _see(desk, name)
    return True


def _delete(desk: Desk, step: Perform) -> Turns[bool]:
    if step.what is None or step.details:
        return False
    old = yield from _select(desk, step.what)
    before = {window.id for window in (yield from open_windows(desk))}
    yield from desk.do(Key(("delete",)), why=f"the key to delete {old}")
    asked = [w for w in (yield from open_windows(desk)) if w.id not in before]
    if asked:
        yield from desk.closer()
        buttons = [e for e in in_front(desk, asked[-1]) if _YES.fullmatch(e.name.strip())]
        if len(buttons) == 1 and buttons[0].box is not None:
            at = buttons[0].box.center
            yield from desk.do(Click(at.x, at.y), why=f"{asked[-1].title}: {buttons[0].name}")
        else:
            yield from desk.do(Key(("enter",)), why=f"{asked[-1].title}: Enter")
    for pause in LOOKS:
        yield from desk.again(pause, why=f"whether {old} is gone")
        yield from desk.closer()
        if resolve(desk, look_for(desk, wished(f'"{old}"'), want="read")) is None:
            # Who says next that it is to be confirmed has it done already.
            desk.finished = "delete confirm"
            return True
    raise Missed(f"{old} is still there after it was deleted")


def _select(desk: Desk, phrase: str) -> Turns[str]:
    """Select a file that is called so; its name."""
    name = file_name(phrase)
    yield from select_named(desk, name)
    return name


def file_name(phrase: str) -> str:
    """What a file is called, without the words for what it is."""
    quoted = re.search(r"[\"“](?P<name>[^\"”]+)[\"”]", phrase)
    name = quoted["name"] if quoted else _THING.sub("", phrase.strip()).strip(" '") or phrase
    return re.sub(r"^the\s+(?=\S)", "", name)


def select_named(desk: Desk, name: str) -> Turns[None]:
    """Click a file once, where its name can be read; else by typing it.

    Raises:
        Missed: No file is called so.
    """
    yield from desk.closer()
    seen = resolve(desk, look_for(desk, wished(f'"{name}"'), want="read"))
    if seen is None:
        try:
            seen = yield from ground(desk, f'"{name}"', want="read")
        except Missed as missed:
            if not (yield from _by_typing(desk, name)):
                raise Missed(missed.account) from missed
            return
    at = seen.point
    yield from desk.do(Click(at.x, at.y), why=f"select {name}", commits=False)


def _by_typing(desk: Desk, name: str) -> Turns[bool]:
    """Select a file by typing its name; whether the clipboard tells that it is selected.

    Names below icons are broken over lines, and stand close together: not all can be read.
    """
    front = yield from file_manager(desk)
    if front is None or not _takes_keys(desk, front):
        return False
    keys: tuple[Action, ...] = (typed(name), Key(("escape",)), Key(("ctrl", "c")))
    yield from desk.do(*keys, why=f"select {name} by typing it", commits=False)
    copied = (yield from clipboard_text(desk)).split()
    return len(copied) == 1 and unquote(copied[0]).endswith(f"/{name}")


def _takes_keys(desk: Desk, front: Window) -> bool:
    """Whether no field of the window would take what is typed."""
    told = in_window(desk.elements, front)
    return not any(is_field(e) and "focused" in e.states for e in told)


def in_front(desk: Desk, window: Window) -> Sequence[Element]:
    """What can be pressed in a window, told or read."""
    box = window.box
    return [
        e
        for e in desk.elements
        if e.box is not None and box.contains(e.box.center) and not is_disabled(e)
        if kind_of(e) in (Kind.BUTTON, Kind.TEXT)
    ]


def _answer_name(desk: Desk, name: str, before: Sequence[Window], front: Window) -> Turns[None]:
    """Type a name where it is asked for: a dialog, or a field in the window itself.

    Raises:
        Missed: Nothing asks for it.
    """
    known = {window.id for window in before}
    for pause in (0.0, *LOOKS):
        if pause:
            yield from desk.again(pause, why="where the name goes")
        listed = yield from open_windows(desk)
        new = [w for w in listed if w.id not in known and w.focused]
        told = in_window(desk.elements, new[-1] if new else front)
        fields = [e for e in told if is_field(e) and "focused" in e.states and e.box]
        if fields and (new or not _is_location(fields[0], before)):
            yield from put(desk, fields[0], name, why="what asks for the name")
            break
        if new:
            keys: tuple[Action, ...] = (Key(("ctrl", "a")), typed(name))
            yield from desk.do(*keys, why=f"{new[-1].title or 'a dialog'} asks for the name")
            break
    else:
        raise Missed(f"nothing asked for the name {name!r}")
    if _is_left_to_next(desk):
        return
    yield from desk.do(Key(("enter",)), why="finish with Enter", last=True)
    left: list[Window] = []
    for pause in LOOKS:
        left = [w for w in (yield from open_windows(desk)) if w.id not in known]
        # The panel of a desktop that was just started may come up meanwhile.
        left = [w for w in left if not is_panel(w, desk.size)]
        if not left:
            return
        yield from desk.again(pause, why="the dialog may take a moment to go")
    raise Missed(f"the dialog {left[0].title!r} is still there after the name {name!r}")


def _is_left_to_next(desk: Desk) -> bool:
    """Whether the step that follows presses what is here to finish it."""
    after = desk.ahead[0] if desk.ahead else None
    if not isinstance(after, Point) or after.how != "click":
        return False
    match = resolve(desk, look_for(desk, wished(after.what)))
    return match is not None and kind_of(match.element) is Kind.BUTTON and ends(match.element.name)


def _is_location(field: Element, before: Sequence[Window]) -> bool:
    """Whether a field holds where one is: it had the keyboard all along."""
    return (field.value or "").startswith(("/", "~", "file:"))


def _see(desk: Desk, name: str) -> Turns[None]:
    """See that what was named can be seen by its name, once its dialog is finished."""
    if _is_left_to_next(desk):
        return
    for pause in LOOKS:
        yield from desk.again(pause, why=f"whether {name} is there")
        yield from desk.closer()
        if resolve(desk, look_for(desk, wished(f'"{name}"'), want="read")) is not None:
            return
    desk.doubt(f"no {name} can be seen")
