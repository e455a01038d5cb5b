"""Names that only one path sets, read in the function and by functions inside of it."""

from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.conformance.trying import Function, check

YES, NO, ROW = np.True_, np.False_, np.array([1.0, 2.0, 3.0])


def read_by_a_generator(c: Any, p: Any) -> Any:
    if c:
        low = 1.5
    return sum(e for e in p if e > low)


def read_by_a_list(c: Any, p: Any) -> Any:
    if c:
        low = 1.5
    return [e for e in p if e > low]


def read_by_a_lambda(c: Any, p: Any) -> Any:
    if c:
        low = 1.5

    def inner() -> Any:
        return (lambda: p[0] > low)()

    return inner()


def read_by_an_inner_function(c: Any, p: Any) -> Any:
    def inner() -> Any:
        return p + low

    if c:
        low = 1.5
    return inner()


def read_by_itself(c: Any, p: Any) -> Any:
    def inner() -> Any:
        if c:
            own = 1.5
        return p + own

    return inner()


def deleted(c: Any, p: Any) -> Any:
    low = 1.5

    def inner() -> Any:
        return p + low

    if not c:
        del low
    return inner()


@pytest.mark.parametrize(
    "function",
    [
        read_by_a_generator,
        read_by_a_list,
        read_by_a_lambda,
        read_by_an_inner_function,
        read_by_itself,
        deleted,
    ],
)
def test_an_unbound_name_is_the_error_that_it_is_in_plain_python(
    function: Function,
) -> None:
    check(function, ((YES, ROW), (NO, ROW)))


def always_unbound(p: Any) -> Any:
    if len(p) == 0:
        low = 1.5
    return sum(e for e in p if e > low)


def test_a_name_that_is_unbound_while_tracing_is_told_alike() -> None:
    check(always_unbound, ((ROW,),))


def set_by_one(c: Any) -> Any:
    if c:
        low = 1.5
    return low


def while_handling(function: Function, c: Any) -> None:
    try:
        raise KeyError("first")
    except KeyError:
        function(c)


@pytest.mark.parametrize("c", [False, NO])
def test_an_unbound_name_leaves_what_its_caller_handles_in_sight(c: Any) -> None:
    for function in (set_by_one, ag.function(set_by_one)):
        with pytest.raises(UnboundLocalError) as caught:
            while_handling(function, c)
        assert isinstance(caught.value.__context__, KeyError)
        assert not caught.value.__suppress_context__
