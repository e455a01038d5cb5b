"""Example calls of ndarray's methods and attributes, and of NumPy scalars'."""

# ruff: noqa: E501 - all calls of a function stand in one line

METHODS = """
r.T
x.all() | (r > 0).all(axis=1)
x.any()
x.argmax() | r.argmax(axis=0)
x.argmin()
x.argpartition(2)
x.argsort() | r.argsort(0) | x.argsort(kind="stable")
x.astype(int) | x.astype(np.float32) | x.astype("i4") | i.astype(bool) | x.astype(float, copy=False) | x.astype(complex) | d.astype(int) | x.astype(np.float32, casting="safe") | x.astype(str) | r.astype(int, order="F")
x.base
x.byteswap()
(j % 2).choose([x, y])
x.clip(0, 1) | x.clip(max=1) | x.clip(min=0)
x.compress(b)
z.conj() | x.conj()
z.conjugate()
x.copy() | d.copy()
x.cumprod()
x.cumsum() | r.cumsum(axis=1)
m.diagonal() | m.diagonal(1)
x.dot(y) | m.dot(m)
x.dtype | d.dtype | x.dtype.name | x.dtype.kind
x.dumps()
r.flags.c_contiguous | r.T.flags["C_CONTIGUOUS"] | x.flags.writeable
r.flat[3] | [v for v in r.flat][2] | list(r.flat)[1] | r.flat[[0, 2]]
r.flatten() | r.flatten("F") | r.flatten(order="C")
x.getfield(np.float64)
z.imag | x.imag
x.item(2) | d.item() | r.item(1, 2) | x.item(n) | x.item()
x.itemsize
r.mT
x.max() | r.max(axis=1) | x.max(initial=9)
x.mean() | r.mean(0) | r.mean(axis=1, keepdims=True)
x.min()
x.nbytes
r.ndim
x.nonzero() | r.nonzero()
x.prod()
r.ravel() | r.ravel("F")
z.real
x.repeat(2) | r.repeat(2, axis=1)
x.reshape(2, 3) | x.reshape((3, -1)) | x.reshape(n, -1) | r.reshape(-1) | r.reshape(4, 3, order="F") | x.reshape(n, 2)
x.round(1) | d.round(1)
x.data.tolist() | x.data.nbytes
x.ctypes.shape[0]
x.device
g.searchsorted(d) | g.searchsorted(x, "right")
r.shape | r.shape[0] | x.shape
x.size | r.size
r.squeeze() | x[None].squeeze()
x.std() | r.std(axis=0, ddof=1)
x.strides | r.T.strides
x.sum() | r.sum(axis=1) | r.sum(0, keepdims=True) | r.sum((0, 1))
t.swapaxes(0, 1)
x.take([0, 2]) | r.take(j[:2] % 3, axis=0)
x.to_device("cpu") | x.device
x.tobytes()
x.tolist() | d.tolist() | r.tolist() | i.tolist()
m.trace()
t.transpose(2, 0, 1) | t.transpose((2, 0, 1)) | r.transpose()
x.var()
x.view() | x.view(np.int64) | h.view(np.int32) | z.view(float)
len(r) | len(x)
x.__array__()
x.__array_namespace__().sin(x) | x.__array_namespace__().__name__
d.is_integer() | n.bit_count() | d.hex() | d.as_integer_ratio()
int(d) | float(n) | complex(d) | bool(d) | abs(x) | round(d, 1) | divmod(x, 2) | pow(x, 2)
x[1] | x[1:4] | x[::-1] | x[b] | x[j] | x[x > 0] | x[-1] | x[n] | x[:n] | x[n:] | x[[0, 2]] | x[..., None] | r[1] | r[:, 1] | r[1, 2] | r[n - 1] | r[r > 2] | r[j[:2] % 3] | r[:, b[:4]] | r[[0, 1], [1, 2]] | t[..., 0] | x[9] | r[n, 0] | x[np.newaxis]
x @ y | m @ m | x + y | x - 1 | 2 ** i | x / y | i // 2 | x % 2 | -x | +x | ~b | b & b | b|b | ~b | i << 1 | x < y | x == y | x != 1 | i ^ j
d in x | 3 in i
max(x) | min(x) | sum(x) | sorted(x) | list(x) | tuple(x) | [v for v in x] | any(b) | all(b) | list(zip(x, y)) | list(enumerate(x)) | list(map(float, x)) | list(reversed(x)) | set(i.tolist())
"""

CHANGING = """
np.add.at(x, j, 1.0)
np.subtract.at(x, [0, 0, 1], y[:3])
np.negative.at(x, [0, 1])
np.maximum.at(x, j, y)
np.copyto(x, y)
np.copyto(x, y, where=b)
np.fill_diagonal(m, 5.0)
np.fill_diagonal(m, x[:3])
np.place(x, b, [1.0, 2.0])
np.put(x, [0, 2], [7.0, 8.0])
np.put(x, j, y, mode="clip")
np.put_along_axis(r, np.array([[0], [1], [2]]), 9.0, axis=1)
np.putmask(x, x > 0, y)
x.fill(3.0)
x.setfield(7.0, float)
x.setflags(write=False)
x.resize(3)
x.sort()
r.sort(axis=0)
x.partition(2)
x.put([0, 1], 5)
x.itemset
np.add(x, y, out=x)
np.sqrt(g, out=x)
np.multiply(x, 2, out=x, where=b)
np.cumsum(x, out=y)
np.sum(r, axis=0, out=x[:4])
np.clip(x, 0, 1, out=x)
np.dot(m, m, out=p)
np.matmul(m, m, out=p)
np.take(x, j, out=y)
np.round(x, 1, out=y)
np.concatenate((x[:3], y[:3]), out=x)
np.einsum("ij,jk->ik", m, m, out=p)
np.mean(r, axis=1, out=x[:3])
np.random.default_rng(0).shuffle(x)
"""

