"""What `tools/check_limits.py` reports."""

import pytest

from tools.check_limits import problems


def function(lines: int, head: str = "def f():") -> str:
    """The source of a function with this many lines from `def` on."""
    return head + "\n" + "    x = 1\n" * (lines - 1)


def test_a_file_of_400_lines_is_no_problem(write_project):
    assert problems(write_project({"runtime/a.py": "x = 1\n" * 400}), {}) == []


@pytest.mark.parametrize("folder", ["autograph", "tracer/deep", "runtime", "tests"])
def test_a_file_of_401_lines_is_reported(write_project, folder):
    root = write_project({f"{folder}/a.py": "x = 1\n" * 401})
    assert problems(root, {}) == [f"{folder}/a.py: 401 lines, the limit is 400"]


def test_a_function_of_40_lines_is_no_problem(write_project):
    assert problems(write_project({"runtime/a.py": function(40)}), {}) == []


@pytest.mark.parametrize("head", ["def f():", "async def f(\n):", "@g\n@h\ndef f():"])
def test_a_function_of_41_lines_is_reported(write_project, head):
    start = head.count("@") + 1
    body = function(41 - head.count("\n") + head.count("@"), head)
    root = write_project({"runtime/a.py": body})
    assert problems(root, {}) == [
        f"runtime/a.py:{start}: f has 41 lines, the limit is 40"
    ]


def test_decorators_and_docstring_do_not_count(write_project):
    head = '@g(\n    1,\n)\ndef f():\n    """One.\n\n    Two.\n    """'
    assert problems(write_project({"runtime/a.py": function(40, head)}), {}) == []


def test_methods_and_nested_functions_are_named_in_full(write_project):
    body = function(41, "def g():").replace("\n", "\n        ")
    text = f"class C:\n    def f(self):\n        {body}\n"
    root = write_project({"runtime/a.py": text})
    assert problems(root, {}) == [
        "runtime/a.py:2: C.f has 42 lines, the limit is 40",
        "runtime/a.py:3: C.f.g has 41 lines, the limit is 40",
    ]


def test_an_exception_with_a_reason_is_no_problem(write_project):
    files = {"runtime/a.py": "x = 1\n" * 401, "runtime/b.py": function(41)}
    reasons = {"runtime/a.py": "one table", "runtime/b.py::f": "one story"}
    assert problems(write_project(files), reasons) == []


def test_an_exception_that_is_not_needed_is_reported(write_project):
    root = write_project({"runtime/a.py": function(40)})
    assert problems(root, {"runtime/a.py::f": "one story"}) == [
        "tools/check_limits.py: EXCEPTIONS names runtime/a.py::f, "
        "which is within the limits"
    ]
