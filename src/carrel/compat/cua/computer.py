"""`Computer`: a machine with the constructor people know."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self, cast

from carrel.compat.cua.interface import Interface
from carrel.computer import Computer as Handle
from carrel.errors import CarrelError, InvalidInput, Unsupported, WrongState
from carrel.geometry import Size
from carrel.machines.lifecycle import Machines
from carrel.machines.provider import provider_names
from carrel.machines.spec import MachineSpec, NetworkMode, check_name

__all__ = ["Computer"]

_CLOUD = "the service has ended; machines run where this program runs"
_ENGINES = {
    "cloud": _CLOUD,
    "cloudv2": _CLOUD,
    "winsandbox": "there are no Windows machines here",
    "lumier": "it is one of several ways to Lume; give provider_type='lume' where it is installed",
}
_WITHOUT_MEANING = frozenset(
    (
        *("verbosity", "telemetry_enabled", "provider_port", "noVNC_port", "api_port", "host"),
        *("api_host", "storage", "experiments", "timeout", "run_opts"),
    )
)
"""Where their engines listen and log: there is no port here, and nothing is sent anywhere."""
_REFUSED = {
    "shared_directories": "copy files with interface.write_bytes, or `carrel cp`",
    "use_host_computer_server": "provider_type='host' is your own screen, without isolation",
    "api_key": "no service is asked for a machine",
    "api_base_url": "a guest elsewhere is reached with `carrel up --provider remote`",
    "api_headers": "a guest elsewhere is reached with `carrel up --provider remote`",
    "vnc_host": "there is no VNC backend; the guest program sees and acts",
    "vnc_port": "there is no VNC backend; the guest program sees and acts",
    "vnc_password": "there is no VNC backend; the guest program sees and acts",
}
_MISSING = {
    "venv_install": "interface.run_command('python3 -m venv …')",
    "venv_cmd": "interface.run_command",
    "venv_exec": "interface.run_command",
    "python_exec": "write a file with interface.write_text and run it with interface.run_command",
    "tracing": "every run has a journal: `carrel show`, `carrel replay`",
    "pty": "carrel.Computer.exec(pty=(rows, columns))",
    "get_ip": "a machine has no address; `carrel forward` carries a port to this side",
    "update": "delete the machine and make it with another size",
}
_UNITS = {"": 1, "M": 1, "MB": 1, "MIB": 1, "G": 1024, "GB": 1024, "GIB": 1024}


class Computer:
    """A Linux desk of its own, made when it is first needed.

    A machine with a name stays; one without, or an `ephemeral` one, is deleted at the end.

    Args:
        display: `"1024x768"`, `(1024, 768)`, or a dict or object with width and height.
        memory: Most memory, such as `"4GB"`.
        cpu: Most processors.
        os_type: `linux`.
        name: Of a machine to make, or to use if it is there.
        image: `desktop` when None; see `carrel image list`.
        provider_type: One of the providers of `carrel provider list`; None is auto.
        ephemeral: Delete it at the end though it has a name.
        network: `none`, `allowlist` or `nat`.
        allow: Rules such as `example.org:443`, for `allowlist`.
        others: Options of engines that are not here: refused where they would mean something.
    """

    def __init__(
        self,
        display: str | Sequence[int] | Mapping[str, int] | object = "1024x768",
        memory: str = "4GB",
        cpu: str | int = "0",
        os_type: str = "linux",
        name: str = "",
        image: str | None = None,
        provider_type: str | None = None,
        ephemeral: bool = False,
        network: NetworkMode = "none",
        allow: Sequence[str] = (),
        **others: object,
    ) -> None:
        _check_others(others)
        if str(os_type) != "linux":
            raise Unsupported(f"there are no {os_type} machines here", hint="os_type='linux'")
        self.name = check_name(name or f"cua-{secrets.token_hex(4)}")
        self._keep = bool(name) and not ephemeral
        self._spec = MachineSpec(
            provider=_provider(provider_type),
            image=_image(image),
            size=_size(display),
            memory_mb=_megabytes(memory),
            cpus=_whole(cpu, "cpu"),
            network=network,
            allow=tuple(allow),
        )
        self._machines = Machines()
        self._stack: AsyncExitStack | None = None
        self._handle: Handle | None = None
        self._interface: Interface | None = None

    def __getattr__(self, name: str) -> object:
        base = name.removesuffix("_background")
        if base in _MISSING:
            raise Unsupported(f"a computer has no {name} here", hint=_MISSING[base])
        raise AttributeError(f"a computer has no {name!r}")

    async def __aenter__(self) -> Self:
        await self.run()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.disconnect()
        if not self._keep:
            await self._machines.delete(self.name)

    async def start_machine(self) -> str:
        """Have the machine running, without a connection of this object's own; its name."""
        await self._machines.up(self.name, self._spec)
        return self.name

    async def run(self) -> None:
        """Start the machine if need be, and connect to it."""
        if self._handle is not None:
            return
        await self.start_machine()
        stack = AsyncExitStack()
        try:
            handle = await stack.enter_async_context(self._machines.computer(self.name))
        except CarrelError:
            if not self._keep:
                await self._machines.delete(self.name)
            raise
        self._stack, self._handle, self._interface = stack, handle, Interface(handle)

    async def start(self) -> None:
        """The same as `run`."""
        await self.run()

    async def disconnect(self) -> None:
        """Close the connection; the machine goes on."""
        stack, self._stack = self._stack, None
        self._handle = self._interface = None
        if stack is not None:
            await stack.aclose()

    async def stop(self) -> None:
        """Stop the machine; its disk stays."""
        await self.disconnect()
        await self._machines.stop(self.name)

    async def restart(self) -> None:
        """Stop it and start it again."""
        await self.stop()
        await self.run()

    async def delete(self) -> None:
        """Remove the machine with all it holds."""
        await self.disconnect()
        await self._machines.delete(self.name)

    @property
    def interface(self) -> Interface:
        """The mouse, the keyboard and all else.

        Raises:
            WrongState: The computer is not running.
        """
        if self._interface is None:
            raise WrongState(f"{self.name} is not connected", hint="async with Computer(…) as c")
        return self._interface

    @property
    def handle(self) -> Handle | None:
        """The same machine as Carrel's own `Computer`; None when it is not connected."""
        return self._handle


