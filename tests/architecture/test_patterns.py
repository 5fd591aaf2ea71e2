"""Expressions that are compiled when first used say what compiled ones say."""

import re

from accord import patterns
from accord.patterns import pattern


def test_an_expression_is_compiled_once_and_not_before_it_is_asked(monkeypatch):
    compiled = []
    monkeypatch.setattr(patterns.re, "compile", lambda *given: compiled.append(given) or re._compile(*given))
    number = pattern(r"(\d+)", re.I)
    assert not compiled
    assert [number.match("7 a")[1], number.sub("x", "a 12 b 3"), number.fullmatch("a")] == ["7", "a x b x", None]
    assert [found[0] for found in number.finditer("4 and 5")] == ["4", "5"]
    assert compiled == [(r"(\d+)", re.I)]


def test_an_expression_knows_its_text_flags_and_groups():
    number = pattern("(a)(b)", re.I)
    assert (number.pattern, number.groups, number.flags) == ("(a)(b)", 2, re.compile("(a)(b)", re.I).flags)
