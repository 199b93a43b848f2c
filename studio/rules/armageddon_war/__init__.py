"""Armageddon War: platoons, hexes of 150 m, levels and obstacles."""
