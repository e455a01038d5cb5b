"""DOT: the text that Graphviz reads."""

import re
import shutil
import subprocess

import pytest

from runtime.text import parse
from tests.runtime.view.pictured import searching

BRANCH = """graph halved(x: float64[n]) {
  a: float64[] = sum(x)
  b: ~int64[] = constant[value=0]()
  c: bool[] = greater(a, b)
  d: ~bool[] = truth(c)
  if(d, x) {
    then(x: float64[n]) {
      print[args=("a \\"b\\"", Input(0)), kwargs={}](x)
      return
    }
    orelse(x: float64[n]) {
      return
    }
  }
  return a
}"""


DOT = r"""digraph "halved" {
  node [shape=box style=filled fillcolor="#f6f8fa" fontname=monospace fontsize=10]
  edge [color=gray40 fontname=monospace fontsize=8]
  graph [color=gray fontname=monospace fontsize=10]
  n1 [label="a: float64[n]" fillcolor="#ddf4ff"]
  n2 [label="sum(a)\nb: float64[]"]
  n3 [label="greater(b, 0)\nc: bool[]"]
  n4 [label="truth(c)\nd: ~bool[]"]
  subgraph cluster_n5 {
    label="if(d)" color=mediumpurple
    n5 [label="if(d)" shape=plain]
    subgraph cluster_n6 {
      label="then" color=gray
      n7 [label="a: float64[n]" fillcolor="#ddf4ff"]
      n8 [label="print('a \"b\"', a)" fillcolor="#ffebe9"]
      n7 -> n8 [label="a: float64[n]"]
    }
    n5 -> n7 [style=dotted]
    subgraph cluster_n9 {
      label="else" color=gray
    }
  }
  n10 [label="return b" fillcolor="#dafbe1"]
  n1 -> n2 [label="a: float64[n]"]
  n2 -> n3 [label="b: float64[]"]
  n3 -> n4 [label="c: bool[]"]
  n4 -> n5 [label="d: ~bool[]"]
  n1 -> n5 [label="a: float64[n]"]
  n2 -> n10 [label="b: float64[]"]
}
"""


def test_branch_is_a_cluster_with_a_cluster_for_each_side():
    assert parse(BRANCH).to_dot() == DOT


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("graph", [parse(BRANCH), searching()], ids=["branch", "loop"])
def test_graphviz_reads_it(graph):
    made = subprocess.run(
        ["dot", "-Tplain"], input=graph.to_dot(), capture_output=True, text=True
    )
    assert made.stderr == ""
    written = re.findall(r"^ *n\d+ \[", graph.to_dot(), re.MULTILINE)
    assert made.stdout.count("\nnode ") == len(written)
