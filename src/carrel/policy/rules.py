"""Rules: which actions are allowed, asked about or denied, by type, effect and target."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from enum import StrEnum

from carrel.actions import ACTIONS, Action, EffectClass
from carrel.errors import InvalidInput
from carrel.intents import INTENTS
from carrel.policy.targets import Target, targets

__all__ = ["Layer", "Rule", "Ruling", "Verdict", "strictest"]


class Verdict(StrEnum):
    """What becomes of an action, mildest first."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"

    @property
    def rank(self) -> int:
        """How strict it is: 0 for allow, 2 for deny."""
        return list(Verdict).index(self)


def strictest(*verdicts: Verdict) -> Verdict:
    """The most restrictive of some verdicts; allow when there are none."""
    return max(verdicts, key=lambda verdict: verdict.rank, default=Verdict.ALLOW)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Of all rules that speak of an action, the most restrictive one counts.

    Attributes:
        verdict: What it says.
        actions: Patterns of action types, such as `click` or `*_window`.
        effects: Effect classes it speaks of; empty for all of them.
        targets: Patterns of targets: hosts, URLs, paths, commands, chords, names of tools.
        unless: Targets it does not speak of.
        reason: Told to whoever is asked or refused.
    """

    verdict: Verdict
    actions: tuple[str, ...] = ("*",)
    effects: tuple[EffectClass, ...] = ()
    targets: tuple[str, ...] = ("*",)
    unless: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.actions or not self.targets:
            raise InvalidInput("a rule without actions or targets speaks of nothing")
        known = (*ACTIONS, *INTENTS)
        for pattern in self.actions:
            if not fnmatch.filter(known, pattern):
                raise InvalidInput(
                    f"no action is called {pattern[:60]!r}", hint=f"known: {', '.join(known)}"
                )

    def speaks_of(self, action: Action) -> bool:
        """Whether type and effect fit."""
        if self.effects and action.effect not in self.effects:
            return False
        return any(fnmatch.fnmatchcase(action.type, pattern) for pattern in self.actions)

    def covers(self, target: Target) -> bool:
        """Whether its patterns speak for all of a target."""
        return any(map(target.covered_by, self.targets))

    def matches(self, target: Target) -> bool:
        """Whether it speaks of a target.

        A rule that allows must cover every form of it; one that asks or denies needs to touch one.
        """
        if self.verdict is Verdict.ALLOW:
            return self.covers(target) and not any(map(target.touched_by, self.unless))
        touches = any(map(target.touched_by, self.targets))
        return touches and not any(map(target.covered_by, self.unless))


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict and why."""

    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True)
class Layer:
    """Rules, and what holds where no rule speaks. Layers are only ever added, never loosened.

    Attributes:
        default: A verdict for each effect class, in the order of `EffectClass`.
    """

    rules: tuple[Rule, ...]
    default: tuple[Verdict, ...]

    def judge(self, action: Action, held: tuple[str, ...] = ()) -> Ruling:
        """What these rules make of an action.

        Args:
            action: The action.
            held: Keys that earlier actions pressed and did not release.
        """
        rules = [rule for rule in self.rules if rule.speaks_of(action)]
        rulings = [self._judge_one(action, rules, target) for target in targets(action, held)]
        return max(rulings, key=lambda ruling: ruling.verdict.rank)

    def _judge_one(self, action: Action, rules: list[Rule], target: Target) -> Ruling:
        found = [rule for rule in rules if rule.matches(target)]
        rulings = [Ruling(rule.verdict, rule.reason or _explain(rule, target)) for rule in found]
        # A rule that only touches a target does not speak for all of it: the default counts, too.
        if not any(rule.covers(target) for rule in found) and not target.watched:
            verdict = self.default[list(EffectClass).index(action.effect)]
            reason = f"{action.effect.value} actions are {_PAST[verdict]} by default"
            rulings.append(Ruling(verdict, reason))
        nothing = Ruling(Verdict.ALLOW, "")
        return max(rulings, key=lambda ruling: ruling.verdict.rank, default=nothing)


_PAST = {Verdict.ALLOW: "allowed", Verdict.ASK: "asked about", Verdict.DENY: "denied"}


def _explain(rule: Rule, target: Target) -> str:
    shown = target.forms[0]
    if not shown:
        return f"a rule says {rule.verdict.value}"
    return (
        f"a rule says {rule.verdict.value} for {shown if len(shown) <= 80 else shown[:77] + '...'}"
    )
