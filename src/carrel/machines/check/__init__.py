"""The conformance suite every provider must pass: `carrel provider check NAME`.

Each check is one sentence about machines, proved on a real one. What a provider's capabilities
rule out is skipped with that reason, never passed.
"""

from carrel.machines.check.run import CheckResult, run_checks

__all__ = ["CheckResult", "run_checks"]
