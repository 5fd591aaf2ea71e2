"""The pages: coming in, the rater's path, saving, the organiser's page."""
