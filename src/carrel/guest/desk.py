"""A complete desktop session: X server, session bus, accessibility, window manager and panel.

It needs no systemd and no privilege, leaves nothing behind, and works without the parts that are
not installed (`Desk.missing`), except the X server itself.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from Xlib import Xatom

from carrel.errors import MachineLost, RunError, TimedOut
from carrel.geometry import Size
from carrel.guest import _look, atspi
from carrel.guest.desk_home import make_home
from carrel.guest.display import close_display, open_display, x_errors
from carrel.guest.manager import find_manager, wait_for_manager
from carrel.guest.parts import MARK, Part, sweep
from carrel.guest.server_start import Started, start_server
from carrel.guest.xserver import Authority, ServerName, Traces, find_server, fit_screen

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Desk", "DeskOptions"]

logger = logging.getLogger(__name__)

START_SECONDS = 20.0
READY_SECONDS = 20.0
STOP_SECONDS = 10.0
MAX_RESTARTS = 3
"""How often a window manager, panel or bus that died is started again."""

BUS = "dbus-daemon"
BROWSERS = ("x-www-browser", "chromium", "firefox-esr", "firefox", "google-chrome")
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")

# python-xlib takes the cookie file from this process's environment, which has room for one name:
# every file lists the cookies of all desks that live when it is written.
_cookies: dict[str, Authority] = {}
_outside: list[str] = []
"""The file that was named before the first desk."""


@dataclass(frozen=True)
class DeskOptions:
    """What the desk should be like.

    Attributes:
        size: Of the screen at the start.
        dpi: Resolution that toolkits are told.
        display: An existing display to use; then only what it lacks is started.
        server: The X server program. Xvfb cannot grow beyond `xserver.ROOM` or `size`;
            Xtigervnc can.
        gl: Whether the X server offers OpenGL (GLX), for 20 ms and 30 to 50 MB more. Browsers and
            toolkits draw without it.
    """

    size: Size
    dpi: int = 96
    display: str | None = None
    server: ServerName = "auto"
    gl: bool = False


class Desk:
    """One desktop session.

    `start` it, then keep `wait_died` running: it is what restarts a part that died. In between,
    `display` and `env` are what a program needs to appear on the desk.
    """

    def __init__(self, options: DeskOptions, started: Started | None = None) -> None:
        """Plan a desk.

        Args:
            options: What it should be like.
            started: Its X server, where that was started before everything else was loaded.
        """
        self.options = options
        self._started = started
        self.display = options.display or ""
        self.env: dict[str, str] = {}
        self.missing: list[str] = []
        """Parts this desk does without, such as `tint2`."""
        self._home = Path()
        self._held: int | None = None
        self._parts: list[Part] = []
        self._server: Part | None = None
        self._authority: Authority | None = None
        self._announced: int | None = None
        self._traces: Traces | None = None
        # On somebody else's display: a server that nobody is connected to may start anew.
        self._line: Display | None = None
        self._manager_comes = False
        self._stopping = False

    def launch(self) -> None:
        """Start the X server and return at once, to do something useful before `start`.

        Raises:
            Unavailable: There is no X server program.
        """
        if self.options.display is not None:
            path, self._held = make_home()
            self._home = Path(path)
            return
        options = self.options
        started = self._started or start_server(
            find_server(options.server),
            options.size.width,
            options.size.height,
            dpi=options.dpi,
            gl=options.gl,
        )
        self._started = None
        self._home, self._held = Path(started.home), started.held
        self._authority = Authority(self._home / "Xauthority", started.cookie)
        self._announced = started.announced
        self._server = self._part([started.program], os.environ)
        self._server.adopt(started.pid)

    async def start(self) -> None:
        """Return when the X server and the session bus answer; the rest is on its way.

        Raises:
            Unavailable: There is no X server program, or the given display does not answer.
            RunError: The X server did not start.
            TimedOut: It took longer than 20 seconds.
        """
        try:
            with anyio.fail_after(START_SECONDS):
                await self._start()
        except TimeoutError:
            await self.stop()
            raise TimedOut(
                f"the desk did not start within {START_SECONDS:g} seconds", op="desk.start"
            ) from None
        except BaseException:
            await self.stop()
            raise

    async def _start(self) -> None:
        if self._home == Path():
            self.launch()
        if self.options.display is None:
            await self._meet_server()
        else:
            self._line = open_display(self.display)
        self.env = self._environment()
        self._furnish()
        await self._start_bus()

    async def ready(self) -> None:
        """Wait until the window manager has announced itself and accessibility answers.

        Parts that are `missing` are not waited for.

        Raises:
            TimedOut: One of them did not come within 20 seconds.
            RunError: The session bus ended meanwhile.
        """
        with anyio.move_on_after(READY_SECONDS) as scope:
            if self._manager_comes:
                await wait_for_manager(self.display)
        if scope.cancelled_caught:
            raise TimedOut("the window manager did not announce itself", op="desk.ready")
        if "at-spi-bus-launcher" not in self.missing and BUS not in self.missing:
            try:
                address = await to_thread.run_sync(
                    atspi.check, self.env, READY_SECONDS, abandon_on_cancel=True
                )
            except ConnectionError as error:
                raise RunError(
                    f"accessibility did not come up: {error}", op="desk.ready"
                ) from error
            self._announce_accessibility(address)

    async def wait_died(self) -> str:
        """Keep the desk going; return the cause when its X server has died."""
        async with anyio.create_task_group() as tasks:
            for part in self._parts:
                tasks.start_soon(self._keep, part)
            cause = await self._server_end()
            tasks.cancel_scope.cancel()
        return cause

    async def stop(self) -> None:
        """End everything that was started and remove every trace of it."""
        self._stopping = True
        with anyio.CancelScope(shield=True), anyio.move_on_after(STOP_SECONDS):
            await self._end_all([*self._parts])
            if self._server is not None:
                # Last, so that nobody complains about a lost display.
                await self._end_all([self._server])
        if self.options.display is None:
            self._forget_display()
        if self._line is not None:
            close_display(self._line)
            self._line = None
        self._parts.clear()
        self._server = None
        if self._announced is not None:
            os.close(self._announced)
            self._announced = None
        if self._home != Path():
            await to_thread.run_sync(sweep, self._home.name)
            shutil.rmtree(self._home, ignore_errors=True)
            self._home = Path()
        if self._held is not None:
            os.close(self._held)
            self._held = None

    async def _end_all(self, parts: list[Part]) -> None:
        async with anyio.create_task_group() as tasks:
            for part in parts:
                tasks.start_soon(part.end)

    # The X server

    async def _meet_server(self) -> None:
        """Wait until the server has said its number, and make its screen ready."""
        assert self._announced is not None
        assert self._authority is not None
        assert self._server is not None
        # Costs as much as the server's start: let both happen at once.
        await to_thread.run_sync(import_module, "Xlib.display")
        number = await _read_line(self._announced)
        if not number:
            raise RunError(await self._why_no_server(self._server), op="desk.start")
        self.display = f":{number}"
        self._remember_display(number, self._authority)
        self._prepare_screen()

    async def _why_no_server(self, server: Part) -> str:
        how = await server.wait()
        lines = (self._home / "server.log").read_text(errors="replace").split("\n")
        said = [line.strip() for line in lines if "rror" in line or "Fatal" in line]
        return f"{how} instead of starting" + (f": {said[-1]}" if said else "")

    def _prepare_screen(self) -> None:
        display = open_display(self.display)
        try:
            fit_screen(display, self.options.size)
            _look.dress(display, self.options.dpi)
        finally:
            close_display(display)

    def _announce_accessibility(self, address: str) -> None:
        """Tell programs the address of accessibility where they need not ask for it.

        Qt asks the session bus, and may use the connection before the answer has come: such a
        program shows no tree for the rest of its life. Qt 6 looks into the environment first, Qt 5
        at the root window.
        """
        self.env["AT_SPI_BUS_ADDRESS"] = address
        if self.options.display is not None:
            return  # somebody else's screen
        with x_errors():
            display = open_display(self.display)
            try:
                name = display.intern_atom("AT_SPI_BUS")
                display.screen().root.change_property(name, Xatom.STRING, 8, address.encode())
                display.sync()
            finally:
                close_display(display)

    def _remember_display(self, number: str, authority: Authority) -> None:
        self._traces = Traces(number)
        if not _cookies:
            _outside[:] = [os.environ["XAUTHORITY"]] if "XAUTHORITY" in os.environ else []
        _cookies[number] = authority
        _write_cookies(authority)
        os.environ["XAUTHORITY"] = str(authority.path)

    def _forget_display(self) -> None:
        number = self.display.removeprefix(":")
        if self._traces is not None:
            self._traces.remove()
        ours = _cookies.pop(number, None)
        if ours is None or os.environ.get("XAUTHORITY") != str(ours.path):
            return
        others = [str(each.path) for each in _cookies.values()] or _outside
        if others:
            os.environ["XAUTHORITY"] = others[-1]
        else:
            del os.environ["XAUTHORITY"]

    async def _server_end(self) -> str:
        if self._server is not None:
            return await self._server.wait()
        if self._line is not None:
            with contextlib.suppress(MachineLost):
                await _wait_closed(self._line)
        return f"the display server of {self.display} is gone"

    # What stands around it

    def environment(self) -> dict[str, str]:
        """For programs of this desk, which find their cookie by the host's name of this moment."""
        if self._authority is not None and self._authority.is_of_another_name():
            _write_cookies(self._authority)
        return self.env

    def _environment(self) -> dict[str, str]:
        own = self.options.display is None
        runtime = os.environ.get("XDG_RUNTIME_DIR", "")
        keep = not own and runtime and Path(runtime).is_dir()
        env = {
            "DISPLAY": self.display,
            "HOME": str(Path.home()),
            "XDG_RUNTIME_DIR": runtime if keep else str(self._home),
            "XDG_SESSION_TYPE": "x11",
            "XDG_CURRENT_DESKTOP": "Openbox",
            "LANG": "C.UTF-8",
            # A Wayland session around us must not take our windows.
            "WAYLAND_DISPLAY": "",
            "GDK_BACKEND": "x11",
            "QT_QPA_PLATFORM": "xcb",
            "GTK_A11Y": "atspi",
            "GTK_MODULES": "",
            "NO_AT_BRIDGE": "0",
            "QT_ACCESSIBILITY": "1",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "ACCESSIBILITY_ENABLED": "1",
            "GNOME_ACCESSIBILITY": "1",
        }
        if own:
            env[MARK] = self._home.name
        if authority := os.environ.get("XAUTHORITY"):
            env["XAUTHORITY"] = authority
        if browser := next(filter(shutil.which, BROWSERS), None):
            env["BROWSER"] = browser
        return env

    def _furnish(self) -> None:
        """Start what the screen lacks: window manager and panel."""
        self._manager_comes = True
        if self.options.display is not None and find_manager(self.display):
            return
        rc, panel = self._home / "openbox.xml", self._home / "tint2rc"
        rc.write_text(_look.openbox_config())
        panel.write_text(_look.tint2_config())
        self._manager_comes = self._add(["openbox", "--sm-disable", "--config-file", str(rc)])
        self._add(["tint2", "-c", str(panel)])

    def _add(self, argv: list[str]) -> bool:
        if shutil.which(argv[0]) is None:
            self.missing.append(argv[0])
            return False
        part = self._part(argv, {**os.environ, **self.env})
        part.start()
        self._parts.append(part)
        return True

    async def _start_bus(self) -> None:
        launcher = next(filter(os.path.exists, LAUNCHERS), None)
        if launcher is None:
            self.missing.append("at-spi-bus-launcher")
        if self.options.display is not None and "DBUS_SESSION_BUS_ADDRESS" in os.environ:
            self.env["DBUS_SESSION_BUS_ADDRESS"] = os.environ["DBUS_SESSION_BUS_ADDRESS"]
            return
        if shutil.which(BUS) is None:
            self.missing.append(BUS)
            return
        if launcher is not None:
            _offer_accessibility(self._home, launcher)
        await self._launch_bus()

    async def _launch_bus(self) -> None:
        address = f"unix:path={self._home / 'bus'}"
        options = ["--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"]
        self.env["DBUS_SESSION_BUS_ADDRESS"] = address
        # Programs that the bus starts take their environment from it.
        env = {**os.environ, **self.env, "XDG_RUNTIME_DIR": str(self._home)}
        reader, writer = os.pipe()
        try:
            try:
                part = self._part([BUS, *options, f"--address={address}"], env)
                part.start(stdout=writer)
            finally:
                os.close(writer)
            self._parts.append(part)
            if not await _read_line(reader):
                raise RunError(f"{await part.wait()} instead of starting", op="desk.start")
        finally:
            os.close(reader)

    # Processes

    def _part(self, argv: list[str], env: Mapping[str, str]) -> Part:
        return Part(argv, {**env, MARK: self._home.name}, self._home)

    async def _keep(self, part: Part) -> None:
        """Start a part again when it dies, but not for ever."""
        while True:
            how = await part.wait()
            if self._stopping:
                return
            if part.restarts == MAX_RESTARTS:
                self.missing.append(part.name)
                logger.error("%s once more; the desk goes on without it", how)
                return
            logger.warning("%s; starting it again", how)
            part.restarts += 1
            part.start()


