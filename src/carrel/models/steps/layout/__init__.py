"""How what is shown is laid out: who holds whom, rows, bars, sections, and boxes over others."""
