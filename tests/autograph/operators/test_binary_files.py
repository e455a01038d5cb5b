"""Files of bytes: from outside each call writes into them; of its own a trace may."""

import io

import numpy as np

import autograph as ag


def test_each_call_writes_bytes_into_a_file_from_outside(tmp_path):
    with open(tmp_path / "bytes", "w+b") as file:
        for outside in (io.BytesIO(), file):
            staged = ag.function(lambda x, out=outside: (out.write(b"a"), x * 2)[1])
            for _ in range(3):
                assert staged(np.ones(2)).tolist() == [2.0, 2.0]
            outside.seek(0)
            assert outside.read() == b"aaa"


def test_bytes_into_a_file_of_its_own():
    @ag.function
    def written(x):
        file = io.BytesIO()
        file.write(b"abc")
        return x * len(file.getvalue())

    for _ in range(2):
        assert written(np.ones(2)).tolist() == [3.0, 3.0]
