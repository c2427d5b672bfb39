from __future__ import annotations

import pwd
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.actions import (
    Action,
    Click,
    DeleteFile,
    EffectClass,
    FocusWindow,
    Key,
    KeyDown,
    KeyUp,
    MoveFile,
    Open,
    ReadFile,
    Screenshot,
    Shell,
    Type,
    WriteFile,
)
from carrel.errors import InvalidInput
from carrel.intents import CallTool, Done
from carrel.policy.policy import Policy
from carrel.policy.rules import Rule, Verdict, strictest
from carrel.policy.targets import targets

# The one home that is not below /home.
SUPERUSER = pwd.getpwuid(0).pw_dir

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY
ALL_ALLOW = dict.fromkeys(EffectClass, ALLOW)
ALL_ASK = dict.fromkeys(EffectClass, ASK)


def allows(action: Action, *patterns: str) -> bool:
    """Whether a rule that allows these targets lifts a default of ask."""
    policy = Policy((Rule(ALLOW, targets=patterns),), ALL_ASK)
    return policy.judge(action).verdict is ALLOW


def denies(action: Action, *patterns: str) -> bool:
    """Whether a rule that denies these targets stops a default of allow."""
    policy = Policy((Rule(DENY, targets=patterns),), ALL_ALLOW)
    return policy.judge(action).verdict is DENY


def test_the_strictest_of_verdicts() -> None:
    assert strictest(ALLOW, DENY, ASK) is DENY
    assert strictest(ALLOW, ASK) is ASK
    assert strictest() is ALLOW


@pytest.mark.parametrize(
    ("actions", "effects", "action", "fits"),
    [
        (("click",), (), Click(1, 2), True),
        (("click",), (), Type("x"), False),
        (("*_window",), (), FocusWindow(5), True),
        (("*",), (EffectClass.INPUT,), Click(1, 2), True),
        (("*",), (EffectClass.WRITE,), Click(1, 2), False),
        (("key", "type"), (), Type("x"), True),
        (("tool",), (), CallTool("search"), True),
        (("c*",), (EffectClass.INPUT, EffectClass.EXEC), Click(1, 2), True),
    ],
)
def test_a_rule_speaks_of_types_and_effects(
    actions: tuple[str, ...], effects: tuple[EffectClass, ...], action: Action, fits: bool
) -> None:
    assert Rule(DENY, actions, effects).speaks_of(action) is fits


def test_a_misspelt_action_is_refused_because_its_rule_would_never_hold() -> None:
    with pytest.raises(InvalidInput, match="clik") as caught:
        Rule(DENY, actions=("clik",))
    assert "click" in (caught.value.hint or "")


@pytest.mark.parametrize("field", ["actions", "targets"])
def test_a_rule_about_nothing_is_refused(field: str) -> None:
    with pytest.raises(InvalidInput):
        replace(Rule(DENY), **{field: ()})


# URLs


@pytest.mark.parametrize(
    ("url", "pattern", "fits"),
    [
        ("https://example.com/a", "example.com", True),
        ("https://EXAMPLE.com/a", "example.com", True),
        ("https://example.com./a", "example.com", True),
        ("https://example.com:443/a", "example.com", True),
        ("https://bücher.example/", "xn--bcher-kva.example", True),
        ("https://xn--bcher-kva.example/", "bücher.example", True),
        ("https://www.example.com/", "*.example.com", True),
        ("https://example.com/docs/x", "https://example.com/docs/*", True),
        ("https://user@EXAMPLE.com:443/docs/x", "https://example.com/docs/*", True),
        ("https://example.com/", "https://example.com", True),
        ("about:blank", "about:*", True),
        ("http://example.com/", "https://example.com/*", False),
        ("https://example.com/docs/../admin", "https://example.com/docs/*", False),
        ("https://example.com/docs/%2e%2e/admin", "https://example.com/docs/*", False),
        ("https://example.com.evil.org/", "example.com", False),
        ("https://example.com.evil.org/", "https://example.com*", False),
        ("https://example.com@evil.org/", "example.com", False),
        ("https://example.com@evil.org/", "https://example.com*", False),
        ("https://evil.org/?example.com", "example.com", False),
        ("https://evil.org\\@example.com/", "example.com", False),
        ("https://faß.de/", "fass.de", False),
        ("https://example.com/", "/*", False),
    ],
)
def test_urls_are_allowed_by_the_host_they_lead_to(url: str, pattern: str, fits: bool) -> None:
    assert allows(Open(url), pattern) is fits


