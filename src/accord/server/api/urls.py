"""Every address of the API, made from the table of endpoints."""

from collections import defaultdict

from django.urls import path

from accord.server.api import openapi
from accord.server.api.endpoint import Endpoint, view_of
from accord.server.api.endpoints import BASE, ENDPOINTS

__all__ = ["urlpatterns"]


def _by_address() -> dict[tuple[str, str], list[Endpoint]]:
    found: dict[tuple[str, str], list[Endpoint]] = defaultdict(list)
    for endpoint in ENDPOINTS:
        found[endpoint.path, endpoint.name].append(endpoint)
    return found


urlpatterns = [
    path(f"{BASE}openapi.json", openapi.show, name="api-openapi"),
    *(path(BASE + address, view_of(rows), name=f"api-{name}") for (address, name), rows in _by_address().items()),
]
