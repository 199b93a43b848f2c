"""Other programs' formats: what the studio writes for them and takes in from them."""
