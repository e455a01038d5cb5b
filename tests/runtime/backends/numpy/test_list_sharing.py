"""Whether a list is changed in itself is asked of programs that have lists."""

import pytest

from runtime.backends.numpy import list_sharing
from runtime.backends.numpy.executor import compile_graph
from runtime.text import parse

WITHOUT = """graph f(x: float64[n]) {
    y: float64[n] = sin(x)
    return y
}"""
WITHIN = """graph f(p: ~bool[], x: ~int64[]) {
    y: ~int64[] = if(p, x) {
        then(x: ~int64[]) {
            xs: list[~int64[]] = list_of[item=spec(~int64[])](x, x)
            ys: list[~int64[]] = list_append(xs, x)
            y: ~int64[] = list_len(ys)
            return y
        }
        orelse(x: ~int64[]) {
            return x
        }
    }
    return y
}"""
GIVEN = """graph f(xs: list[~int64[]]) {
    y: ~int64[] = list_len(xs)
    return y
}"""


@pytest.mark.parametrize(
    ("text", "count"),
    [(WITHOUT, 0), (WITHIN, 1), (GIVEN, 1)],
    ids="without within given".split(),
)
def test_only_programs_with_lists_are_walked_over_for_them(monkeypatch, text, count):
    walked = []

    class Noted(list_sharing.ListSharing):
        def __init__(self, *given):
            walked.append(given)
            super().__init__(*given)

    monkeypatch.setattr(list_sharing, "ListSharing", Noted)
    compile_graph(parse(text))
    assert len(walked) == count


def test_a_list_of_a_branch_is_changed_in_itself():
    run = compile_graph(parse(WITHIN))
    assert run(True, 5) == (3,)
    assert ".append(" in run.source
