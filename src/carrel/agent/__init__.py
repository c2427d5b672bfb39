"""The agent: a model, hands, a gate and a journal, in one loop."""
