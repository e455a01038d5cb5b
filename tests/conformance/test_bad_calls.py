"""Bad input: NumPy's exception, its text, the user's line; handlers are run."""

import pytest

from tests.conformance.bad_calls import FORMS, difference, programs


@pytest.mark.parametrize("part", range(6))
def test_bad_input_is_refused_as_numpy_refuses_it(part):
    # Each call in one of the forms; `python -m tests.conformance.bad_calls` runs all.
    forms = list(FORMS)
    told = [
        f"{call} [{forms[at % 5]}]: {found}"
        for at, call in enumerate(programs())
        if at % 6 == part and (found := difference(call, forms[at % 5]))
    ]
    assert not told