def _check_others(others: Mapping[str, object]) -> None:
    for name, value in others.items():
        if name in _REFUSED:
            if value:
                raise Unsupported(f"a computer cannot have {name} here", hint=_REFUSED[name])
        elif name == "backend":
            if value not in (None, "native"):
                raise Unsupported(f"there is no {value!r} backend here", hint="leave it out")
        elif name not in _WITHOUT_MEANING:
            raise InvalidInput(f"Computer has no option {name!r}")


def _provider(given: str | None) -> str:
    name = "auto" if given is None else str(given)
    if name in _ENGINES:
        raise Unsupported(f"there is no {name} engine here: {_ENGINES[name]}", hint="leave it out")
    if name not in ("auto", *provider_names()):
        raise Unsupported(
            f"there is no {name[:40]} engine here",
            hint=f"leave it out, or use one of {', '.join(provider_names())}",
        )
    return name


def _image(given: str | None) -> str:
    if given is None:
        return "desktop"
    if "/" in given or ":" in given:
        raise Unsupported(
            f"{given[:80]} is an image of another engine",
            hint="leave it out for the desktop; `carrel image list` shows what there is",
        )
    return given


def _size(given: object) -> Size:
    if isinstance(given, str):
        match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", given.strip())
        if match is None:
            raise InvalidInput(f"display {given[:40]!r} is not WIDTHxHEIGHT", hint="1024x768")
        return Size(int(match[1]), int(match[2]))
    if isinstance(given, Mapping):
        sides: Sequence[object] = (given.get("width"), given.get("height"))
    elif isinstance(given, Sequence):
        sides = given
    else:
        sides = (getattr(given, "width", None), getattr(given, "height", None))
    if len(sides) != 2 or not all(isinstance(side, int) for side in sides):
        raise InvalidInput("display has a width and a height", hint='"1024x768"')
    return Size(*cast("Sequence[int]", sides))


def _megabytes(given: str | int) -> int:
    match = re.fullmatch(r"(\d+)\s*([A-Za-z]*)", str(given).strip())
    if match is None or match[2].upper() not in _UNITS:
        raise InvalidInput(f"memory {str(given)[:40]!r} is not an amount", hint="4GB")
    return int(match[1]) * _UNITS[match[2].upper()]


def _whole(given: str | int, name: str) -> int:
    try:
        return int(given)
    except ValueError:
        raise InvalidInput(f"{name} is a whole number, not {given!r}") from None
