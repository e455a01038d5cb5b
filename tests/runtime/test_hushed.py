"""What one thread says to nobody, others are heard to say meanwhile."""

import sys
import threading
import warnings

import pytest

from runtime.hushed import unheard, warnings_as
from runtime.streams import held


class Other:
    """Another thread, which does one thing after the other as it is told."""

    def __enter__(self):
        self._told, self._done = threading.Event(), threading.Event()
        self._what = self._failed = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        return self

    def _work(self):
        while True:
            self._told.wait()
            self._told.clear()
            if self._what is None:
                return
            try:
                self._what()
            except BaseException as error:
                self._failed = error
            self._done.set()

    def do(self, what):
        self._what = what
        self._told.set()
        assert self._done.wait(10)
        self._done.clear()
        assert self._failed is None, repr(self._failed)

    def __exit__(self, *error):
        self._what = None
        self._told.set()
        self._thread.join(10)


@pytest.mark.parametrize("action", ["ignore", "error"])
def test_warnings_of_other_threads_are_what_they_are(action):
    with warnings.catch_warnings(record=True) as said, Other() as other:
        warnings.simplefilter("always")
        with warnings_as(action):
            other.do(lambda: warnings.warn("heard", UserWarning, stacklevel=1))
    assert [str(one.message) for one in said] == ["heard"]


def test_the_innermost_block_says_what_warnings_are():
    with warnings_as("error"):
        with pytest.raises(UserWarning, match="one"):
            warnings.warn("one", UserWarning, stacklevel=1)
        with warnings_as("ignore"):
            warnings.warn("two", UserWarning, stacklevel=1)
        with pytest.raises(UserWarning, match="three"):
            warnings.warn("three", UserWarning, stacklevel=1)


def test_a_warning_that_was_shown_at_its_line_is_an_error_there():
    def warn():
        warnings.warn("again", UserWarning, stacklevel=1)

    with warnings.catch_warnings(record=True):
        warnings.simplefilter("default")
        warn()
        with warnings_as("error"), pytest.raises(UserWarning, match="again"):
            warn()


def test_blocks_that_overlap_leave_the_filters_and_streams_as_they_were():
    filters, stream = list(warnings.filters), sys.stdout
    with Other() as other:
        blocks = [
            [warnings_as("error"), held("stdout")],
            [warnings_as("ignore"), held("stdout")],
        ]
        for block in blocks[0]:
            block.__enter__()
        other.do(lambda: [block.__enter__() for block in blocks[1]])
        for block in blocks[0]:
            block.__exit__(None, None, None)
        assert sys.stdout is not stream
        other.do(lambda: [block.__exit__(None, None, None) for block in blocks[1]])
    assert warnings.filters == filters
    assert sys.stdout is stream


def test_other_threads_print_while_one_is_held(capsys):
    with Other() as other, held("stdout") as own:
        other.do(lambda: print("heard"))
        assert not own.is_written
        print("unheard")
        sys.stdout.writelines(["un", "heard"])
        assert own.is_written
    print("after")
    assert capsys.readouterr().out == "heard\nafter\n"


def test_what_the_program_puts_over_a_held_stream_stays(capsys):
    before, own = sys.stdout, held("stdout")
    own.__enter__()
    below = sys.stdout

    class Over:
        def write(self, text):
            return below.write(text.upper())

    try:
        sys.stdout = Over()
        print("unheard")
        own.__exit__(None, None, None)
        print("heard")
        with held("stdout"):
            print("unheard")
        print("too")
    finally:
        sys.stdout = before
    assert capsys.readouterr().out == "HEARD\nTOO\n"


def test_no_stream_is_left_as_none(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with held("stdout"):
        print("nowhere")
    assert sys.stdout is None


def test_unheard_raises_what_is_an_error_and_shows_nothing(capsys):
    with warnings.catch_warnings(record=True) as said, Other() as other:
        warnings.simplefilter("always")
        warnings.filterwarnings("error", "wrong")
        with unheard():
            print("unheard")
            print("unheard", file=sys.stderr)
            warnings.warn("unheard", UserWarning, stacklevel=1)
            other.do(lambda: warnings.warn("heard", UserWarning, stacklevel=1))
            with pytest.raises(UserWarning, match="wrong"):
                warnings.warn("wrong", UserWarning, stacklevel=1)
        warnings.warn("after", UserWarning, stacklevel=1)
    assert [str(one.message) for one in said] == ["heard", "after"]
    assert capsys.readouterr() == ("", "")
