"""The real command on a real machine."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_runner import invoke

from carrel.machines.lifecycle import Machines, Standing
from namespaces import require_namespaces

pytestmark = [pytest.mark.namespace, pytest.mark.desktop, pytest.mark.slow]

Env = dict[str, str]
CARREL = [sys.executable, "-m", "carrel"]


def carrel(
    env: Env, *args: str, stdin: bytes | None = b"", check: int | None = 0
) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run([*CARREL, *args], env=env, input=stdin, capture_output=True, timeout=120)
    if check is not None:
        assert done.returncode == check, (args, done.stdout[-2000:], done.stderr[-2000:])
    return done


def document(env: Env, *args: str, check: int = 0) -> dict[str, object]:
    done = carrel(env, *args, "--json", check=check)
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def eventually(condition: Callable[[], object], what: str, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory, plain_env: Env) -> Iterator[Env]:
    """A store with one running machine, `desk`."""
    settings = {**plain_env, "CARREL_HOME": str(tmp_path_factory.mktemp("home"))}
    listed = document(settings, "provider", "list")["providers"]
    assert isinstance(listed, list)
    found = next(item for item in listed if item["name"] == "namespace")
    require_namespaces(bool(found["usable"]), str(found["reason"]))
    done = carrel(settings, "up", "--image", "host", "--size", "800x600")
    assert b"desk is running: provider namespace, image host, 800x600" in done.stdout
    assert re.search(rb"^starting  \d+\.\d s$", done.stderr, re.MULTILINE)
    yield settings
    carrel(settings, "delete", "desk", check=None)


# Machines


def test_up_again_reports_the_running_machine(env: Env) -> None:
    assert b"desk was already running" in carrel(env, "up").stdout
    assert document(env, "up", "--size", "800x600")["was_running"] is True
    done = carrel(env, "up", "--size", "640x480", check=2)
    assert done.stderr.startswith(b"error: desk exists with size 800x600")


def test_status_tells_state_and_settings(env: Env) -> None:
    machine = document(env, "status", "desk")
    assert (machine["state"], machine["size"], machine["network"]) == ("running", "800x600", "none")
    assert isinstance(machine["pid"], int)
    done = carrel(env, "status")
    assert done.stdout.split()[:2] == [b"NAME", b"STATE"]
    assert b"desk" in done.stdout
    assert b"carrel do shot" in carrel(env).stdout


def test_logs_tell_that_the_machine_runs(env: Env) -> None:
    lines = carrel(env, "logs", "desk", "--source", "carrel", "--json").stdout.splitlines()
    assert "the machine is running" in [json.loads(line)["text"] for line in lines]
    done = carrel(env, "logs", "desk")
    told = rb"^\d{4}-\S+ \S+  carrel/keeper  the machine is running$"
    assert re.search(told, done.stdout, re.MULTILINE)


def test_a_second_machine_is_stopped_started_and_deleted(env: Env) -> None:
    carrel(env, "up", "other", "--image", "host")
    try:
        carrel(env, "exec", "other", "--", "touch", "kept")
        assert carrel(env, "stop", "other").stdout == b"other is stopped\n"
        done = carrel(env, "exec", "other", "true", check=2)
        assert done.stderr.endswith(b"try: carrel up other\n")
        carrel(env, "up", "other")
        assert carrel(env, "exec", "other", "ls").stdout.split() == [b"kept"]
    finally:
        assert document(env, "delete", "other") == {"deleted": ["other"]}
    assert carrel(env, "status", "other", check=2).stderr.startswith(b"error: there is no machine")


def test_up_makes_a_machine_again_that_is_deleted_meanwhile(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    carrel(env, "up", "other", "--image", "host", "--size", "700x500")
    before = document(env, "status", "other")["id"]
    look = Machines.status

    async def deleted_first(machines: Machines, name: str) -> Standing:
        monkeypatch.undo()
        carrel(env, "delete", "other")
        return await look(machines, name)

    monkeypatch.setenv("CARREL_HOME", env["CARREL_HOME"])
    monkeypatch.setattr(Machines, "status", deleted_first)
    done = invoke(["up", "other", "--json"])
    try:
        assert done.exit_code == 0, done.output
        found = json.loads(done.stdout)
        assert (found["was_running"], found["size"], found["state"]) == (
            False,
            "700x500",
            "running",
        )
        assert found["id"] != before
    finally:
        carrel(env, "delete", "other")


def test_a_halted_machine_does_nothing_until_it_is_resumed(env: Env) -> None:
    carrel(env, "up", "other", "--image", "host")
    try:
        assert b"other is paused" in carrel(env, "pause", "other").stdout
        assert document(env, "status", "other")["state"] == "paused"
        done = carrel(env, "exec", "other", "true", check=2)
        assert done.stderr.endswith(b"try: carrel resume other\n")
        assert carrel(env, "resume", "other").stdout == b"other is running\n"
        assert carrel(env, "exec", "other", "echo", "on").stdout == b"on\n"
        done = carrel(env, "resume", "other", check=2)
        assert b"cannot resume other: it is running" in done.stderr
    finally:
        carrel(env, "delete", "other")


def test_a_restarted_machine_has_its_files_and_no_old_process(env: Env) -> None:
    carrel(env, "up", "other", "--image", "host")
    try:
        carrel(
            env, "exec", "other", "--", "sh", "-c", "touch kept; setsid sleep 99 >/dev/null 2>&1 &"
        )
        before = document(env, "status", "other")["pid"]
        assert carrel(env, "restart", "other").stdout == b"other is running\n"
        assert document(env, "status", "other")["pid"] != before
        assert carrel(env, "exec", "other", "ls").stdout.split() == [b"kept"]
        assert b"sleep 99" not in carrel(env, "exec", "other", "ps", "ax").stdout
    finally:
        carrel(env, "delete", "other")


def test_metrics_are_figures_for_people_programs_and_prometheus(env: Env) -> None:
    (found,) = document(env, "metrics", "desk")["machines"]  # type: ignore[misc]
    assert found["name"] == "desk"
    assert found["uptime_seconds"] > 0
    text = carrel(env, "metrics", "--prometheus").stdout.decode()
    assert "# TYPE carrel_machine_cpu_seconds_total counter" in text
    assert (found["network_received_bytes"], found["network_sent_bytes"]) == (0, 0)
    assert 'carrel_machine_state{machine="desk",state="running"} 1' in text
    assert 'carrel_machine_state{machine="desk",state="stopped"} 0' in text
    counted = ("cpu_seconds", "disk_written_bytes")
    for family in ("memory_bytes", "processes", "disk_size_bytes", *counted):
        suffix = "_total" if family in counted else ""
        sample = f'carrel_machine_{family}{suffix}{{machine="desk"}} '
        # What cannot be known is absent, never 0.
        assert (found[family] is not None) == (sample in text)
    assert carrel(env, "metrics").stdout.split()[:2] == [b"NAME", b"STATE"]


def test_clearing_tells_what_was_there_to_clear(env: Env) -> None:
    assert document(env, "gc") == {"cleared": []}
    assert carrel(env, "gc").stdout == b"there was nothing to clear\n"


def test_what_this_provider_cannot_do_is_said(env: Env) -> None:
    done = carrel(env, "fork", "desk", check=3)
    assert b"the namespace provider cannot fork a machine" in done.stderr
    assert document(env, "snapshot", "desk") == {"machine": "desk", "snapshots": []}
    assert carrel(env, "fork", "desk", "-n", "2", "--as", "one", check=2).stderr


# Programs


def test_exit_status_and_both_outputs_pass_through(env: Env) -> None:
    script = "printf out; printf err >&2; exit 7"
    done = carrel(env, "exec", "desk", "--", "sh", "-c", script, check=7)
    assert (done.stdout, done.stderr) == (b"out", b"err")


def test_bytes_cross_unchanged_both_ways(env: Env) -> None:
    data = os.urandom(5_000_000)
    done = carrel(env, "exec", "desk", "--", "cat", stdin=data)
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(data).digest()


def test_options_after_the_program_are_the_program_s(env: Env) -> None:
    done = carrel(env, "exec", "--env", "A=b c", "desk", "--cwd", "/tmp", "env", "--", "pwd")
    assert done.stdout == b"/tmp\n"
    done = carrel(env, "exec", "desk", "--env", "A=b c", "--", "printenv", "A")
    assert done.stdout == b"b c\n"
    done = carrel(env, "exec", "desk", "echo", "--json", "-t", "--", "x")
    assert done.stdout == b"--json -t -- x\n"


def test_exec_as_json(env: Env) -> None:
    script = "cat; echo oh >&2; exit 3"
    done = carrel(env, "exec", "--json", "desk", "--", "sh", "-c", script, stdin=b"in", check=3)
    found = json.loads(done.stdout)
    assert (found["exit"], found["stdout"], found["stderr"]) == (3, "in", "oh\n")


def test_a_timeout_is_124_and_a_signal_128_and_more(env: Env) -> None:
    carrel(env, "exec", "desk", "--timeout", "0.3", "--", "sleep", "60", check=124)
    carrel(env, "exec", "desk", "--", "sh", "-c", "kill -TERM $$", check=143)


def test_ctrl_c_ends_the_program_inside(env: Env) -> None:
    process = subprocess.Popen(
        [*CARREL, "exec", "desk", "--", "sh", "-c", "echo up; exec sleep 54321"],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in errors

    def gone() -> bool:
        return carrel(env, "exec", "desk", "pgrep", "-f", "[5]4321", check=None).returncode == 1

    eventually(gone, "the program inside lives on")


def test_a_reader_that_goes_away_ends_the_program(env: Env) -> None:
    command = " ".join([*CARREL, "exec", "desk", "--", "yes"]) + " | head -n 1"
    done = subprocess.run(
        ["bash", "-c", command], env=env, capture_output=True, stdin=subprocess.DEVNULL, timeout=60
    )
    assert done.stdout == b"y\n"
    assert b"Traceback" not in done.stderr


class Terminal:
    """A person at a terminal of 30 rows and 100 columns."""

    def __init__(self, env: Env, *args: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [*CARREL, *args], {**env, "TERM": "xterm"})
        self.resize(30, 100)
        self.seen = b""

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: bytes) -> None:
        os.write(self.fd, text)

    def expect(self, pattern: bytes, seconds: float = 30) -> None:
        until = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            assert time.monotonic() < until, (pattern, self.seen)
            if select.select([self.fd], [], [], 0.1)[0] and not self._read():
                break
        assert re.search(pattern, self.seen), (pattern, self.seen)

    def _read(self) -> bool:
        try:
            part = os.read(self.fd, 65536)
        except OSError:
            # EIO is how Linux tells the end of a terminal's other side.
            return False
        self.seen += part
        return bool(part)

    def end(self) -> int:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if select.select([self.fd], [], [], 0.1)[0] and not self._read():
                break
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return os.waitstatus_to_exitcode(status)


def test_a_terminal_inside_is_a_real_one(env: Env) -> None:
    person = Terminal(env, "exec", "-t", "desk", "sh")
    person.type(b"stty size; tty; printf 'A\\033[1mB\\n'\n")
    person.expect(rb"30 100\r\n/dev/pts/\d+")
    person.expect(rb"A\x1b\[1mB")
    person.resize(41, 123)

    def resized() -> bool:
        person.type(b"stty size\n")
        try:
            person.expect(rb"41 123\r\n", 1)
        except AssertionError:
            return False
        return True

    eventually(resized, "the terminal inside keeps its size")
    person.type(b"echo $((30+3)); sleep 1000\n")
    person.expect(rb"33\r\n")

    def interrupted() -> bool:
        # The first may come before the shell has handed the terminal to the program.
        person.type(b"\x03")
        try:
            person.expect(rb"\^C\r\n\$ $", 1)
        except AssertionError:
            return False
        return True

    eventually(interrupted, "the program is interrupted")
    person.type(b"echo $((40+2))\n")
    person.expect(rb"42\r\n")
    person.type(b"exit 5\n")
    assert person.end() == 5


def test_without_a_terminal_inside_escape_sequences_are_spelled_out(env: Env) -> None:
    person = Terminal(env, "exec", "desk", "printf", "\\033]0;evil\\007 done")
    assert person.end() == 0
    assert b"\x1b]0;" not in person.seen
    assert rb"\x1b]0;evil\x07 done" in person.seen


def test_a_table_on_a_terminal_shows_no_escape_sequence_of_the_machine(env: Env) -> None:
    carrel(env, "exec", "desk", "--", "sh", "-c", "touch \"$(printf 'evil\\033[31mred')\"")
    person = Terminal(env, "do", "files", "list", "~")
    assert person.end() == 0
    assert rb"evil\x1b[31mred" in person.seen
    carrel(env, "exec", "desk", "--", "sh", "-c", "rm evil*")


def test_deleting_at_a_terminal_asks(env: Env) -> None:
    person = Terminal(env, "delete", "desk")
    person.expect(rb"Delete desk with all files inside\? \[y/N\]")
    person.type(b"n\n")
    assert person.end() == 1
    assert document(env, "status", "desk")["state"] == "running"


# Files


def test_a_file_and_a_tree_cross_both_ways(env: Env, tmp_path: Path) -> None:
    tree = tmp_path / "tree: one"
    (tree / "sub").mkdir(parents=True)
    (tree / "sub" / "data").write_bytes(os.urandom(300_000))
    (tree / "run").write_text("#!/bin/sh\necho hi\n")
    (tree / "run").chmod(0o755)
    (tree / "link").symlink_to("run")
    done = carrel(env, "cp", str(tree), "desk:copy")
    assert done.stdout.startswith(b"copied ")
    assert carrel(env, "exec", "desk", "./copy/link").stdout == b"hi\n"
    carrel(env, "cp", ":copy", str(tmp_path / "back"))
    back = tmp_path / "back"
    assert (back / "sub" / "data").read_bytes() == (tree / "sub" / "data").read_bytes()
    assert (back / "link").is_symlink()
    found = document(env, "cp", str(tree / "run"), "desk:/tmp")
    assert found["to"] == "desk:/tmp/run"
    assert found["bytes"] == 18
    carrel(env, "cp", "desk:/tmp/run", str(back))
    assert (back / "run").read_text() == "#!/bin/sh\necho hi\n"


def test_a_file_that_is_not_there_is_told(env: Env, tmp_path: Path) -> None:
    done = carrel(env, "cp", "desk:/no/such", str(tmp_path), check=2)
    assert done.stderr.startswith(b"error: ")
    done = carrel(env, "cp", str(tmp_path / "none"), "desk:/tmp/", check=2)
    assert done.stderr.startswith(b"error: there is no ")


def test_a_port_is_reached_until_ctrl_c(env: Env) -> None:
    script = "cd /tmp && echo 'hello from inside' > page && exec python3 -m http.server 8765"
    server = subprocess.Popen(
        [*CARREL, "exec", "-n", "desk", "--", "sh", "-c", script],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    process = subprocess.Popen(
        [*CARREL, "forward", "desk", "8765:0", "--json"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["port"] == 8765

        def answered() -> bool:
            try:
                with urllib.request.urlopen(f"http://{told['address']}/page", timeout=5) as answer:
                    return bool(answer.read() == b"hello from inside\n")
            except OSError:
                return False

        eventually(answered, "no answer through the forwarded port")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 130
        assert b"Traceback" not in errors
    finally:
        for started in (server, process):
            started.terminate()
            started.communicate(timeout=30)


def test_a_forward_ends_with_its_machine(env: Env) -> None:
    carrel(env, "up", "other", "--image", "host")
    try:
        process = subprocess.Popen(
            [*CARREL, "forward", "other", "80:0"],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert re.fullmatch(rb"127\.0\.0\.1:\d+ -> other:80\n", process.stdout.readline())
        carrel(env, "stop", "other")
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 1
        assert errors.startswith(b"error: other is stopped")
    finally:
        carrel(env, "delete", "other")


def test_an_interrupted_start_is_told_truly_and_can_be_deleted(env: Env) -> None:
    for _ in range(3):
        process = subprocess.Popen(
            [*CARREL, "up", "other", "--image", "host"], env=env, stderr=subprocess.PIPE
        )
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode in (0, 130)
        assert b"Traceback" not in errors
        names = document(env, "status")["machines"]
        assert isinstance(names, list)
        if any(item["name"] == "other" for item in names):
            carrel(env, "delete", "other")


# Actions


def test_a_picture_is_taken(env: Env, tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    done = carrel(env, "do", "shot", "-o", str(path))
    assert done.stdout.decode().strip() == str(path)
    assert struct.unpack(">II", path.read_bytes()[16:24]) == (800, 600)
    part = carrel(env, "do", "shot", "--region", "0,0,40,30", "-o", "-").stdout
    assert struct.unpack(">II", part[16:24]) == (40, 30)
    told = document(env, "do", "shot", "-o", str(tmp_path / "x.jpg"))
    assert (told["format"], Path(str(told["path"])).read_bytes()[:2]) == ("jpeg", b"\xff\xd8")


def test_pointer_clipboard_and_screen_are_read_back(env: Env) -> None:
    assert b"moved the pointer to 33,44: confirmed" in carrel(env, "do", "move", "33", "44").stdout
    assert carrel(env, "do", "cursor").stdout == b"33,44\n"
    carrel(env, "do", "clipboard", "set", "-", stdin="línea 日本\n".encode())
    assert carrel(env, "do", "clipboard").stdout == "línea 日本\n".encode()
    assert carrel(env, "do", "screen").stdout == b"800x600\n"
    assert document(env, "do", "act", '{"type": "cursor"}')["data"] == {"x": 33, "y": 44}
    clicked = document(env, "do", "--settle", "1", "click", "5", "5")
    assert "change" in str(clicked["evidence"])


def test_files_are_written_and_read(env: Env) -> None:
    carrel(env, "do", "files", "mkdir", "notes")
    carrel(env, "do", "files", "write", "notes/a", "one\n")
    carrel(env, "do", "files", "append", "notes/a", "two\n")
    assert carrel(env, "do", "files", "read", "notes/a").stdout == b"one\ntwo\n"
    carrel(env, "do", "files", "move", "notes/a", "notes/b")
    assert b"kind: file" in carrel(env, "do", "files", "stat", "notes/b").stdout
    assert carrel(env, "do", "files", "list", "notes").stdout.split()[-1] == b"b"
    carrel(env, "do", "files", "delete", "notes", "-r")
    carrel(env, "do", "files", "read", "notes/b", check=2)


def test_a_window_is_opened_typed_into_and_closed(env: Env) -> None:
    carrel(env, "do", "open", "xterm", "--", "-T", "typed here", "-e", "sh -c 'cat > typed'")

    def window() -> str | None:
        found = document(env, "do", "windows")["data"]
        assert isinstance(found, dict)
        ids = [item["id"] for item in found["windows"] if item["title"] == "typed here"]
        return hex(ids[0]) if ids else None

    eventually(window, "no window came")
    name = window()
    assert name is not None
    assert b"focused window" in carrel(env, "do", "window", "focus", name).stdout
    carrel(env, "do", "wait", "--stable")
    done = carrel(env, "do", "--settle", "1", "type", "some text\n")
    assert b"typed 10 characters: the screen changed" in done.stdout
    carrel(env, "do", "key", "ctrl+d")

    def written() -> bool:
        return carrel(env, "exec", "desk", "cat", "typed", check=None).stdout == b"some text\n"

    eventually(written, "the text did not arrive")
    eventually(lambda: window() is None, "the window stayed")


def test_a_shell_command_says_what_it_wrote(env: Env) -> None:
    done = carrel(env, "do", "shell", "echo out; echo err >&2; exit 9", check=1)
    assert (done.stdout, done.stderr) == (b"out\n", b"err\nexit 9\n")


def test_elements_are_listed_or_said_to_be_none(env: Env) -> None:
    done = carrel(env, "do", "elements", "--json", check=None)
    found = json.loads(done.stdout)
    assert "elements" in found.get("data", {}) or found["error"]["code"] == "unsupported"


def test_the_host_s_own_screen_needs_a_yes(env: Env) -> None:
    server, display = own_display()
    settings = {**env, "DISPLAY": display}
    try:
        done = carrel(settings, "up", "mine", "--provider", "host", check=2)
        assert b"that must be confirmed" in done.stderr
        person = Terminal(settings, "up", "mine", "--provider", "host")
        person.expect(rb"YOUR screen")
        person.type(b"no\n")
        assert person.end() == 1
        done = carrel(settings, "up", "mine", "--provider", "host", "--yes")
        assert b"network is nat: provider host cannot promise less" in done.stderr
        assert carrel(settings, "do", "-m", "mine", "screen").stdout == b"320x240\n"
        assert document(settings, "status", "mine")["size"] is None
    finally:
        carrel(settings, "delete", "mine", check=None)
        server.terminate()
        server.wait(timeout=30)


def own_display() -> tuple[subprocess.Popen[bytes], str]:
    reader, writer = os.pipe()
    server = subprocess.Popen(
        # Without -noreset it would start anew whenever its last client leaves.
        [
            *["Xvfb", "-noreset", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-displayfd"],
            str(writer),
        ],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as told:
        return server, f":{told.readline().strip()}"


def test_a_missing_program_exits_as_shells_have_it(env: Env) -> None:
    done = carrel(env, "exec", "desk", "--", "no-such-program", check=127)
    assert b"there is no program 'no-such-program'" in done.stderr
    carrel(env, "exec", "no-such-machine", "--", "true", check=2)
