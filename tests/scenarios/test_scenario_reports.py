"""Reports on scenarios: what a build server reads, and what a person does."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.decisions import Decision, encode_decision
from carrel.events import Event
from carrel.models.steps.state import Record, State
from carrel.scenarios.junit import write_junit
from carrel.scenarios.outcome import Outcome, fail_if_doubtful, fold_outcome, summarise
from carrel.scenarios.page import write_page

PASSED = Outcome(
    "login.steps",
    "sign in",
    "passed",
    records=(Record("1", 2, "type ann into User", "passed"),),
    seconds=1.25,
    run="run_1",
)
FAILED = Outcome(
    "login.steps",
    "wrong password",
    "failed",
    "no element named Submit; nearest: Submit form (button, 412,300)",
    (
        Record("1", 7, "type ann into User", "passed"),
        Record("2", 8, "click Submit", "failed", "no element named Submit"),
    ),
    2.0,
    "run_2",
    "ab",
)
LOST = Outcome("other.steps", "<b>&", "error", "the machine is gone", run="run_3")
LEFT = Outcome("other.steps", "later", "skipped", "one before it did not pass")
DOUBT = "nothing on the screen <i>changed</i>"
DOUBTED = Outcome(
    "other.steps",
    "dead button",
    "passed",
    records=(
        Record("1", 3, "open the page", "passed"),
        Record("2", 4, "click Save", "passed", doubt=DOUBT),
    ),
)


def test_a_build_server_reads_suites_cases_and_verdicts() -> None:
    root = ET.fromstring(write_junit([PASSED, FAILED, LOST, LEFT]))
    assert root.tag == "testsuites"
    counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped", "time")}
    assert counts == {"tests": "4", "failures": "1", "errors": "1", "skipped": "1", "time": "3.250"}
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["login.steps", "other.steps"]
    case = root.find(".//testcase[@name='wrong password']")
    assert case is not None
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == FAILED.account
    assert failure.text is not None
    assert "login.steps:8: click Submit" in failure.text
    assert "passed  7: type ann into User" in (case.findtext("system-out") or "")
    assert [child.tag for child in suites[1][0]] == ["error", "system-out"]
    assert [child.tag for child in suites[1][1]] == ["skipped", "system-out"]


@given(st.text(), st.text(), st.text())
def test_whatever_is_on_a_screen_the_report_is_xml(name: str, account: str, words: str) -> None:
    record = Record("1", 1, words, "failed", account)
    text = write_junit([Outcome("a.steps", name, "failed", account, (record,))])
    text.encode()
    assert len(ET.fromstring(text).findall(".//testcase")) == 1


def test_the_page_shows_the_screen_only_where_something_went_wrong() -> None:
    asked: list[str] = []

    def picture(outcome: Outcome) -> bytes:
        asked.append(outcome.name)
        return b"\x89PNG"

    listed = [PASSED, FAILED, LOST, LEFT]
    page = write_page(listed, picture, lambda o: f"runs/{o.run}.html").decode()
    assert asked == ["wrong password", "<b>&", "later"]
    assert "1 of 4 scenarios passed" in page
    assert "nearest: Submit form (button, 412,300)" in page
    assert "<b>&" not in page
    assert "&lt;b&gt;&amp;" in page
    assert 'href="runs/run_2.html"' in page
    assert "<script" not in page


def test_steps_in_doubt_are_told_and_their_scenarios_counted() -> None:
    assert summarise([PASSED, FAILED]) == "1 of 2 scenarios passed"
    # One that failed is not passed in doubt.
    failed = replace(DOUBTED, verdict="failed")
    both = [PASSED, DOUBTED, failed]
    assert summarise(both) == "2 of 3 scenarios passed, 1 of them with steps in doubt"
    page = write_page(both, lambda _: None, lambda _: None).decode()
    assert f"<h1>{summarise(both)}</h1>" in page
    assert "in doubt: nothing on the screen &lt;i&gt;changed&lt;/i&gt;" in page
    assert "<i>" not in page
    # It is open, as what did not pass is: somebody has to look.
    assert page.count('<details class="passed" open>') == 1
    case = ET.fromstring(write_junit(both)).find(".//testcase[@name='dead button']")
    assert case is not None
    assert [child.tag for child in case] == ["system-out"]
    told = case.findtext("system-out") or ""
    assert f"passed  4: click Save  (in doubt: {DOUBT})" in told
    assert "passed  3: open the page\n" in told


def test_a_scenario_in_doubt_fails_where_that_is_asked_for() -> None:
    failed = fail_if_doubtful(DOUBTED)
    assert failed.verdict == "failed"
    assert failed.account == f"click Save is in doubt: {DOUBT}"
    assert summarise([PASSED, failed]) == "1 of 2 scenarios passed"
    root = ET.fromstring(write_junit([PASSED, failed]))
    assert root.get("failures") == "1"
    assert root.findtext(".//failure") == f"other.steps:4: click Save\nin doubt: {DOUBT}"
    twice = replace(DOUBTED, records=DOUBTED.records * 2)
    assert fail_if_doubtful(twice).account.endswith("; and 1 more in doubt")


@pytest.mark.parametrize("outcome", [PASSED, FAILED, LOST, LEFT])
def test_what_has_no_doubt_or_did_not_pass_stays_as_it_is(outcome: Outcome) -> None:
    assert fail_if_doubtful(outcome) is outcome
    if outcome.verdict != "passed":
        doubted = replace(outcome, records=DOUBTED.records)
        assert fail_if_doubtful(doubted) is doubted


def test_doubts_are_read_from_the_journal() -> None:
    state = State(ended=DOUBTED.records)
    decision = encode_decision(Decision(raw=state.as_raw()))
    started = {"task": "click Save", "model": "steps", "machine": {}}
    events = [
        Event("run_1", 0, 0.0, "run.started", started),
        Event("run_1", 1, 1.0, "decision", {"decision": decision}),
    ]
    found = fold_outcome("other.steps", "dead button", events)
    assert [record.doubt for record in found.doubtful] == [DOUBT]


@pytest.mark.parametrize("name", ["plain", "50% of #1?", 'a & b "c"', "mailto:x", "報告", "a+b c"])
def test_the_link_to_a_replay_leads_to_its_file(tmp_path: Path, name: str) -> None:
    report = tmp_path / f"{name}.html"
    replay = f"{name}-runs/run_1.html"
    written = write_page([PASSED], lambda _: None, lambda _: replay).decode()
    (link,) = re.findall(r'<a href="([^"]*)"', written)
    place = urlsplit(urljoin(report.as_uri(), unescape(link)))
    assert (place.scheme, place.query, place.fragment) == ("file", "", "")
    assert Path(unquote(place.path)) == tmp_path / replay
