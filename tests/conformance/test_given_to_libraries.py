"""Functions written in C, or by libraries, that take no tensor."""

import decimal
import struct
import sys
import types

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import check


def packed(x):
    if x <= 0:
        return None
    return struct.unpack(">i", struct.pack(">f", x))[0]


def with_precision(digits):
    if digits < 1:
        raise ValueError("no digits")
    with decimal.localcontext():
        decimal.getcontext().prec = digits
        return str(decimal.Decimal(2).sqrt())


@pytest.mark.parametrize("function", [packed, with_precision])
def test_what_a_library_takes_no_tensor_for_stays_a_constant(function):
    check(function, tuple((n,) for n in (1, 2, 3, 4, 0)))


def test_what_a_library_raises_of_a_tensor_is_not_the_programs_error():
    staged = ag.function(packed)
    with pytest.raises(TypeError, match="pack gets a value that is known only when"):
        staged.get_concrete_function(np.float64(2.5))
    assert staged(np.float64(2.5)) == packed(np.float64(2.5))


def module_named(monkeypatch, name, **members):
    """A module of this name, whose members are taken for a library's."""
    made = types.ModuleType(name)
    for key, member in members.items():
        member.__module__ = name
        setattr(made, key, member)
    monkeypatch.setitem(sys.modules, name, made)
    return made


def test_what_draws_pictures_is_called_by_each_run(monkeypatch):
    shown = []

    class Axes:
        def plot(self, *values):
            self.lines.append(values)

    def figure():
        shown.append(Axes())
        shown[-1].lines = []
        return shown[-1]

    def plot(*values):
        shown[-1].plot(*values)

    of = {"figure": figure, "plot": plot, "Axes": Axes}
    plt = module_named(monkeypatch, "matplotlib.pyplot", **of)

    @ag.function
    def drawn(x):
        axes = plt.figure()
        plt.plot(1, 2)
        axes.plot(x)
        return x * 2

    for n in range(3):
        assert drawn(np.float64(n)) == 2 * n
        assert [axes.lines for axes in shown[: n + 1]] == [
            [(1, 2), (np.float64(k),)] for k in range(n + 1)
        ]
    with pytest.raises(
        NotImplementedError, match=r"matplotlib.pyplot.figure\(\) would be called"
    ):
        drawn.get_concrete_function(np.float64(1))


def test_what_a_librarys_dict_raises_of_a_tensor_is_not_the_programs_error(monkeypatch):
    class Parameters(dict):
        def __setitem__(self, key, value):
            if not isinstance(value, (int, float)):
                raise ValueError(f"{key} takes no {type(value).__name__}")
            dict.__setitem__(self, key, value)

    module_named(monkeypatch, "sklearn", Parameters=Parameters)
    held = Parameters(width=1.0)

    @ag.function
    def widened(x):
        held["width"] = held["width"] + 1
        return x * held["width"]

    assert [widened(np.float64(n)) for n in (1, 1, 1)] == [2, 3, 4]
    assert held == {"width": 4.0}
