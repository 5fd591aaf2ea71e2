"""The heading of a task as raters read it: a protocol's own in the language of the page, others as they are."""

from django.utils.translation import gettext, gettext_noop

from accord.server.screens import spoken

__all__ = ["OF_PROTOCOLS", "heading", "said_of_protocol"]

OF_PROTOCOLS = frozenset(
    {
        gettext_noop("A sentence in its text"),
        gettext_noop("A sentence of a translated notice"),
        gettext_noop("A whole text"),
        gettext_noop("Mark errors, then score"),
        gettext_noop("Mark the errors"),
        gettext_noop("One job"),
        gettext_noop("One sentence of a text"),
        gettext_noop("One sentence"),
        gettext_noop("One text"),
        gettext_noop("One translation"),
        gettext_noop("The whole text"),
        gettext_noop("Two texts that should mean the same"),
        gettext_noop("Two translations"),
    }
)


def heading(title: str) -> str:
    """A heading in the reader's language: as the study translates it, else as the pages do where it is a protocol's."""
    told = spoken(title)
    return said_of_protocol(told) if told == title else told


def said_of_protocol(title: str) -> str:
    """The heading in the language that is on, where it is one of a protocol's own."""
    return gettext(title) if title in OF_PROTOCOLS else title
