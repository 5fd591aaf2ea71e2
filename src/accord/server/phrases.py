"""The phrases that scripts say, in the reader's language."""

from django.utils.translation import gettext as _

__all__ = ["phrases"]


def phrases() -> dict[str, str]:
    """Phrase by key; {name} is filled in by the script."""
    return _of_saving() | _around_the_work() | _of_marking() | _of_the_work()


def _of_saving() -> dict[str, str]:
    return {
        "state_saved": _("Saved"),
        "state_saving": _("Saving …"),
        "state_offline": _("Offline: {waiting} kept here"),
        "state_offline_all_saved": _("Offline: all saved"),
        "state_login": _("Not sent: {waiting} kept here"),
        "state_paused": _("Paused: {waiting} kept here"),
        "state_closed": _("Closed: not counted"),
        "state_part": _("Part closed: {waiting} kept here"),
        "state_refused": _("Not accepted: tell the organiser"),
    }


def _around_the_work() -> dict[str, str]:
    return {
        "source": _("Source"),
        "reference": _("Reference"),
        "post_edit": _("Corrected text"),
        "target": _("Text to judge"),
        "text_letter": _("Text {letter}"),
        "document": _("The whole text"),
        "context": _("The other sentences"),
        "go_to_segment": _("Go to sentence {number}"),
        "count": _("{number} of {total}"),
        "next": _("Next"),
        "finish": _("Finish"),
        "please_answer": _("Please answer this question first."),
        "from_to": _("Give a number from {low} to {high}."),
        "from_on": _("Give a number, {low} or more."),
        "wait_saved": _("Some answers are not sent yet. They are kept here; try again when you are online."),
        "wait_paused": _("Your work is paused. Your answers are kept here and sent when it goes on; then finish."),
        "closed_kept": _(
            "Answers given after that, which are not counted: {number}. They are kept in this browser; once the "
            "study opens again, this page sends them."
        ),
        "part_kept": _(
            "Answers given after this part was closed, which are not counted: {number}. They are kept in this browser "
            "and sent once the part opens again."
        ),
        "wait_online": _("You are offline. All you did is kept here; go on when you are online again."),
        "best_is": _("{value} is best."),
        "cannot_judge": _("I cannot judge this"),
        "optional": _("optional"),
        "help": _("Explanation"),
        "comment": _("Comment"),
        "comment_item": _("Comment on this sentence"),
        "comment_text": _("Comment on the whole text"),
        "not_answered": _("not answered yet"),
        "no_errors": _("No errors"),
        "one_less": _("One less: {name}"),
        "prefer": _("{text} is better"),
        "tie": _("Equally good"),
        "differences": _("Differences"),
        "not_ranked": _("not ranked yet"),
        "rank_best": _("1 (best)"),
        "rank_hint": _("Drag a text to its rank, or press its letter and then its rank."),
        "good_as_is": _("Good as it is"),
        "markable": _("{label}. Arrow keys choose words, Shift stretches."),
    }


def _of_marking() -> dict[str, str]:
    return {
        "mark_bar": _("Kind of error"),
        "mark_hint": _("Select the faulty words: drag over them, tap them, or use the arrow keys."),
        "mark_hint_touch": _("Select the faulty words: drag over them or tap them."),
        "prefilled_hint": _("Marks stand here already. Correct or delete what is wrong, add what is missing."),
        "marks_stand": _("These marks are right"),
        "suggested": _("{number} suggested"),
        "mark_it": _("Mark"),
        "missing": _("Something is missing"),
        "one_mark": _("1 mark"),
        "some_marks": _("{number} marks"),
        "limit": _("{number} of at most {most}"),
        "limit_reached": _("{number} of at most {most}: edit or delete one to mark another."),
        "bar_edges": _("How severe is it?"),
        "bar_kind": _("Now the kind."),
        "bar_missing": _("is missing here. Point to another place, or choose how severe it is."),
        "bar_full": _("cannot be marked: {most} is the most. Edit or delete a mark first."),
        "delete": _("Delete"),
        "split": _("Split"),
        "new_mark": _("Another mark here"),
        "cancel": _("Cancel"),
        "edit_mark": _("Edit: {name}"),
        "edited": _("edited"),
        "cannot_short": _("cannot judge"),
        "how_grave": _("How severe is it?"),
    }


def _of_the_work() -> dict[str, str]:
    return {
        "keys": _("Keys"),
        "key_mark": _("severity and kind of the selected words"),
        "key_severity": _("severity of the selected words"),
        "key_words": _("select by words"),
        "key_score": _("a score, when nothing is selected"),
        "key_next": _("next segment"),
        "key_help": _("all keys"),
        "next_segment": _("Next segment"),
        "of_document": _("{number} of {total} segments done"),
        "time_left": _("about {minutes} min left"),
        "flag": _("Flag"),
        "flagged": _("flagged"),
        "just_gone_on": _("The page had just gone on to this one. Is the answer meant for it? Then go on; else undo."),
        "flags_left": _("You flagged {number} to look at again. Press Finish once more if all is well."),
        "not_consulted": _("{what}: not to be consulted for this question."),
        "one_more": _("One more"),
        "one_fewer": _("One less"),
        "omission": _("missing"),
        "undo": _("Undo"),
        "remove": _("Remove: {name}"),
        "practice": _("Practice: this does not count"),
        "practice_right": _("Yes."),
        "practice_other": _("We would judge it differently."),
        "practice_expected": _("Expected: {answer}."),
    }
