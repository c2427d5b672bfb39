from __future__ import annotations

import tomllib
from datetime import date
from decimal import Decimal
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.decisions import Decision, Usage
from carrel.errors import InvalidInput
from carrel.policy.prices import Prices

TODAY = date(2026, 11, 15)
LOCAL = ("ollama", "vllm", "lmstudio", "human", "scripted", "replay", "steps")


@pytest.fixture(autouse=True)
def _no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARREL_HOME", str(tmp_path / "home"))


@pytest.fixture
def prices() -> Prices:
    return Prices(today=TODAY)


def rate(prices: Prices, model: str) -> str | None:
    price = prices.price(model)
    return None if price is None else f"{price.rates.input}/{price.rates.output}"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openai:gpt-5.4", "2.50/15"),
        ("gpt-5.4", "2.50/15"),
        ("openai:gpt-5.4-mini-2026-03-17", "0.75/4.50"),
        ("openai:gpt-5-2025-08-07", "1.25/10"),
        ("openai:gpt-5-mini", "0.25/2"),
        ("openai:computer-use-preview-2025-03-11", "3/12"),
        ("anthropic:claude-opus-4-5-20251101", "5/25"),
        ("anthropic:claude-opus-4-20250514", "15/75"),
        ("anthropic:claude-sonnet-4-5", "3/15"),
        ("anthropic:claude-3-5-haiku-latest", "0.80/4"),
        ("google:gemini-2.5-flash-001", "0.30/2.50"),
        ("gemini:gemini-2.5-flash-preview-05-20", "0.30/2.50"),
    ],
)
def test_models_are_found_by_name_and_by_name_without_a_date(
    prices: Prices, model: str, expected: str
) -> None:
    assert rate(prices, model) == expected


@pytest.mark.parametrize(
    "model",
    [
        "openai:gpt-5.9",
        "openai:gpt-5-codex-ultra",
        "openai:gpt-5.4-mini-turbo",
        "anthropic:claude-opus-4-9",
        "anthropic:claude-opus",
        "openai:claude-opus-5",
        "azure:gpt-5.4",
        "bedrock:anthropic.claude-opus-5-v1:0",
        "vertex:gemini-2.5-flash",
        "openai-compatible:gpt-5.4",
        "gemini:gemini-2.5-computer-use-preview-10-2025",
        "openrouter:anthropic/claude-opus-5.5",
        "openrouter:meta/llama",
        "openrouter:gpt-5.4",
        "",
        ":",
        "openai:",
        "qwen3-vl",
    ],
)
def test_a_model_that_is_not_in_the_table_has_no_price(prices: Prices, model: str) -> None:
    assert prices.price(model) is None
    assert prices.cost(model, Usage(input=1)) is None
    assert prices.estimate(model, 1) is None


@given(st.text(max_size=30))
def test_no_made_up_model_is_free(name: str) -> None:
    price = Prices(today=TODAY).price(f"acme:{name}")
    assert price is None


@pytest.mark.parametrize("provider", LOCAL)
def test_what_runs_here_costs_exactly_nothing(prices: Prices, provider: str) -> None:
    usage = Usage(10**6, 10**6, 10**6, 10**6)
    for model in (provider, f"{provider}:some/model:8b"):
        assert prices.cost(model, usage) == 0
        assert prices.estimate(model, 10**6, 10**6) == 0


def test_every_kind_of_token_has_its_price(prices: Prices) -> None:
    usage = Usage(input=1_000, cached=2_000, cache_writes=3_000, output=4_000, reasoning=3_999)
    # 1000 * 4 + 2000 * 0.20 + 3000 * 5 + 4000 * 20, by a million
    assert prices.cost("anthropic:claude-opus-5-5", usage) == Decimal("0.0994")


def test_without_a_discount_cached_input_costs_as_much_as_fresh(prices: Prices) -> None:
    assert prices.cost("openai:gpt-5.5-pro", Usage(cached=10**6)) == 60
    assert prices.cost("openai:gpt-5-pro", Usage(cached=10**6)) == 15
    assert prices.cost("openai:gpt-5", Usage(cache_writes=10**6)) == Decimal("1.25")


def test_a_long_context_costs_more_from_the_next_token_on(prices: Prices) -> None:
    model = "anthropic:claude-haiku-5-5"
    assert prices.cost(model, Usage(input=100_000)) == Decimal("0.01")
    assert (
        prices.cost(model, Usage(input=99_999, cached=2))
        == (99_999 * Decimal("0.50") + 2 * Decimal("0.05")) / 10**6
    )
    assert (
        prices.cost(model, Usage(input=10, output=200_000))
        == (10 * Decimal("0.10") + 200_000 * Decimal("0.50")) / 10**6
    )


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (date(2026, 11, 30), "2/10"),
        (date(2026, 12, 1), "4/20"),
        (date(2030, 1, 1), "4/20"),
    ],
)
def test_an_announced_price_holds_from_its_day(day: date, expected: str) -> None:
    assert rate(Prices(today=day), "gemini:gemini-4-argon") == expected


def test_an_estimate_reckons_with_the_worst(prices: Prices) -> None:
    model = "anthropic:claude-opus-5"
    # All of the context written to the cache, and an answer of full length.
    assert prices.estimate(model, 10_000, 1_000) == Decimal("0.0875")
    assert prices.estimate(model, 10_000) == (10_000 * Decimal("6.25") + 4096 * 25) / 10**6


TOKENS = st.integers(0, 2_000_000)


