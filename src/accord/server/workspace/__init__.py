"""Many studies on one server: accounts, roles, the home page, and the way from an address to a study."""
