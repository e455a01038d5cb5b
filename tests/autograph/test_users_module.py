"""A file of the user's may have the name of a module of the library."""

import importlib
import sys

import numpy as np

import autograph as ag


def test_a_users_module_named_as_the_librarys_is_converted(tmp_path, monkeypatch):
    text = "def halved(x):\n    while x > 1:\n        x = x / 2\n    return x\n"
    (tmp_path / "wave.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    wave = importlib.import_module("wave")
    monkeypatch.setitem(sys.modules, "wave", wave)
    assert ag.function(lambda x: wave.halved(x) + 1)(np.float64(5)) == 1.625
