"""Functions of the library that get a text of the run, against Python."""

import base64
import html
import json
import os.path
import re
import shlex
import string
import textwrap
import unicodedata
import urllib.parse
import zlib

import numpy as np
import pytest

import autograph as ag
from autograph.same import assert_same_as_python

N = np.int64(1231)
PATTERN = re.compile("[12]")


def of_re(n):
    t = str(n)
    return re.sub("1", "x", t), re.findall("[12]", t), re.split("2", t), re.escape(t)


def of_patterns(n):
    t = f"{n}.5"
    return PATTERN.sub("-", t), PATTERN.findall(t), PATTERN.split(t)


def of_textwrap(n):
    t = f"{n} and {n}"
    return textwrap.fill(t, 6), textwrap.wrap(t, 5), textwrap.indent(t, "> ")


def of_json(n):
    return json.dumps(f"{n}"), json.dumps({"a": str(n), "b": [str(n)]}, indent=1)


def of_quoting(n):
    t = f"<a {n}>"
    return html.escape(t), urllib.parse.quote(t), shlex.quote(t), shlex.split(t)


def of_paths(n):
    t = os.path.join("data", f"{n}.npy")
    return t, os.path.basename(t), os.path.splitext(t)


def of_bytes(n):
    content = str(n).encode()
    return base64.b64encode(content), zlib.crc32(content), string.capwords(f"a {n}")


def of_unicode(n):
    return unicodedata.normalize("NFC", chr(n)), unicodedata.category(chr(n))


FUNCTIONS = [
    *(of_re, of_patterns, of_textwrap, of_json, of_quoting, of_paths, of_bytes),
    of_unicode,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_of_the_library_is_called_by_each_run(function):
    assert_same_as_python(function, N)


def matched(n):
    return re.match("1", str(n)) is None


def called_back(n):
    return re.sub("1", lambda found: found.group() * 2, str(n))


def grouped(n):
    return re.findall("(1)(2)", str(n))


@pytest.mark.parametrize("function", [matched, called_back, grouped])
def test_what_no_graph_can_hold_is_run_as_python(function):
    with pytest.raises(TypeError, match="gets a value that is known only when the gr"):
        ag.function(function).get_concrete_function(N)
    assert_same_as_python(function, N)
