"""Exceptions that a program raises, beside functions that may raise their own."""

import math

import numpy as np
import pytest

from tests.conformance.trying import Programs, check

ROW = np.array([1.0, -2.0, 3.0, 0.5])
ROWS = ((ROW,), (-ROW,), (ROW * np.nan,), (ROW * np.inf,))
PROGRAMS = Programs()


class Coded(Exception):
    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


@PROGRAMS(*ROWS)
def beside_int(x):
    found = []
    for v in x:
        try:
            n = int(v)
            if n > 1:
                raise Coded(n, f"too big: {v}")
        except Coded as error:
            found.append(error.code)
            print(error)
        except (ValueError, OverflowError) as error:
            found.append(-1)
            print(error)
        except Exception:
            found.append(-2)
    return found


@PROGRAMS((ROW,), (-ROW,))
def beside_a_root(x):
    total = 0.0
    for v in x:
        try:
            root = math.sqrt(v)
            if root > 1:
                raise Coded(root, "m")
            total += root
        except Coded as error:
            total += error.code
        except ArithmeticError:
            total -= 1
        except ValueError:
            total -= 100
    return total


@PROGRAMS((ROW,), (-ROW,))
def what_the_handler_reads(x):
    try:
        if x[0] > 0:
            raise Coded(int(x[0]), "m")
    except Coded as error:
        return error.code, error.__context__, error.__cause__, error.args
    return 0


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_a_handler_knows_what_the_program_raised(function, arguments):
    check(function, arguments)
