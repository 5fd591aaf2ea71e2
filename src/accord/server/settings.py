"""Django's settings, derived from the environment; nothing here is secret and nothing is left at a default."""

import hashlib
from pathlib import Path

from accord.server.environment import Environment

_HERE = Path(__file__).parent
_LOOK = _HERE.parent / "look" / "css"
_ENVIRONMENT = Environment.read()
_DAY = 24 * 60 * 60


def _assets_fingerprint() -> str:
    """In the address of every asset, so that a browser may keep them for ever and still sees an upgrade."""
    digest = hashlib.sha256()
    for path in sorted(file for folder in (_HERE / "static", _LOOK) for file in folder.rglob("*")):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


STUDY_FOLDER = _ENVIRONMENT.folder
WORKSPACE_FOLDER = _ENVIRONMENT.workspace
SECRET_KEY = _ENVIRONMENT.secret
DEBUG = _ENVIRONMENT.debug
ALLOWED_HOSTS = _ENVIRONMENT.hosts
DATABASES = _ENVIRONMENT.databases
DATABASE_ROUTERS = ["accord.server.workspace.router.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "accord.server.apps.ServerConfig",
    "accord.server.workspace.apps.WorkspaceConfig",
]
MIDDLEWARE = [
    "accord.server.security.Headers",
    "accord.server.workspace.cookies.WorkspaceCookies",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "accord.server.languages.StudyLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accord.server.workspace.colleagues.Authentication",
    "accord.server.storable.StorableForms",
    "accord.server.access_log.AccessLog",
    "accord.server.workspace.touching.Touching",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "accord.server.urls"
WSGI_APPLICATION = "accord.server.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "accord.server.security.shown_study",
            ],
        },
    }
]

# Who may come in
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "MinimumLengthValidator": {"min_length": 12},
        "UserAttributeSimilarityValidator": {},
        "CommonPasswordValidator": {},
        "NumericPasswordValidator": {},
    }.items()
]
LOGIN_URL = "organiser-login"
LOGIN_REDIRECT_URL = "organiser"
SESSION_COOKIE_NAME = "accord_session"
SESSION_COOKIE_AGE = 30 * _DAY
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = _ENVIRONMENT.is_https
CSRF_COOKIE_NAME = "accord_csrf"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = _ENVIRONMENT.is_https
CSRF_TRUSTED_ORIGINS = [_ENVIRONMENT.origin] if _ENVIRONMENT.origin else []
CSRF_FAILURE_VIEW = "accord.server.views.entry.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000
FILE_UPLOAD_HANDLERS = ["accord.server.storable.FilesWhereAsked"]

# What travels, and how
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
# Not "no-referrer": browsers then hide the origin of our own forms too, and the CSRF check needs it.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = _ENVIRONMENT.is_https
SECURE_REDIRECT_EXEMPT = [r"^health$"]
SECURE_HSTS_SECONDS = 365 * _DAY if _ENVIRONMENT.is_https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = _ENVIRONMENT.is_https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _ENVIRONMENT.is_https else None
# Entering a domain in browsers' preload lists is for the owner of the whole domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
TRUSTS_PROXY = _ENVIRONMENT.is_https
PUBLIC_ORIGIN = _ENVIRONMENT.origin

STATIC_URL = f"/static/{_assets_fingerprint()}/"
STATICFILES_DIRS = [("look", _LOOK)]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_MAX_AGE = 365 * _DAY

# Words
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("pt", "Português"),
    ("es", "Español"),
    ("de", "Deutsch"),
    ("zh-hans", "中文"),
    ("ar", "العربية"),
]
LANGUAGE_COOKIE_NAME = "accord_language"
LANGUAGE_COOKIE_SECURE = _ENVIRONMENT.is_https
LOCALE_PATHS = [_HERE / "locale"]
# One way to write a number on a page: drawings, fields and the library know no other.
FORMAT_MODULE_PATH = "accord.server.number_formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "accord.server.logs.JsonLine"}},
    "handlers": {"stderr": {"class": "accord.server.logs.NeverWaiting", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django.request": {"level": "ERROR", "handlers": ["stderr"], "propagate": False},
        "django.security": {"level": "WARNING", "handlers": ["stderr"], "propagate": False},
        # Whoever asks for another host is refused; a stranger could fill the log with what was asked for.
        "django.security.DisallowedHost": {"level": "CRITICAL", "handlers": [], "propagate": False},
    },
}
