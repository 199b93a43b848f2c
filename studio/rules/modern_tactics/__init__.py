"""Modern Tactics: Afghanistan: squads and vehicles, hexes of 50 m, degraded and blocked lines of sight."""
