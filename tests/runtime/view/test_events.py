"""Event files hold what they should, byte for byte."""

import struct
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from runtime.view import events
from runtime.view.protobuf import double, entry, integer, sized, varint


@pytest.mark.parametrize(
    ("data", "checksum"),
    [
        (b"", 0),
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
    ],
)
def test_checksums_are_those_of_the_standard(data, checksum):
    assert events.crc32c(data) == checksum  # RFC 3720, B.4


def test_messages_are_in_the_wire_format():
    assert varint(0) == b"\0"
    assert varint(150) == b"\x96\x01"
    assert varint(-2) == b"\xfe" + b"\xff" * 8 + b"\x01"
    assert integer(1, 150) == b"\x08\x96\x01"
    assert double(2, 1.0) == b"\x11" + struct.pack("<d", 1.0)
    assert sized(2, "testing") == b"\x12\x07testing"
    assert entry(5, "k", b"v") == b"\x2a\x06\x0a\x01k\x12\x01v"


def read(path: Path) -> list[bytes]:
    """The records of a file, their checksums looked at."""
    data, found = path.read_bytes(), []
    while data:
        (length,) = struct.unpack("<Q", data[:8])
        event = data[12 : 12 + length]
        assert data[: 16 + length] == events.record(event)
        found.append(event)
        data = data[16 + length :]
    return found


def test_file_starts_with_its_version_and_holds_the_graph(tmp_path):
    path = events.write_graph(tmp_path / "new" / "run", b"graph")
    assert path.parent == tmp_path / "new" / "run"
    assert path.name.startswith("events.out.tfevents.")
    first, second = read(path)
    assert first.endswith(b"\x1a\x0dbrain.Event:2")
    assert second.endswith(b"\x22\x05graph")
    assert events.write_graph(path.parent, b"other") != path


def test_nothing_is_written_where_nothing_was_run(tmp_path):
    with ag.summary.trace(tmp_path / "run"):
        pass
    assert not (tmp_path / "run").exists()


def test_calls_outside_of_the_block_are_not_written(tmp_path):
    @ag.function
    def double(x):
        return x * 2

    double(np.ones(2))
    with ag.summary.trace(tmp_path):
        double(np.ones(3))
        double(np.ones(3))
    double(np.ones(4))
    (path,) = tmp_path.iterdir()
    assert len(read(path)) == 2
    assert read(path)[1].count(b"multiply") > 0
    assert read(path)[1].count(b"\x12\x06return") == 1


def test_block_that_raises_writes_what_was_run(tmp_path):
    @ag.function
    def double(x):
        return x * 2

    def fail():
        with ag.summary.trace(tmp_path):
            double(np.ones(2))
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert len(list(tmp_path.iterdir())) == 1