@pytest.mark.parametrize(
    "url",
    [
        "http://evil.com/",
        "http://EVIL.com./",
        "http://good.com@evil.com/",
        "http://evil.com:8080/",
        "http:\\\\evil.com",
        "http:evil.com",
        "http://ev%69l.com",
        "view-source:http://evil.com",
        "http://ｅｖｉｌ.com",
        "http://evil.com\\.good.com",
    ],
)
def test_a_denied_host_is_denied_however_it_is_written(url: str) -> None:
    assert denies(Open(url), "evil.com")


def test_a_denied_host_is_denied_as_an_argument_of_a_program() -> None:
    assert denies(Open("chromium", ("http://evil.com/",)), "evil.com")
    assert denies(Open("chromium", ("--app=http://evil.com/",)), "evil.com")
    assert denies(Open("chromium http://evil.com/"), "evil.com")
    assert denies(Open("gedit", ("/etc/passwd",)), "/etc/*")


def test_a_url_nobody_can_read_is_touched_by_every_rule_about_hosts() -> None:
    assert denies(Open("http://faß.de/"), "evil.com")
    assert denies(Open("http://faß.de/"), "https://evil.com/*")
    assert not denies(Open("http://faß.de/"), "/etc/*")
    assert not denies(Open("http://faß.de/"), "rm *")
    assert not allows(Open("http://faß.de/"), "*.de", "https://*", "faß.de")


def test_a_file_url_is_a_path() -> None:
    assert denies(Open("file:///etc/passwd"), "/etc/*")
    assert denies(Open("file:///tmp/../etc/%70asswd"), "/etc/passwd")
    assert denies(Open("FILE:///etc/passwd"), "file://*")
    assert allows(Open("file:///tmp/a"), "/tmp/*")
    assert not allows(Open("file:///tmp/../etc/passwd"), "/tmp/*")


def test_words_in_a_tools_arguments_are_no_targets() -> None:
    call = CallTool("fetch", {"url": "http://evil.com"})
    assert not denies(call, "evil.com")
    assert denies(call, "fetch")
    assert allows(call, "fetch")
    assert not allows(call, "fetc")


def test_a_program_is_opened_by_its_name() -> None:
    assert allows(Open("xterm"), "xterm")
    assert allows(Open("gedit", ("a b",)), "gedit *")
    assert not allows(Open("xterm -e rm; x"), "xterm")


# Paths


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("/tmp/a", "/tmp/*", True),
        ("/tmp/a/b", "/tmp/*", True),
        ("~/notes.txt", "~/*", True),
        ("notes.txt", "~/*", True),
        ("./notes.txt", "~/notes.txt", True),
        ("/tmp/a", "*", True),
        ("/tmp/../etc/passwd", "/tmp/*", False),
        ("/tmp/./a", "/tmp/a", False),
        ("/tmp//a", "/tmp/*", True),
        ("//tmp/a", "/tmp/*", False),
        ("/etc/passwd", "/tmp/*", False),
        ("~/../other/x", "~/*", False),
        ("../other/x", "~/*", False),
        ("~/../../etc/passwd", "~/*", False),
        ("~/a", "/home/alice/*", False),
        ("/tmpx/a", "/tmp/*", False),
        ("/tmp", "/tmp/*", False),
    ],
)
def test_paths_are_allowed_only_as_written_and_as_meant(
    path: str, pattern: str, fits: bool
) -> None:
    assert allows(ReadFile(path), pattern) is fits


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [
        ("/etc/passwd", "/etc/*", True),
        ("/tmp/../etc/passwd", "/etc/*", True),
        ("//etc/passwd", "/etc/*", True),
        ("/etc//passwd", "/etc/passwd", True),
        ("/etc/./passwd", "/etc/passwd", True),
        ("/etc/passwd/", "/etc/passwd", True),
        ("~/.ssh/id", "~/.ssh/*", True),
        (".ssh/id", "~/.ssh/*", True),
        ("a/../.ssh/id", "~/.ssh/*", True),
        ("/home/desk/.ssh/id", "~/.ssh/*", True),
        (f"{SUPERUSER}/.ssh/id", "~/.ssh/*", True),
        ("~/.ssh/id", "/home/*/.ssh/*", True),
        ("~/.ssh/id", "/home/desk/.ssh/*", True),
        ("~/.ssh/id", f"{SUPERUSER}/.ssh/*", True),
        ("~/../../etc/passwd", "/etc/*", True),
        ("../../../etc/passwd", "/etc/*", True),
        ("~/../bob/x", "/home/bob/*", True),
        ("/tmp/a", "/etc/*", False),
        ("~/a", "/etc/*", False),
        ("/home/desk/a", "~/.ssh/*", False),
    ],
)
def test_paths_are_denied_however_they_are_written(path: str, pattern: str, fits: bool) -> None:
    assert denies(ReadFile(path), pattern) is fits


