"""Urban Operations: companies in a town of rooms, roofs, walls and hexes of 7 m."""
