"""`carrel config`: what machines are made with, and what one has."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._types import MACHINE
from carrel.errors import NotFound, UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from carrel.machines.lifecycle import Standing
    from carrel.machines.settings import Key
    from carrel.machines.spec import Machine, MachineSpec

__all__ = ["config"]


class _Setting(NamedTuple):
    """One line of the list."""

    key: Key
    value: object
    origin: str

    def describe(self) -> dict[str, object]:
        from carrel.codec import encode
        from carrel.geometry import Size

        value = str(self.value) if isinstance(self.value, Size) else encode(self.value)
        return {"key": self.key.name, "value": value, "origin": self.origin}


@click.group(cls=Group, context_settings=GROUP)
def config() -> None:
    """Show and change settings, of one machine or for those to come.

    Without NAME the settings are those that new machines are made with. A flag beats the
    environment (CARREL_MEMORY and so on), that beats your own file, and that the project's
    carrel.toml.
    """


def _complete(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem | str]:
    from carrel.machines.settings import HOST_KEYS, KEYS

    before = ctx.params.get(str(param.name)) or ()
    keys: list[CompletionItem | str] = [k for k in (*KEYS, *HOST_KEYS) if k.startswith(text)]
    return keys if before else [*MACHINE.shell_complete(ctx, param, text), *keys]


_GLOBAL = click.option(
    "--global", "everywhere", is_flag=True, help="For machines to come; the same as no NAME."
)
_ORIGIN = click.option("--origin", is_flag=True, help="Say where each value comes from.")


@config.command("list")
@click.argument("name", type=MACHINE, required=False)
@_GLOBAL
@_ORIGIN
@click.pass_obj
def list_settings(out: Output, name: str | None, everywhere: bool, origin: bool) -> None:
    """List every setting."""
    if name is not None and everywhere:
        raise UsageError("--global is for no machine in particular", hint="leave out the name")
    _show(out, name, _settings(name), origin=origin)


@config.command("get")
@click.argument("words", nargs=-1, required=True, metavar="[NAME] KEY", shell_complete=_complete)
@_GLOBAL
@_ORIGIN
@click.pass_obj
def get(out: Output, words: tuple[str, ...], everywhere: bool, origin: bool) -> None:
    """Show one setting; with a NAME alone, all of that machine."""
    name, key = _name_and_key(words, everywhere)
    found = _settings(name)
    if key is None:
        _show(out, name, found, origin=origin)
        return
    setting = _find(found, key)
    said = setting.key.words(setting.value)
    out.result(
        {"machine": name, **setting.describe()}, f"{said}  ({setting.origin})" if origin else said
    )


@config.command("set")
@click.argument(
    "words", nargs=-1, required=True, metavar="[NAME] KEY VALUE", shell_complete=_complete
)
@_GLOBAL
@click.pass_obj
def set_setting(out: Output, words: tuple[str, ...], everywhere: bool) -> None:
    """Change one setting: of a machine that is stopped, or in your own file."""
    most = 2 if everywhere else 3
    if not 2 <= len(words) <= most:
        raise UsageError("config set takes a key and a value", hint="carrel config set KEY VALUE")
    name = words[0] if len(words) == 3 else None
    key, text = words[-2:]
    if name is None:
        from carrel.machines.settings import user_file
        from carrel.machines.user_file import set_value

        value = set_value(user_file(), key, text)
        where = str(user_file())
    else:
        value = _set_of_machine(out, name, key, text)
        where = name
    said = _key(key).words(value)
    out.result(
        {"machine": name, **_Setting(_key(key), value, where).describe()},
        f"{key} is {said or 'empty'} ({where})",
    )


@config.command("unset")
@click.argument("key")
@click.pass_obj
def unset(out: Output, key: str) -> None:
    """Take a setting out of your own file."""
    from carrel.machines.settings import user_file
    from carrel.machines.user_file import unset_value

    unset_value(user_file(), key)
    out.result(
        {"key": key, "file": str(user_file())}, f"{key} is not set in {user_file()} any more"
    )


def _key(name: str) -> Key:
    from carrel.machines.settings import HOST_KEYS, KEYS, get_key

    return get_key(name, {**KEYS, **HOST_KEYS})


def _name_and_key(words: tuple[str, ...], everywhere: bool) -> tuple[str | None, str | None]:
    from carrel.machines.settings import HOST_KEYS, KEYS
    from carrel.machines.store import Store

    if len(words) > 2 or (everywhere and len(words) > 1):
        raise UsageError("config get takes a machine's name and a key", hint="carrel config list")
    if len(words) == 2:
        return words
    word = words[0]
    if everywhere or word in KEYS or word in HOST_KEYS:
        return None, word
    if any(machine.name == word for machine in Store().all()):
        return word, None
    raise NotFound(
        f"there is neither a setting nor a machine called {word[:40]!a}",
        hint=f"known settings: {', '.join((*KEYS, *HOST_KEYS))}; carrel status shows the machines",
    )


def _find(found: list[_Setting], key: str) -> _Setting:
    from carrel.machines.settings import get_key

    get_key(key, {setting.key.name: setting.key for setting in found})
    return next(setting for setting in found if setting.key.name == key)


def _show(out: Output, name: str | None, found: list[_Setting], *, origin: bool) -> None:
    if out.json:
        out.document({"machine": name, "settings": [setting.describe() for setting in found]})
        return
    columns = ("key", "value", "from") if origin else ("key", "value")
    rows = [(s.key.name, s.key.words(s.value), s.origin)[: len(columns)] for s in found]
    out.table(columns, rows)


def _settings(name: str | None) -> list[_Setting]:
    return _of_machine(name) if name is not None else _defaults()


def _of_machine(name: str) -> list[_Setting]:
    from carrel.machines.origins import origin_of, read_origins
    from carrel.machines.settings import KEYS
    from carrel.machines.standing import disk_bound, is_loadable
    from carrel.machines.store import Store

    machine = Store().get(name)
    noted = read_origins(machine)
    effective = {"disk_mb": run(disk_bound, machine)} if is_loadable(machine.spec.provider) else {}
    return [
        _Setting(
            key,
            effective.get(key.field, getattr(machine.spec, key.field)),
            origin_of(machine, key.field, noted),
        )
        for key in KEYS.values()
        if key.field
    ]


def _defaults() -> list[_Setting]:
    from carrel.machines.limits import load_limits
    from carrel.machines.settings import HOST_KEYS, KEYS, load_layers
    from carrel.machines.spec import MachineSpec
    from carrel.machines.wishes import make_wish

    layers = load_layers()
    wish = make_wish(layers)
    chosen = {name: (value, at) for at, values in layers for name, value in values.items()}
    plain = MachineSpec(provider="auto")
    found = []
    for key in KEYS.values():
        if key.field:
            value = wish.fields.get(key.field, getattr(plain, key.field))
            found.append(_Setting(key, value, wish.origins.get(key.field, "default")))
        else:
            found.append(_Setting(key, *chosen.get(key.name, ("", "default"))))
    limits = load_limits()
    own = {"host.memory": limits.memory_mb, "host.cpus": limits.cpus, "host.check": limits.check}
    for name, key in HOST_KEYS.items():
        found.append(_Setting(key, own[name], chosen.get(name, ("", "this computer"))[1]))
    return found


def _set_of_machine(out: Output, name: str, key: str, text: str) -> object:
    from carrel.machines.settings import KEYS, get_key
    from carrel.machines.store import Store

    machine = Store().get(name)
    setting = get_key(key, KEYS)
    value = setting.check(text)
    changed = _changed(machine, setting, value)
    run(_configure, name, changed)
    for each in KEYS.values():
        if each is not setting and each.field in changed:
            now = changed[each.field]
            if now != getattr(machine.spec, each.field):
                out.note(f"with it, {each.name} is {each.words(now) or 'empty'}")
    return value


def _changed(machine: Machine, key: Key, value: object) -> dict[str, Any]:
    """The fields of a machine's wish that differ now."""
    from carrel.cli._wish import as_fields

    changed = as_fields({key.name: value})
    if changed.get("network", "allowlist") != "allowlist":
        changed["allow"] = ()
    if key.name == "allow" and not value:
        changed["network"] = "none"
    if changed.get("provider") == "auto":
        changed["provider"] = machine.spec.provider
    if key.name == "preset":
        changed = {**_cut(machine.spec, str(value)), **changed}
    return changed


def _cut(spec: MachineSpec, preset: str) -> dict[str, Any]:
    """What a preset leaves of a machine, where that is less."""
    from carrel.machines.presets import get_preset, narrow

    return narrow(
        get_preset(preset), {each.name: getattr(spec, each.name) for each in fields(spec)}
    )


async def _configure(name: str, changed: dict[str, Any]) -> Standing:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.origins import write_origins

    standing = await Machines().configure(name, lambda spec: replace(spec, **changed))
    write_origins(standing.machine, dict.fromkeys(changed, "carrel config set"))
    return standing
