"""Random maps for the tests of sight, one module a game."""