def _write_cookies(authority: Authority) -> None:
    """Tell clients the cookies of all displays of this process."""
    authority.write({number: each.cookie for number, each in _cookies.items()})


def _offer_accessibility(home: Path, launcher: str) -> None:
    """Let the bus start accessibility on demand, switched on from the first moment."""
    services = home / "dbus-1" / "services"
    services.mkdir(parents=True)
    options = "--launch-immediately --a11y=1 --screen-reader=1"
    # The switches would otherwise be written into the user's own settings.
    (services / "org.a11y.Bus.service").write_text(
        "[D-BUS Service]\nName=org.a11y.Bus\n"
        f"Exec=/usr/bin/env GSETTINGS_BACKEND=memory {launcher} {options}\n"
    )


async def _wait_closed(display: Display) -> None:
    """Wait until a display that is not our child closes our connection."""
    # A copy, for `stop` may close the connection while we still wait.
    copy = os.dup(display.fileno())
    try:
        with x_errors():
            while True:
                await anyio.wait_readable(copy)
                # Changes of the keyboard are told to everybody; only the end raises.
                while display.pending_events():
                    display.next_event()
    finally:
        os.close(copy)


async def _read_line(fd: int) -> str:
    """What a program says when it is ready; empty when it ended without a word."""
    text = b""
    while not text.endswith(b"\n"):
        await anyio.wait_readable(fd)
        chunk = os.read(fd, 4096)
        if not chunk:
            return ""
        text += chunk
    return text.decode().strip()
