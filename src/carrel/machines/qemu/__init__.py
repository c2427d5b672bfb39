"""QEMU: its kernel, its disks, its command line, and how it is spoken to while it runs."""
