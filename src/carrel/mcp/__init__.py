"""MCP servers that run in machines, published on this computer."""
