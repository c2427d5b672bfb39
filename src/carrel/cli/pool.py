"""`carrel pool`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from carrel.cli._group import GROUP, Group
from carrel.cli._machines import run
from carrel.cli._output import Output
from carrel.cli._progress import Stages
from carrel.cli._types import MEMORY, SCREEN, TEMPLATE
from carrel.cli._wish import new_wish, written
from carrel.errors import InvalidInput

if TYPE_CHECKING:
    from carrel.machines.pool import Pool, Pools
    from carrel.machines.spec import MachineSpec

__all__ = ["pool"]

MOST = 64


@click.group(cls=Group, context_settings=GROUP)
def pool() -> None:
    """Keep machines ready, so that one more is there at once."""


def _pools() -> Pools:
    from carrel.machines.lifecycle import Machines
    from carrel.machines.pool import Pools

    return Pools(Machines())


@pool.command("set")
@click.argument("name")
@click.option(
    "--size", "count", type=click.IntRange(0, MOST), required=True, help="How many; 0 ends it."
)
@click.option("--template", "-t", type=TEMPLATE, help="What to make them from: template list.")
@click.option(
    "--provider",
    metavar="P",
    help="How to have them; auto is the first of gvisor, namespace, docker and qemu that works.",
)
@click.option("--image", metavar="I", help="Their disk, where NAME is not an image.")
@click.option("--screen", "size", type=SCREEN, help="Their screens, 1280x800 by default.")
@click.option("--memory", type=MEMORY, help="Most memory each may use, 4GB by default.")
@click.option("--cpus", type=int, metavar="N", help="Most processors each may use; 0: no limit.")
@click.pass_obj
def set_pool(out: Output, /, name: str, count: int, **options: Any) -> None:
    """Keep a number of machines ready.

    NAME is an image or a template, or any name where --image or --template says which. The next
    `carrel up` of a new machine with the very same wish takes one of them.
    """
    from carrel.machines.pool import Pool
    from carrel.machines.spec import check_name

    check_name(name, "a name for a pool")
    pools = _pools()
    if count:
        wish = Pool(name, _wanted(out, pools, name, written(options)), count)
    else:
        wish = _to_end(pools, name)
    stages = Stages(quiet=out.json)
    made = run(_set, pools, wish, stages)
    ready = run(pools.ready, made)
    out.result(_facts(made, ready), _words(made, ready))


def _wanted(out: Output, pools: Pools, name: str, given: dict[str, Any]) -> MachineSpec:
    """What each machine is to be. A pool that is called like an image or a template is of that."""
    from carrel.machines.images import image_names
    from carrel.machines.templates import find_templates

    if "image" not in given and "template" not in given:
        known = sorted(template.name for template in find_templates()[0])
        if name in image_names():
            given["image"] = name
        elif name in known:
            given["template"] = name
        elif (there := _find(pools, name)) is None:
            raise InvalidInput(
                f"{name} is neither an image nor a template: of what is the pool?",
                hint=f"--image {'|'.join(image_names())}, or --template {'|'.join(known)}",
            )
        elif not given:
            return there.spec
        elif there.spec.template:
            given["template"] = there.spec.template
        else:
            given["image"] = there.spec.image
    return new_wish(out, name, given)[0]


def _find(pools: Pools, name: str) -> Pool | None:
    return next((pool for pool in pools.list() if pool.name == name), None)


def _to_end(pools: Pools, name: str) -> Pool:
    """A pool that is to be no more: one there is, or what an interrupted command left of one."""
    from dataclasses import replace

    from carrel.machines.pool import Pool
    from carrel.machines.spec import MachineSpec

    remains = Pool(name, MachineSpec(), 0)
    if _find(pools, name) is None and pools.members(remains):
        return remains
    return replace(pools.get(name), size=0)


async def _set(pools: Pools, wish: Pool, stages: Stages) -> Pool:
    from dataclasses import replace

    wish = replace(wish, spec=await _certain(wish.spec))
    pools.put(wish)
    async with stages.running():
        await pools.fill(wish, stages)
    return wish


async def _certain(spec: MachineSpec) -> MachineSpec:
    """The wish with a provider: what is made ahead cannot be chosen later."""
    from dataclasses import replace

    from carrel.machines.auto import choose_provider

    if spec.provider != "auto":
        return spec
    return replace(spec, provider=(await choose_provider(spec))[0])


@pool.command("list")
@click.pass_obj
def list_pools(out: Output) -> None:
    """Show the pools, and how many of each are ready; those that have ended are replaced."""
    pools = _pools()
    found = []
    for each in pools.list():
        found.append(_facts(each, run(pools.ready, each)))
        if dead := run(pools.replace_dead, each):
            out.note(f"{dead} of pool {each.name} had ended: others are made in their place")
    if out.json:
        out.document({"pools": found})
        return
    columns = ("name", "ready", "size", "provider", "image")
    rows = [tuple(str(item[key]) for key in columns) for item in found]
    out.table(("name", "ready", "of", "provider", "image"), rows)


def _facts(pool: Pool, ready: int) -> dict[str, Any]:
    return {
        "name": pool.name,
        "ready": ready,
        "size": pool.size,
        "provider": pool.spec.provider,
        "image": pool.spec.image,
    }


def _words(pool: Pool, ready: int) -> str:
    if not pool.size:
        return f"pool {pool.name} is gone, with its machines"
    return f"pool {pool.name}: {ready} of {pool.size} are ready"
