"""What is said of settings that are not there, or cannot be that."""

import pytest

import autograph as ag
from runtime.config import Config
from tests.errors.saying import Case, Cases, check

CASES = Cases()


@CASES.plainly_says("""
    TypeError: ag.config has no setting `egaer`; it has `eager`, `strict`,
          `tracebacks`, `traces`, `backend`, `precise`, `num_threads`, `log`,
          `cache_dir`
    """)
def unknown_setting():
    ag.config(egaer=True)


@CASES.plainly_says("""
    TypeError: ag.config takes settings by name, as in ag.config(eager=True)
    """)
def setting_without_its_name():
    ag.config(True)


@CASES.plainly_says("""
    TypeError: `traces` must be a number of traces, not 'many'
    """)
def bound_that_is_no_number():
    ag.config(traces="many")


@CASES.plainly_says("""
    ValueError: `traces` must be 1 or more, not 0
    """)
def bound_of_no_traces():
    ag.config(traces=0)


@CASES.plainly_says("""
    TypeError: `eager` must be True or False, not 1
    """)
def eager_that_is_a_number():
    ag.config(eager=1)


@CASES.plainly_says("""
    TypeError: `tracebacks` must be "short" or "full", not True
    """)
def tracebacks_that_are_no_text():
    ag.config(tracebacks=True)


@CASES.plainly_says("""
    ValueError: `tracebacks` must be "short" or "full", not 'long'
    """)
def tracebacks_of_another_kind():
    ag.config(tracebacks="long")


@CASES.plainly_says("""
    TypeError: `backend` must be "auto", "native" or "numpy", not 1
    """)
def backend_that_is_a_number():
    ag.config(backend=1)


@CASES.plainly_says("""
    TypeError: `precise` must be True or False, not 'no'
    """)
def precise_that_is_a_text():
    ag.config(precise="no")


@CASES.plainly_says("""
    TypeError: `num_threads` must be a number of threads, not 'all'
    """)
def threads_that_are_no_number():
    ag.config(num_threads="all")


@CASES.plainly_says("""
    ValueError: `num_threads` must be 1 or more, not 0
    """)
def no_threads():
    ag.config(num_threads=0)


@CASES.plainly_says("""
    TypeError: `cache_dir` must be a folder or None, not 3
    """)
def folder_that_is_a_number():
    ag.config(cache_dir=3)


@CASES.plainly_says("""
    ValueError: `cache_dir` must be a folder or None, not ''
    """)
def folder_without_a_name():
    ag.config(cache_dir="")


@CASES.plainly_says("""
    ValueError: `backend` must be "auto", "native" or "numpy", not 'llvm'
    """)
def backend_that_is_not_known():
    ag.config(backend="llvm")


@CASES.plainly_says("""
    TypeError: `log` must name topics, as "retrace,cache", not 3
    """)
def topics_that_are_a_number():
    ag.config(log=3)


@CASES.plainly_says("""
    TypeError: `log` must hold names of topics, not 3
    """)
def topic_that_is_a_number():
    ag.config(log=[3])


@CASES.plainly_says("""
    ValueError: `log` knows the topics convert, retrace, cache, exec, but not 'all'
    """)
def topic_that_is_not_known():
    ag.config(log="cache, all")


@CASES.plainly_says("""
    ValueError: AUTOGRAPH_EAGER must be 1 or 0, not 'yes'
    """)
def environment_that_is_not_understood():
    Config({"AUTOGRAPH_EAGER": "yes"})


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_whole_text_is_said(case: Case) -> None:
    check(case)


def test_a_setting_that_is_refused_changes_nothing():
    with pytest.raises(ValueError, match="knows the topics"):
        ag.config(eager=True, log="all")
    assert not ag.config.eager
