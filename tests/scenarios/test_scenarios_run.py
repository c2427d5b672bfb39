"""Scenarios in plain language over pages and programs that others wrote, run as people run them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from carrel.machines.providers.namespace import NamespaceProvider
from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.browser, pytest.mark.slow]

HERE = Path(__file__).parent
FILES = {
    "web": ("forms.steps", "pages.steps"),
    "widgets": ("widgets.steps", "chinese.steps"),
    "apps": ("editors.steps", "desktop.steps"),
}
PROGRAMS = (
    *(
        "chromium",
        "mousepad",
        "featherpad",
        "speedcrunch",
        "pcmanfm",
        "gnumeric",
        "zenity",
        "xterm",
    ),
    *("gtk3-demo", "gtk3-widget-factory", "xterm"),
)
EXAMPLES = Path("/usr/share/doc/libjs-jquery-ui-docs/examples")
PAGES = "file:///home/agent/jquery-ui"
# The package looks for its module loader where another version of that one was.
PREPARE = (
    f"cp -r {EXAMPLES} ~/jquery-ui && sed -i "
    "s,/usr/share/nodejs/require.js,/usr/share/nodejs/requirejs/require.js, ~/jquery-ui/*/*.html"
)
SCENARIO = re.compile(r"^(?:Scenario:|场景：)", re.MULTILINE)
WHOLE = 600


@dataclass
class Ran:
    """One command, ended."""

    code: int
    said: str


@dataclass
class Office:
    """Desks for the scenarios of this module, and where reports go."""

    folder: Path
    desks: list[str] = field(default_factory=list)

    @property
    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "XDG_STATE_HOME": str(self.folder / "state"),
            "CARREL_RUNS": str(self.folder / "runs"),
        }

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "carrel", *words],
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def carrel(self, *words: str) -> Ran:
        return _end(self.start(*words))

    def open(self, desk: str) -> None:
        made = self.carrel("up", desk, "--image", "host")
        assert made.code == 0, made.said
        self.desks.append(desk)
        ready = self.carrel("exec", desk, "--", "sh", "-c", PREPARE)
        assert ready.code == 0, ready.said

    def start_scenarios(
        self, desk: str, *files: Path, name: str, extra: tuple[str, ...] = ()
    ) -> subprocess.Popen[str]:
        listed = [word for file in files for word in ("-f", str(file))]
        reports = ("--junit", str(self.junit(name)), "--report", str(self.page(name)))
        given = ("--set", f"PAGES={PAGES}")
        return self.start("run", "-m", desk, *listed, *given, *reports, "--display", "none", *extra)

    def junit(self, name: str) -> Path:
        return self.folder / f"{name}.xml"

    def page(self, name: str) -> Path:
        return self.folder / f"{name}.html"


def _end(process: subprocess.Popen[str]) -> Ran:
    try:
        said, _ = process.communicate(timeout=WHOLE)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
        pytest.fail(f"not done in {WHOLE} s: {said[-2000:]}")
    return Ran(process.returncode, said)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    health = anyio.run(NamespaceProvider().probe)
    require_namespaces(health.usable, health.reason)
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing or not EXAMPLES.is_dir():
        pytest.skip(f"not installed: {', '.join(missing) or EXAMPLES}")
    made = Office(tmp_path_factory.mktemp("scenarios"))
    try:
        yield made
    finally:
        for desk in made.desks:
            made.carrel("delete", "--yes", desk)


@pytest.fixture(scope="module")
def suite(office: Office) -> dict[str, Ran]:
    """Every file run once, a desk for two files, all desks at a time."""
    for desk in FILES:
        office.open(desk)
    running = {
        desk: office.start_scenarios(desk, *(HERE / file for file in files), name=desk)
        for desk, files in FILES.items()
    }
    return {desk: _end(process) for desk, process in running.items()}


@pytest.mark.parametrize("desk", FILES)
def test_every_scenario_passes(suite: dict[str, Ran], desk: str) -> None:
    assert suite[desk].code == 0, suite[desk].said


def test_the_report_for_build_servers_counts_them(suite: dict[str, Ran], office: Office) -> None:
    written = 0
    for desk, files in FILES.items():
        root = ET.parse(office.junit(desk)).getroot()
        count = sum(len(SCENARIO.findall((HERE / file).read_text())) for file in files)
        written += count
        assert root.tag == "testsuites"
        assert [root.get(key) for key in ("tests", "failures", "errors", "skipped")] == [
            str(count),
            *"000",
        ]
        suites = [Path(suite.get("name", "")).name for suite in root.iter("testsuite")]
        assert suites == list(files)
        assert all(float(case.get("time", "0")) > 0 for case in root.iter("testcase"))
    assert written >= 32


def _shown(page: Path, profile: Path) -> str:
    """The page as a browser has it, its scripts and policy applied."""
    done = subprocess.run(
        [
            *("chromium", "--no-sandbox", "--headless=new", "--disable-gpu", "--dump-dom"),
            f"--user-data-dir={profile}",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout


def test_the_report_to_read_shows_every_verdict(
    suite: dict[str, Ran], office: Office, tmp_path: Path
) -> None:
    files = FILES["widgets"]
    count = sum(len(SCENARIO.findall((HERE / file).read_text())) for file in files)
    shown = _shown(office.page("widgets"), tmp_path / "profile")
    assert f"{count} of {count} scenarios passed" in shown
    assert shown.count('<span class="verdict">passed</span>') == count
    assert "选择日期" in shown
    replays = re.findall(r'href="([^"]+\.html)"', shown)
    assert len(replays) == count
    assert all((office.page("widgets").parent / replay).is_file() for replay in replays)


FAILING = f"""
Scenario: A page has no such button
    go to {PAGES}/tabs/default.html
    click the "Proin dollar" tab

