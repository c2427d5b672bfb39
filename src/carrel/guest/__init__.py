"""The program inside the machine: screen, input, windows, processes, files and the desk itself."""
