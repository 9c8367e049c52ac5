"""A package, so that one browser and one server serve all of its files and end with them."""
