"""Whether a criterion is fit to be scored by a program: consistency, ease, automatability, what can be seen."""

import accord


def _found(ratings):
    return {one.name: one for one in accord.judge(ratings).result.parts[0].indicators}


def test_a_good_judge_shows_automatability_and_a_bad_one_does_not(make_study):
    good = _found(make_study(noise=0.2, shift=0.0, documents=120, labelled=100, seed=1))
    bad = _found(make_study(noise=2.5, shift=0.0, documents=120, labelled=100, seed=1))
    assert good["automatability"].words.startswith("shown")
    assert bad["automatability"].words.startswith("not with this judge")


def test_a_difference_as_large_as_the_one_that_can_be_seen_is_found_in_most_studies(make_study):
    """Systems of the made-up study differ by half a point."""
    sizes, found = [], []
    for seed in range(12):
        part = accord.judge(make_study(documents=60, labelled=45, seed=seed)).result.parts[0]
        sizes.append({one.name: one.value for one in part.indicators}["what developers can see"])
        found.append(part.measures[0].differences[0].p < 0.05)
    seen = sum(sizes) / len(sizes)
    assert seen < 0.5 and sum(found) >= 9, (seen, found)


def test_time_and_missing_answers_tell_of_ease(tmp_path):
    rows = ["item,rater,kind,time_s,value"]
    for item in range(30):
        rows += [f"i{item},{name},human,{20 + item},{'' if item == 3 else item % 5}" for name in ("ann", "bob")]
        rows.append(f"i{item},judge,model,1,{item % 5}")
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    found = _found(accord.read(tmp_path / "r.csv", missing=[""]))
    assert 20 < found["ease: time"].value < 50
    assert found["ease: no answer"].value > 0


def test_automatability_is_not_shown_where_the_judge_was_not_tested_or_does_not_pass(tmp_path):
    rows = ["item,rater,kind,value"]
    for item in range(28):
        rows += [
            f"i{item},{name},human,{(item + (item % 9 == place)) % 5}" for place, name in enumerate(("ann", "bob"))
        ]
        rows.append(f"i{item},judge,model,{item % 5}")
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    found = _found(accord.read(tmp_path / "r.csv"))["automatability"]
    assert found.interval.low > -0.1 and found.words.startswith("not shown: whether the judge may stand in")
