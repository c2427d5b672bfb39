"""How near Carrel comes to the physical limit: `python -m benchmarks`."""
