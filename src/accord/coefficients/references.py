"""The publications that the registry names, in full."""

__all__ = ["REFERENCES"]

# A table should look like one.
# fmt: off
REFERENCES = {
    "brennan1981": (
        "Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and alternatives. "
        "Educational and Psychological Measurement 41(3), 687-699."),
    "cohen1960": (
        "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological "
        "Measurement 20(1), 37-46."),
    "cohen1968": (
        "Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or "
        "partial credit. Psychological Bulletin 70(4), 213-220."),
    "conger1980": (
        "Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. Psychological "
        "Bulletin 88(2), 322-328."),
    "cronbach1951": (
        "Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika 16(3), "
        "297-334."),
    "fleiss1971": (
        "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), "
        "378-382."),
    "goodman1954": (
        "Goodman, L. A. and Kruskal, W. H. (1954). Measures of association for cross classifications. Journal of "
        "the American Statistical Association 49(268), 732-764."),
    "gwet2008": (
        "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high "
        "agreement. British Journal of Mathematical and Statistical Psychology 61(1), 29-48."),
    "gwet2014": (
        "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition. Advanced Analytics."),
    "kendall1939": (
        "Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical "
        "Statistics 10(3), 275-287."),
    "kendall1945": (
        "Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251."),
    "krippendorff2011": (
        "Krippendorff, K. (2011). Computing Krippendorff's Alpha-Reliability. University of Pennsylvania."),
    "light1971": (
        "Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations and "
        "alternatives. Psychological Bulletin 76(5), 365-377."),
    "lin1989": (
        "Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics 45(1), "
        "255-268."),
    "mcgraw1996": (
        "McGraw, K. O. and Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. "
        "Psychological Methods 1(1), 30-46."),
    "pearson1896": (
        "Pearson, K. (1896). Mathematical contributions to the theory of evolution, III: regression, heredity, "
        "and panmixia. Philosophical Transactions of the Royal Society A 187, 253-318."),
    "scott1955": (
        "Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion "
        "Quarterly 19(3), 321-325."),
    "spearman1904": (
        "Spearman, C. (1904). The proof and measurement of association between two things. American Journal of "
        "Psychology 15(1), 72-101."),
}
"""Key -> citation."""
# fmt: on
