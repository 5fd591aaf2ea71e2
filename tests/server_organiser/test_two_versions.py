"""A new version of the guideline while raters work: every number says of which it is, and what it leaves out."""

import re

import pytest

from organised_study import logged_in
from two_versions import judged_under_two, write_study


@pytest.fixture
def changed(django_on, tmp_path):
    """The people of a study of sixty texts: 26 are judged under version 1, 30 under version 2, 4 under both."""
    django_on(write_study(tmp_path / "study"))
    return judged_under_two()


@pytest.fixture
def results(changed):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    refresh(here=True)
    return latest_snapshot().results


def shown(path: str) -> str:
    """The page as it is read: without tags, one space between words."""
    page = logged_in("ana").get(path).content.decode()
    main = page[page.index("<main") :] if "<main" in page else page
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main))


def test_the_page_of_a_pair_counts_each_version_by_itself(results):
    """It counted 60 and more items of which no kappa beside it was the kappa."""
    words = shown("/organiser/pairs/meaning/R1/R2")
    for group in results["groups"]:
        own = [one for one in group["pairs"] if {one["first"], one["second"]} == {"R1", "R2"}]
        for one in own:
            equal = round(one["agreement"] * one["items"])
            assert f"Equal on {equal} of {one['items']} items both judged" in words
            assert f"κ {one['kappa']:.2f}" in words
    assert words.count("Equal on") == 2 and "guideline version 1" in words and "guideline version 2" in words
    assert "Not compared, as each judged them under another version or round: 4" in words
