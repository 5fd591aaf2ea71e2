"""A look at ratings before anything is computed: what seems wrong in them, in which rows, and what to do."""

from accord.ratings.sanity.look import sanity, sanity_lines

__all__ = ["sanity", "sanity_lines"]
