"""D-Bus calls to the accessibility bus, many in flight at once.

A tree of a thousand objects takes thousands of calls; waiting for each answer in turn would take
seconds. Here calls are queued with what to do with their answer, and `Bus.pump` moves bytes both
ways until every answer has come or the time is up. One slow application holds up nobody else.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from carrel.errors import TimedOut, Unsupported
from carrel.guest._wire import Body, Splitter, pack_call

__all__ = ["ROLES", "STATES", "Answer", "Body", "Bus", "check", "open_accessibility"]

Answer = Callable[[Body | None], None]
"""Called with what a method returned, or None when it failed."""

CHUNK = 1 << 18

REGISTRY_NAME = "org.a11y.atspi.Registry"
ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
PROPERTIES = "org.freedesktop.DBus.Properties"
NO_BUS = "apt-get install dbus-daemon at-spi2-core, then start the desk again"

# In the order of AtspiStateType; the number of a state is its place.
STATES = tuple(
    """
    invalid,active,armed,busy,checked,collapsed,defunct,editable,enabled,expandable,expanded,
    focusable,focused,has tooltip,horizontal,iconified,modal,multi line,multiselectable,opaque,
    pressed,resizable,selectable,selected,sensitive,showing,single line,stale,transient,vertical,
    visible,manages descendants,indeterminate,required,truncated,animated,invalid entry,
    supports autocompletion,selectable text,is default,visited,checkable,has popup,read only
    """.replace("\n    ", "")
    .strip()
    .split(",")
)

# In the order of AtspiRole.
ROLES = tuple(
    """
    invalid,accelerator label,alert,animation,arrow,calendar,canvas,check box,check menu item,
    color chooser,column header,combo box,date editor,desktop icon,desktop frame,dial,dialog,
    directory pane,drawing area,file chooser,filler,focus traversable,font chooser,frame,
    glass pane,html container,icon,image,internal frame,label,layered pane,list,list item,menu,
    menu bar,menu item,option pane,page tab,page tab list,panel,password text,popup menu,
    progress bar,push button,radio button,radio menu item,root pane,row header,scroll bar,
    scroll pane,separator,slider,spin button,split pane,status bar,table,table cell,
    table column header,table row header,tearoff menu item,terminal,text,toggle button,tool bar,
    tool tip,tree,tree table,unknown,viewport,window,extended,header,footer,paragraph,ruler,
    application,autocomplete,editbar,embedded,entry,chart,caption,document frame,heading,page,
    section,redundant object,form,link,input method window,table row,tree item,
    document spreadsheet,document presentation,document text,document web,document email,comment,
    list box,grouping,image map,notification,info bar,level bar,title bar,block quote,audio,video,
    definition,article,landmark,log,marquee,math,rating,timer,static,math fraction,math root,
    subscript,superscript,description list,description term,description value,footnote,
    content deletion,content insertion,mark,suggestion,push button menu
    """.replace("\n    ", "")
    .strip()
    .split(",")
)


class Bus:
    """A connection to a message bus.

    Args:
        address: Such as `unix:path=/run/user/0/bus`.
        deadline: By `time.monotonic`, for connecting.

    Raises:
        OSError: Nothing answers at the address (also `TimeoutError`).
    """

    def __init__(self, address: str, deadline: float) -> None:
        from jeepney.bus import get_bus
        from jeepney.io.blocking import prep_socket

        try:
            path = get_bus(address)  # type: ignore[no-untyped-call]
        except (ValueError, RuntimeError) as error:
            raise OSError(f"{address!r} is not an address we can connect to") from error
        self.address = address
        self._socket: socket.socket = prep_socket(path, timeout=_left(deadline))
        self._socket.setblocking(False)
        self._splitter = Splitter()
        self._out = bytearray()
        self._serial = 0
        self._answers: dict[int, Answer] = {}
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    def call(
        self,
        destination: str,
        path: str,
        interface: str,
        member: str,
        signature: str = "",
        body: Body = (),
        then: Answer | None = None,
    ) -> None:
        """Queue a method call; `pump` sends it and gives its answer to `then`."""
        self._serial += 1
        self._out += pack_call(self._serial, destination, path, interface, member, signature, body)
        self._answers[self._serial] = then or _ignore

    def get(self, destination: str, path: str, interface: str, name: str, then: Answer) -> None:
        """Queue the reading of a property; `then` gets its value as a tuple of one."""

        def unpack(body: Body | None) -> None:
            value = body[0] if body else None
            then((value[1],) if isinstance(value, tuple) else None)

        self.call(destination, path, PROPERTIES, "Get", "ss", (interface, name), unpack)

    def pump(self, deadline: float) -> bool:
        """Exchange until no answer is outstanding; False when the time was up before.

        Raises:
            ConnectionError: The bus went away.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            while self._answers:
                self._write()
                events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._out else 0)
                selector.modify(self._socket, events)
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                for _, ready in selector.select(left):
                    if ready & selectors.EVENT_READ:
                        self._read()
        return True

    def ask(
        self,
        destination: str,
        path: str,
        interface: str,
        member: str,
        deadline: float,
        signature: str = "",
        body: Body = (),
    ) -> Body | None:
        """Call one method and wait for its answer; None when it failed.

        Raises:
            TimeoutError: The answer did not come in time.
        """
        found: list[Body | None] = []
        self.call(destination, path, interface, member, signature, body, found.append)
        if not self.pump(deadline) and not found:
            raise TimeoutError(f"{destination} did not answer {member}")
        return found[0]

    def _write(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._out:
                sent = self._socket.send(self._out)
                del self._out[:sent]

    def _read(self) -> None:
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return
        if not data:
            raise ConnectionResetError("the message bus closed the connection")
        for reply in self._splitter.feed(data):
            answer = self._answers.pop(reply.serial, None)
            if answer is not None:
                answer(reply.body)


def _ignore(body: Body | None) -> None:
    """For calls whose answer does not matter."""


def _left(deadline: float) -> float:
    return max(deadline - time.monotonic(), 0.001)


def open_accessibility(env: Mapping[str, str], deadline: float) -> Bus:
    """Connect to the accessibility bus of a desk, and ask applications to show themselves.

    Raises:
        Unsupported: The desk has none.
        TimedOut: It did not answer in time.
    """
    session = env.get("DBUS_SESSION_BUS_ADDRESS")
    if not session:
        raise Unsupported("this desk has no session bus, so no accessibility tree", hint=NO_BUS)
    try:
        with Bus(session, deadline) as bus:
            answer = bus.ask(
                "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", deadline
            )
            if answer is None:
                raise Unsupported("this desk has no accessibility bus", hint=NO_BUS)
            _switch_on(bus, deadline)
        return Bus(str(answer[0]), deadline)
    except TimeoutError:
        raise TimedOut(
            "the accessibility bus did not answer in the time given",
            op="elements",
            hint="a longer timeout: it mostly takes some hundredths of a second",
        ) from None
    except OSError as error:
        raise Unsupported(f"cannot reach the accessibility bus: {error}", hint=NO_BUS) from error


def _switch_on(bus: Bus, deadline: float) -> None:
    """Browsers and Qt programs build their trees only while these are set."""
    for name in ("IsEnabled", "ScreenReaderEnabled"):
        status = ("org.a11y.Bus", "/org/a11y/bus", PROPERTIES)
        answer = bus.ask(*status, "Get", deadline, "ss", ("org.a11y.Status", name))
        if answer is not None and answer[0] == ("b", False):
            bus.ask(*status, "Set", deadline, "ssv", ("org.a11y.Status", name, ("b", True)))


def check(env: Mapping[str, str], timeout: float) -> str:
    """Wait until the accessibility registry answers; the address of its bus.

    Raises:
        Unsupported: The desk has none.
        TimedOut: It did not answer in time.
    """
    deadline = time.monotonic() + timeout
    with open_accessibility(env, deadline) as bus:
        try:
            answer = bus.ask(REGISTRY_NAME, ROOT, ACCESSIBLE, "GetRole", deadline)
        except TimeoutError:
            raise TimedOut("the accessibility registry does not answer") from None
        address = bus.address
    if answer is None:
        raise Unsupported("this desk has no accessibility registry", hint=NO_BUS)
    return address
