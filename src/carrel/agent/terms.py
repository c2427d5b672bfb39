"""The terms of a run: what it may do and use, as its journal has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from typing import cast

from carrel import codec
from carrel.codec import Json
from carrel.errors import CarrelError, RunError
from carrel.policy.limits import Limits
from carrel.policy.policy import Policy

__all__ = ["Terms", "describe_limits", "describe_policy", "read_terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a run began under, and goes on under unless it is given others.

    Attributes:
        isolation: Of the machine that the policy was made for.
    """

    policy: Policy
    isolation: str


def describe_policy(policy: Policy) -> dict[str, object]:
    """A policy as data."""
    described = {item.name: getattr(policy, item.name) for item in fields(policy)}
    return {**described, "limits": describe_limits(policy.limits)}


def describe_limits(limits: Limits) -> dict[str, object]:
    """Limits as data; money as text, as everywhere in a journal."""
    described = {item.name: getattr(limits, item.name) for item in fields(limits)}
    return {**described, "money": None if limits.money is None else str(limits.money)}


def read_terms(started: Mapping[str, Json]) -> Terms:
    """The terms in the first event of a run.

    Raises:
        RunError: They cannot be read. Nothing milder may stand in for them.
    """
    machine = cast("dict[str, Json]", started.get("machine") or {})
    try:
        described = dict(cast("dict[str, Json]", started["policy"]))
        limits = dict(cast("dict[str, Json]", described.pop("limits")))
        money = limits.pop("money")
        known = codec.decode(Limits, limits, where="limits")
        amount = None if money is None else Decimal(str(money))
        policy = codec.decode(Policy, described, where="policy")
        policy = replace(policy, limits=replace(known, money=amount))
    except (KeyError, TypeError, ValueError, ArithmeticError, CarrelError) as error:
        raise RunError(
            f"the policy that the run began under cannot be read: {error}",
            hint="resume it with a policy and limits of its own",
        ) from error
    isolation = machine.get("isolation") or machine.get("kind") or ""
    return Terms(policy, str(isolation))
