"""``python -m accord`` is the command line too."""

from accord.cli.start import start

start()
