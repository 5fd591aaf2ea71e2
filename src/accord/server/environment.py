"""What the server is told from outside: the study folder, the database, the public address, the secret."""

import os
import secrets
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from accord.errors import OperationError, OptionError
from accord.records import dataclass

__all__ = ["DATABASE_FILE", "SECRET_FILE", "Environment", "is_loopback"]

DATABASE_FILE = "accord.sqlite3"
SECRET_FILE = "accord.secret"  # noqa: S105 - the name of a file
_PRIVATE_FILES = (f"{DATABASE_FILE}*", SECRET_FILE)
_SHORTEST_SECRET = 32
_YES_NO = {"": False, "0": False, "no": False, "false": False, "off": False,
           "1": True, "yes": True, "true": True, "on": True}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Environment:
    """All settings of one server, read once and checked."""

    folder: Path
    secret: str
    database: dict[str, Any]
    origin: str
    debug: bool

    @property
    def is_https(self) -> bool:
        return self.origin.startswith("https://")

    @property
    def hosts(self) -> list[str]:
        """Host names this server answers to; anything else is refused."""
        own = urlsplit(self.origin).hostname if self.origin else None
        return ["127.0.0.1", "localhost", "[::1]", *([own] if own else [])]

    @classmethod
    def read(cls) -> "Environment":
        """From the variables ACCORD_STUDY, ACCORD_DATABASE_URL, ACCORD_ORIGIN, ACCORD_SECRET, ACCORD_DEBUG."""
        folder = Path(os.environ.get("ACCORD_STUDY", ".")).resolve()
        origin = _origin(os.environ.get("ACCORD_ORIGIN", ""))
        debug = _yes_or_no("ACCORD_DEBUG")
        if origin and debug:
            raise OptionError("ACCORD_DEBUG shows the inside of the program to everybody. Unset it to serve in public.")
        return cls(
            folder=folder,
            secret=_secret(folder),
            database=_database(folder, os.environ.get("ACCORD_DATABASE_URL", "")),
            origin=origin,
            debug=debug,
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server bound to this address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _yes_or_no(name: str) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value not in _YES_NO:
        raise OptionError(f"{name} is {value!r}, which is neither yes nor no. Write 1 or 0.")
    return _YES_NO[value]


def _origin(text: str) -> str:
    if not text:
        return ""
    parts = urlsplit(text)
    if parts.scheme != "https" or not parts.hostname or parts.path.strip("/") or parts.query:
        raise OptionError(
            f"ACCORD_ORIGIN is {text!r}, but must be the address raters type, such as https://rate.example.org. "
            "It must be https: cookies and judgements would travel in the clear otherwise."
        )
    return f"https://{parts.netloc}"


def _secret(folder: Path) -> str:
    """From ACCORD_SECRET, or from a file only the owner can read, written at the first start."""
    given = os.environ.get("ACCORD_SECRET", "")
    if given:
        if len(given) < _SHORTEST_SECRET or len(set(given)) < 5:
            raise OptionError(f"ACCORD_SECRET is too easy to guess: use at least {_SHORTEST_SECRET} random characters.")
        return given
    path = folder / SECRET_FILE
    if path.exists():
        return _read_secret(path)
    try:
        _write_whole(path, secrets.token_urlsafe(48))
    except OSError as error:
        raise OperationError(f"{path}: cannot keep the server's secret here ({error.strerror}).") from None
    _keep_out_of_version_control(folder)
    return _read_secret(path)


def _write_whole(path: Path, text: str) -> None:
    """Write a new private file at once: of two processes that start together one wins, and none reads a half."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def _read_secret(path: Path) -> str:
    if path.stat().st_mode & 0o077:
        raise OperationError(f"{path} can be read by other people on this machine. Run: chmod 600 {path}")
    secret = path.read_text().strip()
    if len(secret) < _SHORTEST_SECRET:
        raise OperationError(f"{path} holds no usable secret. Delete the file; the next start writes a new one.")
    return secret


def _keep_out_of_version_control(folder: Path) -> None:
    path = folder / ".gitignore"
    known = path.read_text().splitlines() if path.exists() else []
    missing = [name for name in _PRIVATE_FILES if name not in known]
    if missing:
        path.write_text("\n".join([*known, *missing]) + "\n")


def _database(folder: Path, url: str) -> dict[str, Any]:
    if not url:
        return _sqlite(folder / DATABASE_FILE)
    parts = urlsplit(url)
    if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/"):
        raise OptionError("ACCORD_DATABASE_URL must look like postgres://user:password@host:5432/name.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"options": "-c synchronous_commit=on"},
    }


def _sqlite(path: Path) -> dict[str, Any]:
    """WAL lets people read while somebody saves; FULL survives a power cut; IMMEDIATE never dead-locks."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
        },
    }
