"""What applications say is on the screen: their accessibility trees.

Nothing here is guessed. What an application does not say is left out, and an application that
says nothing is named in `apps` with no element of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from carrel.actions import Elements
from carrel.codec import Json, encode
from carrel.errors import MachineLost, Unsupported
from carrel.frames import Element
from carrel.geometry import MAX_SIDE, Box, Point, Size
from carrel.guest._identifiers import spoken_words
from carrel.guest._placing import set_right
from carrel.guest._within import place_windows
from carrel.guest.atspi import (
    ACCESSIBLE,
    NO_BUS,
    REGISTRY_NAME,
    ROLES,
    ROOT,
    STATES,
    Body,
    Bus,
    open_accessibility,
)
from carrel.guest.manager import Client, look

__all__ = ["ElementReader"]

MAX_TEXT = 2000
"""Characters read of one text."""

MAX_CHILDREN = 2000
"""A table with more is not entered: a spreadsheet claims to have a billion."""

WAKE_PAUSE = 0.03
WAKE_ROUNDS = 30
"""How often and how long we wait for a window that is only now building its tree."""

SHOWING, VISIBLE, EDITABLE, MANAGES = (
    1 << STATES.index(name) for name in ("showing", "visible", "editable", "manages descendants")
)
WITH_TEXT = frozenset({"entry", "heading", "label", "paragraph", "password text", "static", "text"})
ICONS = frozenset({"icon", "image", "link", "push button", "toggle button"})
MAX_ICON = 48
"""Pixels; what is larger is a picture, which its author's words do not name."""
UNSEEN = 0.6
"""How sure a name is that nobody sees on the screen."""
WITH_VALUE = frozenset({"dial", "level bar", "progress bar", "scroll bar", "slider"})

ATSPI = "org.a11y.atspi."
SCREEN, WINDOW = 0, 1
"""From what corner places are told."""
PADDING = 3
"""Pixels beside what is in a control that still belong to it."""
Take = Callable[[Body | None], None]
Cut: TypeAlias = Literal["", "time", "limit", "crowd"]

Ref = tuple[str, str]
"""The bus name of an application, and the path of one of its objects."""


@dataclass(slots=True, eq=False)
class _Node:
    """One object, filled as the answers come in."""

    ref: Ref
    role: str = ""
    name: str = ""
    value: str | None = None
    box: Box | None = None
    states: int = 0
    attributes: dict[str, str] = field(default_factory=dict)
    description: str = ""
    """What is told of a control without a name when one stays over it."""
    children: list[_Node] = field(default_factory=list)
    window: _Node | None = None
    hits: list[Ref | None] = field(default_factory=list)
    """What its window and it itself have at its middle, then at its edge, where that was asked."""
    open: int = 3
    """Of the first questions, how many have no answer yet."""


@dataclass(slots=True)
class _App:
    """One application on the bus."""

    root: _Node
    name: str = ""
    pid: int | None = None
    toolkit: str = ""
    version: str = ""
    open: int = 0
    """How many questions to it have no answer yet."""

    @property
    def bus_name(self) -> str:
        return self.root.ref[0]

    @property
    def places_itself(self) -> bool:
        # GTK 4 knows only where things are within their window.
        return not (self.toolkit.lower() == "gtk" and self.version.startswith("4."))


