"""The gate: the one place where it is decided whether an action may happen.

In this order: schema, the agent's list of actions, the policy's rules on the target, the
provider's safety checks, limits, stuck. Nothing here waits, reads or sends anything: the loop asks
whoever has to be asked, and tells the gate what was agreed to.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from carrel.actions import ACTIONS, Action, EffectClass, KeyDown, KeyUp
from carrel.decisions import Call
from carrel.errors import CarrelError
from carrel.intents import INTENTS, Ask, CallTool
from carrel.journal.ends import EndReason
from carrel.policy.grants import Grants, Pattern, Scope, pattern_of
from carrel.policy.limits import Tally
from carrel.policy.policy import Policy
from carrel.policy.prices import Prices
from carrel.policy.rules import Verdict
from carrel.policy.secrets import Secrets
from carrel.policy.stuck import Rung, Stuck

__all__ = ["Gate", "Judgement", "Stage"]

Stage = Literal["schema", "allow_list", "rule", "safety", "limits", "stuck"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate decided.

    Attributes:
        stage: Which of its steps decided.
        reason: For the model, the person and the journal.
        end: Why the run cannot go on; with the verdict `ask`, why it would end if nobody agrees.
    """

    verdict: Verdict
    stage: str
    reason: str
    end: EndReason | None = None


