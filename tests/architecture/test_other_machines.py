"""A study has one answer on every machine: what was recorded is said too where another processor adds otherwise.

In which order numbers are added depends on the processor: two of equal size change places, a half is printed up or
down, and what should be nothing is not. A process can play an older machine, by what numpy, OpenBLAS and the C library
read when they start.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

ROOT = Path(__file__).parents[2]
KNOWN = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
OLDER = [name for name in KNOWN if name != "X86_V3"]
MACHINES = {
    "without AVX-512": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(OLDER),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL",
    },
    "without AVX2 and of one core": {
        "OPENBLAS_CORETYPE": "Prescott",
        "OPENBLAS_NUM_THREADS": "1",
        "NPY_DISABLE_CPU_FEATURES": " ".join(KNOWN),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-FMA",
    },
}
TOLD = """
import ctypes
from pathlib import Path
import numpy
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
(library,) = (Path(numpy.__file__).parents[1] / "numpy.libs").glob("*openblas*")
core = ctypes.CDLL(str(library)).scipy_openblas_get_corename64_
core.restype = ctypes.c_char_p
print(core().decode(), *(name for name in __cpu_dispatch__ if __cpu_features__[name]))
"""
CHOSEN = (
    "tests/cli/test_recorded_answers.py::test_a_question_is_answered_as_it_was_recorded[report rounds.csv -o made.tex]",
    "tests/cli/test_recorded_answers.py::test_a_question_is_answered_as_it_was_recorded"
    "[agree direct-assessment.csv --interval jackknife]",
    "tests/coefficients/test_recorded_small.py::test_coefficients_of_small_studies_are_what_was_recorded[icc_ak]",
    "tests/comparisons/test_recorded_small.py::test_small_studies_compare_as_they_were_recorded[at-the-limit]",
    *(
        f"tests/diagnosis/test_recorded_small.py::test_what_is_wrong_in_small_studies_is_what_was_recorded[{name}]"
        for name in ("pairs", "raters", "functioning")
    ),
    "tests/plots/test_chart_marks.py::test_a_chart_of_this_size_is_drawn_as_it_was_recorded[severity 301]",
    "tests/scoring/test_recorded_small.py::test_scores_of_small_studies_are_what_was_recorded[preferring]",
)
"""What had another answer on another machine, each for a reason of its own."""
HELD = ("cli", "coefficients", "comparisons", "diagnosis", "judging", "planning", "plots", "reporting", "scoring")

pytestmark = pytest.mark.skipif(
    "X86_V3" not in KNOWN or not list((Path(pytest.__file__).parents[1] / "numpy.libs").glob("*openblas*")),
    reason="plays processors of the kind of this machine: it takes one with AVX2, and the numpy of its maker",
)


def played(machine, *words):
    """What a process says that takes this machine for its own."""
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=os.environ | MACHINES[machine], capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def held(machine, *asked):
    return played(machine, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-cov", *asked)


def test_a_process_plays_an_older_machine():
    assert played("without AVX-512", "-c", TOLD) == (0, "Haswell X86_V3\n")
    status, said = played("without AVX2 and of one core", "-c", TOLD)
    # OpenBLAS calls the oldest of those that it has code for by another name.
    assert (status, said.split()[1:]) == (0, []) and said.split()[0] not in ("Haswell", "SkylakeX", "Zen")


@pytest.mark.parametrize("machine", MACHINES)
def test_an_older_machine_says_what_was_recorded(machine):
    status, said = held(machine, *CHOSEN)
    assert status == 0 and f"{len(CHOSEN)} passed" in said, said[-3000:]


@pytest.mark.long
@pytest.mark.parametrize("room", HELD)
@pytest.mark.parametrize("machine", MACHINES)
def test_an_older_machine_says_all_that_was_recorded(machine, room):
    files = [*(ROOT / "tests" / room).glob("test_recorded*.py"), *(ROOT / "tests" / room).glob("test_chart_marks.py")]
    status, said = held(machine, *map(str, files))
    assert status == 0 and files, said[-3000:]
