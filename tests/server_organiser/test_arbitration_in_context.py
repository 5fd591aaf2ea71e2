"""An arbiter sees what raters saw: the text around a sentence where they had it, the sentence alone where not."""

import pytest

import two_versions
from organised_study import logged_in


@pytest.mark.parametrize("kind", ["sentence-in-context", "random-sentence"])
def test_an_arbiter_sees_the_text_around_the_sentence_where_raters_saw_it(django_on, tmp_path, monkeypatch, kind):
    """One sentence stood there alone, while a ruling may depend on the one before."""
    monkeypatch.setattr(two_versions, "STUDY", two_versions.STUDY.replace("random-sentence", kind))
    django_on(two_versions.write_study(tmp_path / "study"))
    people = two_versions.judged_under_two()
    from accord.server.models import Judgement
    from accord.server.models_organiser import Contest
    from accord.server.study import current

    row = Judgement.objects.filter(task=people.tasks(0)[7], criterion="quality").get()
    case = Contest.objects.create(judgement=row, by="ana", reason="look")
    page = logged_in("ana").get(f"/organiser/arbitration/{case.pk}").content.decode()
    around = page.partition('<ol class="context"')[2].partition("</ol>")[0]
    segments = current().study.documents[row.task.document]
    assert len(segments) == two_versions.SEGMENTS
    is_shown = kind == "sentence-in-context"
    assert [one.source in around and one.outputs["alpha"] in around for one in segments] == [is_shown] * len(segments)
    assert around.count('aria-current="true"') == is_shown
