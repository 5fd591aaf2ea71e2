"""The server: collect judgements safely, show progress and reliability; Django lives only here."""
