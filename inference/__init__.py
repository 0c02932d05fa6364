"""Questions, input representations, prompts, models, parsing, scoring and records."""
