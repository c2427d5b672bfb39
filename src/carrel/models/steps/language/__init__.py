"""Plain language, English and Chinese, read into steps and written back."""

from carrel.models.steps.language.file import read_file
from carrel.models.steps.language.sentence import read_afresh, read_sentence
from carrel.models.steps.language.talk import readings
from carrel.models.steps.language.writing import write_program, write_step

__all__ = [
    "read_afresh",
    "read_file",
    "read_sentence",
    "readings",
    "write_program",
    "write_step",
]
