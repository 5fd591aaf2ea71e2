"""The OpenAPI document, made from the table of endpoints."""

import re
from typing import Any

from django.http import HttpRequest, HttpResponseBase, JsonResponse

from accord import __version__
from accord.server.api.endpoint import Endpoint, refused
from accord.server.api.endpoints import BASE, ENDPOINTS
from accord.server.api.tokens import token_of

__all__ = ["document", "show"]

_PART = re.compile(r"<(\w+):(\w+)>")
_PARTS = {"int": {"type": "integer", "minimum": 0, "maximum": 2**53}, "str": {"type": "string", "minLength": 1}}
_ERROR = {
    "description": "Refused, with the reason in words.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}


def document() -> dict[str, Any]:
    """OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        address = "/" + BASE + _PART.sub(r"{\2}", endpoint.path)
        paths.setdefault(address, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Accord", "version": __version__, "description": "A study, for programs."},
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                "Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
            },
        },
        "security": [{"token": []}],
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    path = [
        {"name": name, "in": "path", "required": True, "schema": _PARTS.get(kind, _PARTS["str"])}
        for kind, name in _PART.findall(endpoint.path)
    ]
    query = [{"name": name, "in": "query", "schema": schema} for name, schema in endpoint.query.items()]
    codes = ["400", "401", "403", "404", "429"]
    made: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}-{endpoint.name}", "summary": endpoint.summary,
        "tags": [str(endpoint.scope)], "parameters": [*path, *query],
        "responses": {
            str(endpoint.status): {
                "description": "Done.", "content": {endpoint.media: {"schema": endpoint.answer}},
            },
            **dict.fromkeys(codes, _ERROR),
        },
    }  # fmt: skip
    if endpoint.body is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": endpoint.body}}}
    return made


def show(request: HttpRequest) -> HttpResponseBase:
    """The document, for whoever has a token or is logged in as the organiser."""
    if request.method != "GET":
        return refused("This address takes GET.", 405)
    if token_of(request) is None and not request.user.is_authenticated:
        return refused("Send a token: Authorization: Bearer ...", 401)
    return JsonResponse(document(), json_dumps_params={"indent": 1})
