"""Signs: what in ratings changes the meaning of a coefficient, looked for once and in one way.

`diagnose` tells each sign as a finding, `agree` as a caution of the coefficients it concerns. Every check takes
:class:`~accord.reliability.signs.evidence.Evidence` and yields observations; its thresholds stand beside it and nowhere
else.
"""
