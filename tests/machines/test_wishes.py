"""From template, profile, preset and settings to one wish."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import NotFound, Refused
from carrel.machines.images import image_names
from carrel.machines.presets import PRESETS, check_preset, get_preset, narrow, strictest
from carrel.machines.profiles import PROFILES, get_profile
from carrel.machines.settings import Layer
from carrel.machines.spec import MachineSpec
from carrel.machines.templates import TEMPLATES, find_templates, get_template
from carrel.machines.wishes import FLAG, Wish, make_wish

HERE = len(os.sched_getaffinity(0))


def flags(**values: object) -> Layer:
    return Layer(FLAG, values)


def spec(wish: Wish) -> MachineSpec:
    fields: dict[str, Any] = wish.fields
    return MachineSpec(**fields)


@pytest.mark.parametrize(
    ("name", "cpus", "memory", "disk"),
    [("minimal", 2, 4, 20), ("standard", 4, 8, 50), ("performance", 8, 16, 100)],
)
def test_a_profile_is_processors_memory_and_disk(
    name: str, cpus: int, memory: int, disk: int
) -> None:
    wish = make_wish([flags(profile=name)])
    assert wish.fields == {"cpus": cpus, "memory_mb": memory << 10, "disk_mb": disk << 10}
    assert set(wish.origins.values()) == {f"profile {name}"}


def test_nothing_wished_is_the_defaults() -> None:
    wish = make_wish([])
    assert (wish.fields, wish.origins, wish.notes) == ({}, {}, [])
    assert spec(wish) == MachineSpec()


def test_a_single_setting_beats_a_profile_and_that_a_template() -> None:
    wish = make_wish([flags(template="browser", profile="minimal", memory=3000)])
    made = spec(wish)
    assert (made.template, made.image) == ("browser", "desktop")
    assert (made.cpus, made.memory_mb, made.disk_mb) == (2, 3000, 20 << 10)
    assert wish.origins["memory_mb"] == FLAG
    assert wish.origins["disk_mb"] == "profile minimal"
    assert wish.origins["image"] == "template browser"


def test_a_template_asks_for_no_more_than_this_computer_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wish = make_wish([flags(template="browser")])
    assert wish.fields["cpus"] == min(4, HERE)
    monkeypatch.setenv("CARREL_HOST_MEMORY", "3GB")
    wish = make_wish([flags(template="browser")])
    assert wish.fields["memory_mb"] == 3072
    assert "cut to what this computer has" in wish.origins["memory_mb"]
    wish = make_wish([flags(template="browser", profile="performance")])
    assert wish.fields["cpus"] == 8  # in person: the host's limits have the word


def test_of_rules_and_a_network_the_later_holds() -> None:
    rules = Layer("file", {"allow": ("example.org:443",)})
    assert spec(make_wish([rules])).network == "allowlist"
    shut = make_wish([rules, flags(network="none")])
    assert (spec(shut).network, spec(shut).allow) == ("none", ())
    opened = make_wish([Layer("file", {"network": "none"}), flags(allow=("example.org:443",))])
    assert spec(opened).network == "allowlist"
    assert opened.origins["network"] == FLAG


def test_the_strictest_preset_of_all_holds() -> None:
    wish = make_wish([Layer("user", {"preset": "isolated"}), flags(preset="trusted")])
    assert wish.fields["preset"] == "isolated"
    assert wish.origins["preset"] == "user"
    assert "stricter than trusted" in wish.notes[0]
    assert strictest([]) == ""
    assert strictest(["standard", "", "restricted", "trusted"]) == "restricted"


def test_a_preset_cuts_what_files_wish_and_says_so() -> None:
    file = Layer(
        "file",
        {
            "network": "nat",
            "memory": 1 << 15,
            "ports": ("8080:80",),
            "env": {"A": "b"},
            "pids": 900,
        },
    )
    wish = make_wish([file, flags(preset="isolated")])
    made = spec(wish)
    assert (made.network, made.memory_mb, made.pids) == ("none", 4096, 512)
    assert (made.ports, made.env) == ((), {})
    assert wish.origins["network"] == "preset isolated"
    assert len(wish.notes) == 5
    assert any("network none: what file asked for is cut" in note for note in wish.notes)


def test_what_the_command_line_asks_for_is_refused_rather_than_cut() -> None:
    with pytest.raises(Refused, match="preset standard of template mcp-server allows network"):
        make_wish([flags(template="mcp-server", network="nat")])
    with pytest.raises(Refused, match="memory up to 4GB; no variables"):
        make_wish([flags(preset="isolated", memory=5000, env={"A": "b"})])


def test_credentials_are_known_by_their_names() -> None:
    preset = get_preset("restricted")
    env = {"API_KEY": "1", "GITHUB_TOKEN": "2", "db_password": "3", "MONKEY": "4", "LANG": "5"}
    assert narrow(preset, {"env": env}) == {"env": {"MONKEY": "4", "LANG": "5"}}
    with pytest.raises(Refused, match="no variables named like credentials"):
        check_preset(MachineSpec(preset="restricted", env={"API_KEY": "x"}), contains=True)


def test_a_preset_holds_for_a_spec_however_it_was_made() -> None:
    check_preset(MachineSpec(network="nat"), contains=False)
    check_preset(MachineSpec(preset="trusted", network="nat"), contains=False)
    with pytest.raises(Refused, match="network none or allowlist"):
        check_preset(MachineSpec(preset="standard", network="nat"), contains=True)
    with pytest.raises(Refused, match="no provider without walls, such as host"):
        check_preset(MachineSpec(preset="standard", provider="host"), contains=False)
    with pytest.raises(NotFound, match="no preset 'lax'"):
        check_preset(MachineSpec(preset="lax"), contains=True)


WISHES = st.fixed_dictionaries(
    {},
    optional={
        "network": st.sampled_from(["none", "nat"]),
        "pids": st.integers(16, 9999),
        "memory_mb": st.integers(64, 1 << 16),
        "env": st.dictionaries(st.sampled_from(["A", "API_KEY", "TOKEN", "LANG"]), st.just("x")),
        "ports": st.sampled_from([(), ("8080:80",)]),
        "volumes": st.sampled_from([(), ("data:/srv/data",)]),
    },
)


@given(WISHES, st.sampled_from([*PRESETS]), st.sampled_from([*PRESETS]))
def test_what_a_preset_leaves_it_and_every_wider_one_allow(
    wish: dict[str, Any], one: str, other: str
) -> None:
    hard = strictest([one, other])
    less = {**wish, **narrow(get_preset(hard), wish)}
    for name in (one, other):
        # Two presets are merged by taking the stricter one: it never allows what the other refuses.
        assert narrow(get_preset(name), less) == {}
    check_preset(MachineSpec(**less, preset=hard), contains=True)


def test_templates_name_only_what_exists() -> None:
    found, problems = find_templates()
    assert {"desktop", "browser", "mcp-server", "python", "node"} <= {each.name for each in found}
    assert problems == ()
    for template in TEMPLATES.values():
        assert template.image in image_names()
        assert template.profile in PROFILES
        assert not template.preset or template.preset in PRESETS
        made = make_wish([flags(template=template.name)])
        check_preset(spec(made), contains=True)
        assert made.notes == []
    with pytest.raises(NotFound, match="no template 'nix'"):
        get_template("nix")
    with pytest.raises(NotFound, match="no profile 'nix'"):
        get_profile("nix")


LAYERS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "template": st.sampled_from([*TEMPLATES]),
            "profile": st.sampled_from([*PROFILES]),
            "preset": st.sampled_from([*PRESETS]),
            "network": st.sampled_from(["none", "nat"]),
            "allow": st.just(("example.org:443",)),
            "cpus": st.integers(0, 8),
            "memory": st.integers(64, 1 << 16),
            "env": st.just({"TOKEN": "x"}),
        },
    ),
    max_size=4,
)


@given(LAYERS)
def test_whatever_files_say_a_sound_wish_comes_of_it(values: list[dict[str, object]]) -> None:
    layers = [Layer(f"file {at}", each) for at, each in enumerate(values)]
    if any({"network", "allow"} <= each.keys() for each in values):
        return  # one that contradicts itself is told so
    wish = make_wish(layers)
    made = spec(wish)
    check_preset(made, contains=True)
    assert wish.fields.keys() == wish.origins.keys()
    named = [str(each["preset"]) for each in values if "preset" in each]
    assert made.preset == strictest([*named, _template_preset(made.template)])


def _template_preset(name: str) -> str:
    return TEMPLATES[name].preset if name else ""
