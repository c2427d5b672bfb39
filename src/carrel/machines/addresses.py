"""Host names and addresses: one form of each, and which of them are not just out there."""

from __future__ import annotations

import re
import socket
import struct
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from carrel.errors import InvalidInput

__all__ = [
    "Address",
    "Network",
    "as_address",
    "enclosing",
    "is_own",
    "is_private",
    "normal_host",
    "special_kind",
    "within",
]

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Two standards for names beyond ASCII read these differently.
_AMBIGUOUS = "\N{LATIN SMALL LETTER SHARP S}\u1e9e\u03c2\u200c\u200d"

# What no grant but one that names it reaches.
_SPECIAL: dict[str, tuple[Network, ...]] = {
    "unspecified": (ip_network("0.0.0.0/8"), ip_network("::/128")),
    "loopback": (ip_network("127.0.0.0/8"), ip_network("::1/128")),
    "link-local": (ip_network("169.254.0.0/16"), ip_network("fe80::/10")),
    "multicast": (ip_network("224.0.0.0/4"), ip_network("ff00::/8")),
    "reserved": (ip_network("240.0.0.0/4"),),
    # Where clouds hand out credentials outside the link-local range.
    "metadata": (
        ip_network("100.100.100.200/32"),
        ip_network("168.63.129.16/32"),
        ip_network("192.0.0.192/32"),
        ip_network("fd00:ec2::/32"),
    ),
}
_PRIVATE: tuple[Network, ...] = (
    ip_network("10.0.0.0/8"),
    ip_network("172.16.0.0/12"),
    ip_network("192.168.0.0/16"),
    ip_network("100.64.0.0/10"),
    ip_network("192.0.0.0/24"),
    ip_network("198.18.0.0/15"),
    ip_network("fc00::/7"),
    ip_network("fec0::/10"),
)
_NAT64 = ip_network("64:ff9b::/96")
_V4_COMPATIBLE = ip_network("::/96")


def normal_host(text: str) -> str:
    """A host as it is compared: lower case, ASCII, no final dot; an address in its usual form.

    Raises:
        InvalidInput: It is neither a name nor an address in its usual form. Other forms, such as
            `0x7f.1` or `2130706433`, are refused because programs disagree about their meaning.
    """
    bad = InvalidInput(f"{text[:80]!r} is not a host name or a plain address")
    if not 0 < len(text) <= 512 or not text.isprintable():
        raise bad
    if text.isascii():
        try:
            return str(_plain(text))
        except ValueError:
            name = text.lower()
    elif set(text) & set(_AMBIGUOUS):
        raise InvalidInput(
            f"{text[:80]!r} can be read as two names", hint="write it in its xn-- form"
        )
    else:
        try:
            name = text.encode("idna").decode("ascii").lower()
        except UnicodeError:
            raise bad from None
    name = name.removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(map(_LABEL.fullmatch, labels)) or _NUMBER.fullmatch(labels[-1]):
        raise bad
    return name


def _plain(text: str) -> Address:
    address = ip_address(text)
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            raise ValueError("an address with a zone means nothing to another computer")
        return address.ipv4_mapped or address
    return address


def as_address(host: str) -> Address | None:
    """The address that a text is, IPv4 hidden in IPv6 unwrapped; None for anything else."""
    try:
        return _plain(host)
    except ValueError:
        return None


def within(inner: Network, outer: Network) -> bool:
    """Whether all of one network lies in the other."""
    if isinstance(inner, IPv4Network) and isinstance(outer, IPv4Network):
        return inner.subnet_of(outer)
    if isinstance(inner, IPv6Network) and isinstance(outer, IPv6Network):
        return inner.subnet_of(outer)
    return False


def enclosing(address: Address) -> list[Network]:
    """Every special or private network that the address is in, also by what it hides."""
    networks = (*_PRIVATE, *(network for group in _SPECIAL.values() for network in group))
    return [network for network in networks if any(view in network for view in _views(address))]


def _views(address: Address) -> list[Address]:
    """The address and those hidden in it by the ways IPv4 travels in IPv6."""
    found: list[Address] = [address]
    if isinstance(address, IPv6Address):
        low = IPv4Address(int(address) & 0xFFFFFFFF)
        if address in _NAT64 or (address in _V4_COMPATIBLE and int(address) > 1):
            found.append(low)
        hidden = (address.ipv4_mapped, address.sixtofour, *(address.teredo or ()))
        found += [item for item in hidden if item is not None]
    return found


def special_kind(address: Address) -> str | None:
    """Why no unnamed grant reaches it."""
    for view in _views(address):
        for kind, networks in _SPECIAL.items():
            if any(view in network for network in networks):
                return kind
    return None


def is_private(address: Address) -> bool:
    """Whether it only has a meaning in some network of one's own."""
    return any(view in network for view in _views(address) for network in _PRIVATE)


def is_own(address: Address) -> bool:
    """Whether this computer has the address. Asked of the routing table; nothing is sent.

    The address one would speak from does not tell: to a second address of one's own network, one
    speaks from the first.
    """
    family = socket.AF_INET if isinstance(address, IPv4Address) else socket.AF_INET6
    return _route_type(family, address.packed) in _OWN_ROUTES


_RTM_NEWROUTE, _RTM_GETROUTE = 24, 26
_RTA_DST = 1
# RTN_LOCAL, RTN_BROADCAST and RTN_ANYCAST of linux/rtnetlink.h.
_OWN_ROUTES = (2, 3, 4)


def _route_type(family: int, address: bytes) -> int | None:
    """The kind of route to an address; None where there is none."""
    route = struct.pack("=BBBBBBBBI", family, 8 * len(address), 0, 0, 0, 0, 0, 0, 0)
    target = struct.pack("=HH", 4 + len(address), _RTA_DST) + address
    body = route + target
    request = struct.pack("=IHHII", 16 + len(body), _RTM_GETROUTE, 1, 1, 0) + body
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.settimeout(1.0)
        kernel.sendto(request, (0, 0))
        answer = kernel.recv(8192)
    kind = struct.unpack_from("=H", answer, 4)[0]
    return answer[16 + 7] if kind == _RTM_NEWROUTE else None
