"""One look: type, colours and components of rating pages, organiser pages, report, charts and docs."""
