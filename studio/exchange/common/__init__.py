"""What several formats share: safe reading and writing, features as shapes with fields, maps made of what was read."""
