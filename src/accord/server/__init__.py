"""Server: collect judgements safely and show how far they can be trusted."""
