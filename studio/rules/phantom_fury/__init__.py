"""Phantom Fury: the Jolan District of Fallujah in zones and street sections, one company of Marines."""
