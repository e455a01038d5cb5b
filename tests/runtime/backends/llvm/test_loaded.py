"""Objects are put into memory without LLVM, or left to it."""

import ctypes
import os
import random
import re
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import autograph as ag
from runtime import store
from runtime.backends.llvm import linking, loaded, making, versions
from runtime.backends.llvm.building import Source, built
from runtime.backends.llvm.engine import image_of
from runtime.backends.llvm.loaded import Loaded, Refused

usual = pytest.mark.skipif(
    not loaded.is_usual(), reason="objects are LLVM's to link on this system"
)

TEXT = """
@counted = internal global i64 0
@numbers = private constant [4 x i64] [i64 7, i64 11, i64 13, i64 17], align 64
@far = external global i64
define i64 @next(i64 %i) {
  %before = load i64, ptr @counted
  %after = add i64 %before, 1
  store i64 %after, ptr @counted
  %at = getelementptr i64, ptr @numbers, i64 %i
  %found = load i64, ptr %at
  %there = load i64, ptr @far
  %both = add i64 %found, %there
  %all = add i64 %both, %before
  ret i64 %all
}
"""


@pytest.fixture(scope="module")
def image():
    """An object with all that there is: code, constants, room, a name from outside."""
    return image_of(TEXT.replace("%i)", "%i) noinline"))


@pytest.fixture
def far():
    """What the text names."""
    return np.array([1000])


def called(address, given):
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)(given)


def rights(address):
    """What may be done with the memory around an address; None: it is not there."""
    with open("/proc/self/maps") as file:
        for line in file:
            first, last, may = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
            if int(first, 16) <= address < int(last, 16):
                return may
    return None


@usual
def test_an_object_is_loaded_with_its_constants_and_room_of_its_own(image, far):
    one, other = (Loaded(image, "next", lambda name: far.ctypes.data) for _ in "ab")
    assert [called(one.address, i) for i in range(4)] == [1007, 1012, 1015, 1020]
    assert called(other.address, 0) == 1007


@usual
def test_code_is_not_written_and_what_is_written_is_not_run(image, far):
    found = Loaded(image, "next", lambda name: far.ctypes.data)
    assert rights(found.address) == "r-xp"
    ends = [found._start + at for at in range(0, 3 * 4096, 4096)]
    assert [rights(at) for at in ends] == ["r-xp", "r--p", "rw-p"]


@usual
def test_memory_goes_with_the_code(image, far):
    found = Loaded(image, "next", lambda name: far.ctypes.data)
    address = found.address
    del found
    assert rights(address) != "r-xp"


@usual
@pytest.mark.parametrize("seed", range(40))
def test_what_is_not_an_object_as_foreseen_is_refused(image, far, seed):
    # What is loaded of it is not called: a digest tells what was written otherwise.
    draw = random.Random(seed)
    for _ in range(25):
        changed = bytearray(image)
        for _ in range(draw.randint(1, 4)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        cut = bytes(changed[: draw.choice([len(changed), draw.randrange(len(image))])])
        try:
            Loaded(cut, "next", lambda name: far.ctypes.data)
        except Refused:
            continue


@usual
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT.replace("internal global", "internal thread_local global"), "section"),
        (TEXT.replace("external global", "extern_weak global"), "name"),
        (TEXT.replace("@next", "@other"), "function"),
    ],
)
def test_what_else_llvm_makes_is_refused(text, far, says):
    with pytest.raises(Refused, match=says):
        Loaded(image_of(text), "next", lambda name: far.ctypes.data)


SECTION = np.dtype(
    [
        *(("name", "<u4"), ("type", "<u4"), ("flags", "<u8"), ("address", "<u8")),
        *(("offset", "<u8"), ("size", "<u8"), ("link", "<u4"), ("info", "<u4")),
        *(("align", "<u8"), ("each", "<u8")),
    ]
)


def changed(image, kind, field, value):
    """The object with another word in its first section of a kind."""
    (at,), (count,) = (
        np.frombuffer(image, kind, 1, place)
        for kind, place in ((np.uint64, 40), (np.uint16, 60))
    )
    found = bytearray(image)
    sections = np.frombuffer(found, SECTION, int(count), int(at))
    (one, *_) = np.flatnonzero(kind(sections))
    sections[field][one] = value
    return bytes(found)


def code(sections):
    """Which sections are code that there is some of."""
    return (sections["flags"] & loaded._CODE > 0) & (sections["size"] > 0)


@usual
@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("flags", loaded._CODE | loaded._WRITTEN | loaded._IN_MEMORY, "written"),
        ("align", 8192, "page"),
        ("size", 12, "buffer"),
    ],
)
def test_sections_that_are_not_as_foreseen_are_refused(image, far, field, value, says):
    other = changed(image, code, field, value)
    with pytest.raises(Refused, match=says):
        Loaded(other, "next", lambda name: far.ctypes.data)


@usual
def test_zeros_stand_behind_the_notes(image, monkeypatch):
    monkeypatch.setattr(loaded.mmap, "PAGESIZE", 8)
    monkeypatch.setattr(loaded._Plan, "_check", lambda plan: None)
    plan = loaded._Plan(image)
    (number,) = (n for n in plan._places if plan._all[n].type == loaded._UNWINDING)
    ends = plan._places[number] + plan._all[number].size
    others = [at for at in plan._places.values() if at >= ends]
    assert all(at >= ends + 4 for at in [plan.code + plan.read, *others])


