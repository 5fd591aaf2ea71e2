"""Secrets that travel once: 160 random bits in a link, only their hash in the database."""

import hashlib
import hmac
import secrets

from django.conf import settings

__all__ = ["address_hash", "new_token", "token_hash"]


def new_token() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(20)


def token_hash(token: str) -> str:
    """What the database keeps; the token is random and long, so a plain hash cannot be reversed."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_hash(address: str) -> str:
    """A keyed hash of a network address, as addresses are few enough to try them all."""
    return hmac.new(settings.SECRET_KEY.encode(), address.encode(), hashlib.sha256).hexdigest()
