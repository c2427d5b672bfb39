"""The size of the screen, changed through RandR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib import error as xerror
from Xlib.ext import randr

from carrel.errors import ActionFailed, Unsupported
from carrel.geometry import Size

if TYPE_CHECKING:
    from Xlib.display import Display
    from Xlib.protocol import rq

__all__ = ["resize_screen"]

_MILLIMETRES = 25.4 / 96
_HERTZ = 60


def resize_screen(display: Display, size: Size) -> None:
    """Give the screen a new size.

    Raises:
        Unsupported: The server has no RandR, several monitors, or cannot be that size.
        ActionFailed: It refused; the screen is as it was.
    """
    if not display.has_extension("RANDR"):
        raise Unsupported("this display cannot be resized (it lacks RANDR)")
    _check_range(display, size)
    monitor = _Monitor.of(display)
    before = _size(display)
    if before == size:
        return
    mode = _mode(display, monitor, size)
    with _grabbed(display):
        if _apply(display, monitor, size, mode):
            return
        _apply(display, monitor, before, monitor.mode)
    raise ActionFailed(f"the display server refused to become {size}", retryable=True)


@dataclass(frozen=True, slots=True)
class _Monitor:
    """The one output that shows the screen."""

    output: int
    crtc: int
    mode: int

    @classmethod
    def of(cls, display: Display) -> _Monitor:
        resources = display.screen().root.xrandr_get_screen_resources()
        stamp = resources.config_timestamp
        outputs = [
            (each, display.xrandr_get_output_info(each, stamp)) for each in resources.outputs
        ]
        active = [(each, info) for each, info in outputs if info.crtc]
        if len(active) != 1:
            raise Unsupported(
                f"this display has {len(active)} monitors; only a screen with one can be resized"
            )
        output, info = active[0]
        return cls(output, info.crtc, display.xrandr_get_crtc_info(info.crtc, stamp).mode)


def _size(display: Display) -> Size:
    geometry = display.screen().root.get_geometry()
    return Size(geometry.width, geometry.height)


def _check_range(display: Display, size: Size) -> None:
    limits = display.screen().root.xrandr_get_screen_size_range()
    fits = (
        limits.min_width <= size.width <= limits.max_width
        and limits.min_height <= size.height <= limits.max_height
    )
    if not fits:
        raise Unsupported(
            f"this display cannot become {size}: it can be from {limits.min_width}x"
            f"{limits.min_height} to {limits.max_width}x{limits.max_height}",
            hint="Xvfb can only shrink from the size it was started with; start it larger",
        )


def _mode(display: Display, monitor: _Monitor, size: Size) -> int:
    """A mode of that size which the output knows; made if there is none."""
    resources = display.screen().root.xrandr_get_screen_resources()
    known = [each.id for each in resources.modes if (each.width, each.height) == _pair(size)]
    info = display.xrandr_get_output_info(monitor.output, resources.config_timestamp)
    usable = next((mode for mode in known if mode in info.modes), None)
    if usable is not None:
        return int(usable)
    mode = known[0] if known else _make_mode(display, size)
    if not _checked(display, randr.AddOutputMode, output=monitor.output, mode=mode):
        raise Unsupported(f"this display's monitor cannot show {size}")
    return int(mode)


def _pair(size: Size) -> tuple[int, int]:
    return size.width, size.height


def _make_mode(display: Display, size: Size) -> int:
    width, height = _pair(size)
    name = f"carrel-{size}"
    timing = (width, width, width, 0, height, height, height)
    info = (0, width, height, width * height * _HERTZ, *timing, len(name), 0)
    return int(display.screen().root.xrandr_create_mode(info, name).mode)


def _apply(display: Display, monitor: _Monitor, size: Size, mode: int) -> bool:
    """Switch the monitor off, the screen over, and the monitor on again."""
    stamp = display.screen().root.xrandr_get_screen_resources().config_timestamp
    display.xrandr_set_crtc_config(monitor.crtc, stamp, 0, 0, 0, randr.Rotate_0, [])
    sized = _checked(
        display,
        randr.SetScreenSize,
        window=display.screen().root,
        width=size.width,
        height=size.height,
        width_in_millimeters=max(1, round(size.width * _MILLIMETRES)),
        height_in_millimeters=max(1, round(size.height * _MILLIMETRES)),
    )
    if not sized:
        return False
    stamp = display.screen().root.xrandr_get_screen_resources().config_timestamp
    shown = display.xrandr_set_crtc_config(
        monitor.crtc, stamp, 0, 0, mode, randr.Rotate_0, [monitor.output]
    )
    return int(shown.status) == randr.SetConfigSuccess


def _checked(display: Display, request: type[rq.Request], **fields: object) -> bool:
    """Send a request that has no answer, and wait to see that it was not refused."""
    refused = xerror.CatchError(xerror.XError)
    base = display.display
    opcode = base.get_extension_major(randr.extname)
    request(display=base, onerror=refused, opcode=opcode, **fields)
    display.sync()
    return refused.get_error() is None


@contextmanager
def _grabbed(display: Display) -> Iterator[None]:
    """Let no other program see the steps in between."""
    display.grab_server()
    try:
        yield
    finally:
        display.ungrab_server()
        display.sync()
