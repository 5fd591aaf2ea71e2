"""The same for programs: endpoints with tokens, checked and described by django-ninja."""
