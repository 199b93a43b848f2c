"""Ignorant Armies: the Iran-Iraq War in hexes of 20 km, without lines of sight."""
