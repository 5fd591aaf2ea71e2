"""The report: the same numbers in every form, text that stays text, a page that stands alone."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.coefficients.registry import COEFFICIENTS
from accord.errors import OptionError
from accord.ratings.build import build_ratings
from accord.reporting.bibliography import REFERENCES
from accord.reporting.compose import compose
from accord.reporting.document import Evidence, Rows
from accord.reporting.html import to_html
from accord.reporting.latex import to_latex
from accord.reporting.markdown import to_markdown
from reporting.hostile import PAYLOADS, hostile_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(scope="module")
def document():
    return compose(accord.read(EXAMPLES / "context.csv", direction="high"))


@pytest.fixture(scope="module")
def page(document):
    return to_html(document)


def _estimates(document):
    return [
        estimate for group in document.data["reliability"]["groups"] for estimate in group["estimates"]
        if estimate["value"] is not None
    ]  # fmt: skip


def test_page_json_markdown_and_latex_show_the_same_numbers(document, page):
    markdown, latex = to_markdown(document), to_latex(document)
    machine = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
    assert machine["reliability"] == json.loads(json.dumps(document.data["reliability"]))
    estimates = _estimates(document)
    assert len(estimates) > 20
    for text in (_page_rows(page), _latex_rows(latex), _markdown_rows(markdown)):
        for group in document.data["reliability"]["groups"]:
            if group["combined"]:
                (title,) = [title for title in text if title.endswith("combined within scenario")]
                shown = {row[0]: [cell.replace("--", "–") for cell in row[1:4]] for row in text[title]}
                assert shown[group["by"]["criterion"]] == [_shown(n) for n in _numbers(group["estimates"][0])]
                continue
            part = f"{group['by']['criterion']}, scenario {group['by']['scenario']}"
            title = f"Coefficients that fit {part} (ordinal scale)"
            cells = [[cell.replace("$-$", "-").replace("−", "-") for cell in row] for row in text[title]]
            shown = {row[0]: [one.replace("--", "–") for one in row[1:4]] for row in cells if row[1].strip("-–")}
            assert shown == {
                COEFFICIENTS[estimate["coefficient"]].title: [_shown(number) for number in _numbers(estimate)]
                for estimate in group["estimates"] if estimate["value"] is not None
            }  # fmt: skip


def _numbers(estimate):
    interval = estimate["interval"] or {"low": None, "high": None}
    return estimate["value"], interval["low"], interval["high"]


def _shown(number):
    return "–" if number is None else f"{number:z.3f}"


def _page_rows(page):
    """Cells of every table of the page by the title of the table."""
    found = {}
    for title, body in re.findall(r"<caption[^>]*>(.*?)</caption>(.*?)</table>", page, re.S):
        rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.S)
        told = [re.sub(r'<t[dh][^>]*class="bar".*?</t[dh]>', "", row, flags=re.S) for row in rows]
        cells = [[_words(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)] for row in told]
        found[_words(title)] = cells[1:]
    return found


def _words(markup):
    return unescape(re.sub(r"<[^>]+>", "", markup)).strip()


_GREEK = {"alpha": "α", "kappa": "κ", "gamma": "γ", "tau": "τ", "rho": "ρ"}


def _latex_rows(latex):
    found = {}
    for title, table in re.findall(r"\\caption\{(.*?)\}(?:\\\\)?\n(.*?)\\end\{", latex, re.S):
        body = re.split(r"\\midrule\n|\\endlastfoot\n", table)[-1].removesuffix("\\bottomrule\n")
        plain = re.sub(r"\$\\(\w+)\$", lambda name: _GREEK.get(name[1], name[1]), body.replace(r"\allowbreak{}", ""))
        found[title] = [row.removesuffix(r" \\").split(" & ") for row in plain.splitlines()]
    return found


def _markdown_rows(markdown):
    found = {}
    for title, body in re.findall(r"\*\*(.*?)\*\*\n\n(\|.*?)\n\n", markdown, re.S):
        found[title] = [row.strip("| ").split(" | ") for row in body.splitlines()[2:]]
    return found


def test_every_number_can_be_computed_again_from_its_signature_and_command(document, page):
    for estimate in _estimates(document):
        assert estimate["signature"] in unescape(page)
        assert f"--coefficient {estimate['coefficient']} " in unescape(page)


def test_the_answer_comes_first_and_has_numbers(document, page):
    assert page.index(document.first.answer) < page.index("<details")
    assert to_markdown(document).splitlines()[6] == f"**{document.first.answer}**"
    first = compose(accord.read(EXAMPLES / "adequacy.csv")).first
    assert re.search(r"α = 0\.\d\d, 95% interval 0\.\d\d to 0\.\d\d", first.why)
    assert 1 <= len(first.numbers) <= 3
    assert first.wrong and first.todo


def test_sections_follow_what_the_data_have(document):
    keys = [section.key for section in document.sections]
    assert keys[:3] == ["reliability", "findings", "raters"]
    assert "comparisons" in keys
    assert "ranking" not in keys


def test_every_section_has_a_sentence_with_a_finding(document):
    for section in document.sections:
        assert section.finding.endswith((".", "?")), section.key
        assert len(section.finding.split()) > 2, section.key


def test_misevaluated_items_lead_to_every_verdict(page):
    assert 'href="#item-0"' in page
    assert 'id="item-0"' in page


def test_every_link_inside_the_page_has_a_target(page):
    targets = set(re.findall(r' id="([^"]+)"', page))
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= targets


def test_the_page_loads_nothing_and_allows_only_its_own_script(page):
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1])
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", page)


class _Tags(HTMLParser):
    """Every tag of a page with its attributes, as a browser would see them."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, attrs))


