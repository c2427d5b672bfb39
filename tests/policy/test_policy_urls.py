from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.policy.urls import Url, host_matches, read_host, read_url

HOSTS = {
    "https://example.com/x": "example.com",
    "HTTPS://EXAMPLE.com": "example.com",
    "https://example.com./": "example.com",
    "https://example.com:8443/": "example.com",
    "http://good.com@evil.com/": "evil.com",
    "http://good.com:80@evil.com/": "evil.com",
    "http://good.com%40evil.com@evil.org/": "evil.org",
    "http://a@b@evil.com/": "evil.com",
    "http://evil.com\\@good.com/": "evil.com",
    "http:\\\\evil.com\\x": "evil.com",
    "http:evil.com": "evil.com",
    "http:/evil.com": "evil.com",
    "http:////evil.com": "evil.com",
    " \thttp://evil.com": "evil.com",
    "ht\ntp://ev\til.com/": "evil.com",
    "http://ex%61mple.com/": "example.com",
    "http://bücher.example/": "xn--bcher-kva.example",
    "http://xn--bcher-kva.example/": "xn--bcher-kva.example",
    "http://BÜCHER.example/": "xn--bcher-kva.example",
    "http://ｅｘａｍｐｌｅ.com/": "example.com",
    "http://example。com/": "example.com",
    "http://2130706433/": "127.0.0.1",
    "http://0x7f000001/": "127.0.0.1",
    "http://0x7f.1/": "127.0.0.1",
    "http://127.1/": "127.0.0.1",
    "http://017700000001/": "127.0.0.1",
    "http://127.0.0.1:80/": "127.0.0.1",
    "http://[::1]:8080/": "::1",
    "http://[::ffff:127.0.0.1]/": "127.0.0.1",
    "http://evil.com?good.com": "evil.com",
    "http://evil.com#@good.com": "evil.com",
    "view-source:http://evil.com/": "evil.com",
    "about:blank": "",
    "mailto:a@good.com": "",
    "file:///etc/passwd": "",
}


@pytest.mark.parametrize(("text", "host"), HOSTS.items())
def test_the_host_is_the_one_a_browser_goes_to(text: str, host: str) -> None:
    url = read_url(text)
    assert url is not None
    assert url.host == host


@pytest.mark.parametrize(
    "text",
    [
        "http://",
        "http://faß.de/",
        "http://exa mple.com/",
        "http://evil.com:99999/",
        "http://evil.com:80x/",
        "http://a..b/",
        "http://[::1/",
        "http://-/",
        "http://a\u200db.com/",
        "http://999999999999/",
    ],
)
def test_a_host_that_can_be_read_two_ways_is_not_read(text: str) -> None:
    url = read_url(text)
    assert url is not None
    assert url.host is None


@pytest.mark.parametrize("text", ["example.com", "/etc/passwd", "firefox --new", "", "a b:c"])
def test_what_has_no_scheme_is_no_url(text: str) -> None:
    assert read_url(text) is None


@pytest.mark.parametrize(
    ("text", "port", "shown"),
    [
        ("http://a.com", 80, "http://a.com/"),
        ("https://a.com:443/x", 443, "https://a.com/x"),
        ("https://a.com:8443/x?q#f", 8443, "https://a.com:8443/x?q#f"),
        ("http://u:p@A.com/x", 80, "http://a.com/x"),
        ("http://[::1]:8080/", 8080, "http://[::1]:8080/"),
        ("about:blank", None, "about:blank"),
        ("http://a.com/docs/../x", 80, "http://a.com/x"),
        ("http://a.com/docs/%2E%2e/x?a/../b", 80, "http://a.com/x?a/../b"),
        ("http://a.com/docs/..", 80, "http://a.com/"),
        ("http://a.com/docs/./x/", 80, "http://a.com/docs/x/"),
        ("http://a.com/docs\\..\\x", 80, "http://a.com/x"),
        ("http://a.com?q", 80, "http://a.com/?q"),
    ],
)
def test_a_url_is_shown_in_one_form(text: str, port: int | None, shown: str) -> None:
    url = read_url(text)
    assert url is not None
    assert (url.port, str(url)) == (port, shown)


@pytest.mark.parametrize(
    ("pattern", "host", "port", "fits"),
    [
        ("example.com", "example.com", 443, True),
        ("Example.COM.", "example.com", 443, True),
        ("example.com", "www.example.com", 443, False),
        ("example.com", "notexample.com", 443, False),
        ("example.com", "example.com.evil.org", 443, False),
        ("*.example.com", "www.example.com", 443, True),
        ("*.example.com", "a.b.example.com", 443, True),
        ("*.example.com", "example.com", 443, False),
        ("*.example.com", "notexample.com", 443, False),
        ("example.com:8443", "example.com", 8443, True),
        ("example.com:8443", "example.com", 443, False),
        ("*.bücher.example", "a.xn--bcher-kva.example", 443, True),
        ("bücher.example", "xn--bcher-kva.example", 443, True),
        ("127.0.0.*", "127.0.0.1", 80, True),
        ("[::1]:80", "::1", 80, True),
        ("::1", "::1", 80, True),
        ("*", "anything.example", 80, True),
        ("ex?mple.com", "example.com", 80, True),
    ],
)
def test_host_patterns(pattern: str, host: str, port: int, fits: bool) -> None:
    assert host_matches(pattern, Url("https", host, port, "/")) is fits


def test_no_pattern_names_a_host_that_cannot_be_read() -> None:
    assert not host_matches("*", Url("https", None, 443, "/"))


@given(st.text(max_size=40))
def test_reading_any_url_never_fails(text: str) -> None:
    for prefix in ("", "http:", "https://", "http://a@", "file://", "view-source:"):
        url = read_url(prefix + text)
        if url is not None:
            str(url)
            host_matches("*.example.com:80", url)
            host_matches(text or "x", url)


LABEL = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
NAME = st.lists(LABEL, min_size=2, max_size=4).map(".".join)


@given(NAME, st.sampled_from(["", "user@", "user:good.com@"]), st.sampled_from(["", ".", ":8080"]))
def test_dressing_a_host_up_does_not_hide_it(name: str, before: str, behind: str) -> None:
    url = read_url(f"hTTps://{before}{name.upper()}{behind}/path@other.example")
    assert url is not None
    assert url.host == name
    assert host_matches(name, url)
    assert not host_matches(f"x{name}", url)


@given(st.integers(0, 2**32 - 1))
def test_every_spelling_of_an_ipv4_address_is_the_same_host(number: int) -> None:
    a, b, c, d = number >> 24, number >> 16 & 255, number >> 8 & 255, number & 255
    plain = f"{a}.{b}.{c}.{d}"
    spellings = [str(number), hex(number), f"{a}.{number & 0xFFFFFF}", f"0{a:o}.{b}.{c}.{d}"]
    assert {read_host(text) for text in spellings} == {plain}
    assert read_host(plain) == plain
