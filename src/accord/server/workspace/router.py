"""Which tables stand in which database: a study's rows never meet those of the workspace."""

from typing import Any

from accord.server.serving import WORKSPACE_ALIAS

__all__ = ["Router"]

_OF_BOTH = {"auth", "contenttypes", "sessions"}
_ATTEMPT = "attempt"
"""The one table of a study that the workspace has too: wrong passwords are counted where they are typed."""


class Router:
    """Django asks it for every model and every migration."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        return WORKSPACE_ALIAS if model._meta.app_label == "workspace" else None

    db_for_write = db_for_read

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool | None:
        # Inside of the workspace its one connection goes by both names.
        return True

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool:
        if db != WORKSPACE_ALIAS:
            return app_label != "workspace"
        return app_label in _OF_BOTH or app_label == "workspace" or (app_label, model_name) == ("server", _ATTEMPT)
