"""Calls by machine code that read globals: a dict that has not changed is not asked."""

import builtins
import linecache
import sys

import pytest

import autograph as ag
from runtime.backends.llvm import abi
from tests.tracer.entered import (
    at_once,  # noqa: F401 # a fixture
    entries_of,
    takes,
    warm,
)
from tests.tracer.warm_calls import i

pytestmark = pytest.mark.usefixtures("at_once")
SOURCE = """
def scaled(x):
    return max(x, 1) * SCALE * OTHER
"""


@pytest.fixture(params=["by states", "by names"])
def scaled(request, monkeypatch, tmp_path):
    """The function, of a module of its own, with its globals."""
    if request.param == "by names":
        monkeypatch.setattr(abi, "dicts_have_versions", lambda: False)
    file = str(tmp_path / "module.py")
    linecache.cache[file] = (len(SOURCE), None, SOURCE.splitlines(True), file)
    scope = {"SCALE": 2.0, "OTHER": 3.0, "__name__": "module"}
    exec(compile(SOURCE, file, "exec"), scope)
    return ag.function(scope["scaled"]), scope


def test_each_kind_of_change_is_seen(scaled):
    f, scope = scaled
    assert warm(f, i(2)) == 12.0
    assert takes(f, i(2))
    scope["SCALE"] = 5.0
    assert not takes(f, i(2))
    assert f(i(2)) == 30.0
    scope["SCALE"] = 2.0  # a constant of the code, which is the same object
    scope["max"] = lambda x, y: x * 10.0
    assert not takes(f, i(2))
    assert f(i(2)) == 120.0
    del scope["max"]
    assert f(i(2)) == 12.0
    del scope["OTHER"]
    assert not takes(f, i(2))
    with pytest.raises(NameError, match="'OTHER'"):
        f(i(2))


def test_a_builtin_that_is_replaced_is_seen(scaled, monkeypatch):
    f, _ = scaled
    warm(f, i(2))
    with monkeypatch.context() as patched:
        patched.setattr(builtins, "max", min)
        assert not takes(f, i(2))
    assert takes(f, i(2))


def test_what_is_not_read_may_change(scaled):
    f, scope = scaled
    warm(f, i(2))
    for number in range(3):
        scope["NEW"] = number
        assert takes(f, i(2))
        assert f(i(2)) == 12.0
    scope["SCALE"] = 4.0
    assert not takes(f, i(2))


def test_the_states_that_were_seen_are_kept():
    def widest(x):
        return max(x, SCALE)

    f = ag.function(widest)
    warm(f, i(2))
    assert takes(f, i(2))
    (entry,) = entries_of(f)
    states = [*entry.__self__.form.states]
    if sys.version_info < (3, 13):
        assert abi.dicts_have_versions()
        places = [id(one) + abi.VERSION for one in (globals(), vars(builtins))]
        now = {abi._word(place) for place in places}
        assert now <= {*states}
    else:
        assert not abi.dicts_have_versions()
        assert {*states} == {-1}


SCALE = 2.0
