"""What is not in sight: opened, unfolded, scrolled to, looked for on further pages."""
