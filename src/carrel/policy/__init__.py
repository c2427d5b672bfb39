"""What an agent may do: rules, limits, prices, secrets, and the gate that asks them all."""
