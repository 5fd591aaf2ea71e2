"""Every address of the organiser's side."""

from django.urls import path

from accord.server.organiser import (
    arbitration_pages,
    asking,
    browsing,
    comments,
    dashboard,
    downloads,
    drill_down,
    item_page,
    job_pages,
    phase_pages,
    raters,
    results_page,
    round_pages,
    token_pages,
)
from accord.server.views import organiser

__all__ = ["urlpatterns"]

urlpatterns = [
    path("organiser", dashboard.dashboard, name="organiser"),
    path("organiser/live", dashboard.live, name="organiser-live"),
    path("organiser/unblind", dashboard.unblinding, name="organiser-unblind"),
    path("organiser/unblind/ask", asking.about_unblinding, name="organiser-ask-unblind"),
    path("organiser/results", results_page.results, name="organiser-results"),
    path("organiser/results/live", results_page.live_results, name="organiser-results-live"),
    path("organiser/people", organiser.overview, name="organiser-people"),
    path("organiser/phases", phase_pages.overview, name="organiser-phases"),
    path("organiser/phases/<str:key>", phase_pages.change, name="organiser-phase"),
    # Drill down
    path("organiser/agreement/<str:criterion>", drill_down.agreement, name="organiser-agreement"),
    path("organiser/pairs/<str:criterion>/<str:first>/<str:second>", drill_down.pair, name="organiser-pair"),
    path("organiser/again/<path:name>", item_page.again, name="organiser-again"),
    path("organiser/items/<path:name>", item_page.item, name="organiser-item"),
    path("organiser/judgements", browsing.judgements, name="organiser-judgements"),
    # Quality control
    path("organiser/quality", raters.quality, name="organiser-quality"),
    path("organiser/quality/apply", raters.apply_rules, name="organiser-apply-rules"),
    path("organiser/replace", asking.replacing, name="organiser-replace"),
    path("organiser/raters/<str:name>", raters.rater, name="organiser-rater"),
    path("organiser/raters/<str:name>/effect", raters.effect, name="organiser-effect"),
    path("organiser/raters/<str:name>/label", raters.label, name="organiser-label"),
    path("organiser/raters/<str:name>/decide", raters.decision, name="organiser-decide"),
    path("organiser/raters/<str:name>/ask/<str:action>", asking.about_rater, name="organiser-ask"),
    path("organiser/quality/ask", asking.about_rules, name="organiser-ask-rules"),
    path("organiser/decisions/undo", asking.undoing, name="organiser-undo"),
    path("organiser/comments", comments.comments, name="organiser-comments"),
    path("organiser/comments/<int:key>", comments.answer, name="organiser-comment"),
    # Guideline rounds
    path("organiser/rounds", round_pages.overview, name="organiser-rounds"),
    path("organiser/guidelines", round_pages.publish_version, name="organiser-guidelines"),
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
    path("organiser/arbitration/<int:key>/arbiter", arbitration_pages.second_arbiter, name="organiser-arbiter"),
    path("organiser/arbitration/<int:key>/rule", arbitration_pages.rule, name="organiser-rule"),
    path("organiser/judgements/contest", arbitration_pages.contest, name="organiser-contest-one"),
    path("organiser/judgements/<int:key>/contest", arbitration_pages.contest, name="organiser-contest"),
    # Reports and files
    path("organiser/reports", job_pages.overview, name="organiser-reports"),
    path("organiser/reports/live", job_pages.live, name="organiser-reports-live"),
    path("organiser/reports/begin", job_pages.begin, name="organiser-report-begin"),
    path("organiser/reports/<int:key>/cancel", job_pages.cancel, name="organiser-report-cancel"),
    path("organiser/reports/<int:key>/file", job_pages.result, name="organiser-report-file"),
    # Programs and files
    path("organiser/tokens", token_pages.tokens, name="organiser-tokens"),
    path("organiser/tokens/<int:key>/revoke", token_pages.revoke_token, name="organiser-revoke"),
    path("organiser/files/<str:name>", downloads.download, name="organiser-file"),
]
