"""What Accord promises of its intervals, tests and verdicts, one module a part; see promise.py for the contract."""
