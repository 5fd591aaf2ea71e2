"""The table of endpoints: addresses, OpenAPI, reference page and tests are made from it."""

from collections.abc import Callable
from typing import Any

from accord.design.preset import PRESETS
from accord.server.api import judge_calls, rater_calls, round_calls, study_calls
from accord.server.api import organiser_calls as calls
from accord.server.api.endpoint import Endpoint
from accord.server.api.schemas import Schema, array, integer, number, obj, text
from accord.server.models_organiser import ApiToken, Decision, PhaseEvent
from accord.server.organiser.rounds import SCOPES

__all__ = ["BASE", "ENDPOINTS"]

BASE = "api/v1/"
_ORGANISER, _RATER = ApiToken.Scope.ORGANISER, ApiToken.Scope.RATER
_KEY = integer(1, 2**53)
_REASON = text(2_000, shortest=1)

_FILE = obj({"name": text(100, shortest=1), "text": text(50_000_000)})

_ENTRY: Schema = {
    "type": "object",
    "description": "An answer, as the pages send it. The uuid makes a repeated request harmless.",
    "properties": {
        "uuid": text(36, shortest=32), "kind": text(choices=("judgement", "remark", "answer")), "task": _KEY,
        "criterion": text(200), "place": integer(0, 100), "value": {}, "cannot": {"type": "boolean"},
        "revision": integer(1, 2**31 - 1), "seconds": number(0, 86_400), "guideline": _KEY, "made": text(40),
        "about": text(choices=("item", "text", "flag")), "text": text(5_000), "question": text(200),
        "scenario": text(200),
    },
    "required": ["uuid"], "additionalProperties": False,
}  # fmt: skip


def _row(
    method: str, path: str, name: str, handler: Callable[..., Any], summary: str, *,
    scope: ApiToken.Scope = _ORGANISER, **more: Any,
) -> Endpoint:  # fmt: skip
    status = more.pop("status", 201 if method == "POST" else 200)
    return Endpoint(method=method, path=path, name=name, scope=scope, summary=summary, handler=handler, status=status,
                    **more)  # fmt: skip


