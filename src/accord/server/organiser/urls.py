"""Every address of the organiser's side."""

from django.urls import path

from accord.server.organiser import (
    arbitration_pages,
    comments,
    dashboard,
    downloads,
    drill_down,
    phase_pages,
    raters,
    round_pages,
    token_pages,
)
from accord.server.views import organiser

__all__ = ["urlpatterns"]

urlpatterns = [
    path("organiser", dashboard.dashboard, name="organiser"),
    path("organiser/live", dashboard.live, name="organiser-live"),
    path("organiser/people", organiser.overview, name="organiser-people"),
    path("organiser/phases", phase_pages.overview, name="organiser-phases"),
    path("organiser/phases/<str:key>", phase_pages.change, name="organiser-phase"),
    # Drill down
    path("organiser/agreement/<str:criterion>", drill_down.agreement, name="organiser-agreement"),
    path("organiser/pairs/<str:criterion>/<str:first>/<str:second>", drill_down.pair, name="organiser-pair"),
    path("organiser/items/<path:name>", drill_down.item, name="organiser-item"),
    # Quality control
    path("organiser/quality", raters.quality, name="organiser-quality"),
    path("organiser/quality/apply", raters.apply_rules, name="organiser-apply-rules"),
    path("organiser/raters/<str:name>", raters.rater, name="organiser-rater"),
    path("organiser/raters/<str:name>/effect", raters.effect, name="organiser-effect"),
    path("organiser/raters/<str:name>/decide", raters.decision, name="organiser-decide"),
    path("organiser/comments", comments.comments, name="organiser-comments"),
    path("organiser/comments/<int:key>", comments.answer, name="organiser-comment"),
    # Guideline rounds
    path("organiser/rounds", round_pages.overview, name="organiser-rounds"),
    path("organiser/rounds/open", round_pages.open_round, name="organiser-open-round"),
    path("organiser/rounds/<int:number>", round_pages.one_round, name="organiser-round"),
    path("organiser/rounds/<int:number>/items/<int:key>/rate", round_pages.rate, name="organiser-designer-rating"),
    path("organiser/rounds/<int:number>/items/<int:key>/judge", round_pages.judge, name="organiser-verdict"),
    path("organiser/rounds/<int:number>/changes", round_pages.change, name="organiser-change"),
    path("organiser/rounds/<int:number>/publish", round_pages.publish, name="organiser-publish"),
    path("organiser/rounds/<int:number>/measure", round_pages.measure, name="organiser-measure"),
    # Arbitration
    path("organiser/arbitration", arbitration_pages.overview, name="organiser-arbitration"),
    path("organiser/arbitration/<int:key>", arbitration_pages.case, name="organiser-case"),
    path("organiser/arbitration/<int:key>/rule", arbitration_pages.rule, name="organiser-rule"),
    path("organiser/judgements/<int:key>/contest", arbitration_pages.contest, name="organiser-contest"),
    # Programs and files
    path("organiser/tokens", token_pages.tokens, name="organiser-tokens"),
    path("organiser/tokens/<int:key>/revoke", token_pages.revoke_token, name="organiser-revoke"),
    path("organiser/files/<str:name>", downloads.download, name="organiser-file"),
]
