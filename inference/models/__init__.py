"""The models that can be asked: one protocol, one table, one resident at a time."""
