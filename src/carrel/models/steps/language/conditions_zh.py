from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.program import Condition
def read_condition_zh(text: str, atoms: Atoms) -> Condition | None:
    return None
