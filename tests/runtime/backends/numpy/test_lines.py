"""Generated functions say to be at the user's lines, which warnings name."""

import cProfile
import pstats
import sys
import warnings

import numpy as np
import pytest

import autograph as ag
from runtime.backends.numpy import lines
from runtime.backends.numpy.lines import at_users_lines, line_at
from runtime.location import Location
from tests.autograph.process import run


def warned(function, *arguments):
    """The file, line and text of each warning."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        function(*arguments)
    return [(w.filename, w.lineno, str(w.message)) for w in seen]


def quotients(x):
    y = x / 0
    total = np.log(x - 5)
    for i in range(2):
        if x[0] > 0:
            total = (
                total
                + np.sqrt(-x)
            )  # fmt: skip
    large = (x * 1e300).astype(np.int32)
    return y, total, np.power(x, 1e9), large


def test_warnings_name_the_users_file_and_line_as_in_python():
    x = np.array([1.0, 2.0])
    plain = warned(quotients, x)
    assert len(plain) == 6
    assert {name for name, _, _ in plain} == {__file__}
    assert sorted(warned(ag.function(quotients), x)) == sorted(plain)


def left_out(z):
    total = 0.0
    for v in z:
        total = total + float(v)
    return total


def changed(x):
    y = x.copy()
    y %= 0.0
    y *= 1e3
    return y


def test_what_python_calls_do_is_warned_of_at_the_users_line():
    z = np.array([1 + 2j, 3j])
    plain = warned(left_out, z)
    assert [name for name, _, _ in plain] == [__file__] * 2
    assert warned(ag.function(left_out), z) == plain


@pytest.mark.parametrize("dims", [(), (2,)])
def test_changes_of_what_may_be_a_number_are_warned_of_at_the_users_line(dims):
    x = np.full(dims, 100.0, np.float16)
    plain = warned(changed, x)
    assert {name for name, _, _ in plain} == {__file__}
    signature = [ag.TensorSpec(None, np.float16)]
    assert warned(ag.function(changed, input_signature=signature), x) == plain


def test_warnings_as_errors_and_filters_by_module_hold():
    divide = ag.function(lambda x: x / 0)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", module=__name__.replace(".", r"\."))
        divide(np.ones(2))
    assert seen == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="divide by zero") as caught:
            divide(np.ones(2))
    last = caught.traceback[-1]
    assert (str(last.path), last.name) == (__file__, "<lambda>")


def test_a_warning_shown_once_for_a_line_is_shown_once():
    x = np.ones(2)

    @ag.function
    def divide(x, n):
        return x / 0 + n

    # Two traces, which share the module's memory of what was shown.
    warned(divide, x, 1)
    warned(divide, x, 2)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for n in (1, 1, 2):
            divide(x, n)
    assert len(seen) == 1


def test_a_helper_in_another_file_is_said_to_be_at_the_function(tmp_path, monkeypatch):
    (tmp_path / "helping_module.py").write_text("def half(x):\n    return x / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    from helping_module import half

    @ag.function
    def f(x):
        y = x + 1
        z = y * 2
        return half(z)

    ((file, line, _),) = warned(f, np.ones(2))
    assert file == __file__
    # The line of its `def`, below the decorator.
    assert line == f.python_function.__code__.co_firstlineno + 1


def test_a_profile_names_the_users_file():
    f = ag.function(quotients)
    with np.errstate(all="ignore"):
        f(np.ones(2))
        profile = cProfile.Profile()
        profile.runcall(f, np.ones(2))
    first = quotients.__code__.co_firstlineno
    assert (__file__, first, "run") in pstats.Stats(profile).stats


def test_while_a_debugger_follows_lines_the_source_is_left_to_it():
    seen = set()

    def follow(frame, event, argument):
        seen.add(frame.f_code.co_filename)
        return follow

    f = ag.function(lambda x: x + 1)
    before = sys.gettrace()
    sys.settrace(follow)
    try:
        assert lines.is_debugged()
        f(np.ones(2))
    finally:
        sys.settrace(before)
    assert "<graph <lambda>>" in seen


def test_the_users_frame_is_found_below_a_graph_that_calls_back():
    @ag.function
    def f(x):
        return ag.py_function(lambda y: 1 // 0 if y[0] else y, x)

    with pytest.raises(ZeroDivisionError) as caught:
        f(np.ones(2))
    names = [entry.name for entry in caught.traceback]
    assert names[-2:] == ["f", "<lambda>"]
    assert "run" not in names


def code_of(text):
    return compile(text, "<graph f>", "exec")


@pytest.mark.parametrize("far", [1, 31, 32, 1000, 100_000])
def test_any_lines_can_be_told_forwards_and_backwards(far):
    body = "    b = a + a\n    c = b * a * b * a * b * a * b * a\n    return c\n"
    places = [
        None,
        Location("nowhere/model.py", far + 7, "f"),
        Location("nowhere/model.py", 7, "f"),
        Location("other.py", 3, "f"),
    ]
    known = {}
    made = at_users_lines(code_of(f"def run(a):\n{body}"), places, known)
    ((new, old),) = known.items()
    assert (new.co_filename, new.co_firstlineno) == ("nowhere/model.py", 7)
    users = {}
    for start, _, line in old.co_lines():
        users.setdefault(line, set()).add(line_at(new, start))
    assert users == {1: {7}, 2: {far + 7}, 3: {7}, 4: {7}}
    scope = {}
    exec(made, scope)
    assert scope["run"](2) == (4 * 2) ** 4


def test_a_text_without_places_stays_as_it_is():
    code = code_of("def run(a):\n    return a\n")
    made = at_users_lines(code, [None, None], {})
    assert made.co_consts[0].co_filename == "<graph f>"


def test_a_program_on_the_command_line_names_its_lines(tmp_path):
    (tmp_path / "program.py").write_text(
        "import numpy as np\n"
        "import autograph as ag\n"
        "@ag.function\n"
        "def f(x):\n"
        "    return x / 0\n"
        "f(np.ones(2))\n"
    )
    assert run(tmp_path, "program.py").stderr == (
        f"{tmp_path}/program.py:5: "
        "RuntimeWarning: divide by zero encountered in divide\n"
        "  return x / 0\n"
    )
