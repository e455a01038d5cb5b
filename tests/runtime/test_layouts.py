"""Copies that lie in memory as another array does."""

import numpy as np

from runtime.layouts import laid_out


def test_texts_of_any_length_are_put_into_memory_that_held_other_things():
    whole = np.array([["10", "a"], ["a text that is longer than its place", ""]])
    texts = whole.astype(np.dtypes.StringDType())
    like = np.empty((2, 2), "u1").T
    for _ in range(8):
        # NumPy keeps small pieces of memory that were given back, as they were.
        used = [np.full(texts.nbytes, 255, "u1") for _ in range(4)]
        del used
        assert laid_out(texts, like).tolist() == whole.tolist()