SIZES = """
[x[x > d].shape[0], x[x > d].size, len(x[x > d])]
x[x > d] * 2
x[x > d].sum()
x[x > d].reshape(-1, 1)
x[x > d][:, None] + y[:2]
x[x > d].mean()
np.sort(x[x > d])
np.zeros(n) + 1
np.zeros((n, n)).shape
np.arange(n) * 2
np.arange(n).sum()
np.arange(n)[::-1]
np.arange(n).reshape(n, 1)
np.linspace(0, 1, n)
np.full((n, n + 1), d)
np.ones(n) @ np.ones(n)
np.eye(n) @ np.ones((n, 2))
x[:n] + y[:n]
x[n:].sum()
x[:n].copy()
x[:n][::-1]
r[:n].T
r[:n].shape
r[:n].ravel()
r[:n].reshape(-1)
r[:n] @ r[:n].T
r[:n].sum(axis=0)
r[:n].sum(axis=1)
x.reshape(n, -1)
x.reshape(-1, n)
x.reshape(n, x.size // n)
np.repeat(x, n)
np.repeat(x[:n], j[:n])
np.tile(x, n)
np.split(x, [n])
np.split(x, n)
np.array_split(x, n)
np.split(x, j[:2])
np.hsplit(r, [n])
np.concatenate((x[:n], y[n:]))
np.append(x[:n], d)
np.vstack((x[:n], y[:n]))
np.hstack((x[:n], y))
np.stack((x[:n], y[:n]))
np.column_stack((x[:n], y[:n]))
np.nonzero(x > d)[0]
x[np.nonzero(x > d)]
np.argwhere(x > d)[0]
np.flatnonzero(x > d).size
np.where(x > d)[0].max()
np.unique(i[:n])
np.unique(i[:n], return_counts=True)
np.unique(i).size
np.bincount(j)[j]
np.diff(x[:n])
np.cumsum(x[:n])
np.meshgrid(np.arange(n), np.arange(n + 1))
np.pad(x[:n], (1, 2))
np.pad(x, (0, n))
np.roll(x[:n], 1)
np.where(x[:n] > 0, x[:n], 0)
np.outer(x[:n], y[:n])
np.dot(x[:n], y[:n])
np.diag(x[:n])
np.triu(np.ones((n, n)))
np.trace(np.eye(n))
np.linalg.inv(np.eye(n) * 2)
np.linalg.norm(x[:n])
np.linalg.solve(np.eye(n), x[:n])
np.fft.fft(x[:n])
np.interp(x[:n], g, y)
np.convolve(x[:n], y[:2])
np.histogram(x[:n], bins=3)
np.percentile(x[:n], 30)
np.median(x[x > d])
np.argsort(x[:n])
np.take(x, np.arange(n))
np.delete(x, np.arange(n))
np.insert(x[:n], 0, d)
np.broadcast_to(x[:n], (2, n))
np.einsum("i,i->", x[:n], y[:n])
np.kron(x[:n], y[:2])
np.array(list(range(n)))
np.array([v for v in x if v > d])
np.array([v * 2 for v in x[:n]])
np.asarray([x[:n], y[:n]])
[k for k in range(x[x > d].shape[0])]
sum(x[k] for k in range(n))
list(np.arange(n))
[v for v in x[:n]]
x[:n].tolist()
(x[x > d]).tolist()
np.indices((n, 2))
np.tri(n)
np.empty(n).size
np.zeros(x[x > d].shape)
np.zeros(x[x > d].size, dtype=int)
np.zeros_like(x[x > d])
np.split(x, np.flatnonzero(x > d))
np.split(x, np.cumsum(j[:2]))
np.lexsort((x[:n], y[:n]))
np.searchsorted(g[:n], d)
np.max(x[:n])
np.argmax(x[x > d])
np.array_split(x[:n], 2)
np.atleast_2d(x[:n])
np.expand_dims(x[:n], 0)
np.squeeze(x[:1])
np.swapaxes(r[:n], 0, 1)
np.moveaxis(t[:n], 0, -1)
np.flip(x[:n])
np.count_nonzero(x[:n] > 0)
np.isin(i[:n], j)
np.digitize(x[:n], g)
np.tensordot(x[:n], y[:n], 1)
np.tril(np.ones((n, n)), -1)[0]
np.cross(m[:n], m[:n])
np.quantile(x[:n], [0.2, 0.5])
np.cov(x[:n], y[:n])
np.gradient(x[:n])
np.trapezoid(x[:n])
np.apply_along_axis(lambda v: v.sum(), 1, r[:n])
np.vectorize(lambda v: v * 2)(x[:n])
np.ix_(np.arange(n), [0, 1])
r[np.ix_(np.arange(n), [0, 1])]
r[:n, :n]
r[:n, n - 1]
r[n - 2:n, 1:n]
x[n - 2:n + 1]
x[::n]
x[-n:]
"""
