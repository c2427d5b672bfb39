"""The command tree: its help, its weight, what every command has."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from cli_runner import Carrel

from carrel.cli import root
from carrel.cli._group import LazyGroup


def walk(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from walk(command, (*path, name))


COMMANDS = sorted(walk(root))


def find(path: tuple[str, ...]) -> click.Command:
    command: click.Command = root
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), name)
        assert found is not None
        command = found
    return command


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_help_and_json(path: tuple[str, ...], carrel: Carrel) -> None:
    command = find(path)
    assert any("--json" in param.opts for param in command.params)
    done = carrel(*path, "--help")
    assert done.exit_code == 0
    assert "Usage: carrel " + " ".join(path) in done.stdout


@pytest.mark.parametrize("path", [(), ("do",)], ids=["carrel", "do"])
def test_help_known_in_advance_is_the_help_of_the_command(path: tuple[str, ...]) -> None:
    group = find(path)
    assert isinstance(group, LazyGroup)
    for name, entry in group.lazy.items():
        command = find((*path, name))
        assert command.name == name
        assert (command.help or "").splitlines()[0].strip() == entry.help


def test_an_unknown_command_names_the_near_one(carrel: Carrel) -> None:
    done = carrel("stauts")
    assert done.exit_code == 2
    assert done.stderr == "error: carrel has no command 'stauts'\ntry: carrel status\n"
    wire = json.loads(carrel("do", "clik", "--json").stdout)
    assert wire["error"]["code"] == "not_found"
    assert wire["error"]["hint"] == "carrel do click"


def test_help_loads_no_machinery() -> None:
    code = (
        "import sys\n"
        "from carrel.cli import root\n"
        "try: root.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'anyio', 'asyncio', 'rich', 'sqlite3', 'carrel.machines', 'carrel.actions'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == "[]\n"


def test_one_action_loads_neither_rich_nor_another_action() -> None:
    code = (
        "import sys\n"
        "from carrel.cli import root\n"
        "try: root.main(['do', 'click', '--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('rich', 'carrel.cli.do.files', 'carrel.cli.up') if m in sys.modules],"
        " file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr == "[]\n"


def test_help_costs_little(plain_env: dict[str, str]) -> None:
    command = [sys.executable, "-m", "carrel", "--help"]
    subprocess.run(command, env=plain_env, capture_output=True, check=True, timeout=60)
    costs = []
    for _ in range(5):
        before = _children_cpu()
        subprocess.run(command, env=plain_env, capture_output=True, check=True, timeout=60)
        costs.append(_children_cpu() - before)
    # 60 ms on an idle machine; the bound leaves room for a busy one.
    assert min(costs) < 0.15


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_module_is_the_command(plain_env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "carrel", "--version", "--json"],
        env=plain_env,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["version"]


def test_a_group_without_a_command_shows_its_help(carrel: Carrel) -> None:
    done = carrel("image")
    assert done.exit_code == 2
    assert "Usage: carrel image" in done.stderr
    assert json.loads(carrel("image", "--json").stdout)["error"]["code"] == "usage"
