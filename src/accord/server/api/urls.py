"""Every address of the API of a study; importing the calls makes them known."""

from accord.server.api import judge_calls, organiser_calls, people_calls, rater_calls, round_calls, study_calls  # noqa: F401
from accord.server.api.scopes import organiser, rater
from accord.server.api.service import Service
from accord.server.api.tokens import token_of

__all__ = ["api", "urlpatterns"]

api = Service("study", "A study, for programs.", token_of, organiser, rater)
urlpatterns = api.addresses()
