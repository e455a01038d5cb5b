"""NumPy's functions, by example calls: plain and as a graph, the same."""

import importlib
import re
import types
from itertools import groupby

import numpy as np
import pytest

from tests.conformance.numpy_calls import functions, measure, methods, more_functions
from tests.conformance.numpy_calls.compose import compositions
from tests.conformance.numpy_calls.measure import FORMS, Verdict, measured
from tests.conformance.numpy_calls.rows import NAMESPACES, SECTIONS, Row, rows

# What is refused, and how the refusal begins.
REFUSED = {
    "set(i.tolist())": "TypeError: ",
    "sorted(x)": "TypeError: the length of this tensor is known only when",
    "np.s_[1:3]": "TypeError: `result` is a slice after the main branch",
    "np.geterr()": "TypeError: `result` is a dict after the main branch",
}
# Public names without a call: they read or write files, say what NumPy is, or are
# refused by name (`x.resize`).
NOT_CALLED = set(
    """
    fromregex load nested_iters printoptions savez savez_compressed show_config
    show_runtime test resize setfield setflags ctypes data
    set_default_printstyle compare_chararrays format_parser fromflex find_duplicates
    join_by rec_append_fields rec_join recursive_fill_fields
    """.split()
)
# Of NumPy 2.5; the page is made with the NumPy that all Pythons have.
NOT_CALLED |= {
    kind + "valnd" for kind in ("poly", "cheb", "leg", "lag", "herm", "herme")
}
MODULES = """
linalg fft strings char random ma rec polynomial.polynomial polynomial.chebyshev
polynomial.legendre polynomial.hermite polynomial.hermite_e polynomial.laguerre
lib.stride_tricks lib.scimath lib.array_utils lib.recfunctions
""".split()


@pytest.mark.parametrize("section", SECTIONS)
def test_calls_mean_what_they_mean_in_python(section):
    # Two calls of each function, in one of the forms each; the page runs all.
    groups = groupby(rows(), lambda row: (row.section, row.function))
    found = [list(group)[:2] for (name, _), group in groups if name == section]
    calls = [
        row for group in found[:: 8 if section in NAMESPACES else 1] for row in group
    ]
    forms = sorted(FORMS)
    told = {
        (row.text, form): verdict.text
        for number, row in enumerate(calls)
        for form in [forms[number % 3]]
        if not is_as_it_should_be(row, verdict := measured(row, form))
    }
    assert not told


def is_as_it_should_be(row: Row, verdict: Verdict) -> bool:
    known = REFUSED.get(row.text)
    refused = known is not None and verdict.text.startswith(known)
    return verdict.word == "same" or (verdict.word == "refused" and refused)


@pytest.mark.parametrize("sized", [False, True])
def test_compositions_are_refused_or_mean_what_they_mean_in_python(sized):
    # More by `python -m tests.conformance.numpy_calls.compose SEED COUNT`.
    told = {
        text: verdict.text
        for text, verdict in compositions(11, 80, sized)
        if verdict.word == "wrong"
    }
    assert not told


# Of names that NumPy is about to take away.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_public_function_and_method_has_a_call():
    written = "\n".join(
        text
        for module in (functions, methods, more_functions)
        for name, text in vars(module).items()
        if name.isupper()
    )
    named = set(re.findall(r"\w+", written + "".join(NAMESPACES.values())))
    missing = {name for name in _public() if name not in named | NOT_CALLED}
    assert not missing


def _public():
    for module in (np, *map(importlib.import_module, (f"numpy.{m}" for m in MODULES))):
        names = getattr(module, "__all__", vars(module))
        for name, thing in ((name, getattr(module, name)) for name in names):
            kind = type(thing)
            plain = callable(thing) and kind not in (type, types.ModuleType)
            if plain and not name.startswith("_") and not isinstance(thing, type):
                yield name
    yield from (name for name in dir(np.ndarray) if not name.startswith("_"))


def test_a_difference_is_seen():
    row = Row("Elementwise", "np.sin", "np.sin(x)")
    python = measure.observe(lambda _, x: np.sum(x), row)
    graph = measure.observe(lambda _, x: float(np.sum(x)), row)
    raised = measure.observe(lambda _, x: x[9], row)
    assert measure.compared(python, python) == Verdict("same")
    assert measure.compared(python, graph).word == "wrong"
    assert measure.compared(python, raised).word == "refused"
    assert measure.compared(raised, python).word == "wrong"
