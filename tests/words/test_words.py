"""Numbers and lists read as a person would write them."""

from accord.words import counted, listed, part_name


def test_one_is_singular_and_every_other_number_plural():
    assert [counted(number, "item") for number in (0, 1, 2, 2000)] == ["0 items", "1 item", "2 items", "2,000 items"]
    assert counted(3, "rating is missing", "ratings are missing") == "3 ratings are missing"


def test_the_last_word_of_a_list_follows_and():
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_a_part_whose_name_is_a_number_is_called_with_its_column():
    assert part_name({"criterion": "fluency", "phase": "2", "guideline_version": "1.1"}) == (
        "fluency, phase 2, guideline version 1.1"
    )
    assert part_name({"criterion": "", "scenario": "documents"}) == "documents"