@usual
def test_what_nobody_knows_is_refused(image):
    with pytest.raises(Refused, match="far"):
        Loaded(image, "next", partial(linking._address, {}))


def smooth(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def test_what_is_refused_is_linked_by_llvm(monkeypatch, far):
    def refuse(*given):
        refused.append(given)
        raise Refused("in a test")

    refused = []
    monkeypatch.setattr(linking, "Loaded", refuse)
    x = np.linspace(0.0, 1.0, 50)
    with ag.config(backend="native"):
        assert ag.function(smooth)(x).tobytes() == smooth(x).tobytes()
    assert refused
    source = Source("next", lambda: TEXT, {"far": far.ctypes.data}, (far,))
    made = built(source, store.key_of(TEXT))
    assert called(made.address, 1) == 1011


# --- in the next process --------------------------------------------------------------
PROGRAM = """
import sys
import numpy as np, autograph as ag

@ag.function
def smooth(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y

x = np.linspace(0.0, 1.0, 5000)
for _ in range(200):
    y = smooth(x)
print(y.sum(), *("llvmlite" in sys.modules, ))
"""


def run(program, folder):
    """What a program prints, in a process of its own with this folder."""
    # Its functions have source that way.
    path = folder.with_name("program.py")
    path.write_text(program)
    environment = {**os.environ, "AUTOGRAPH_CACHE_DIR": str(folder)}
    environment["AUTOGRAPH_BACKEND"] = "native"
    found = subprocess.run(
        [sys.executable, path],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    return found.stdout.split()


@usual
def test_a_program_whose_code_is_kept_does_not_load_llvm(tmp_path):
    first, *is_loaded = run(PROGRAM, tmp_path / "kept")
    assert is_loaded == ["True"]
    assert run(PROGRAM, tmp_path / "kept") == [first, "False"]


# The thread is in machine code, without Python's lock, when the interpreter ends: there
# it is ended by unwinding its stack, as soon as it asks for the lock.
ENDING = """
import threading, time
import numpy as np, autograph as ag

@ag.function
def spin(n):
    total = 0
    for i in range(n):
        total = (total * 3 + i) % 1000003
    return total

class Slow:
    def __del__(self, sleep=time.sleep):
        sleep(0.4)  # meanwhile the thread asks for the lock

slow = Slow()
spin(np.int64(1000))
thread = threading.Thread(target=spin, args=(np.int64(10**12),), daemon=True)
thread.start()
time.sleep(0.3)
print("ends")
"""


@usual
def test_a_thread_may_be_in_it_when_the_process_ends(tmp_path):
    for _ in range(2):
        assert run(ENDING, tmp_path / "kept") == ["ends"]


# --- versions -------------------------------------------------------------------------
@pytest.fixture
def unknown(monkeypatch):
    """Nothing is known of versions in this process."""
    monkeypatch.setattr(versions, "_words", None)


@usual
def test_llvms_words_are_kept_by_what_tells_it_and_the_processor(
    kept_folder, unknown, monkeypatch
):
    name = versions.versions()
    assert len([*(kept_folder / versions.FOLDER).iterdir()]) == 1
    monkeypatch.setattr(versions, "exact", None)  # it is not asked again
    monkeypatch.setattr(versions, "_words", None)
    store._kept.clear()
    assert versions.versions() == name
    monkeypatch.setattr(versions, "_FILES", ("__init__.py",))  # as another llvmlite
    monkeypatch.setattr(versions, "_words", None)
    with pytest.raises(TypeError):
        versions.versions()


@usual
def test_where_llvm_is_loaded_its_own_words_count(kept_folder, unknown, monkeypatch):
    name = versions.versions()
    store.keep(versions._told(), versions.FOLDER, b"0.1\0other")
    monkeypatch.setattr(versions, "_words", None)
    assert versions.versions() != name
    assert versions.exact() == versions.versions() == name
    monkeypatch.setattr(versions, "_words", None)
    assert versions.versions() == name


@usual
def test_what_is_made_is_kept_under_llvms_own_words(kept_folder, unknown, monkeypatch):
    name = versions.versions()
    store.keep(versions._told(), versions.FOLDER, b"0.1\0other")
    monkeypatch.setattr(versions, "_words", None)
    far = np.array([1000])
    source = Source("next", lambda: TEXT, {"far": far.ctypes.data}, (far,))
    built(source, "a_key")
    assert store.found("a_key", name) is not None


@usual
def test_python_does_not_wait_for_llvm_where_the_code_is_kept(monkeypatch):
    monkeypatch.delitem(sys.modules, "llvmlite")
    recipe = None
    assert making.Making(recipe, 0.0).cost == 0.0
    assert making.Making(recipe, 0.01).cost == 0.01 + making.SECONDS_LOADING
    monkeypatch.setattr(making, "is_usual", lambda: False)
    assert making.Making(recipe, 0.0).cost == making.SECONDS_LOADING


@usual
def test_of_a_processor_that_nothing_is_said_of_llvm_is_asked(monkeypatch):
    monkeypatch.setattr(versions, "_TOLD", (b"flags", b"a word that nobody says"))
    assert versions._told() == ""
