"""Log lines as JSON without personal data: no address, no query, no cookie, no token, nothing that a rater wrote."""

import json
import logging
import re

__all__ = ["JsonLine"]

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,}")
_QUOTED = re.compile(r"^(LINE \d+:|DETAIL:|CONTEXT:|HINT:).*(\n +\^)?$", re.MULTILINE)
"""Where PostgreSQL repeats what it could not keep."""


class JsonLine(logging.Formatter):
    """One line a record; whatever looks like a token is blotted out."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _TOKEN.sub("[hidden]", record.getMessage().split("?")[0]),
        }
        if record.exc_info:
            trace = _QUOTED.sub(r"\1 [hidden]", self.formatException(record.exc_info))
            line["trace"] = _TOKEN.sub("[hidden]", trace)
        return json.dumps(line, ensure_ascii=False)
