"""What is so on the screen: states, contents, counts, messages, and that something is absent."""
