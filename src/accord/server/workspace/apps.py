"""How Django knows the application of the workspace."""

from django.apps import AppConfig

__all__ = ["WorkspaceConfig"]


class WorkspaceConfig(AppConfig):
    """Accounts' roles, invitations and the log; its tables stand in the database of the workspace only."""

    name = "accord.server.workspace"
    label = "workspace"
    default_auto_field = "django.db.models.BigAutoField"
