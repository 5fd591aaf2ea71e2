"""Guidelines as a page: Markdown to HTML in which nothing can run."""

from django.utils.safestring import SafeString

__all__ = ["markdown_to_html"]


def markdown_to_html(text: str) -> SafeString:
    """CommonMark and tables; raw HTML is shown as text, and links that run scripts are no links."""
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    return SafeString(renderer.render(text))
