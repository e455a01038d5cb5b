"""Programs in which numbers and arrays of several kinds meet, entered by `case`."""

import numpy as np
import pytest

F = np.float64
I64 = np.int64
P = ((F(1.5),), (F(-1),))


class Cases(list):
    """Functions and the arguments to call them with, as pytest takes them."""

    def case(self, *calls):
        """Enter the decorated function with the arguments of some calls of it."""

        def enter(function):
            self.extend(
                pytest.param(function, call, id=f"{function.__name__}-{number}")
                for number, call in enumerate(calls)
            )
            return function

        return enter