def test_nothing_in_the_ratings_can_become_markup():
    page = to_html(compose(hostile_ratings()))
    tags = _Tags()
    tags.feed(page)
    names = [name for name, _ in tags.seen]
    assert names.count("script") == 2  # the data and our own lines
    assert "img" not in names
    attributes = [(key, value or "") for _, given in tags.seen for key, value in given]
    assert [key for key, _ in attributes if key.startswith("on")] == []
    assert [value for key, value in attributes if key == "href" and not value.startswith("#")] == []
    assert "49" not in re.findall(r"\{\{.*?\}\}", page)
    assert PAYLOADS[0] in unescape(page)


def test_text_of_ratings_stays_text_in_markdown():
    text = to_markdown(compose(hostile_ratings()))
    assert "<script" not in re.sub(r"```+text.*?```+", "", text, flags=re.S)


def test_the_checklist_asks_the_author_what_the_data_cannot_say(document):
    rows = next(s for s in document.sections if s.key == "checklist").blocks[0].table.rows
    answers = {row["question"]: row["answer"] for row in rows}
    assert answers["How many items?"] == "20"
    assert answers["Did raters work independently of each other?"] == "only you know: please state it"


def test_heds_answers_stand_under_the_ids_of_the_form(document):
    heds = document.data["heds"]
    criteria = set(heds["heds-criteria-criterion"]["control"])
    assert sum(heds["heds-criteria-criterion"]["control"].values()) == 1
    assert heds["heds-sample_evaluators_design-evaluators-number_of_evaluators"] == {
        "data": {"": "8"}, "control": {}, "number": "3.2.1",
    }  # fmt: skip
    score = heds["heds-criteria-criterion-response_elicitation-inter_annotator-agreement_score"]
    assert score["number"] == "4.3.11.2"
    assert set(score["data"]) == criteria
    first = next(e for g in document.data["reliability"]["groups"] for e in g["estimates"] if e["value"] is not None)
    assert any(f"= {first['value']:.3f}" in text for text in score["data"].values())
    assert heds["heds-ethics-review_body"]["data"] == {"": ""}
    assert all(key.startswith("heds-") and set(field) >= {"data", "control", "number"} for key, field in heds.items())


def test_a_difference_is_its_first_column_less_its_second(document):
    table = next(table for table in document.tables() if "difference" in [column.title for column in table.columns])
    key = {column.title: column.key for column in table.columns}
    assert all(" minus " in row[key["compared"]] for row in table.rows)
    for row in table.rows:
        assert row[key["difference"]] == pytest.approx(row[key["second"]] - row[key["first"]])


def test_heds_ticks_only_the_options_that_ratings_decide(document):
    ticked = {key: field for key, field in document.data["heds"].items() if True in field["data"].values()}
    key = "heds-sample_evaluators_design-experimental_design-quality_assurance-method-2"
    assert ticked == {
        key: {
            "data": {"": True}, "control": {}, "number": "3.3.3.1",
            "text": {"": "2. Automatic quality checking methods are used during and/or after evaluation"},
        }
    }  # fmt: skip


def test_heds_calls_sets_of_labels_labelling(tmp_path):
    (tmp_path / "sets.csv").write_text("item,rater,score\n1,a,x|y\n1,b,x\n2,a,z\n2,b,z\n3,a,x|z\n3,b,z\n")
    ratings = accord.read(tmp_path / "sets.csv", separator="|")
    form = compose(ratings).data["heds"]["heds-criteria-criterion-response_elicitation-form_of_response-7"]
    assert list(form["data"].values()) == [True]
    assert form["number"] == "4.3.8"


