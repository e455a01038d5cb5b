"""What looks at the world, or changes it, is done by each call, as Python does it."""

import csv
import ctypes
import glob
import gzip
import hashlib
import io
import os
import queue
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import autograph as ag

X = np.array([1.0, 2.0])


class World:
    """A folder of its own, a database, a hash, and what is found there afterwards."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.base = sqlite3.connect(":memory:")
        self.base.execute("create table seen (n)")
        self.hash, self.queue = hashlib.sha256(), queue.SimpleQueue()
        for number in range(9):
            self.queue.put(number)
        self.packer = zlib.compressobj()
        self.text, self.bytes = io.StringIO("one\ntwo\nthree"), io.BytesIO()
        self.lines, self.count = io.StringIO("a\nb\nc\n"), 0
        self.file = os.open(self.folder / "raw", os.O_RDWR | os.O_CREAT)

    def left(self):
        files = {p.name: p.read_bytes() for p in self.folder.iterdir() if p.is_file()}
        rows = self.base.execute("select * from seen").fetchall()
        count = self.queue.qsize()
        files.pop("packed", None)  # which holds the time
        streams = self.text.getvalue(), self.bytes.getvalue(), self.count
        return files, rows, self.hash.hexdigest(), count, self.packer.flush(), streams

    def close(self):
        os.close(self.file)
        self.base.close()


def hashes(world, x):
    world.hash.update(b"a")
    return x * 2, world.hash.hexdigest()


def packs(world, x):
    return x * 2, world.packer.compress(b"abc" * 50)


def writes_raw(world, x):
    return x * 2, os.write(world.file, b"z")


def inserts(world, x):
    world.base.execute("insert into seen values (1)")
    return x * 2


def counts_rows(world, x):
    inserted = world.base.execute("insert into seen values (2)").rowcount
    return x * inserted, world.base.execute("select count(*) from seen").fetchone()[0]


def queues(world, x):
    world.queue.put(1)
    return x * world.queue.qsize()


def takes(world, x):
    return x * world.queue.get()


def looks(world, x):
    there = os.path.exists(world.folder / "flag")
    (world.folder / "flag").touch()
    return x * there, (world.folder / "flag").is_file()


def looks_by_data(world, x):
    if x[0] > 0:
        (world.folder / "flag").write_text("one")
    if os.path.isfile(world.folder / "flag"):
        x = x + os.path.getsize(world.folder / "flag")
    return x


def removes(world, x):
    (world.folder / "gone").write_text("x")
    try:
        os.remove(world.folder / "gone")
        os.remove(world.folder / "gone")
    except FileNotFoundError:
        return x + 1
    return x


def writes_a_file(world, x):
    with open(world.folder / "sums", "a") as file:
        file.write(f"{x.sum()}\n")
    return len((world.folder / "sums").read_text())


def copies(world, x):
    (world.folder / "a").write_text("a")
    shutil.copy(world.folder / "a", world.folder / f"a{len(os.listdir(world.folder))}")
    return x, len(glob.glob(str(world.folder / "a*")))


def asks_c(world, x):
    return x, ctypes.pythonapi.Py_IsInitialized()


def asks_a_program(world, x):
    done = subprocess.run([sys.executable, "-c", "print(3)"], capture_output=True)
    return x * int(done.stdout)


def hashes_its_own(world, x):
    made = hashlib.sha256(b"b")
    made.update(b"a")
    return x, made.hexdigest()


def hashes_its_own_by_data(world, x):
    made = hashlib.sha256()
    while x[0] < 3:
        made.update(b"a")
        x = x + 1
    return x, made.hexdigest()


def rewinds(world, x):
    at = world.text.tell()
    world.text.seek(0)
    world.text.truncate()
    world.text.write("k")
    return x, at


def reads_on(world, x):
    for line in world.lines:
        return x, line
    return x, [*world.lines], "a" in world.lines, ",".join(world.lines)


def unpacks_lines(world, x):
    first, *_ = world.lines
    world.lines.seek(0)
    return x, first, sum(len(line) for line in world.lines), world.lines.seek(0)


def writes_bytes(world, x):
    return x, world.bytes.write(b"a"), world.bytes.tell(), world.bytes.getvalue()


def writes_rows(world, x):
    csv.writer(world.text).writerow([1, 2])
    world.text.seek(0)
    return x, world.text.read()


def reads_arrays(world, x):
    x.tofile(world.folder / "raw")
    np.save(world.folder / "x.npy", x + 1)
    return np.fromfile(world.folder / "raw"), np.load(world.folder / "x.npy")


def reads_numbers(world, x):
    (world.folder / "numbers").write_text(f"{x[0]} {x[1]}")
    return np.loadtxt(world.folder / "numbers")


def packs_a_file(world, x):
    with gzip.open(world.folder / "packed", "at") as file:
        file.write("a")
    with gzip.open(world.folder / "packed", "rt") as file:
        return x, file.read()


def fails_after_a_look(world, x):
    world.count += 1
    if x[0] > 0 and os.path.exists(world.folder):
        raise ValueError("positive")
    return x, world.count


WORLDLY = [
    *(
        hashes,
        packs,
        writes_raw,
        inserts,
        counts_rows,
        queues,
        takes,
        looks,
        looks_by_data,
    ),
    *(removes, writes_a_file, copies, asks_c, asks_a_program),
    *(hashes_its_own, hashes_its_own_by_data, rewinds, reads_on, unpacks_lines),
    *(writes_bytes, writes_rows, reads_arrays, reads_numbers, packs_a_file),
    fails_after_a_look,
]


def told(function, x):
    """What a call gives, or raises."""
    try:
        return repr(function(x))
    except ValueError as error:
        return repr(error)


def outcome(decorate, function, given):
    """What four calls give and leave, and what the function is run by."""
    with tempfile.TemporaryDirectory() as folder, closing(World(folder)) as world:
        staged = decorate(lambda x: function(world, x))
        found = [told(staged, x) for x in given]
        return (found, world.left()), staged


@pytest.mark.parametrize("function", WORLDLY)
def test_each_call_does_it(function):
    given = [X, X - 4, X + 1, X]
    expected, _ = outcome(lambda f: f, function, given)
    found, _ = outcome(ag.function, function, given)
    assert found == expected


@pytest.mark.parametrize(
    "function",
    [
        *(writes_raw, looks, looks_by_data, removes, hashes_its_own),
        fails_after_a_look,
    ],
)
def test_what_gives_nothing_or_a_number_is_part_of_the_graph(function):
    _, staged = outcome(ag.function, function, [X])
    assert len(staged.concrete_functions) == 1


@pytest.mark.parametrize("function", [hashes, inserts, queues, copies, asks_c])
def test_what_gives_objects_is_run_as_python(function):
    _, staged = outcome(ag.function, function, [X])
    assert staged.concrete_functions == []


def test_a_graph_that_is_asked_for_says_why_there_is_none():
    staged = ag.function(lambda x: (x, os.listdir(".")))
    with pytest.raises(NotImplementedError) as caught:
        staged.get_concrete_function(X)
    assert str(caught.value) == (
        "os.listdir() would be called once, while tracing, and not when the graph runs"
    )
    _, mend = caught.value.__notes__
    assert mend == "  Call it outside of the decorated function, or by ag.py_function."
    with pytest.raises(TypeError, match=r"^<lambda> is run as Python, as it looks at"):
        staged.cost(X)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * len(os.fspath("a")),
        lambda x: x + zlib.crc32(b"a"),
        lambda x: x + np.loadtxt(["1 2"]),
        lambda x: x * len(io.BytesIO(b"abc").getvalue()),
    ],
)
def test_what_only_computes_is_no_look_at_the_world(function):
    staged = ag.function(function)
    assert repr(staged(X)) == repr(function(X))
    assert len(staged.concrete_functions) == 1
