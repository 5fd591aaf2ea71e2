"""References in BibTeX: what a report cites, by the keys of the table of coefficients."""

from collections.abc import Iterable

from accord.coefficients.registry import COEFFICIENTS

__all__ = ["REFERENCES", "bibtex"]

# ruff: noqa: E501

# A table should look like one: kind, author, title, where, year.
# fmt: off
REFERENCES: dict[str, tuple[str, str, str, str, str]] = {
    "gwet2014": ("book", "Gwet, Kilem L.", "Handbook of Inter-Rater Reliability", "Advanced Analytics, 4th edition", "2014"),
    "gwet2008": ("article", "Gwet, Kilem L.", "Computing inter-rater reliability and its variance in the presence of high agreement", "British Journal of Mathematical and Statistical Psychology", "2008"),
    "cohen1960": ("article", "Cohen, Jacob", "A coefficient of agreement for nominal scales", "Educational and Psychological Measurement", "1960"),
    "cohen1968": ("article", "Cohen, Jacob", "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit", "Psychological Bulletin", "1968"),
    "light1971": ("article", "Light, Richard J.", "Measures of response agreement for qualitative data", "Psychological Bulletin", "1971"),
    "conger1980": ("article", "Conger, Anthony J.", "Integration and generalization of kappas for multiple raters", "Psychological Bulletin", "1980"),
    "fleiss1971": ("article", "Fleiss, Joseph L.", "Measuring nominal scale agreement among many raters", "Psychological Bulletin", "1971"),
    "scott1955": ("article", "Scott, William A.", "Reliability of content analysis: the case of nominal scale coding", "Public Opinion Quarterly", "1955"),
    "krippendorff2011": ("misc", "Krippendorff, Klaus", "Computing Krippendorff's Alpha-Reliability", "University of Pennsylvania", "2011"),
    "brennan1981": ("article", "Brennan, Robert L. and Prediger, Dale J.", "Coefficient kappa: some uses, misuses, and alternatives", "Educational and Psychological Measurement", "1981"),
    "mcgraw1996": ("article", "McGraw, Kenneth O. and Wong, S. P.", "Forming inferences about some intraclass correlation coefficients", "Psychological Methods", "1996"),
    "kendall1939": ("article", "Kendall, M. G. and Babington Smith, B.", "The problem of m rankings", "Annals of Mathematical Statistics", "1939"),
    "kendall1945": ("article", "Kendall, M. G.", "The treatment of ties in ranking problems", "Biometrika", "1945"),
    "cronbach1951": ("article", "Cronbach, Lee J.", "Coefficient alpha and the internal structure of tests", "Psychometrika", "1951"),
    "goodman1954": ("article", "Goodman, Leo A. and Kruskal, William H.", "Measures of association for cross classifications", "Journal of the American Statistical Association", "1954"),
    "spearman1904": ("article", "Spearman, Charles", "The proof and measurement of association between two things", "American Journal of Psychology", "1904"),
    "pearson1896": ("article", "Pearson, Karl", "Mathematical contributions to the theory of evolution. III", "Philosophical Transactions of the Royal Society A", "1896"),
    "lin1989": ("article", "Lin, Lawrence I-Kuei", "A concordance correlation coefficient to evaluate reproducibility", "Biometrics", "1989"),
    "diciccio1992": ("article", "DiCiccio, Thomas J. and Efron, Bradley", "More accurate confidence intervals in exponential families", "Biometrika", "1992"),
    "efron1987": ("article", "Efron, Bradley", "Better bootstrap confidence intervals", "Journal of the American Statistical Association", "1987"),
    "amidei2019": ("inproceedings", "Amidei, Jacopo and Piwek, Paul and Willis, Alistair", "Agreement is overrated: a plea for correlation to assess human evaluation reliability", "International Conference on Natural Language Generation", "2019"),
    "ma2017": ("inproceedings", "Ma, Qingsong and Graham, Yvette and Baldwin, Timothy and Liu, Qun", "Further investigation into reference bias in monolingual evaluation of machine translation", "EMNLP", "2017"),
    "castilho2021": ("inproceedings", "Castilho, Sheila", "Towards document-level human MT evaluation: on the issues of annotator agreement, effort and misevaluation", "Workshop on Human Evaluation of NLP Systems", "2021"),
    "miller2005": ("inproceedings", "Miller, Keith J. and Vanni, Michelle", "Inter-rater agreement measures and the refinement of metrics in the PLATO MT evaluation paradigm", "MT Summit", "2005"),
    "gladkoff2023": ("article", "Gladkoff, Serge and Han, Lifeng and Nenadic, Goran", "Student's t-distribution: on measuring the inter-rater reliability when the observations are scarce", "RANLP", "2023"),
}
# fmt: on

_WHERE = {"article": "journal", "inproceedings": "booktitle", "book": "publisher", "misc": "howpublished"}


def bibtex(keys: Iterable[str]) -> str:
    """The entries of these keys, in the order of the table."""
    wanted = set(keys)
    entries = []
    for key, (kind, author, title, where, year) in REFERENCES.items():
        if key in wanted:
            fields = {"author": author, "title": f"{{{title}}}", _WHERE[kind]: where, "year": year}
            body = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items())
            entries.append(f"@{kind}{{{key}, {body}}}")
    cited = {spec.reference: spec.citation for spec in COEFFICIENTS.values() if spec.citation}
    entries += [f"@misc{{{key}, note = {{{text}}}}}" for key, text in cited.items() if key in wanted]
    return "\n".join(entries)