def test_both_ends_of_a_move_count() -> None:
    assert denies(MoveFile("/etc/passwd", to="/tmp/x"), "/etc/*")
    assert denies(MoveFile("/tmp/x", to="/etc/passwd"), "/etc/*")
    assert allows(MoveFile("/tmp/x", to="/tmp/y"), "/tmp/*")
    assert not allows(MoveFile("/tmp/x", to="/etc/y"), "/tmp/*")
    assert not allows(MoveFile("/etc/x", to="/tmp/y"), "/tmp/*")


def test_what_takes_a_whole_tree_touches_all_beneath_it() -> None:
    assert denies(DeleteFile("/etc", recursive=True), "/etc/*")
    assert denies(DeleteFile("/", recursive=True), "/etc/passwd")
    assert denies(DeleteFile("~", recursive=True), "~/.ssh/*")
    assert denies(DeleteFile("/home", recursive=True), "~/.ssh/*")
    assert denies(DeleteFile("/home/desk", recursive=True), "~/.ssh/*")
    assert denies(MoveFile("/etc", to="/tmp/e"), "/etc/passwd")
    assert not denies(DeleteFile("/etc"), "/etc/*")
    assert not denies(DeleteFile("/et", recursive=True), "/etc/*")


SEGMENT = st.sampled_from(["a", "b", "..", ".", "", "etc", "~"])
PATH = st.tuples(st.sampled_from(["", "/", "~/", "//"]), st.lists(SEGMENT, max_size=6)).map(
    lambda pair: (pair[0] + "/".join(pair[1])) or "a"
)


@given(PATH)
def test_no_path_is_both_allowed_by_and_outside_of_a_directory(path: str) -> None:
    import posixpath

    if not allows(WriteFile(path, text=""), "/a/*"):
        return
    for home in ("/root", "/home/x"):
        full = posixpath.normpath(posixpath.join(home, path.replace("~", home, 1)))
        assert full.replace("//", "/").startswith("/a/")


@given(PATH, st.sampled_from(["/root", "/home/x"]))
def test_no_way_of_writing_a_path_escapes_a_deny(path: str, home: str) -> None:
    import posixpath

    text = home + path[1:] if path == "~" or path.startswith("~/") else path
    full = posixpath.normpath(posixpath.join(home, text)).replace("//", "/")
    if full.startswith("/etc/"):
        assert denies(ReadFile(path), "/etc/*"), (path, full)


# Commands


@pytest.mark.parametrize(
    ("command", "patterns", "fits"),
    [
        ("ls -la", ("ls*",), True),
        ("ls   -la", ("ls -la",), True),
        ("ls | grep x", ("ls*", "grep *"), True),
        ("ls && git status", ("ls", "git status"), True),
        ("echo 'a; b'", ("echo *",), True),
        ("ls; rm x", ("ls*",), False),
        ("ls&&rm x", ("ls*",), False),
        ("ls | sh", ("ls*",), False),
        ("ls $(rm x)", ("ls*",), False),
        ("ls `rm x`", ("ls*",), False),
        ("ls\nrm x", ("ls*",), False),
        ("ls > /etc/passwd", ("ls*",), False),
        ("ls # '\nrm x #'", ("ls*",), False),
        ("PATH=/evil ls", ("ls*",), False),
        ("ls $(rm x)", ("*",), True),
        ("lsof", ("ls",), False),
        ("ls", ("ls *",), False),
        (r"l\s", ("ls",), False),
    ],
)
def test_commands_are_allowed_part_by_part(
    command: str, patterns: tuple[str, ...], fits: bool
) -> None:
    assert allows(Shell(command), *patterns) is fits


def test_parts_of_a_command_may_be_allowed_by_different_rules() -> None:
    rules = (Rule(ALLOW, targets=("ls*",)), Rule(ALLOW, targets=("grep *",)))
    policy = Policy(rules, ALL_ASK)
    assert policy.judge(Shell("ls | grep x")).verdict is ALLOW
    assert policy.judge(Shell("ls | grep x | sh")).verdict is ASK


def test_an_allowed_command_is_not_allowed_with_another_environment() -> None:
    assert allows(Shell("ls"), "ls")
    assert not allows(Shell("ls", env={"PATH": "/tmp/evil"}), "ls")
    assert not allows(Shell("ls", env={"LD_PRELOAD": "/tmp/evil.so"}), "ls*")


def test_a_denied_command_is_denied_inside_others() -> None:
    for command in ("ls; rm x", "sudo rm x", "/bin/rm x", "echo $(rm x)", "sh -c 'rm x'"):
        assert denies(Shell(command), "rm *"), command
    assert not denies(Shell("grep rm x"), "rm *")


def test_a_command_too_long_to_look_through_is_denied_by_any_rule_that_denies_commands() -> None:
    long = Shell("ls " + "x" * 100_000)
    assert denies(long, "rm *")
    assert not allows(long, "ls *")
    assert allows(long, "*")
    assert Policy((), ALL_ALLOW).judge(long).verdict is ALLOW