class ElementReader:
    """Reads the accessibility trees of one desk.

    Args:
        env: The desk's environment: `DISPLAY` and `DBUS_SESSION_BUS_ADDRESS`.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env

    def read(self, action: Elements) -> dict[str, Json]:
        """Read them now, within `action.timeout` seconds; call it from a worker thread.

        Returns:
            `elements` in tree order; `complete`, false when something cut it short, and `cut`, what
            that was: the `time`, the `limit`, or a `crowd` of cells in a table not entered;
            `apps`, the name of every application found, also of those that say nothing.

        Raises:
            Unsupported: There is no accessibility bus.
            TimedOut: The bus itself does not answer.
            MachineLost: The X server or the bus went away.
        """
        deadline = time.monotonic() + action.timeout
        size, clients, popups = look(self._env.get("DISPLAY", ""))
        with open_accessibility(self._env, deadline) as bus:
            walk = _Walk(bus, action)
            try:
                cut = walk.run(deadline)
            except ConnectionError as error:
                raise MachineLost("the accessibility bus is gone") from error
        for app in walk.apps:
            if not app.places_itself:
                owned = [client for client in clients if client.pid == app.pid]
                place_windows(app.root.children, owned, popups)
        elements = list(_select(walk, action, size))
        if len(elements) > action.limit:
            del elements[action.limit :]
            cut = cut if cut == "time" else "limit"
        return {
            "elements": [encode(element) for element in elements],
            "complete": not cut,
            "cut": cut,
            "apps": list(_names(walk.apps, clients)),
        }


class _Walk:
    """Asks every application for its tree, all at once."""

    def __init__(self, bus: Bus, action: Elements) -> None:
        self.apps: list[_App] = []
        self._bus = bus
        self._action = action
        self._seen: set[Ref] = set()
        self._asleep: list[tuple[_App, _Node]] = []
        self._crowded = False
        self._heard = False

    def run(self, deadline: float) -> Cut:
        """Walk until everything is known or the time is up; why it is not everything."""
        self._bus.call(REGISTRY_NAME, ROOT, ACCESSIBLE, "GetChildren", then=self._meet_all)
        done = self._bus.pump(deadline) and self._wake(deadline)
        if done and not self._heard:
            raise Unsupported("this desk has no accessibility registry", hint=NO_BUS)
        late = any(app.open and self._wants(app) for app in self.apps)
        # One that is still building its tree needs more time, too.
        if late or not self._heard or self._asleep:
            return "time"
        return "crowd" if self._crowded else ""

    def _call(
        self, app: _App, ref: Ref, method: str, then: Take, signature: str = "", body: Body = ()
    ) -> None:
        """Ask one object of an application; `method` is an interface of AT-SPI and a member."""
        interface, member = method.split(".")
        app.open += 1
        self._bus.call(*ref, ATSPI + interface, member, signature, body, _counted(app, then))

    def _get(self, app: _App, ref: Ref, name: str, then: Take) -> None:
        interface, member = name.split(".")
        app.open += 1
        self._bus.get(*ref, ATSPI + interface, member, _counted(app, then))

    def _wake(self, deadline: float) -> bool:
        """Ask again those that were still building their tree; whether time was left."""
        for _ in range(WAKE_ROUNDS):
            if not self._asleep:
                break
            time.sleep(max(0.0, min(WAKE_PAUSE, deadline - time.monotonic())))
            asleep, self._asleep = self._asleep, []
            for app, window in asleep:
                self._ask_children(app, window)
            if not self._bus.pump(deadline):
                return False
        return True

    def _wants(self, app: _App) -> bool:
        wish = self._action.app
        return wish is None or wish.casefold() in _name(app).casefold()

    def _meet_all(self, body: Body | None) -> None:
        self._heard = body is not None
        for ref in _refs(body):
            self._meet(_App(_Node(ref)))

    def _meet(self, app: _App) -> None:
        self.apps.append(app)
        bus = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
        # The bus answers this even for an application that hangs.
        then = partial(self._take_pid, app)
        self._bus.call(*bus, "GetConnectionUnixProcessID", "s", (app.bus_name,), then)
        self._get(app, app.root.ref, "Application.ToolkitName", partial(_keep, app, "toolkit"))
        self._get(app, app.root.ref, "Application.Version", partial(_keep, app, "version"))
        self._get(app, app.root.ref, "Accessible.Name", partial(self._take_name, app))

    def _take_pid(self, app: _App, body: Body | None) -> None:
        app.pid = _number(body[0]) if body else None

    def _take_name(self, app: _App, body: Body | None) -> None:
        app.name = str(body[0]) if body else ""
        if self._wants(app):
            self._ask_children(app, app.root)

    def _ask_children(self, app: _App, node: _Node) -> None:
        self._call(app, node.ref, "Accessible.GetChildren", partial(self._take_children, app, node))

    def _take_children(self, app: _App, node: _Node, body: Body | None) -> None:
        refs = list(_refs(body))
        if not refs and body and body[0] and node in app.root.children:
            # There is a child, but not yet a name for it.
            self._asleep.append((app, node))
        for ref in refs:
            if ref in self._seen:
                continue
            self._seen.add(ref)
            child = _Node(ref)
            child.window = node.window or (child if node is app.root else None)
            node.children.append(child)
            if node is app.root:
                # Chromium builds its trees when somebody asks for the attributes of a window.
                self._call(app, ref, "Accessible.GetAttributes", _ignore)
            self._ask_first(app, child)

    def _ask_first(self, app: _App, node: _Node) -> None:
        def then(take: Callable[[_Node, Body], None], body: Body | None) -> None:
            if body is not None:
                take(node, body)
            node.open -= 1
            if node.open == 0:
                self._ask_more(app, node)

        self._call(app, node.ref, "Accessible.GetRole", partial(then, _take_role))
        self._call(app, node.ref, "Accessible.GetState", partial(then, _take_states))
        self._get(app, node.ref, "Accessible.Name", partial(then, _take_name))

    def _ask_more(self, app: _App, node: _Node) -> None:
        # "Showing" is said of an object only when all its ancestors show too.
        hidden = app.places_itself and not node.states & SHOWING
        if self._action.visible_only and hidden:
            return
        if node.states & MANAGES:
            count = partial(self._take_count, app, node)
            self._get(app, node.ref, "Accessible.ChildCount", count)
        else:
            self._ask_children(app, node)
        box = (
            partial(_take_box, node) if app.places_itself else partial(self._take_inner, app, node)
        )
        corner = SCREEN if app.places_itself else WINDOW
        self._call(app, node.ref, "Component.GetExtents", box, "u", (corner,))
        if node.role == "document web":
            address = partial(_take_address, node)
            self._call(app, node.ref, "Document.GetAttributes", address)
        elif node.role in WITH_VALUE:
            self._get(app, node.ref, "Value.CurrentValue", partial(_take_value, node))
        elif node.states & EDITABLE or node.role in WITH_TEXT:
            text = partial(self._take_text, app, node)
            self._call(app, node.ref, "Text.GetText", text, "ii", (0, MAX_TEXT))
        if node.role in ICONS and not _is_worded(node.name):
            said = partial(_take_description, node)
            self._get(app, node.ref, "Accessible.Description", said)
        if (node.role in ICONS and not node.name) or node.states & EDITABLE:
            self._call(app, node.ref, "Accessible.GetAttributes", partial(_take_attributes, node))

    def _take_text(self, app: _App, node: _Node, body: Body | None) -> None:
        """What it holds; LibreOffice tells nothing when it is asked for more than there is."""
        _take_text(node, body)
        if node.states & EDITABLE and not node.value:
            text = partial(_take_text, node)
            self._call(app, node.ref, "Text.GetText", text, "ii", (0, -1))

    def _take_inner(self, app: _App, node: _Node, body: Body | None) -> None:
        """Where it is in its window; then what is seen at its middle."""
        _take_box(node, body)
        if node.box is None or node.box.area == 0 or node.window is None:
            return
        self._ask_hits(app, node, node.box.center)
        # An icon that fills a button cannot be named; what is around it can.
        self._ask_hits(app, node, Point(node.box.x - PADDING, node.box.center.y))

    def _ask_hits(self, app: _App, node: _Node, at: Point) -> None:
        for asked in filter(None, (node.window, node)):
            hit = partial(_take_hit, node)
            method = "Component.GetAccessibleAtPoint"
            self._call(app, asked.ref, method, hit, "iiu", (at.x, at.y, WINDOW))

    def _take_count(self, app: _App, node: _Node, body: Body | None) -> None:
        if body and _number(body[0]) > MAX_CHILDREN:
            self._crowded = True
        else:
            self._ask_children(app, node)


def _counted(app: _App, then: Take) -> Take:
    def take(body: Body | None) -> None:
        app.open -= 1
        then(body)

    return take


def _ignore(body: Body | None) -> None:
    """For a question asked for its effect."""


def _keep(app: _App, field_name: str, body: Body | None) -> None:
    setattr(app, field_name, str(body[0]) if body else "")


def _take_role(node: _Node, body: Body) -> None:
    number = _number(body[0])
    node.role = ROLES[number] if 0 < number < len(ROLES) else "unknown"


def _take_states(node: _Node, body: Body) -> None:
    """Two words of 32 bits each."""
    words = body[0] if isinstance(body[0], list) else []
    low, high = (_number(word) for word in [*words, 0, 0][:2])
    node.states = low | high << 32


def _take_name(node: _Node, body: Body) -> None:
    node.name = str(body[0])


def _take_box(node: _Node, body: Body | None) -> None:
    corners = body[0] if body else None
    if not isinstance(corners, tuple) or len(corners) != 4:
        return
    x, y, width, height = (_number(corner) for corner in corners)
    # Toolkits say "nowhere" with the smallest number there is.
    if max(abs(x), abs(y), width, height) <= MAX_SIDE and min(width, height) >= 0:
        node.box = Box(x, y, width, height)


def _take_hit(node: _Node, body: Body | None) -> None:
    node.hits.append(_ref(body[0]) if body else None)


def _take_text(node: _Node, body: Body | None) -> None:
    # U+FFFC stands for an object within the text, which is an element of its own.
    text = str(body[0]).replace("\ufffc", "") if body else ""
    if node.states & EDITABLE or (text and text != node.name):
        node.value = text


def _take_address(node: _Node, body: Body | None) -> None:
    known = body[0] if body and isinstance(body[0], dict) else {}
    # Chromium's word for it, and Firefox's.
    node.value = str(known.get("URI") or known.get("DocURL") or "") or None


def _take_attributes(node: _Node, body: Body | None) -> None:
    known = body[0] if body and isinstance(body[0], dict) else {}
    node.attributes = {str(key): str(value) for key, value in known.items()}


def _take_description(node: _Node, body: Body | None) -> None:
    node.description = str(body[0]).strip() if body else ""


def _take_value(node: _Node, body: Body | None) -> None:
    if body and isinstance(body[0], int | float):
        node.value = f"{body[0]:.10g}"


def _refs(body: Body | None) -> Iterator[Ref]:
    for item in body[0] if body and isinstance(body[0], list) else ():
        ref = _ref(item)
        if ref is not None:
            yield ref


def _ref(value: object) -> Ref | None:
    if not isinstance(value, tuple) or len(value) != 2:
        return None
    name, path = str(value[0]), str(value[1])
    return (name, path) if name and not path.endswith("/null") else None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _select(walk: _Walk, action: Elements, size: Size) -> Iterator[Element]:
    """The elements asked for, parents before children."""
    screen = Box(0, 0, size.width, size.height)
    number = 0
    for app in walk.apps:
        set_right(app.root)
        name = _name(app)
        pending: list[tuple[_Node, str | None]] = [(app.root, None)]
        while pending:
            node, parent = pending.pop()
            if node.open == 0 and not (action.visible_only and _is_hidden(node, screen)):
                element = _element(node, f"e{number}", parent, name)
                number += 1
                parent = element.id
                yield element
            pending += [(child, parent) for child in reversed(node.children)]


def _is_hidden(node: _Node, screen: Box) -> bool:
    if not (node.states & SHOWING and node.states & VISIBLE):
        return True
    return node.box is not None and (node.box.area == 0 or node.box.intersect(screen) is None)


def _element(node: _Node, id_: str, parent: str | None, app: str) -> Element:
    states = tuple(name for bit, name in enumerate(STATES) if node.states >> bit & 1)
    called = _once(node.name) if node.role == "push button" else node.name
    called = called or node.description.partition("\n")[0]
    if called or not (name := _icon_name(node)):
        return Element(
            id_, node.role, called, node.value, node.box, states, parent, app, hint=_hint(node)
        )
    return Element(
        id_, node.role, name, node.value, node.box, states, parent, app, confidence=UNSEEN
    )


def _once(name: str) -> str:
    """A name that a toolkit tells twice over, as that of a button and that of the words on it."""
    half = len(name) // 2
    return name[:half] if name[half:] == f" {name[:half]}" else name


def _is_worded(name: str) -> bool:
    return any(map(str.isalnum, name))


def _hint(node: _Node) -> str:
    """What an empty field says: GTK's word for it, and browsers', of what is in a page.

    Of what has but a sign on it, what its author says that it is for.
    """
    if node.description and node.name and not _is_worded(node.name):
        return node.description.partition("\n")[0]
    known = node.attributes
    return known.get("placeholder-text") or (known.get("placeholder", "") if "tag" in known else "")


def _icon_name(node: _Node) -> str:
    """What the author calls an icon that has no name: by its file, or what its style is called.

    Written as icon themes do, `trash-symbolic`, so that nobody takes it for words on the screen.
    """
    box, known = node.box, node.attributes
    if node.role not in ICONS or box is None or max(box.width, box.height) > MAX_ICON:
        return ""
    if known.get("tag") == "svg":
        return ""
    file = known.get("src", "").partition("?")[0].rpartition("/")[2].rpartition(".")[0]
    said = (file, known.get("class", ""), known.get("id", ""))
    words = next(filter(None, map(spoken_words, said)), ())
    return "-".join([*words, "symbolic"]) if words else ""


def _name(app: _App) -> str:
    """As it calls itself, or as its program is called while it does not answer."""
    if app.name or app.pid is None:
        return app.name
    try:
        return Path("/proc", str(app.pid), "comm").read_text().strip()
    except OSError:  # it is gone, or in another machine
        return ""


def _names(apps: list[_App], clients: list[Client]) -> Iterator[str]:
    """Applications on the bus, then those that only have a window."""
    pids = {app.pid for app in apps}
    names = {_name(app).casefold() for app in apps}
    yield from (_name(app) for app in apps)
    for client in clients:
        if client.pid not in pids and client.app.casefold() not in names:
            names.add(client.app.casefold())
            yield client.app
