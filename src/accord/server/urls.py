"""Every address of the server."""

from django.urls import path
from django.views.i18n import set_language

from accord.server.api.urls import urlpatterns as api_urls
from accord.server.organiser.urls import urlpatterns as organiser_urls
from accord.server.views import entry, offline, organiser, rater, saving

handler404 = "accord.server.views.entry.not_found"
handler500 = "accord.server.views.entry.broken"
urlpatterns = [
    path("", entry.home, name="home"),
    path("i/<str:token>", entry.invitation, name="invitation"),
    path("join/<str:token>", entry.crowd, name="crowd"),
    path("setup/<str:token>", entry.setup, name="setup"),
    path("language", set_language, name="set_language"),
    path("health", entry.health, name="health"),
    # The rater's path
    path("welcome", rater.welcome, name="welcome"),
    path("about-you", rater.about_you, name="about-you"),
    path("guidelines", rater.guidelines, name="guidelines"),
    path("work", rater.work, name="work"),
    path("come-back", rater.come_back, name="come-back"),
    path("questionnaire", rater.questionnaire, name="questionnaire"),
    path("thanks", rater.thanks, name="thanks"),
    path("leave", rater.leave, name="leave"),
    path("save", saving.save, name="save"),
    path("offline.js", offline.worker, name="offline"),
    # The organiser's side
    path("organiser/login", organiser.Login.as_view(), name="organiser-login"),
    path("organiser/logout", organiser.logout, name="organiser-logout"),
    path("organiser/invite", organiser.invite, name="organiser-invite"),
    path("organiser/new-link", organiser.new_link, name="organiser-reissue"),
    path("organiser/crowd", organiser.crowd, name="organiser-crowd"),
    path("organiser/crowd/<int:key>/stop", organiser.stop_crowd, name="organiser-crowd-stop"),
    path("organiser/export/<str:what>", organiser.download, name="organiser-export"),
    path("organiser/questions/<int:key>", organiser.answer, name="organiser-answer"),
    *organiser_urls,
    *api_urls,
]
