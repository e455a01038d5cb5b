"""What a program calls as it ends is what Python calls."""

import textwrap

from tests.autograph.process import run

PROGRAM = """
    import atexit

    import numpy as np

    import autograph as ag


    @ag.function
    def total(x, n=3):
        s = 0.0
        for k in range(n):
            if x[k] > 0.5:
                s += x[k]
        return s


    class Thing:
        def __del__(self):
            print("gone", total(np.arange(5.0)))


    atexit.register(lambda: print("exit", total(np.arange(4.0))))
    thing = Thing()
    print(total(np.ones(3)))
    """


def test_functions_left_for_the_end_are_called(tmp_path):
    (tmp_path / "ends.py").write_text(textwrap.dedent(PROGRAM))
    done = run(tmp_path, "ends.py")
    assert (done.stdout, done.stderr) == ("3.0\nexit 3.0\ngone 3.0\n", "")
