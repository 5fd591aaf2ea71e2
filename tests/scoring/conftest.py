"""The command line run in this process: as a user meets it, without starting Python for every command."""

import subprocess
import sys

import pytest


@pytest.fixture
def accord_command(tmp_path, monkeypatch, capsys):
    """Run ``accord ...`` in an empty folder; returns what a finished process would."""
    from accord.cli.main import main

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = ["accord", *map(str, arguments)]
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", command)
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return subprocess.CompletedProcess(command, ended.value.code or 0, told.out, told.err)

    return run