Scenario: What was asked for is there
    go to {PAGES}/tabs/default.html
    verify that "Nunc tincidunt" is visible

Scenario: Never begun
    go to {PAGES}/dialog/default.html
"""


def test_a_failure_says_what_is_missing_and_what_comes_near(
    suite: dict[str, Ran], office: Office, tmp_path: Path
) -> None:
    file = tmp_path / "failing.steps"
    file.write_text(FAILING)
    only = ("--only", "a page*", "--only", "what was*")
    ran = _end(office.start_scenarios("web", file, name="failing", extra=only))
    assert ran.code == 1, ran.said
    assert "1 of 2 scenarios passed" in ran.said
    assert f'{file}:4: click the "Proin dollar" tab' in ran.said
    assert "no tab named Proin dollar" in ran.said
    assert "nearest: Proin dolor" in ran.said
    failure = ET.parse(office.junit("failing")).getroot().find(".//failure")
    assert failure is not None
    assert "Proin dolor" in failure.get("message", "")
    shown = _shown(office.page("failing"), tmp_path / "profile")
    assert "1 of 2 scenarios passed" in shown
    assert 'src="data:image/png;base64,' in shown


def test_the_first_failure_can_end_it(
    suite: dict[str, Ran], office: Office, tmp_path: Path
) -> None:
    file = tmp_path / "first.steps"
    file.write_text('Scenario: One\n    set x = "1"\n    verify that {x} is "2"\n' + FAILING)
    ran = _end(office.start_scenarios("web", file, name="first", extra=("--fail-fast",)))
    assert ran.code == 1, ran.said
    root = ET.parse(office.junit("first")).getroot()
    assert (root.get("failures"), root.get("skipped")) == ("1", "3")


def test_a_name_that_is_not_given_is_asked_for_before_anything_runs(office: Office) -> None:
    ran = office.carrel("run", "-m", "web", "-f", str(HERE / "forms.steps"))
    assert ran.code == 2
    assert "forms.steps needs PAGES" in ran.said
    assert "--set PAGES=" in ran.said
