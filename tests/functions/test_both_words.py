"""What a function of Python refuses names its own parameters, and the options only beside them."""

import inspect
import re
from typing import get_type_hints

import numpy as np
import pytest

import accord
from accord.formats.options import Reading

TABLE = accord.read(np.random.default_rng(0).integers(1, 5, (20, 3)))
TURNED = "item,rater,value\n1,a,9\n1,b,2\n2,a,1\n2,b,2\n"
REFUSED = {
    "compare": lambda here: accord.compare(TABLE),
    "judge": lambda here: accord.judge(TABLE),
    "rank": lambda here: accord.rank(TABLE),
    "mqm": lambda here: accord.mqm(),
    "mqm ": lambda here: accord.mqm(criticals=[1]),
    "mqm  ": lambda here: accord.mqm(bad=30.0),
    "audit": lambda here: accord.audit(),
    "score": lambda here: accord.score([1]),
    "score ": lambda here: accord.score([80, 200], threshold=70),
    "convert": lambda here: accord.convert(here / "t.csv", here / "out.xyz"),
    "convert ": lambda here: accord.convert(here / "t.csv", here / "t.csv"),
    "read": lambda here: accord.read(here / "t.csv", scale="1..4"),
    "read ": lambda here: accord.read(here / "odd.csv"),
    "read  ": lambda here: accord.read(here / "twice.csv"),
}


def parameters(name):
    """Those of the function, and of what it reads with."""
    own = inspect.signature(getattr(accord, name)).parameters
    return {*own, *(get_type_hints(Reading) if "options" in own else ())}


@pytest.mark.parametrize("name", REFUSED)
def test_an_error_names_the_parameter_beside_each_option(name, tmp_path):
    (tmp_path / "t.csv").write_text(TURNED)
    (tmp_path / "odd.csv").write_text("stuff,mark,by\nx,1,a\nx,2,b\ny,1,a\ny,2,b\n")
    (tmp_path / "twice.csv").write_text(TURNED + "1,a,8\n")
    with pytest.raises(accord.AccordError) as refused:
        REFUSED[name](tmp_path)
    told = str(refused.value)
    options = re.findall(r"(?<![\w-])--([a-z][a-z-]*)", told)
    for option in options:
        parameter = option.replace("-", "_")
        assert re.search(rf"--{option}[^()]*\({parameter}=[^)]*\)* in Python\)", told), told
        assert parameter in parameters(name.strip()), told
    assert options and "--help" not in told
