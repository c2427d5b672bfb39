"""English: its clauses, verbs and claims, each read into steps and conditions."""
