"""How Django knows this application."""

from django.apps import AppConfig

__all__ = ["ServerConfig"]


class ServerConfig(AppConfig):
    """The one application of the project."""

    name = "accord.server"
    label = "server"
    default_auto_field = "django.db.models.BigAutoField"
