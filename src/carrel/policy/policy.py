"""A policy: rules, defaults and limits of a run, and how two of them become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from carrel.actions import Action, EffectClass
from carrel.errors import InvalidInput
from carrel.policy.limits import Limits
from carrel.policy.rules import Layer, Rule, Ruling, Verdict, strictest

__all__ = ["Policy"]

_CONTAINED = dict.fromkeys(EffectClass, Verdict.ALLOW) | {EffectClass.HUMAN: Verdict.ASK}
_OWN_SCREEN = dict.fromkeys(EffectClass, Verdict.ASK) | {
    EffectClass.OBSERVE: Verdict.ALLOW,
    EffectClass.END: Verdict.ALLOW,
}
# Looking at the screen is what the run is for; files and clipboard are not on the screen.
_PRIVATE = Rule(
    Verdict.ASK,
    actions=("read_file", "list_files", "stat_file", "get_clipboard"),
    reason="it reads what is yours, outside any isolation",
)


def _own_screen() -> dict[EffectClass, Verdict]:
    return dict(_OWN_SCREEN)


@dataclass(frozen=True)
class Policy:
    """What an agent may do.

    Where several rules speak of an action the most restrictive one counts, and where none does,
    the default of its effect class. `merge` keeps both policies whole: an action is allowed only
    where both allow it.

    Attributes:
        rules: In any order.
        default: A verdict for each effect class; one left out is `ask`.
        limits: The most a run may use.
        unknown_price: When the model's price is not known: `ask` and `allow` matter where money is
            limited, `deny` always.
        safety_checks: When the provider wants a person to confirm: `ask` or `deny`.
        unpinned_secrets: When a secret is used that is pinned to no application or host.
        others: Further layers that must agree; the work of `merge`.
    """

    rules: tuple[Rule, ...] = ()
    default: Mapping[EffectClass, Verdict] = field(default_factory=_own_screen)
    limits: Limits = field(default_factory=Limits)
    unknown_price: Verdict = Verdict.ASK
    safety_checks: Verdict = Verdict.ASK
    unpinned_secrets: Verdict = Verdict.ASK
    others: tuple[Layer, ...] = ()

    def __post_init__(self) -> None:
        if self.safety_checks is Verdict.ALLOW:
            raise InvalidInput(
                "a provider's safety checks cannot be allowed beforehand",
                hint="use ask, or deny for runs without a person",
            )
        full = {effect: self.default.get(effect, Verdict.ASK) for effect in EffectClass}
        object.__setattr__(self, "default", full)
        object.__setattr__(self, "rules", tuple(self.rules))

    @classmethod
    def for_isolation(cls, isolation: str) -> Policy:
        """What a machine's isolation warrants.

        An isolated machine may do all it can contain; what leaves it, its own way out decides.
        Without isolation, and where it is not known, everything but looking is asked about.
        """
        from carrel.machines.provider import Isolation

        contained = {item.value for item in Isolation} - {Isolation.NONE.value}
        if isolation in contained:
            return cls(default=_CONTAINED)
        return cls(rules=(_PRIVATE,), default=_OWN_SCREEN)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers of rules; an action passes when it passes each."""
        own = Layer(self.rules, tuple(self.default[effect] for effect in EffectClass))
        return (own, *self.others)

    def judge(self, action: Action, held: tuple[str, ...] = ()) -> Ruling:
        """What the rules make of an action.

        Args:
            action: The action.
            held: Keys that earlier actions pressed and did not release.
        """
        rulings = [layer.judge(action, held) for layer in self.layers]
        return max(rulings, key=lambda ruling: ruling.verdict.rank)

    def merge(self, other: Policy) -> Policy:
        """Both at once: the most restrictive wins, everywhere."""
        if self == other:
            return self
        # One order for the same set of layers, so that it does not matter who merged with whom.
        layers = sorted({_ordered(layer) for layer in (*self.layers, *other.layers)}, key=repr)
        first, *others = layers
        return Policy(
            rules=first.rules,
            default=dict(zip(EffectClass, first.default, strict=True)),
            limits=self.limits.merge(other.limits),
            unknown_price=strictest(self.unknown_price, other.unknown_price),
            safety_checks=strictest(self.safety_checks, other.safety_checks),
            unpinned_secrets=strictest(self.unpinned_secrets, other.unpinned_secrets),
            others=tuple(others),
        )


def _ordered(layer: Layer) -> Layer:
    return Layer(tuple(sorted(set(layer.rules), key=repr)), layer.default)
