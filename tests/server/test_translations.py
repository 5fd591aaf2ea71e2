"""Raters read the study's own words in their language, where the study has them; answers stay the same."""

import json
import re

import pytest

from accord.design.load import load_study
from accord.errors import StudyError
from empty_database import opened_study
from served_study import write_folder
from server.test_phases import ITEMS, STUDY, answer_what_is_open, coming

PORTUGUESE = """
[translations.pt]
"How much of the meaning is there?" = "Quanto do sentido está lá?"
"The other half" = "A outra metade"
"""


def make(folder, more):
    return write_folder(folder, STUDY.replace("OPENS", "") + more, "# Read.\n", ["target:a"], ITEMS)


def test_questions_and_titles_are_read_in_the_rater_s_language(tmp_path):
    opened_study(make(tmp_path / "study", PORTUGUESE))
    from accord.server.invitations import invite_raters

    client = coming(invite_raters(1)[0][1])

    def question():
        page = client.get("/work").content.decode()
        work = json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])
        return work["criteria"]["meaning"]["question"]

    assert question() == "How much of the meaning is there?"
    client.cookies["accord_language"] = "pt"
    assert question() == "Quanto do sentido está lá?"
    assert {one["status"] for one in answer_what_is_open(client)} == {"saved"}
    assert "A outra metade" in client.get("/come-back").content.decode()


WRONG = {
    '[translations.fr]\n"The other half" = "x"': "pages do not speak 'fr'",
    '[translations.pt]\n"The other hlf" = "x"': "reads 'The other hlf'. Did you mean 'The other half'?",
}


@pytest.mark.parametrize("more, words", WRONG.items(), ids=["language", "text"])
def test_a_translation_of_nothing_is_refused(tmp_path, more, words):
    with pytest.raises(StudyError) as error:
        load_study(make(tmp_path / "study", more))
    assert words in str(error.value)