def _four_raters(strange):
    """Forty items that four raters judge nearly alike; the fourth answers by chance where ``strange``."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(40):
        worth = int(rng.integers(1, 6))
        for rater in "ABCD":
            near = int(np.clip(worth + rng.choice([0, 0, 0, 1]), 1, 5))
            value = int(rng.integers(1, 6)) if strange and rater == "D" else near
            rows.append({"item": f"i{item:02}", "rater": rater, "value": value})
    return build_ratings({name: [row[name] for row in rows] for name in rows[0]}, level="ordinal")


def _folded(document):
    return [block.title for block in document.blocks() if isinstance(block, Evidence)]


def test_pairs_of_raters_are_shown_only_where_one_rater_changes_their_mean():
    assert any(title.startswith("Without D the mean") for title in _folded(compose(_four_raters(strange=True))))
    assert not any(title.startswith("Without") for title in _folded(compose(_four_raters(strange=False))))


def test_influential_items_are_shown_only_where_leaving_one_out_changes_what_is_said():
    one_odd = build_ratings({
        "item": [f"i{item}" for item in range(12) for _ in "AB"], "rater": list("AB" * 12),
        "value": [value for item in range(12) for value in ((1, 9) if item == 11 else (item % 5, item % 5))],
    }, level="interval")  # fmt: skip
    titles = [table.title for table in compose(one_odd).tables()]
    assert any(title.startswith("Influential items: Krippendorff") for title in titles)
    steady = [table.title for table in compose(_four_raters(strange=False)).tables()]
    assert not any(title.startswith("Influential items: Krippendorff") for title in steady)


def test_more_than_two_conditions_are_compared_with_holms_correction():
    rng = np.random.default_rng(0)
    rows = [
        {"item": f"i{item}", "rater": rater, "value": int(rng.integers(1, 4)), "condition": condition}
        for condition in ("plain", "source", "both") for rater in "AB" for item in range(20)
    ]  # fmt: skip
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    found = compose(build_ratings(columns, level="ordinal"))
    table = next(table for table in found.tables() if table.title == "Krippendorff's α by condition")
    assert {row["conditions"] for row in table.rows} == {"source minus plain", "both minus plain"}
    assert all(row["adjusted"] >= row["p"] for row in table.rows)


def test_groups_of_raters_have_a_section_on_what_they_saw():
    found = compose(accord.read(EXAMPLES / "references.csv"))
    assert "reference-bias" in [section.key for section in found.sections]
    tables = [block.table for block in found.blocks() if isinstance(block, Rows)]
    settings = next(table for table in tables if table.title.startswith("Pairs of raters by setting"))
    assert {"SAME", "DIFF", "SOURCE"} <= {row["setting"] for row in settings.rows}


def test_context_spans_are_drawn_in_the_report():
    found = compose(accord.read(EXAMPLES / "context-spans.csv"))
    assert "bridge: what each ambiguous sentence needs" in [chart.title for chart in found.charts()]
    assert "How far away the resolving sentence stands, by ambiguity" in [table.title for table in found.tables()]


def test_exclusions_are_told_where_they_are_declared():
    found = compose(accord.read(EXAMPLES / "adequacy.csv"), exclusions=("declared: answers given too fast",))
    assert "declared: answers given too fast" in to_markdown(found)


def test_every_coefficient_cites_a_reference_that_exists():
    from accord.coefficients.registry import COEFFICIENTS

    assert {spec.reference for spec in COEFFICIENTS.values() if not spec.citation} <= set(REFERENCES)


def test_methods_name_coefficient_interval_unit_and_version():
    document = compose(accord.read(EXAMPLES / "adequacy.csv"))
    text = next(s for s in document.sections if s.key == "methods").blocks[0].text
    for words in (
        "Krippendorff's α",
        "Bayesian bootstrap over documents with pseudo-items",
        "replicates, seed 0",
        f"Accord {accord.__version__}",
    ):
        assert words in text


@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".json"])
def test_a_report_is_written_whole_in_the_form_its_name_asks_for(ending, tmp_path):
    ratings = accord.read(EXAMPLES / "adequacy.csv")
    target = accord.report(ratings, tmp_path / f"report{ending}")
    assert target.stat().st_size > 1000
    assert list(tmp_path.iterdir()) == [target]


def test_an_unknown_form_is_refused_in_words(tmp_path):
    ratings = accord.read(EXAMPLES / "adequacy.csv")
    with pytest.raises(OptionError, match=r"'report.docx': name a file that ends in \.html"):
        accord.report(ratings, tmp_path / "report.docx")


def test_sorted_columns_are_the_first_thing_the_report_says():
    document = compose(accord.read(EXAMPLES / "sorted-columns.csv"))
    assert "sorted" in document.first.wrong[0]
