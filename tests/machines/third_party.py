"""A package of somebody else's, installed on a path of its own: provider, template and hooks."""

from __future__ import annotations

from pathlib import Path

__all__ = ["install"]

_CODE = '''
import os
import time
from pathlib import Path

from carrel.machines.providers.namespace import NamespaceProvider
from carrel.machines.templates import Template

KIOSK = Template(
    "ignored", "a desk for one page", image="host", profile="minimal", preset="standard",
    notes=("made by acme",),
)
NO_TEMPLATE = 7


class AcmeProvider(NamespaceProvider):
    """Somebody else's engine, which happens to work like one of ours."""

    name = "acme"


class Hooks:
    @staticmethod
    def on_machine_start(machine):
        _note("start", machine, None)

    @staticmethod
    def on_machine_stop(machine, cause):
        _note("stop", machine, cause)


class Broken:
    @staticmethod
    def on_machine_start(machine):
        raise RuntimeError("out of order")

    @staticmethod
    def on_machine_stop(machine, cause):
        if os.environ.get("ACME_HANGS"):
            time.sleep(3600)
        raise SystemExit(3)


def _note(what, machine, cause):
    # What is called after a crash has none of its owner's variables.
    path = os.environ.get("ACME_NOTES") or Path(__file__).with_name("crashes")
    with Path(path).open("a") as file:
        file.write(f"{what} {machine.name} {machine.spec.provider} {cause}\\n")
'''

_POINTS = """\
[carrel.providers]
acme = acme_carrel:AcmeProvider
absent = acme_carrel:Absent

[carrel.templates]
kiosk = acme_carrel:KIOSK
odd = acme_carrel:NO_TEMPLATE
desktop = acme_carrel:KIOSK

[carrel.hooks]
acme-notes = acme_carrel:Hooks
acme-broken = acme_carrel:Broken
"""


def install(site: Path) -> Path:
    """Lay the package out as an installer would; returns the path to be searched."""
    (site / "acme_carrel").mkdir(parents=True)
    (site / "acme_carrel" / "__init__.py").write_text(_CODE)
    facts = site / "acme_carrel-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-carrel\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(_POINTS)
    return site