class Gate:
    """The gate of one run.

    Args:
        policy: What holds.
        prices: What models cost.
        allowed: Types of actions and names of tools the agent may use; None for all.
        tools: Names of the tools there are.
        secrets: What `{{secret:NAME}}` may refer to.
        grants: What a person has agreed to.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        prices: Prices,
        allowed: frozenset[str] | None = None,
        tools: frozenset[str] = frozenset(),
        secrets: Secrets,
        grants: Grants,
    ) -> None:
        self._policy = policy
        self._prices = prices
        self._allowed = allowed
        self._tools = tools
        self._secrets = secrets
        self._grants = grants
        self._stuck = Stuck()
        self._held: tuple[str, ...] = ()
        self._asked: tuple[str, int] | None = None
        self._call: Call | None = None
        self._confirmed = False
        self._price_accepted = False

    # Before a decision

    def before_decision(
        self, tally: Tally, model: str, context_tokens: int, max_output: int | None = None
    ) -> Judgement:
        """Whether the model may be asked again: limits, and what the answer would cost."""
        limits = self._policy.limits
        if limits.steps is not None and tally.steps >= limits.steps:
            return _ended(f"the limit of {limits.steps} steps is reached", EndReason.STEP_LIMIT)
        over = self._over_limit(tally)
        if over is not None:
            return over
        if limits.tokens is not None and tally.usage.total + context_tokens > limits.tokens:
            reason = f"the next answer would pass the limit of {limits.tokens} tokens"
            return _ended(reason, EndReason.TOKEN_LIMIT)
        return self._afford(tally, model, context_tokens, max_output)

    def _afford(
        self, tally: Tally, model: str, context_tokens: int, max_output: int | None
    ) -> Judgement:
        estimate = self._prices.estimate(model, context_tokens, max_output)
        if estimate is None or tally.unknown_costs:
            unknown = self._unknown_price(model, tally)
            if unknown is not None:
                return unknown
        money = self._policy.limits.money
        if money is not None and estimate is not None and tally.cost + estimate > money:
            reason = (
                f"the next answer may cost {_dollars(estimate)}, and of {_dollars(money)} "
                f"{_dollars(tally.cost)} are spent"
            )
            return _ended(reason, EndReason.MONEY_LIMIT)
        return Judgement(Verdict.ALLOW, "limits", "")

    def _unknown_price(self, model: str, tally: Tally) -> Judgement | None:
        verdict = self._policy.unknown_price
        matters = verdict is Verdict.DENY or self._policy.limits.money is not None
        if verdict is Verdict.ALLOW or not matters or self._price_accepted:
            return None
        reason = f"the price of {model} is not known"
        if verdict is Verdict.ASK and self.may_ask(tally):
            reason += ", so the limit on money cannot be kept"
            return Judgement(Verdict.ASK, "limits", reason, EndReason.PRICE_UNKNOWN)
        return _ended(reason, EndReason.PRICE_UNKNOWN)

    def allow_unknown_price(self) -> None:
        """Somebody agreed to go on without knowing the price."""
        self._price_accepted = True

    def seconds_left(self, tally: Tally) -> float:
        """How long the run may go on."""
        seconds = self._policy.limits.seconds
        return float("inf") if seconds is None else max(0.0, seconds - tally.seconds)

    # Before an action

    def judge(self, call: Call, index: int, tally: Tally) -> Judgement:
        """Whether one action of a call may happen. Asks of several steps come as one."""
        if self._asked is not None and self._asked != (call.id, index):
            self._grants.forget_once()
        self._asked = (call.id, index)
        if self._call is not call:
            # Another one, whatever its id: some providers give the same to many.
            self._call, self._confirmed = call, False
        known = self._check_schema(call, index) or self._check_list(call.actions[index])
        if known is not None:
            return known
        action = call.actions[index]
        ruling = self._check_rules(action)
        checks = self._check_safety(call)
        for judgement in (ruling, checks, self._over_limit(tally), self._check_stuck()):
            if judgement is not None and judgement.verdict is Verdict.DENY:
                return judgement
        asks = [item for item in (ruling, checks) if item is not None]
        if (asks or isinstance(action, Ask)) and not self.may_ask(tally):
            reason = f"the limit of {self._policy.limits.asks} asks is reached"
            why = f"{asks[0].reason}, and " if asks else ""
            return _ended(why + reason, EndReason.ASK_LIMIT)
        if not asks:
            return Judgement(Verdict.ALLOW, "stuck", "")
        return Judgement(Verdict.ASK, asks[-1].stage, "; ".join(item.reason for item in asks))

    def forbids(self, action: Action) -> str | None:
        """Why an action may not happen whatever a person says; None when it may."""
        for judgement in (self._check_list(action), self._check_rules(action)):
            if judgement is not None and judgement.verdict is Verdict.DENY:
                return judgement.reason
        return None

    def _check_schema(self, call: Call, index: int) -> Judgement | None:
        if call.problem is not None:
            return Judgement(Verdict.DENY, "schema", call.problem.message)
        if not 0 <= index < len(call.actions):
            return Judgement(Verdict.DENY, "schema", f"the call has no action {index}")
        action = call.actions[index]
        if {**ACTIONS, **INTENTS}.get(action.type) is not type(action):
            return Judgement(Verdict.DENY, "schema", f"there is no action {action.type[:40]!r}")
        if isinstance(action, CallTool) and action.name not in self._tools:
            known = ", ".join(sorted(self._tools)) or "none"
            reason = f"there is no tool {action.name[:80]!r}; known tools: {known}"
            return Judgement(Verdict.DENY, "schema", reason)
        return None

    def _check_list(self, action: Action) -> Judgement | None:
        if self._allowed is None or action.effect is EffectClass.END:
            return None
        names = {action.type, action.name} if isinstance(action, CallTool) else {action.type}
        if names & self._allowed:
            return None
        name = action.name if isinstance(action, CallTool) else action.type
        return Judgement(Verdict.DENY, "allow_list", f"this agent may not use {name}")

    def _check_rules(self, action: Action) -> Judgement | None:
        ruling = self._policy.judge(action, self._held)
        if ruling.verdict is Verdict.DENY:
            return Judgement(Verdict.DENY, "rule", ruling.reason)
        try:
            secrets = self._secrets.check(action)
        except CarrelError as error:
            reason = error.message if error.hint is None else f"{error.message}; {error.hint}"
            return Judgement(Verdict.DENY, "rule", reason)
        loose = [secret.name for secret in secrets if secret.name in self._loose(action)]
        if loose and self._policy.unpinned_secrets is Verdict.DENY:
            reason = f"the secret {loose[0]} is pinned to no application or host"
            return Judgement(Verdict.DENY, "rule", reason)
        # To ask a person is itself an action; it needs no question before it.
        asks = ruling.verdict is Verdict.ASK and not isinstance(action, Ask)
        granted = asks and self._grants.covers(pattern_of(action, self._held))
        reasons = [ruling.reason] if asks and not granted else []
        reasons += [
            f"it uses the secret {name}, which is pinned to no application or host"
            for name in loose
            if self._policy.unpinned_secrets is Verdict.ASK
            and not self._grants.covers(Pattern("secret", name))
        ]
        return Judgement(Verdict.ASK, "rule", "; ".join(reasons)) if reasons else None

    def _loose(self, action: Action) -> tuple[str, ...]:
        """Secrets of an action that nothing binds. Any use but typing is bound by being named."""
        if action.type != "type":
            return ()
        names = self._secrets.references(action)
        return tuple(name for name in names if not self._secrets.get(name).is_pinned)

    def _check_safety(self, call: Call) -> Judgement | None:
        if not call.checks or self._confirmed:
            return None
        said = "; ".join(check.message or check.code for check in call.checks)
        reason = f"the provider wants a person to confirm: {said}"
        return Judgement(self._policy.safety_checks, "safety", reason)

    def _over_limit(self, tally: Tally) -> Judgement | None:
        limits = self._policy.limits
        if limits.steps is not None and tally.steps > limits.steps:
            return _ended(f"the limit of {limits.steps} steps is passed", EndReason.STEP_LIMIT)
        if limits.seconds is not None and tally.seconds >= limits.seconds:
            reason = f"the limit of {limits.seconds:g} seconds is reached"
            return _ended(reason, EndReason.TIME_LIMIT)
        if limits.money is not None and tally.cost > limits.money:
            spent = f"{_dollars(tally.cost)} of {_dollars(limits.money)} are spent"
            return _ended(spent, EndReason.MONEY_LIMIT)
        if limits.tokens is not None and tally.usage.total > limits.tokens:
            reason = f"the limit of {limits.tokens} tokens is passed"
            return _ended(reason, EndReason.TOKEN_LIMIT)
        return None

    def _check_stuck(self) -> Judgement | None:
        if not self._stuck.is_over:
            return None
        reason = "the same is done again and again, and nothing changes"
        return Judgement(Verdict.DENY, "stuck", reason, EndReason.STUCK)

    def may_ask(self, tally: Tally) -> bool:
        """Whether a person may be asked once more."""
        return self._policy.limits.asks is None or tally.asks < self._policy.limits.asks

    # What a person said, and what happened

    def grant(self, action: Action, scope: Scope) -> None:
        """A person agreed to what the last judgement of this action asked.

        A provider's checks are agreed to for their call only, whatever the scope.
        """
        patterns = []
        if self._policy.judge(action, self._held).verdict is Verdict.ASK:
            patterns.append(pattern_of(action, self._held))
        if self._policy.unpinned_secrets is Verdict.ASK:
            patterns += [Pattern("secret", name) for name in self._loose(action)]
        self._grants.add(patterns, scope)
        self._confirmed = self._call is not None

    def scope_of(self, action: Action) -> str:
        """What else a grant for longer than once would allow, in words."""
        pattern = pattern_of(action, self._held)
        kind = pattern.action.replace("_", " ")
        return f"{kind} {pattern.target}" if pattern.target else f"every {kind}"

    def after(self, action: Action, changed: bool | None, ok: bool) -> Rung | None:
        """Take note of an action that was carried out, and say whether it leads nowhere.

        Args:
            action: As the model gave it, without secrets.
            changed: Whether the screen changed; None when nobody looked.
            ok: Whether it worked.
        """
        self._grants.forget_once()
        if ok:
            self.hold(action)
        # What failed has changed nothing.
        return self._stuck.observe(action, False if changed is None and not ok else changed)

    def hold(self, action: Action) -> None:
        """Take note of a key that an action left pressed, or released."""
        if isinstance(action, KeyDown):
            self._held = tuple(dict.fromkeys((*self._held, action.key)))
        elif isinstance(action, KeyUp):
            self._held = tuple(key for key in self._held if key != action.key)

    def unstick(self) -> None:
        """Somebody said to go on: what came before no longer counts."""
        self._stuck.reset()


def _ended(reason: str, end: EndReason) -> Judgement:
    return Judgement(Verdict.DENY, "limits", reason, end)


def _dollars(amount: Decimal) -> str:
    shown = amount.quantize(Decimal("0.0001"))
    return f"${shown.normalize():f}" if shown else f"${amount.normalize():f}"
