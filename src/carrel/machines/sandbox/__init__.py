"""Walls made of Linux namespaces: no daemon, no set-user-id helper, root or not.

`plan` says what a sandbox is, `launch` is the program that becomes one, `probe` finds out whether
this system allows it. See docs/adr/0004-namespaces-without-a-daemon.md.
"""
