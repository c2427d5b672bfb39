"""What is shown, as a person takes it: entries, panes, fields, and what each of them says."""
