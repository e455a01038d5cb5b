"""Settings: for good, for a block, for one thread; from the environment."""

import gc
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runtime import workers
from runtime.config import WATCH, Config
from runtime.folders import usual_cache

pytestmark = pytest.mark.usefixtures("others_set_aside")


@pytest.fixture
def config():
    """Settings of a test's own; the watch is the process's."""
    yield Config({})
    Config({})
    assert not WATCH.on


def elsewhere(read):
    """What another thread reads."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(read).result()


def test_a_call_sets_for_good_and_for_all_threads(config):
    config(eager=True, tracebacks="full")
    assert (config.eager, config.tracebacks) == (True, "full")
    assert elsewhere(lambda: (config.eager, config.tracebacks)) == (True, "full")
    config(eager=False)
    assert (config.eager, config.tracebacks) == (False, "full")


def test_a_block_ends_and_other_threads_do_not_see_it(config):
    with config(eager=True):
        assert config.eager
        assert not elsewhere(lambda: config.eager)
        with config(eager=False, tracebacks="full"):
            assert (config.eager, config.tracebacks) == (False, "full")
        assert (config.eager, config.tracebacks) == (True, "short")
    assert not config.eager


def test_a_block_ends_when_an_exception_leaves_it(config):
    with pytest.raises(KeyError), config(eager=True):
        raise KeyError
    assert not config.eager


def test_what_is_set_for_good_inside_a_block_holds_after_it(config):
    with config(eager=True):
        config(tracebacks="full")
    assert (config.eager, config.tracebacks) == (False, "full")


def test_a_change_can_be_entered_later_and_again(config):
    change = config(eager=True)
    config(tracebacks="full")
    for _ in range(2):
        with change:
            assert config.eager
        assert (config.eager, config.tracebacks) == (False, "full")


def test_blocks_that_end_out_of_turn_leave_nothing(config):
    first, second = config(eager=True), config(eager=False, tracebacks="full")
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert (config.eager, config.tracebacks) == (False, "full")
    second.__exit__()
    assert (config.eager, config.tracebacks) == (False, "short")


def test_many_calls_leave_two_rows(config):
    for n in range(1000):
        config(eager=n % 2 == 0)
    gc.collect()
    assert len(config._base) <= 2


def test_threads_in_blocks_of_their_own_see_their_own(config):
    ready = threading.Barrier(8)

    def work(number):
        ready.wait()
        for _ in range(200):
            wanted = number % 2 == 0
            with config(eager=wanted):
                if config.eager is not wanted:
                    return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert not config.eager
    assert not WATCH.on


def test_calls_look_at_the_settings_only_while_one_matters_to_them(config):
    assert not WATCH.on
    with config(tracebacks="full", log="convert,retrace"):
        assert not WATCH.on
        with config(log="exec"):
            assert WATCH.on
        assert not WATCH.on
    config(eager=True)
    assert WATCH.on
    config(eager=False)
    assert not WATCH.on


def test_a_folder_is_a_path_from_anywhere_or_none(config, monkeypatch, tmp_path):
    assert config.cache_dir == usual_cache(os.environ)
    monkeypatch.chdir(tmp_path)
    for folder in ("kept", Path("kept"), tmp_path / "kept"):
        with config(cache_dir=folder):
            assert config.cache_dir == str(tmp_path / "kept")
    with config(cache_dir=None):
        assert config.cache_dir is None
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Config({"AUTOGRAPH_CACHE_DIR": "~/kept"}).cache_dir == str(tmp_path / "kept")


def test_machine_code_sees_the_last_number_of_threads_entered(config):
    usual = workers.LIMIT.value
    config(num_threads=5)
    assert workers.LIMIT.value == 5
    with config(num_threads=3):
        with config(num_threads=2):
            assert (workers.LIMIT.value, config.num_threads) == (2, 2)
        assert workers.LIMIT.value == 3
    assert workers.LIMIT.value == 5
    config(num_threads=2**64 + 1)
    assert (workers.LIMIT.value, config.num_threads) == (workers.MOST, 2**64 + 1)
    config(num_threads=usual)
    assert workers.LIMIT.value == usual


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="as on Linux")
def test_the_usual_folder_is_the_users(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert usual_cache({}) == "/home/ada/.cache/autograph"
    assert usual_cache({"XDG_CACHE_HOME": "/fast"}) == "/fast/autograph"
    assert usual_cache({"XDG_CACHE_HOME": "not/from/the/root"}) is None


def test_topics_are_a_text_with_commas_or_several_texts(config):
    for value in ("retrace, convert", ["convert", "retrace"], {"retrace", "convert"}):
        with config(log=value):
            assert config.log == ("convert", "retrace")
    for nothing in ("", None, ()):
        with config(log=nothing):
            assert config.log == ()
    assert config.logger("convert") is None
    with config(log="convert"):
        assert config.logger("convert").name == "autograph.convert"
        assert config.logger("exec") is None


def test_the_environment_sets_what_holds_first(config):
    made = Config({"AUTOGRAPH_EAGER": "1", "AUTOGRAPH_TRACEBACKS": "full"})
    assert (made.eager, made.tracebacks, made.log) == (True, "full", ())
    assert (
        repr(made)
        == "ag.config(eager=True, strict=False, tracebacks='full', traces=200, "
        f"backend='auto', precise=True, num_threads={workers.available()}, log='', "
        f"cache_dir={usual_cache(os.environ)!r})"
    )
    made = Config(
        {
            "AUTOGRAPH_EAGER": "0",
            "AUTOGRAPH_LOG": "cache,convert",
            "AUTOGRAPH_CACHE_DIR": "off",
            "AUTOGRAPH_NUM_THREADS": "3",
            "AUTOGRAPH_PRECISE": "0",
        }
    )
    assert repr(made) == (
        "ag.config(eager=False, strict=False, tracebacks='short', traces=200, "
        "backend='auto', precise=False, num_threads=3, log='convert,cache', "
        "cache_dir=None)"
    )
    assert repr(made(eager=True)) == "ag.config(eager=True)"
