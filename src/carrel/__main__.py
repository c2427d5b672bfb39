"""`python -m carrel`."""

from carrel.cli import main

main()