# A table should look like one.
# fmt: off
ENDPOINTS: tuple[Endpoint, ...] = (
    _row("GET", "study", "study", study_calls.show_study,
         "The study: criteria, scenarios, declared rules, free places."),
    _row("PUT", "study", "study", study_calls.create,
         "Create the study of this server, from a preset, from files, or both, until somebody is invited.",
         body=obj({}, {"preset": text(choices=PRESETS), "files": array(_FILE, 20)}), largest=50_000_000),
    _row("GET", "report", "report", study_calls.report, "The report on what was collected so far, as HTML.",
         media="text/html", answer={"type": "string"}),
    _row("GET", "progress", "progress", calls.show_progress, "Progress by group, scenario and phase, time and cost."),
    _row("GET", "phases", "phases", calls.show_phases, "All phases: which are open, and what opens the others."),
    _row("POST", "phases/<str:phase>", "phase", calls.change_phase, "Open a phase, or close it again.",
         body=obj({"action": text(choices=tuple(PhaseEvent.Action.values))})),
    _row("GET", "reliability", "reliability", calls.show_reliability,
         "The newest results: coefficients with intervals, pairs, disputed items, findings."),
    _row("GET", "reliability/history", "history", calls.show_history, "The main numbers of every state analysed."),
    _row("GET", "raters", "raters", calls.list_raters, "All raters with their progress."),
    _row("POST", "raters", "raters", calls.invite, "Invite raters; each link is in this answer and nowhere else.",
         body=obj({"number": integer(1, 10_000)})),
    _row("GET", "raters/<str:rater>", "rater", calls.show_rater,
         "One rater: work, quality checks, the effect of leaving them out, decisions."),
    _row("POST", "raters/<str:rater>/decisions", "decisions", calls.decide_on,
         "Pause, resume, ask to redo, leave out or count again, with a reason.",
         body=obj({"action": text(choices=tuple(Decision.Action.values)), "reason": _REASON})),
    _row("POST", "raters/<str:rater>/forget", "forget", calls.forget,
         "Remove all that says who a rater is; judgements stay.", body=obj({}, {"comments": {"type": "boolean"}})),
    _row("GET", "judges", "judges", judge_calls.list_judges,
         "Language models that judge, apart from people: what they judge with, and how far they are."),
    _row("POST", "judges", "judges", judge_calls.join,
         "Let a language model join as a rater of its own kind; the token is in this answer and nowhere else.",
         body=obj({"name": text(100, shortest=1), "model": text(200, shortest=1)},
                  {"prompt": text(100_000), "rubric": text(100_000), "parameters": text(2_000),
                   "runs": integer(1, 20)})),
    _row("GET", "quality", "quality", study_calls.show_quality,
         "Declared rules, every rater's checks, and whom the rules would leave out."),
    _row("POST", "quality/apply", "apply-rules", study_calls.apply_rules,
         "Leave out who finished and breaks a rule, as decisions on record; with `everybody` those at work too.",
         body=obj({}, {"everybody": {"type": "boolean"}})),
    _row("POST", "entrances", "entrances", calls.enter_crowd, "A link for a recruiting platform.",
         body=obj({}, {"completion_code": text(200)})),
    _row("GET", "items/<path:item>", "item", calls.show_item, "Every judgement on an item, with its text in context."),
    _row("GET", "pairs/<str:criterion>/<str:first>/<str:second>", "pair", calls.show_pair,
         "The items two raters judged, furthest apart first."),
    _row("GET", "exports/<str:table>", "export", calls.export, "A table of the study as CSV.",
         query={"systems": text(choices=("coded", "named"))}, media="text/csv", answer={"type": "string"}),
    _row("GET", "comments", "comments", calls.list_comments, "Raters' comments and questions, newest first."),
    _row("POST", "comments/<int:comment>/answer", "comment-answer", calls.answer_comment, "Answer a comment.",
         body=obj({"answer": text(5_000, shortest=1)})),
    _row("GET", "guidelines", "guidelines", round_calls.list_versions, "All versions of the guidelines."),
    _row("POST", "guidelines", "guidelines", round_calls.new_version, "Publish a new version to all raters.",
         body=obj({"text": text(500_000, shortest=1)}, {"change": text(5_000)})),
    _row("GET", "rounds", "rounds", round_calls.list_rounds, "All guideline rounds."),
    _row("POST", "rounds", "rounds", round_calls.open_round, "Open a round with the most disputed items.",
         body=obj({"criterion": text(200), "items": integer(1, 200)},
                  {"target": number(0.01, 0.99), "smallest_gain": number(0.01, 0.99)})),
    _row("GET", "rounds/<int:number>", "round", round_calls.show_round,
         "One round: items, changes, before and after, whether to stop."),
    _row("POST", "rounds/<int:number>/items/<int:item>/rating", "designer-rating", round_calls.rate_item,
         "A designer's own rating.", body=obj({"value": text(200)}, {"comment": text(2_000)})),
    _row("POST", "rounds/<int:number>/items/<int:item>/verdict", "verdict", round_calls.judge_item,
         "Genuine disagreement, or a vague guideline.",
         body=obj({"verdict": text(choices=("genuine", "vague"))}, {"note": text(2_000)})),
    _row("POST", "rounds/<int:number>/changes", "changes", round_calls.add_change, "A line of the revision log.",
         body=obj({"text": text(5_000, shortest=1)}, {"item": _KEY, "comments": array(_KEY, 200)})),
    _row("POST", "rounds/<int:number>/publish", "publish", round_calls.publish_round, "Publish the round's version.",
         body=obj({"text": text(500_000, shortest=1)})),
    _row("POST", "rounds/<int:number>/measure", "measure", round_calls.measure_round, "Hand items out once more.",
         body=obj({"scope": text(choices=tuple(SCOPES))})),
    _row("GET", "contests", "contests", round_calls.list_contests, "Contested scores before and after the rulings."),
    _row("POST", "contests", "contests", round_calls.open_contest, "Contest a judgement.",
         body=obj({"judgement": _KEY, "reason": _REASON})),
    _row("POST", "contests/<int:contest>/rulings", "rulings", round_calls.rule, "Rule on one error, or give a score.",
         body=obj({}, {"mark": integer(0, 1_000), "ruling": text(choices=("accept", "reject", "downgrade")),
                       "severity": text(200), "score": number(-1e9, 1e9), "note": text(2_000)})),
    _row("GET", "tokens", "tokens", calls.list_tokens, "All tokens, without their secrets."),
    _row("POST", "tokens", "tokens", calls.new_token, "Make a token; it is in this answer and nowhere else.",
         body=obj({"label": text(200, shortest=1)}, {"rater": text(200)})),
    _row("DELETE", "tokens/<int:token>", "token", calls.revoke_token, "Revoke a token."),
    _row("GET", "tasks", "tasks", rater_calls.list_tasks, "The rater's screens, texts and answers so far.",
         scope=_RATER),
    _row("POST", "judgements", "judgements", rater_calls.post_judgements,
         "Save judgements; each is acknowledged by its uuid.", scope=_RATER, status=200,
         body=obj({"entries": {**array(_ENTRY, 50), "minItems": 1}})),
    _row("GET", "questions", "questions", rater_calls.list_answers, "The rater's questions and their answers.",
         scope=_RATER),
    _row("POST", "questions", "questions", rater_calls.ask, "Ask the organiser.", scope=_RATER,
         body=obj({"text": text(5_000, shortest=1)})),
)
# fmt: on
