"""Sight for a designer's own game: one judge for every set of rules that a TOML file can choose."""
