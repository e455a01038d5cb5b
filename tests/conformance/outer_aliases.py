"""Programs that change outer objects which have several names, or fail afterwards."""

from tests.conformance.outer_rows import THRICE, Row

ALIASES: dict[str, Row] = {
    "numbers and arrays in a dict": (
        "d={'n':0,'w':np.zeros(2)}",
        """
def f(x):
    d['n']+=1
    d['w']+=x
    return d['w']*d['n']
""",
        ["np.array([1.,2])"] * 3,
        "d",
    ),
    "an array by two ways": (
        """
w=np.zeros(2)
d={'n':0,'w':w}
""",
        """
def f(x):
    d['n']+=1
    d['w']+=x
    return w*d['n']
""",
        ["np.array([1.,2])"] * 3,
        "d,w,d['w'] is w",
    ),
    "arrays of several shapes": (
        "l=[]",
        """
def f(x):
    l.append(x)
    return len(l)
""",
        ["np.ones(2)", "np.ones(3)", "np.ones(2)"],
        "l",
    ),
    "constants of several kinds": (
        "l=[]",
        """
def f(x):
    l.append(x)
    return len(l)
""",
        [
            "1",
            "2.5",
            "'a'",
            "True",
            "np.float64(1)",
            "1",
            "2.5",
            "'a'",
            "True",
            "np.float64(1)",
        ],
        "l",
    ),
    "returned itself": (
        """
l=[1.]
d={'l':l}
""",
        """
def f(x):
    l.append(x)
    return l,d
""",
        THRICE,
        "l,d['l'] is l",
    ),
    "swapped numbers": (
        """
a=1
b=2.
""",
        """
def f(x):
    global a,b
    a,b=b,a
    return a*x
""",
        THRICE,
        "a,b",
    ),
    "swapped lists": (
        """
a=[1]
b=[2.]
""",
        """
def f(x):
    global a,b
    a,b=b,a
    a.append(x)
    return len(a)
""",
        THRICE * 2,
        "a,b",
    ),
    "a list of bounded length": (
        "st=[]",
        """
def f(x):
    st.append(x)
    while len(st)>2: st.pop(0)
    return st[0]
""",
        THRICE * 2,
        "st",
    ),
    "an object that holds itself": (
        """
class N: pass
n=N(); n.next=None; n.v=0
""",
        """
def f(x):
    n.v+=x
    n.next=n
    return n.next.v
""",
        THRICE,
        "n.v, n.next is n",
    ),
    "a namedtuple": (
        """
from collections import namedtuple
P=namedtuple('P','a b')
p=P(0,1.)
""",
        """
def f(x):
    global p
    p=p._replace(a=p.a+1,b=x)
    return p
""",
        THRICE,
        "p",
    ),
    "a text that grows": (
        "s=''",
        """
def f(x):
    global s
    s+='a'
    return len(s)*x
""",
        THRICE * 4,
        "s",
    ),
    "one of two words": (
        "s='a'",
        """
def f(x):
    global s
    s='b' if x>0 else 'c'
    return x
""",
        THRICE * 2,
        "s",
    ),
    "a complex number": (
        "z=0j",
        """
def f(x):
    global z
    z+=x*1j
    return z
""",
        THRICE,
        "z",
    ),
    "a NumPy integer": (
        "z=np.int32(3)",
        """
def f(x):
    global z
    z+=1
    return z
""",
        THRICE,
        "z",
    ),
    "in a handler": (
        "e=None",
        """
def f(x):
    global e
    try:
        if x>0: raise ValueError('a')
    except ValueError as er: e=str(er)
    return x
""",
        THRICE,
        "e",
    ),
    "the test of a loop": (
        "n=0",
        """
def f(x):
    global n
    while n<x: n+=1
    return n
""",
        ["np.int64(2)", "np.int64(0)", "np.int64(4)"],
        "n",
    ),
    "printed": (
        "n=0",
        """
def f(x):
    global n
    n+=1
    print(f'call {n}: {x}')
    return x
""",
        THRICE,
        "n",
    ),
    "before an assert that fails": (
        "n=0",
        """
def f(x):
    global n
    n+=1
    assert x>0, n
    n+=1
    return x
""",
        THRICE,
        "n",
    ),
    "before an op that fails": (
        """
n=0
l=[]
""",
        """
def f(x,i):
    global n
    print('a')
    n+=1
    l.append(x[i])
    print('b')
    return n
""",
        [
            "np.array([1.,2]),0",
            "np.array([1.,2]),np.int64(5)",
            "np.array([1.,2]),np.int64(1)",
        ],
        "n,l",
    ),
    "an object by two names": (
        """
class O: pass
a=O();b=a
a.n=0
""",
        """
def f(x):
    a.n+=1
    b.n+=x
    return a.n
""",
        THRICE,
        "a.n,b.n",
    ),
    "one list twice in another": (
        """
a=[0.]
b=[a,a]
""",
        """
def f(x):
    b[0].append(x)
    b[1].append(1.)
    return len(a)
""",
        THRICE,
        "a,b,b[0] is b[1]",
    ),
    "a list put into another": (
        """
a=[[1.]]
b=[]
""",
        """
def f(x):
    b.append(a[0])
    b[-1].append(x)
    return len(b)
""",
        THRICE,
        "a,b,[y is a[0] for y in b]",
    ),
    "lists by key": (
        "d={}",
        """
def f(x,k):
    d.setdefault(k,[]).append(x)
    return len(d[k])
""",
        ["1.,'a'", "np.float64(2),'a'", "3.,'b'", "4.,'a'"],
        "d",
    ),
    "a function": (
        "def h(): return 1",
        """
def f(x):
    global h
    def h(): return 2
    return x*h()
""",
        THRICE,
        "h()",
    ),
    "the order of a dict": (
        "d={}",
        """
def f(x):
    d['b']=x
    d['a']=x
    del d['b']
    d['b']=1
    return len(d)
""",
        THRICE,
        "list(d.items())",
    ),
    "a list in a tuple": (
        "s=([],0)",
        """
def f(x):
    s[0].append(x)
    return len(s[0])
""",
        THRICE,
        "s",
    ),
    "a memo": (
        "memo={}",
        """
def f(n):
    if n in memo: return memo[n]
    memo[n]=n*2
    return memo[n]
""",
        ["3", "4", "3"],
        "memo",
    ),
    "by methods": (
        """
class O:
    def __init__(s): s.hist={}
    def add(s,k,v): s.hist.setdefault(k,[]).append(v)
o=O()
""",
        """
def f(x):
    o.add('l',x)
    o.add('m',x*2)
    return o.hist['l'][-1]
""",
        THRICE,
        "o.hist",
    ),
}