# Keys


@pytest.mark.parametrize(
    ("keys", "pattern", "fits"),
    [
        (("ctrl", "w"), "ctrl+w", True),
        (("ctrl_r", "w"), "ctrl+w", True),
        (("ctrl", "W"), "ctrl+w", True),
        (("shift", "ctrl", "t"), "ctrl+shift+t", True),
        (("ctrl", "shift", "t"), "Shift+Control+T", True),
        (("alt", "f4"), "alt+*", True),
        (("super",), "super*", True),
        (("enter",), "Return", True),
        (("ctrl", "q"), "ctrl+w", False),
        (("w",), "ctrl+w", False),
    ],
)
def test_chords_are_compared_in_one_form(keys: tuple[str, ...], pattern: str, fits: bool) -> None:
    assert denies(Key(keys), pattern) is fits
    assert allows(Key(keys), pattern) is fits


def test_keys_held_down_before_are_part_of_a_chord() -> None:
    policy = Policy((Rule(DENY, actions=("key*",), targets=("ctrl+w",)),), ALL_ALLOW)
    assert policy.judge(Key(("w",))).verdict is ALLOW
    assert policy.judge(Key(("w",)), held=("ctrl",)).verdict is DENY
    assert policy.judge(KeyDown("w"), held=("ctrl_r",)).verdict is DENY
    assert policy.judge(KeyUp("w"), held=("ctrl",)).verdict is ALLOW


# Rules together


def test_the_most_restrictive_of_the_rules_counts_in_any_order() -> None:
    rules = (Rule(ALLOW), Rule(ASK, actions=("click",)), Rule(DENY, targets=("/etc/*",)))
    for order in (rules, rules[::-1]):
        policy = Policy(order, ALL_ASK)
        assert policy.judge(Type("x")).verdict is ALLOW
        assert policy.judge(Click(1, 1)).verdict is ASK
        assert policy.judge(ReadFile("/etc/passwd")).verdict is DENY


def test_a_rule_does_not_speak_of_what_it_excepts() -> None:
    deny = Rule(DENY, actions=("open",), targets=("*",), unless=("example.com", "*.example.com"))
    policy = Policy((deny,), ALL_ALLOW)
    assert policy.judge(Open("https://www.example.com/")).verdict is ALLOW
    assert policy.judge(Open("https://example.com@evil.org/")).verdict is DENY
    allow = Rule(ALLOW, targets=("/srv/*",), unless=("/srv/private/*",))
    policy = Policy((allow,), ALL_ASK)
    assert policy.judge(ReadFile("/srv/a")).verdict is ALLOW
    assert policy.judge(ReadFile("/srv/a/../private/x")).verdict is ASK


def test_an_exception_for_a_command_is_not_stretched() -> None:
    policy = Policy((Rule(DENY, actions=("shell",), unless=("git *",)),), ALL_ALLOW)
    assert policy.judge(Shell("git status")).verdict is ALLOW
    assert policy.judge(Shell("git status; rm x")).verdict is DENY
    assert policy.judge(Shell("git $(rm x)")).verdict is DENY


def test_a_rule_gives_its_reason() -> None:
    policy = Policy((Rule(DENY, actions=("click",), reason="look only"),), ALL_ALLOW)
    assert policy.judge(Click(1, 1)).reason == "look only"
    plain = Policy((Rule(ASK, actions=("shell",)),), ALL_ALLOW)
    assert "rm x" in plain.judge(Shell("rm x")).reason
    assert "input" in Policy((), ALL_ASK).judge(Click(1, 1)).reason


ACTIONS = st.sampled_from(
    [
        Click(1, 2),
        Type("x"),
        Key(("ctrl", "w")),
        Screenshot(),
        Shell("ls"),
        Shell("ls; rm x"),
        Open("https://a.example/"),
        ReadFile("/etc/passwd"),
        WriteFile("~/a", text=""),
        DeleteFile("/tmp", recursive=True),
        CallTool("search"),
        Done(),
    ]
)


@given(ACTIONS)
def test_every_action_has_targets_and_the_star_covers_and_touches_them(action: Action) -> None:
    found = targets(action)
    assert found
    assert all(target.covered_by("*") and target.touched_by("*") for target in found)


PATTERN = st.sampled_from(["*", "ls*", "/etc/*", "a.example", "ctrl+*", "search", "~/*", "rm *"])


@given(ACTIONS, PATTERN)
def test_what_a_pattern_covers_it_also_touches(action: Action, pattern: str) -> None:
    for target in targets(action):
        assert not target.covered_by(pattern) or target.touched_by(pattern)
