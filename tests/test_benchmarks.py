from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_a_quick_run_of_one_part_prints_a_table_and_writes_its_rows(tmp_path: Path) -> None:
    done = run("--quick", "--only", "stream", "--json", str(tmp_path / "rows.json"))
    assert done.returncode == 0, done.stderr
    written = json.loads((tmp_path / "rows.json").read_text())
    assert written["quick"] is True
    assert len(written["before"]["load"]) == 3
    assert {row["section"] for row in written["rows"]} == {"stream"}
    for row in written["rows"]:
        assert row["name"] in done.stdout
        assert 0 < row["p50"] <= row["p95"]
        assert row["ratio"] == pytest.approx(row["p50"] / row["floor_p50"])


def test_an_unknown_part_is_refused_with_the_known_ones() -> None:
    done = run("--only", "nothing")
    assert done.returncode == 2
    assert "screenshot" in done.stderr


# The agent loop


@pytest.fixture
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmarks are no part of what is installed."""
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.mark.slow
@pytest.mark.usefixtures("importable")
def test_the_agent_and_the_floor_are_led_through_the_same_steps(tmp_path: Path) -> None:
    from benchmarks._agent_contest import arena

    with arena(tmp_path, 14, None) as place:
        for wire in ("responses", "messages"):
            ours = place.ours(wire, 12)
            floor = place.floor(wire, 12)
            # One request before the first click, and one after the last.
            assert len(ours.walls) == len(floor.walls) == 12
            assert len(ours.at(10)) == 10
            assert ours.at(13) == []
            assert min(*ours.walls, *floor.walls) > 0
            assert len(ours.processor) == 11
            seen = sum(path.stat().st_size for path in place.frames[:13])
            assert seen <= ours.stored <= 1.2 * seen
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("importable")
def test_frames_are_all_different_and_as_large_as_those_of_a_desktop(tmp_path: Path) -> None:
    from benchmarks._agent_frames import draw_frames

    frames = [path.read_bytes() for path in draw_frames(tmp_path, 12)]
    assert len(set(frames)) == 12
    assert all(100_000 < len(frame) < 300_000 for frame in frames)


@pytest.mark.usefixtures("importable")
def test_what_is_installed_with_the_project_is_counted_with_its_extras() -> None:
    from benchmarks._agent_install import installed, weigh_ours

    base, models = installed("carrel"), installed("carrel", ("openai", "anthropic"))
    assert {"carrel", "anyio", "pillow", "click", "rich"} <= base
    assert base < models
    assert {"openai", "anthropic", "httpx2"} <= models - base
    count, megabytes = weigh_ours()
    assert count == len(base)
    assert 1 < megabytes < 70


def test_a_rival_that_cannot_be_installed_is_said_and_not_needed(tmp_path: Path) -> None:
    code = "from benchmarks._rivals import rival_python; print(rival_python('cua-agent==0.9.1'))"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PIP_NO_INDEX": "1", "UV_NO_INDEX": "1"}
    env |= {"PIP_FIND_LINKS": "", "UV_FIND_LINKS": "", "UV_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, timeout=100
    )
    assert done.stdout.startswith("(None, "), done.stderr
    assert len(done.stdout) > len("(None, '')\n")


# A peer


@pytest.mark.usefixtures("importable")
def test_the_peer_is_asked_in_frames_that_a_websocket_server_understands() -> None:
    from benchmarks._peer import Peer
    from websockets.sync.server import ServerConnection, serve

    heard: list[object] = []

    def answer(connection: ServerConnection) -> None:
        for text in connection:
            heard.append(json.loads(text))
            # Whoever does not answer this is hung up on.
            assert connection.ping().wait(10)
            size = heard[-1]["params"].get("size", 0)
            connection.send(json.dumps({"success": size < 100_000, "data": "x" * size}))

    with serve(answer, "127.0.0.1", 0, compression=None) as server:
        port = server.socket.getsockname()[1]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            client = Peer(port)
            client.click(100, 103)
            sizes = (10, 200, 70_000)
            answers = [client.ask("grow", size=size)["data"] for size in sizes]
            with pytest.raises(SystemExit, match="refused grow"):
                client.ask("grow", size=100_000)
            client.close()
        finally:
            server.shutdown()
            thread.join()
    assert heard[0] == {"command": "left_click", "params": {"x": 100, "y": 103}}
    assert answers == ["x" * size for size in sizes]


@pytest.mark.usefixtures("importable")
def test_a_rival_that_no_python_here_runs_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks._rivals import rival_python

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    python, why = rival_python("cua-computer-server==0.3.46", ((3, 99),))
    assert python is None
    assert "Python 3.99" in why
    assert list(tmp_path.iterdir()) == []