@given(TOKENS, TOKENS, TOKENS, st.integers(0, 4096))
def test_no_answer_costs_more_than_its_estimate(
    fresh: int, cached: int, writes: int, output: int
) -> None:
    prices = Prices(today=TODAY)
    for model in ("anthropic:claude-haiku-5-5", "openai:gpt-6-sol", "gemini:gemini-2.5-pro"):
        cost = prices.cost(model, Usage(fresh, cached, writes, output))
        estimate = prices.estimate(model, fresh + cached + writes)
        assert cost is not None
        assert estimate is not None
        assert cost <= estimate


def test_the_shipped_table_is_dated_and_names_its_sources() -> None:
    text = resources.files("carrel.policy").joinpath("prices.toml").read_text()
    providers = tomllib.loads(text)["providers"]
    assert {"openai", "anthropic", "gemini"} <= providers.keys()
    for name, provider in providers.items():
        if provider.get("models"):
            assert provider["source"].startswith("https://"), name
            assert isinstance(provider["read"], date), name
    assert {name for name, item in providers.items() if item.get("local")} == set(LOCAL)


def test_no_price_in_the_shipped_table_is_nothing(prices: Prices) -> None:
    text = resources.files("carrel.policy").joinpath("prices.toml").read_text()
    for provider, item in tomllib.loads(text)["providers"].items():
        for model in item.get("models", {}):
            price = prices.price(f"{provider}:{model}")
            assert price is not None
            assert price.source
            assert price.rates.input > 0
            assert price.rates.output >= price.rates.input
            assert price.rates.cached is None or 0 < price.rates.cached < price.rates.input
            if price.long is not None:
                assert price.long.input > price.rates.input


def override(tmp_path: Path, text: str) -> Prices:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return Prices(path, today=TODAY)


def test_ones_own_table_comes_first(tmp_path: Path) -> None:
    text = """
    [providers.openai.models]
    "gpt-5.4" = { input = 0.1, output = 0.2 }
    [providers.azure.models]
    mine = { input = 1, output = 2 }
    """
    prices = override(tmp_path, text)
    assert rate(prices, "openai:gpt-5.4") == "0.1/0.2"
    assert rate(prices, "openai:gpt-5") == "1.25/10"
    assert rate(prices, "azure:mine") == "1/2"
    assert rate(prices, "azure:other") is None
    assert prices.cost("openai:gpt-5.4", Usage(input=3 * 10**6)) == Decimal("0.3")


def test_ones_own_table_is_found_where_settings_are(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "prices.toml").write_text(
        "[providers.acme.models]\nbig = { input = 7, output = 8 }"
    )
    assert rate(Prices(today=TODAY), "acme:big") == "7/8"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("price = 1", "price"),
        ("providers = 1", "providers"),
        ("[providers.x]\nprices = 1", "prices"),
        ("[providers.x]\nlocal = 1", "local"),
        ("[providers.x]\nread = 'today'", "read"),
        ("[providers.x]\nvia = 'y'", "via"),
        ("[providers.x.models]\nm = 1", "models.m"),
        ("[providers.x.models]\nm = { input = 1 }", "output"),
        ("[providers.x.models]\nm = { input = -1, output = 1 }", "input"),
        ("[providers.x.models]\nm = { input = nan, output = 1 }", "input"),
        ("[providers.x.models]\nm = { input = '1', output = 1 }", "input"),
        ("[providers.x.models]\nm = { input = true, output = 1 }", "input"),
        ("[providers.x.models]\nm = { input = 1, output = 1, cash = 1 }", "cash"),
        ("[providers.x.models]\nm = { input = 1, output = 1, above = 5 }", "above"),
        ("[providers.x.models]\nm = { input = 1, output = 1, then = { input = 1 } }", "from"),
        ("= 1", "TOML"),
    ],
)
def test_a_table_that_is_not_understood_is_refused(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(InvalidInput, match=key):
        override(tmp_path, text)


def test_a_table_that_is_not_there_is_refused_only_if_it_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        Prices(tmp_path / "nowhere.toml")
    Prices()


def test_a_model_of_two_costs_what_each_of_them_does(prices: Prices) -> None:
    name = "vllm:GTA1-7B+openai:gpt-5.4"
    shares = {
        "openai:gpt-5.4": Usage(input=100_000),
        "vllm:GTA1-7B": Usage(input=5_000_000, output=1_000_000),
    }
    decision = Decision(usage=Usage(input=5_100_000, output=1_000_000), shares=shares)
    assert prices.cost_of(name, decision) == Decimal("0.25")
    # Without the shares it is not known, and never nothing.
    assert prices.cost(name, Usage(input=1_000_000)) is None
    assert prices.estimate(name, 1000) == prices.estimate("openai:gpt-5.4", 1000)
    assert prices.cost("vllm:GTA1-7B+vllm:thinker", Usage(input=1)) == 0


def test_a_model_of_two_has_no_known_cost_when_one_of_them_has_none(prices: Prices) -> None:
    shares = {"vllm:GTA1-7B": Usage(input=1), "openai-compatible:x": Usage(input=1)}
    name = "vllm:GTA1-7B+openai-compatible:x"
    assert prices.cost_of(name, Decision(usage=Usage(input=2), shares=shares)) is None
    assert prices.estimate(name, 1000) is None


def test_a_file_name_with_a_plus_is_no_model_of_two(prices: Prices) -> None:
    assert prices.cost("scripted:/tmp/a+b:c.jsonl", Usage(input=1)) == 0


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openrouter:anthropic/claude-opus-5.5", "4/20"),
        ("openrouter:openai/gpt-6.1-sol", "2/10"),
        ("openrouter:google/gemini-3.8-flash", "0.75/3.75"),
    ],
)
def test_whoever_trusts_a_reseller_to_pass_prices_on_may_say_so(
    tmp_path: Path, model: str, expected: str
) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('[providers.openrouter]\nvia = ["openai", "anthropic", "google"]\n')
    assert rate(Prices(path, today=date(2026, 11, 15)), model) == expected
