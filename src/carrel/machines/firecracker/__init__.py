"""Firecracker: its API, what a machine is made of, its jail, and the process that holds it."""
