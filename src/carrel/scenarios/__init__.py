"""Files of plain-language steps as tests: read, run as tasks, and reported on."""
