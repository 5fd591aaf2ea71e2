"""A form that makes a link is sent once: who loads the answer again gets no second link."""

from django.http import HttpRequest

__all__ = ["FIELD", "is_sent_again"]

FIELD = "once"
"""The field of a form with a word of its own."""
_KEPT = 20


def is_sent_again(request: HttpRequest) -> bool:
    """Whether this very form was sent before. No link is kept for that, only the word of the form."""
    word = request.POST.get(FIELD, "")[:64]
    sent: list[str] = request.session.get(FIELD, [])
    if not word or word in sent:
        return bool(word)
    request.session[FIELD] = [*sent, word][-_KEPT:]
    return False
