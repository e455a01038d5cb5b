"""spans: those that record are told what took how long, and how long by itself."""

import pytest

from runtime import spans


class Told:
    """Keeps what it is told, by name."""

    def __init__(self):
        self.spans = []

    def add(self, span, start, end, own):
        self.spans.append((span.name, end - start, own))


@pytest.fixture
def told():
    made = Told()
    spans.RECORDERS.append(made)
    yield made
    spans.RECORDERS.remove(made)


def test_a_span_has_its_own_time_beside_that_of_what_is_in_it(told):
    with spans.spanned("call", "outer"):
        with spans.spanned("op", "first"):
            pass
        with spans.spanned("op", "second"), spans.spanned("op", "inner"):
            pass
    whole = {name: seconds for name, seconds, _ in told.spans}
    own = {name: seconds for name, _, seconds in told.spans}
    assert [name for name, _, _ in told.spans] == ["first", "inner", "second", "outer"]
    assert own["outer"] == pytest.approx(
        whole["outer"] - whole["first"] - whole["second"]
    )
    assert own["second"] == pytest.approx(whole["second"] - whole["inner"])
    assert own["first"] == whole["first"] > 0


def test_what_failed_inside_is_no_part_of_what_comes_after(told):
    with spans.spanned("call", "outer"):
        spans.begin()  # its end is never reached
        spans.begin()
    with spans.spanned("call", "next"):
        pass
    assert [name for name, _, _ in told.spans] == ["outer", "next"]
    assert told.spans[1][1] == told.spans[1][2]


def test_a_block_that_raises_has_ended(told):
    with pytest.raises(KeyError), spans.spanned("call", "outer"):
        raise KeyError
    assert told.spans[0][0] == "outer"


def test_nothing_is_kept_where_nobody_records():
    with spans.spanned("call", "outer"):
        assert spans._open.frames == []
