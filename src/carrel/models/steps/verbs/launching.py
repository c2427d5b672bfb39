"""Opening: what is on the screen by a name, a program, a file, or a file with a program."""

from __future__ import annotations

import re

from carrel.actions import Click, Open, StatFile
from carrel.frames import Element
from carrel.models.steps.claims.sheets import go_to_cell, meant_cell
from carrel.models.steps.desk import Desk
from carrel.models.steps.finding.controls import control_said
from carrel.models.steps.finding.results import is_result
from carrel.models.steps.finding.signs_at_headings import is_at_heading
from carrel.models.steps.finding.wishes import look_for, resolve, wished
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.programs import ProgramKind, kind_said, program_kind, program_named
from carrel.models.steps.program import Choose, Expand, GoTo
from carrel.models.steps.program import Open as OpenStep
from carrel.models.steps.program import Point as PointAt
from carrel.models.steps.reaching.folding import only_fold
from carrel.models.steps.reaching.ground import ground
from carrel.models.steps.shown.front import come_to_rest, open_windows, window_in_front
from carrel.models.steps.shown.pagers import page_control, page_meant
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.finding import expand
from carrel.models.steps.verbs.pages import go_to
from carrel.models.steps.verbs.plain_named import by_plain_text
from carrel.models.steps.verbs.pointing import named, point
from carrel.models.steps.verbs.text_lines import go_to_line
from carrel.models.steps.verbs.ticking import switched
from carrel.perception.find import Found, Match
from carrel.perception.roles import FIELDS, TICKED, Kind, kind_of

__all__ = ["open_"]

STARTING = (0.5, 1.0, 2.0, 3.0)
"""Seconds between looks at a program that is starting."""
COMING = (0.3, 0.5, 0.8, 1.2, 1.6, 2.0)
"""Seconds between looks for its window, where something else has changed already."""
_CHANGED = frozenset(TICKED | FIELDS | {Kind.COMBO, Kind.SLIDER})
_OPENED = (
    *(Kind.LINK, Kind.BUTTON, Kind.ICON, Kind.TAB, Kind.MENU, Kind.MENU_ITEM, Kind.OPTION),
    *(Kind.RADIO, Kind.TREE_ITEM),
)
_FILED = re.compile(
    r"(?:the\s+)?(?:file|folder|directory|document)\s+|(?:文件夹|文件|目录|文档)\s*(?=[\"“/~.\w])"
)
_TURNED_ON = re.compile(r"打开|开启")
"""Says both of a program and of a switch that it is to be on."""
_FROM = re.compile(r"\s+(?:from|in|using|with) the file (?:manager|browser)$", re.IGNORECASE)
_PATH = re.compile(r"(?:~|\.)?/\S.*|[\w .-]*\w\.\w{1,5}")


def open_(desk: Desk, step: OpenStep) -> Turns[str | None]:
    """Open what is on the screen by this name, or an application, a file or a page."""
    if step.using:
        return (yield from _open_with(desk, step.what, step.using))
    if url := re.search(r"\S+://\S+", step.what):
        return (yield from go_to(desk, GoTo(url[0])))
    if (said := control_said(desk)) is not None:
        return (yield from point(desk, PointAt(f'"{said}"')))
    if is_result(step.what):
        return (yield from point(desk, PointAt(step.what)))
    if (number := page_meant(step.what)) and (turner := page_control(desk, number)) is not None:
        return (yield from _turn(desk, turner))
    if (address := meant_cell(desk, step.what)) is not None:
        yield from go_to_cell(desk, address)
        return None
    if (yield from go_to_line(desk, step.what)):
        return None
    if (folded := only_fold(desk, step.what, on=True)) is not None and folded.box is not None:
        return (yield from expand(desk, Expand(step.what)))
    if (program := program_named(step.what)) and web_page(desk.elements) is None:
        if (reason := (yield from _start(desk, Open(program)))) is not None:
            raise Missed(f"{program} was not opened: {reason}")
        return None
    kind = kind_said(step.what)
    if kind is not None and web_page(desk.elements) is None:
        yield from _start_kind(desk, kind)
        return None
    return (yield from _open_seen(desk, _FROM.sub("", step.what), kind))


def _open_seen(desk: Desk, what: str, kind: ProgramKind | None) -> Turns[str | None]:
    """What the screen has under this name, and else a program or a file that is called so."""
    if _TURNED_ON.search(desk.step) and (yield from switched(desk, what, on=True)):
        return None
    found = look_for(desk, wished(what))
    match = resolve(desk, found) if "/" not in what else None
    if match is not None and kind_of(match.element) in _OPENED and match.confidence >= 0.8:
        yield from _click(desk, match)
        return None
    if kind is not None:
        yield from _start_kind(desk, kind)
        return None
    if _OF_PAGES.search(what) and (yield from by_plain_text(desk, OpenStep(what))):
        return None
    if (_is_of_screen(found) and "/" not in what) or _OF_PAGES.search(what):
        # It is called a thing of the screen: no program or file goes by such a name.
        return (yield from point(desk, PointAt(what, "double" if _is_filed(what) else "click")))
    if (reason := (yield from _start(desk, Open(what)))) is None:
        return None
    try:
        # It may be further down, or on another page.
        return (yield from _open_found(desk, what))
    except Missed as missed:
        raise Missed(f"{missed.account}; as a program or a file: {reason}") from missed


