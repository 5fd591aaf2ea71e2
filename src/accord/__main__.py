"""``python -m accord`` is the command line too."""

from accord.cli.main import main

main()
