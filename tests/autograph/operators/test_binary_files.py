"""Files of bytes from outside: what is written there is refused, as each call would."""

import io

import numpy as np
import pytest

import autograph as ag


def test_bytes_into_a_file_from_outside_are_refused(tmp_path):
    with open(tmp_path / "bytes", "w+b") as file:
        for outside in (io.BytesIO(), file):
            staged = ag.function(lambda x, out=outside: (out.write(b"a"), x * 2)[1])
            with pytest.raises(TypeError) as error:
                staged(np.ones(2))
            name = type(outside).__name__
            assert str(error.value).splitlines()[0] == (
                f"a {name} that was made outside of the function would be changed "
                "once, while tracing, and not when the graph runs"
            )


def test_bytes_into_a_file_of_its_own():
    @ag.function
    def written(x):
        file = io.BytesIO()
        file.write(b"abc")
        return x * len(file.getvalue())

    for _ in range(2):
        assert written(np.ones(2)).tolist() == [3.0, 3.0]
