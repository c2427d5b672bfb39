"""What engines that start from an image have in common: checks, and the guest's command."""

from __future__ import annotations

from anyio import to_thread

from carrel.errors import InvalidInput, NotFound, Unavailable
from carrel.machines import proof
from carrel.machines.images import RECIPES, build, image_names, resolve_image
from carrel.machines.lending import check_volumes, refuse_volumes
from carrel.machines.provider import Progress, Provider, try_probe
from carrel.machines.sandbox.plan import AGENT_HOME
from carrel.machines.spec import MachineSpec

__all__ = ["check_image_spec", "guest_argv", "prepare_image", "require_working"]

# Not -m and not `site`: where the X server is started by the first lines, it waits for both.
_PROGRAM = "from carrel.guest.__main__ import main; raise SystemExit(main())"


def guest_argv(python: str, spec: MachineSpec, *line: str) -> tuple[str, ...]:
    """The guest's command line.

    Args:
        python: The interpreter, as a path inside the machine.
        spec: The machine's wish.
        line: How it is reached: `--listen-fd N`, `--stdio`, `--device PATH`.
    """
    size = f"{spec.size.width}x{spec.size.height}"
    return (python, "-S", "-P", "-c", _PROGRAM, *line, "--size", size, "--home", AGENT_HOME)


def check_image_spec(
    spec: MachineSpec, images: tuple[str, ...] | None = None, *, volumes: bool = False
) -> None:
    """Refuse an unknown image, an ill-formed rule and what only other providers have.

    Args:
        spec: The wish.
        images: What the engine can start from; every image by default.
        volumes: Whether it can be lent volumes.
    """
    if volumes:
        check_volumes(spec)
    else:
        refuse_volumes(spec, spec.provider)
    known = image_names() if images is None else images
    if spec.image not in known:
        raise NotFound(
            f"the {spec.provider} provider has no image called {spec.image[:60]!r}",
            hint=f"known images: {', '.join(known)}",
        )
    if spec.allow:
        from carrel.machines.egress import Rule

        for text in spec.allow:
            Rule.parse(text)
    if spec.url is not None or spec.token_file is not None:
        raise InvalidInput(
            "url and token_file are for a machine elsewhere", hint="--provider remote"
        )


async def require_working(provider: Provider) -> None:
    """Try an engine before anything is made for it, unless it has worked under these conditions.

    Raises:
        Unavailable: It does not work here.
    """
    if proof.is_proven(provider.name):
        return
    health = await try_probe(provider)
    if not health.usable:
        raise Unavailable(health.reason, op="machine.create", hint=health.fix)
    proof.remember(provider.name)


async def prepare_image(name: str, progress: Progress) -> None:
    """Build an image if it is not there."""
    progress(f"image {name}", None)
    try:
        await to_thread.run_sync(resolve_image, name)
    except Unavailable:
        if name not in RECIPES:
            raise
        await build(RECIPES[name], progress=lambda p: progress(p.detail, p.fraction))
