"""Every address of a workspace outside of its studies."""

from django.urls import path
from django.views.i18n import set_language

from accord.server.workspace import accounts, asking, home, managing, people, steps, token_page, trying, wizard
from accord.server.workspace.api import urlpatterns as api_urls

__all__ = ["urlpatterns"]

handler404 = "accord.server.views.entry.not_found"
handler500 = "accord.server.views.entry.broken"
urlpatterns = [
    path("", home.home, name="home"),
    path("health", home.health, name="health"),
    path("language", set_language, name="set_language"),
    path("sign-in", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out", accounts.sign_out, name="sign-out"),
    path("join/<str:token>", accounts.invited, name="join"),
    path("view/<str:token>", accounts.view_only, name="view-only"),
    path("people", people.people, name="people"),
    path("people/<int:key>", people.change_role, name="change-role"),
    path("people/views/<int:key>", people.revoke_view, name="revoke-view"),
    path("people/invitations/<int:key>", people.withdraw, name="withdraw-invitation"),
    path("log", people.log, name="log"),
    path("tokens", token_page.tokens, name="tokens"),
    path("tokens/<int:key>/revoke", token_page.revoke, name="revoke-token"),
    # The wizard
    path("new", wizard.begin, name="new-study"),
    path("new/<str:key>/", wizard.resume, name="new-draft"),
    path("new/<str:key>/texts", wizard.texts, name="new-texts"),
    path("new/<str:key>/questions", steps.questions, name="new-questions"),
    path("new/<str:key>/guidelines", steps.guidelines, name="new-guidelines"),
    path("new/<str:key>/markdown", steps.markdown, name="new-markdown"),
    path("new/<str:key>/plan", steps.plan, name="new-plan"),
    path("new/<str:key>/rehearse", steps.rehearsal, name="new-rehearse"),
    path("new/<str:key>/launch", steps.go_live, name="new-launch"),
    path("new/<str:key>/study.toml", steps.file_page, name="new-file"),
    path("new/<str:key>/try/<path:rest>", trying.try_it, name="new-try"),
    # Whole studies
    path("import", managing.bring_in, name="import-study"),
    path("studies/<str:key>/close", asking.ask_to_close, name="ask-to-close"),
    path("studies/<str:key>/remove", asking.ask_to_delete, name="ask-to-delete"),
    path("studies/<str:key>/delete", asking.delete, name="delete-draft"),
    path("studies/<str:key>/duplicate", managing.duplicate, name="duplicate-study"),
    path("studies/<str:key>/files.zip", managing.take_away, name="take-study"),
    path("studies/<str:key>/whole.zip", managing.take_all, name="take-whole"),
    path("studies/<str:key>/change", managing.change, name="change-study"),
    *api_urls,
    path("s/<str:key>", home.study_door, name="study"),
    path("s/<str:key>/", home.study_door, name="study-door"),
    path("s/<str:key>/<path:rest>", home.study_door, name="study-inside"),
]
