"""How long something takes of a thread's own time."""

from runtime.backends.llvm import own_time


def test_what_takes_long_is_done_once_and_the_rest_some_times(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(own_time.time, "thread_time", lambda: clock[0])

    def counted(*takes):
        left = list(takes)

        def work():
            clock[0] += left.pop(0)

        return own_time.seconds(work), len(takes) - len(left)

    assert counted(3.0, 1.0) == (3.0, 1)
    assert counted(*[0.0, 0.0, 0.0, 0.0, 0.0, 9.0]) == (0.0, own_time.TIMES)
    least, times = counted(0.0078125, 0.00390625, 0.015625, 9.0)
    assert (least, times) == (0.00390625, 3)