_OF_PAGES = re.compile(r"(?:页签|标签页?|选项卡|按钮|链接|菜单项|开关)[\"”]?$")
"""Words for what only a page or a window has."""


def _is_of_screen(found: Found) -> bool:
    told = bool(set(found.description.kinds) & set(_OPENED))
    return told or is_at_heading(found.description.text)


def _is_filed(what: str) -> bool:
    """Whether it is called a file or a folder: one click only selects it."""
    return re.search(r"\b(?:folder|directory|file)\b|文件夹|文件|目录", what) is not None


def _click(desk: Desk, match: Match) -> Turns[None]:
    at = match.point
    count = 2 if kind_of(match.element) is Kind.ICON else 1
    why = f"{named(match.element)}, {match.why}"
    yield from desk.do(Click(at.x, at.y, count=count), why=why, last=True)
    yield from desk.effect()


def _start_kind(desk: Desk, kind: ProgramKind, *arguments: str) -> Turns[None]:
    """Start a program of a kind: the one the desktop has for it, or a usual one.

    Raises:
        Missed: There is none.
    """
    for name in (*kind.first, kind.name, *kind.usual):
        if (yield from _start(desk, Open(name, arguments))) is None:
            return
    tried = ", ".join(kind.usual)
    raise Missed(f"there is no {kind.name} on this desk; tried: {tried}")


def _open_with(desk: Desk, what: str, using: str) -> Turns[str | None]:
    """Start a program with a file.

    Raises:
        Missed: There is no such file or no such program.
    """
    path = _FILED.sub("", what.strip(), count=1).strip(" \"'“”")
    path = yield from _path_of(desk, path)
    kind = kind_said(using)
    if kind is not None:
        yield from _start_kind(desk, kind, path)
        return None
    reason = yield from _start(desk, Open(using, (path,)), why=f"with {path}")
    if reason is not None:
        raise Missed(f"{path} was not opened with {using}: {reason}")
    return None


def _start(desk: Desk, action: Open, why: str = "open it") -> Turns[str | None]:
    """Start a program and wait until it shows; None, or why it was not started."""
    before = yield from open_windows(desk)
    done = desk.commits
    results = yield from desk.attempt(action, why=why, last=True)
    if not results or not results[0].ok:
        # Nothing was started: the words may still be read in another way.
        desk.commits = done
        return results[0].error.message if results and results[0].error else "nothing came of it"
    yield from desk.effect(looks=STARTING)
    known = {(window.id, window.title) for window in before}
    for pause in COMING if before else ():
        # What a program shows while it loads belongs to no program yet.
        listed = [window for window in (yield from open_windows(desk)) if window.app]
        if any((window.id, window.title) not in known for window in listed):
            yield from come_to_rest(desk)
            break
        yield from desk.again(pause, why="its window is not there yet")
    return None


def _path_of(desk: Desk, path: str) -> Turns[str]:
    """A path as a program takes it; one that does not begin at the root is in the home folder.

    Raises:
        Missed: There is no such file.
    """
    if "://" in path:
        return path
    results = yield from desk.attempt(StatFile(path), why="where the file is", commits=False)
    if not results or not results[0].ok:
        if not _PATH.fullmatch(path) and "/" not in path:
            raise Missed(f"{path!r} is no file: write where it is, such as /home/…/{path}")
        raise Missed(f"there is no file {path}")
    # Programs start in the home folder, and know no "~".
    return path.removeprefix("~/")


def _open_found(desk: Desk, phrase: str) -> Turns[str | None]:
    """Open what a search brings into sight; never by changing it.

    Raises:
        Missed: It is not there, or is no thing that is opened by a click.
    """
    if "/" in phrase:
        raise Missed(f"there is no {phrase}")
    match = yield from ground(desk, phrase)
    if kind_of(match.element) is Kind.COMBO and isinstance(next(iter(desk.ahead), None), Choose):
        # Whoever chooses from it opens it for that.
        desk.worked = match.element.box
        return None
    if kind_of(match.element) in _CHANGED:
        raise Missed(f"{named(match.element)} is nothing to open: a click would change it")
    front = yield from window_in_front(desk)
    kind = None if front is None else program_kind(front)
    filed = kind is not None and kind.name == "file manager"
    return (yield from point(desk, PointAt(phrase, "double" if filed else "click")))


def _turn(desk: Desk, turner: Element) -> Turns[str | None]:
    assert turner.box is not None
    at = turner.box.center
    why = f"{named(turner)} turns to that page"
    yield from desk.do(Click(at.x, at.y), why=why, last=True)
    yield from desk.effect()
    return None
