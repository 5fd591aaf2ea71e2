"""What the server is told from outside: the study folder, the database, the public address, the secret."""

import hashlib
import os
import re
import secrets
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from accord.errors import OperationError, OptionError
from accord.records import dataclass

__all__ = [
    "ASIDE", "DATABASE_FILE", "SECRET_FILE", "WORKSPACE_FILE", "Environment", "is_loopback", "study_database",
    "study_database_url",
]  # fmt: skip

DATABASE_FILE = "accord.sqlite3"
WORKSPACE_FILE = "workspace.sqlite3"
ASIDE = ".restoring"
"""Where a backup is unpacked, in the folder that the study will have."""
SECRET_FILE = "accord.secret"  # noqa: S105 - the name of a file
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_SHORTEST_SECRET = 32
_YES_NO = {"": False, "0": False, "no": False, "false": False, "off": False,
           "1": True, "yes": True, "true": True, "on": True}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Environment:
    """All settings of one server, read once and checked."""

    folder: Path
    workspace: Path | None
    secret: str
    databases: dict[str, dict[str, Any]]
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
        """From ACCORD_STUDY or ACCORD_WORKSPACE, ACCORD_DATABASE_URL, ACCORD_ORIGIN, ACCORD_SECRET, ACCORD_DEBUG."""
        workspace = Path(named).resolve() if (named := os.environ.get("ACCORD_WORKSPACE")) else None
        folder = workspace or Path(os.environ.get("ACCORD_STUDY", ".")).resolve()
        origin = _origin(os.environ.get("ACCORD_ORIGIN", ""))
        debug = _yes_or_no("ACCORD_DEBUG")
        if origin and debug:
            raise OptionError("ACCORD_DEBUG shows the inside of the program to everybody. Unset it to serve in public.")
        return cls(
            folder=folder,
            workspace=workspace,
            secret=_secret(folder),
            databases=_databases(folder, workspace),
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
    database = WORKSPACE_FILE if os.environ.get("ACCORD_WORKSPACE") else DATABASE_FILE
    missing = [name for name in (f"{database}*", SECRET_FILE, "results/") if name not in known]
    if missing:
        path.write_text("\n".join([*known, *missing]) + "\n")


def _databases(folder: Path, workspace: Path | None) -> dict[str, dict[str, Any]]:
    url = os.environ.get("ACCORD_DATABASE_URL", "")
    if workspace is None:
        key = folder.parent.name if folder.name == ASIDE else folder.name
        return {"default": _database(folder / DATABASE_FILE, url, schema=_schema_alone(url, key))}
    # Which study is meant is known for each request only: outside of one there is no database to reach by accident.
    none = {"ENGINE": "django.db.backends.dummy"}
    return {"default": none, "workspace": _database(workspace / WORKSPACE_FILE, url, schema="accord_workspace")}


def _schema_alone(url: str, key: str) -> str:
    """Where a study that is opened alone lies: in the schema that a workspace on this database gave it, if one did.

    A workspace that has not opened the study yet will look for it there; tables of a study that never was in one lie
    where PostgreSQL puts them.
    """
    if not url or "schema" in parse_qs(urlsplit(url).query):
        return ""
    own = _schema_of(key)
    try:
        import psycopg
    except ImportError:
        return ""  # as below
    try:
        with psycopg.connect(url.partition("?")[0], connect_timeout=5) as connection:
            found = connection.execute(
                "SELECT to_regnamespace(%s) IS NOT NULL OR "
                "(to_regnamespace('accord_workspace') IS NOT NULL AND to_regclass('server_rater') IS NULL)",
                [own],
            ).fetchone()
    except psycopg.Error:
        return ""  # whoever uses it is told by Django what is wrong with it
    return own if found is not None and found[0] else ""


def study_database(folder: Path, key: str) -> dict[str, Any]:
    """The database of one study of a workspace: a file in its folder, or a schema of its own."""
    return _database(folder / DATABASE_FILE, os.environ.get("ACCORD_DATABASE_URL", ""), schema=_schema_of(key))


def study_database_url(key: str) -> str:
    """What ACCORD_DATABASE_URL must be to open one study of a workspace alone; empty where it is a file."""
    url = os.environ.get("ACCORD_DATABASE_URL", "")
    return f"{url.partition('?')[0]}?schema={_schema_of(key)}" if url else ""


def _schema_of(key: str) -> str:
    """A name that PostgreSQL needs no quotes for, and that two studies never share."""
    plain = re.sub(r"[^a-z0-9]", "_", key.lower())[:40]
    return f"study_{plain}" if plain == key else f"study_{plain}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"


def _database(path: Path, url: str, schema: str = "") -> dict[str, Any]:
    if not url:
        return _sqlite(path)
    parts = urlsplit(url)
    named = parse_qs(parts.query).get("schema", [""])[0] or schema
    if (
        parts.scheme not in ("postgres", "postgresql")
        or not parts.path.strip("/")
        or (named and not _SCHEMA.fullmatch(named))
    ):
        raise OptionError(
            "ACCORD_DATABASE_URL must look like postgres://user:password@host:5432/name, with ?schema=name at its end "
            "where the study lies in a schema of its own."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {"options": "-c synchronous_commit=on" + (f" -c search_path={named}" if named else "")},
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
