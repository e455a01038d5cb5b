"""The table of ops: every op says what it does, and can be run."""

import importlib
import pkgutil

import pytest

import runtime.ops
from runtime.op import OPS

for _module in pkgutil.iter_modules(runtime.ops.__path__, "runtime.ops."):
    importlib.import_module(_module.name)


# Part of a recursion or a try: an executor writes them as statements.
STATEMENTS = {"call", "checkpoint", "reraise"}


@pytest.mark.parametrize("name", sorted(OPS))
def test_op_has_a_docstring_and_a_kernel_unless_it_runs_graphs(name):
    op = OPS[name]
    assert op.doc.splitlines()[0].endswith(".")
    assert (op.kernel is None) == (bool(op.graphs) or name in STATEMENTS)


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if op.source])
def test_source_is_an_expression_of_inputs_and_attributes(name):
    text = OPS[name].source.format("a", "b", "c", axis=0)
    compile(text, "source", "eval")


def test_there_are_well_over_a_hundred_ops():
    assert len(OPS) > 160
