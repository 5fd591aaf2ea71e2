"""The same for programs: a small table of endpoints with tokens, and the OpenAPI made from it."""
