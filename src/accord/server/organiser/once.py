"""A form that makes a link is sent once: who loads the answer again, or clicks twice, gets no second link."""

from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from accord.server.models_organiser import SentForm

__all__ = ["FIELD", "is_sent_again"]

FIELD = "once"
"""The field of a form with a word of its own."""
_KEPT = timedelta(days=30)


def is_sent_again(request: HttpRequest) -> bool:
    """Whether this very form was sent before. No link is kept for that, only the word of the form.

    Two clicks come at the same moment, to two workers: the database takes the word of one of them.
    """
    word = request.POST.get(FIELD, "")[:64]
    if not word:
        return False
    SentForm.objects.filter(at__lt=timezone.now() - _KEPT).delete()
    _form, is_new = SentForm.objects.get_or_create(word=word)
    return not is_new
