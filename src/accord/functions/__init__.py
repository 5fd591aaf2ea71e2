"""What the command line can do, as functions: each gives an answer that prints, draws and turns into frames."""
