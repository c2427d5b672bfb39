"""Starting the X server of a desk, with nothing loaded but the interpreter itself.

Everything else of the guest loads while the server starts: see `carrel.guest.__main__`.
"""

from __future__ import annotations

import os

from carrel.guest.desk_home import make_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "MARK",
    "ROOM",
    "SERVERS",
    "Started",
    "abandon",
    "find_program",
    "from_arguments",
    "hand_over",
    "start_server",
    "take_over",
    "write_cookies",
]

MARK = "CARREL_DESK"
"""The variable that tells to which desk a process belongs."""

SERVERS: Mapping[str, str] = {"Xvfb": "xvfb", "Xtigervnc": "tigervnc-standalone-server"}
"""Programs in order of preference, and the Debian package of each."""

ROOM = (2560, 1600)
"""The size Xvfb can grow to; costs four bytes of memory per pixel (16 MB)."""

_FAMILY_LOCAL = 256
_FAMILY_WILD = 65535
_DPI = 96
# What Python ignores and programs do not expect to be ignored: SIGPIPE, SIGXFSZ.
_IGNORED = (13, 25)
_SIGKILL = 9
_SERVES = ("--listen-fd", "--listen", "--stdio", "--device", "--vsock")
# How --help and --display can be written.
_OTHERWISE = ("-h", "--he", "--di")
_HANDED = "--started"
_COOKIE_BYTES = 16


class Started:
    """An X server on its way.

    Attributes:
        program: Its name.
        home: The directory of its desk, ours alone.
        cookie: What clients have to show.
        pid: Its process, a child of ours.
        announced: Where it writes its display number when it answers.
        held: Says that the directory is in use, for as long as it is open.
    """

    def __init__(
        self, program: str, home: str, cookie: bytes, pid: int, announced: int, held: int
    ) -> None:
        self.program = program
        self.home = home
        self.cookie = cookie
        self.pid = pid
        self.announced = announced
        self.held = held


def from_arguments(arguments: list[str]) -> Started | None:
    """Start what the guest's arguments ask for; None where that needs a closer look at them."""
    serves = any(word in arguments for word in _SERVES)
    if not serves or any(word.startswith(_OTHERWISE) for word in arguments):
        return None
    program = next(filter(find_program, SERVERS), None)
    wish = arguments[arguments.index("--size") + 1 :][:1] if "--size" in arguments else []
    width, _, height = "".join(wish).partition("x")
    if program is None or not (width.isdecimal() and height.isdecimal()):
        return None
    try:
        return start_server(program, int(width), int(height))
    except OSError:
        return None  # met again, and told, by whoever starts it then


def hand_over(started: Started) -> tuple[str, ...]:
    """The arguments by which this very process, as a guest, goes on with a server it started."""
    for descriptor in (started.announced, started.held):
        os.set_inheritable(descriptor, True)
    words = (started.pid, started.announced, started.held, started.program, started.home)
    return (_HANDED, ":".join(map(str, words)))


def take_over(arguments: list[str]) -> Started | None:
    """The server that was handed over by arguments, which are taken from them; None without any."""
    if _HANDED not in arguments:
        return None
    at = arguments.index(_HANDED)
    words = arguments[at + 1].split(":", 4)
    del arguments[at : at + 2]
    pid, announced, held = map(int, words[:3])
    program, home = words[3:]
    for descriptor in (announced, held):
        os.set_inheritable(descriptor, False)
    with open(f"{home}/Xauthority", "rb") as file:  # noqa: PTH123 - pathlib costs 10 ms
        cookie = file.read()[-_COOKIE_BYTES:]
    return Started(program, home, cookie, pid, announced, held)


def find_program(name: str) -> str | None:
    """Where a program is; `shutil.which` without what that loads."""
    for directory in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = f"{directory}/{name}"
        if os.access(path, os.X_OK) and not os.path.isdir(path):  # noqa: PTH112
            return path
    return None


def start_server(
    program: str, width: int, height: int, *, dpi: int = _DPI, gl: bool = False
) -> Started:
    """Start an X server with a desk directory of its own, on the first free display number."""
    home, held = make_home()
    cookie = os.urandom(_COOKIE_BYTES)
    # One file for clients and one for the server, which forgets all when its own changes.
    for name in ("Xauthority", "server-authority"):
        write_cookies(f"{home}/{name}", {"": cookie})
    announced, writer = _make_pipe(f"{home}/display")
    screen = _screen(program, width, height)
    # GLX loads a whole compiler: twice the start time, and 67 MB resident instead of 14.
    glx = [] if gl else ["-extension", "GLX"]
    argv = [
        *(*_tether(), program, *screen, *glx, "-dpi", str(dpi)),
        *("-auth", f"{home}/server-authority", "-nolisten", "tcp", "-noreset", "-s", "0", "-dpms"),
        *("-displayfd", str(writer)),
    ]
    try:
        pid = _spawn(argv, home)
    except OSError:
        os.close(announced)
        _remove(home)
        os.close(held)
        raise
    finally:
        os.close(writer)
    return Started(program, home, cookie, pid, announced, held)


def _make_pipe(path: str) -> tuple[int, int]:
    """Both ends of a pipe that has a name: its time tells when the server has answered."""
    os.mkfifo(path, 0o600)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY)
    os.set_inheritable(writer, True)
    return reader, writer


def _remove(home: str) -> None:
    for name in os.listdir(home):  # noqa: PTH208
        os.unlink(f"{home}/{name}")  # noqa: PTH108
    os.rmdir(home)  # noqa: PTH106


def abandon(started: Started) -> None:
    """End a server that turns out not to be wanted, and leave nothing of it."""
    os.close(started.announced)
    os.kill(started.pid, _SIGKILL)
    os.waitpid(started.pid, 0)
    _remove(started.home)
    os.close(started.held)


def _screen(program: str, width: int, height: int) -> list[str]:
    if program == "Xvfb":
        room = f"{max(width, ROOM[0])}x{max(height, ROOM[1])}x24"
        return ["-screen", "0", room]
    size = f"{width}x{height}"
    return ["-geometry", size, "-depth", "24", "-rfbport", "-1", "-SecurityTypes", "None"]


def _tether() -> list[str]:
    """What ends a program when we are killed and cannot end it ourselves."""
    setpriv = find_program("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []


def _spawn(argv: list[str], home: str) -> int:
    quiet = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, f"{home}/server.log", quiet, 0o600),
    ]
    env = {**os.environ, MARK: home.rpartition("/")[2]}
    return os.posix_spawnp(
        argv[0], argv, env, file_actions=actions, setsid=True, setsigdef=_IGNORED
    )


def write_cookies(path: str, cookies: Mapping[str, bytes]) -> None:
    """Replace a file of MIT-MAGIC-COOKIE-1: one for each display number (`""` stands for any)."""
    host = os.uname().nodename.encode()
    entries = [
        # python-xlib knows only the first kind; the second survives a change of host name.
        _entry(family, address, number, cookie)
        for number, cookie in cookies.items()
        for family, address in ((_FAMILY_LOCAL, host), (_FAMILY_WILD, b""))
    ]
    fd = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(fd, b"".join(entries))
    finally:
        os.close(fd)
    os.replace(f"{path}.new", path)  # noqa: PTH105


def _entry(family: int, address: bytes, number: str, cookie: bytes) -> bytes:
    fields = (address, number.encode(), b"MIT-MAGIC-COOKIE-1", cookie)
    packed = [len(field).to_bytes(2, "big") + field for field in fields]
    return family.to_bytes(2, "big") + b"".join(packed)
