"""The engines Carrel comes with; others join through the `carrel.providers` entry points."""
