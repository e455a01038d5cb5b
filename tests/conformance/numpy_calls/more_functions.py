"""More example calls of NumPy's functions: searching, sets, linear algebra, FFT ..."""

# ruff: noqa: E501 - all calls of a function stand in one line

SEARCHING = """
np.argpartition(x, 2) | np.argpartition(r, 1, axis=0)
np.argsort(x) | np.argsort(r, axis=0) | np.argsort(-x) | np.argsort(x, kind="stable") | np.argsort(x, stable=True) | np.argsort(r, axis=None)
np.argwhere(x > 0) | np.argwhere(r)
np.choose(j % 2, [x, y]) | np.choose(j, [1, 2, 3, 4, 5, 6]) | np.choose(j, x, mode="wrap")
np.compress(b, x) | np.compress([True, False, True], r, axis=0)
np.extract(x > 0, x) | np.extract(b, y)
np.flatnonzero(x > 0)
np.lexsort((x, y)) | np.lexsort([i, j])
np.nonzero(x > 0) | np.nonzero(r > 2) | np.nonzero(d)
np.partition(x, 2) | np.partition(r, 1, axis=0)
np.piecewise(x, [x < 0, x >= 0], [-1, 1]) | np.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2]) | np.piecewise(x, [x < 0], [lambda v: v * d, 0.5])
np.ravel_multi_index((j[:3] % 3, j[:3] % 4), (3, 4)) | np.ravel_multi_index((1, n), (3, 4))
np.searchsorted(g, x) | np.searchsorted(g, d) | np.searchsorted(g, x, side="right") | np.searchsorted(x, d, sorter=np.argsort(x))
np.select([x < 0, x > 1], [x, y]) | np.select([x < 0, x > 1], [x, y], default=7) | np.select([x < 0], [i])
np.sort(x) | np.sort(r, axis=0) | np.sort(r, axis=None) | np.sort(x, kind="mergesort") | np.sort(x)[::-1] | np.sort(z)
np.sort_complex(z) | np.sort_complex(x)
np.take(x, j) | np.take(r, [0, 2], axis=1) | np.take(x, 2) | np.take(x, n) | np.take(x, j + 6, mode="wrap") | np.take(x, [9])
np.take_along_axis(r, np.argsort(r, axis=1), axis=1) | np.take_along_axis(x, j, 0)
np.unravel_index(7, (3, 4)) | np.unravel_index(j, (3, 4)) | np.unravel_index(np.argmax(r), r.shape) | np.unravel_index(n, (3, 4))
np.where(x > 0, x, y) | np.where(x > 0) | np.where(x > 0, 1, 0) | np.where(b, x, 0) | np.where(r > 2) | np.where(d > 0, x, y) | np.where(x > 0, x, np.nan) | np.where(i > 2, i, 0.5)
"""

SETS = """
np.in1d(i, [1, 2])
np.intersect1d(i, j) | np.intersect1d(i, j, return_indices=True)
np.isin(i, j) | np.isin(i, [1, 3]) | np.isin(x, y, invert=True) | np.isin(n, i) | np.isin(r, [1, 2])
np.setdiff1d(i, j)
np.setxor1d(i, j)
np.union1d(i, j) | np.union1d(x, i)
np.unique(i) | np.unique(i, return_counts=True) | np.unique(i, return_index=True, return_inverse=True) | np.unique(r, axis=0) | np.unique(r) | np.unique(i, return_inverse=True) | np.unique(s, equal_nan=False) | np.unique(i % 2, return_counts=True)
np.unique_all(i)
np.unique_counts(i) | np.unique_counts(i).counts
np.unique_inverse(i) | np.unique_inverse(r)
np.unique_values(i)
np.bincount(j) | np.bincount(j, weights=x) | np.bincount(j, minlength=9) | np.bincount(j, minlength=n)
np.digitize(x, g) | np.digitize(d, g) | np.digitize(x, [0, 1, 2], right=True)
np.histogram(x) | np.histogram(x, bins=4) | np.histogram(x, bins=g) | np.histogram(x, bins=3, range=(0, 4)) | np.histogram(x, weights=y, bins=2) | np.histogram(x, density=True) | np.histogram(x, bins=n) | np.histogram(x, "auto")
np.histogram2d(x, y) | np.histogram2d(x, y, bins=3)
np.histogramdd(r) | np.histogramdd((x, y), bins=2)
np.histogram_bin_edges(x) | np.histogram_bin_edges(x, "sturges")
"""

COMPARING = """
np.allclose(x, y) | np.allclose(x, x) | np.allclose(x, x + 1e-12) | np.allclose(s, s, equal_nan=True)
np.array_equal(x, y) | np.array_equal(x, x) | np.array_equal(x, r) | np.array_equal(s, s, equal_nan=True)
np.array_equiv(x, x) | np.array_equiv(r, r[0])
np.can_cast(np.int32, np.float64) | np.can_cast(x.dtype, np.float32)
np.common_type(x, h)
np.iscomplexobj(z) | np.iscomplexobj(x)
np.isdtype(x.dtype, "real floating")
np.isfortran(r)
np.isrealobj(x)
np.isscalar(d) | np.isscalar(x) | np.isscalar(3.0) | np.isscalar(x[0])
np.issubdtype(x.dtype, np.floating)
np.iterable(x) | np.iterable(d)
np.may_share_memory(x, y) | np.may_share_memory(x, x[1:])
np.min_scalar_type(3) | np.min_scalar_type(x)
np.mintypecode(["f", "d"])
np.promote_types("f4", "i4")
np.result_type(x, i) | np.result_type(h, 1.0) | np.result_type(x.dtype, np.float32)
np.shares_memory(x, x[1:]) | np.shares_memory(x, y)
np.typename("d")
np.finfo(x.dtype).eps | np.iinfo(i.dtype).max
np.dtype(x.dtype).itemsize
"""

LINEAR = """
np.dot(x, y) | np.dot(m, m) | np.dot(m, m[0]) | np.dot(d, x) | np.dot(t, r.T) | np.dot(r, r)
np.einsum("i,i->", x, y) | np.einsum("ij,jk->ik", m, m) | np.einsum("ij,jk", m, m, optimize=True) | np.einsum("ii->i", m) | np.einsum("...i,...i->...", t, t) | np.einsum(m, [0, 1], m, [1, 2]) | np.einsum("ij,jk,kl->il", m, m, m, optimize="optimal") | np.einsum("ij,jk,kl->il", m, m, m, optimize=["einsum_path", (0, 1), (0, 1)]) | np.einsum("ij->", r) | np.einsum("ij,ij->i", r, r, dtype=np.float64)
np.einsum_path("ij,jk,kl->il", m, m, m, optimize="greedy")
np.inner(x, y) | np.inner(r, r)
np.kron(x, y) | np.kron(m, m) | np.kron(m, x)
np.cross(x[:3], y[:3]) | np.cross(m, m) | np.cross(m, m, axis=0) | np.cross(x[:2], y[:2])
np.matmul(m, m) | np.matmul(m, m[0]) | np.matmul(t, r.T) | np.matmul(r, r)
np.outer(x, y) | np.outer(r, x)
np.tensordot(m, m) | np.tensordot(m, m, axes=1) | np.tensordot(t, r, axes=([1, 2], [0, 1])) | np.tensordot(t, r, ((1, 2), (0, 1)))
np.trace(m) | np.trace(r, 1) | np.trace(t, axis1=1, axis2=2)
np.diagonal(m) | np.diagonal(r, 1) | np.diagonal(t, 0, 1, 2)
np.vdot(x, y) | np.vdot(z, z)
np.convolve(x, y) | np.convolve(x, y[:3], mode="same") | np.convolve(x, y[:3], "valid") | np.convolve(x, np.ones(3) / 3, mode="valid")
np.correlate(x, y) | np.correlate(x, y, "full")
np.corrcoef(x, y) | np.corrcoef(r)
np.cov(x) | np.cov(r) | np.cov(x, y) | np.cov(r, rowvar=False, bias=True) | np.cov(r, aweights=x[:4] ** 2)
np.interp(d, g, x) | np.interp(x, g, y) | np.interp(1.5, [1, 2, 3], [4, 5, 6]) | np.interp(x, g, y, left=0, right=1) | np.interp(x, g, y, period=3)
np.linalg.cholesky(p) | np.linalg.cholesky(m) | np.linalg.cholesky(p, upper=True)
np.linalg.cond(m) | np.linalg.cond(m, 1)
np.linalg.cross(m, m)
np.linalg.det(m) | np.linalg.det(np.stack([m, p])) | np.linalg.det(r)
np.linalg.diagonal(m) | np.linalg.diagonal(t, offset=1)
np.linalg.eig(p) | np.linalg.eig(p).eigenvalues | np.linalg.eig(m)
np.linalg.eigh(p) | np.linalg.eigh(p).eigenvectors | np.linalg.eigh(p, "U")
np.linalg.eigvals(m) | np.linalg.eigvals(p)
np.linalg.eigvalsh(p)
np.linalg.inv(m) | np.linalg.inv(m * 0) | np.linalg.inv(h[:4].reshape(2, 2)) | np.linalg.inv(r)
np.linalg.lstsq(r.T, x[:4]) | np.linalg.lstsq(r.T, x[:4], rcond=None)[0]
np.linalg.matmul(m, m)
np.linalg.matrix_norm(m) | np.linalg.matrix_norm(m, ord="nuc")
np.linalg.matrix_power(m, 3) | np.linalg.matrix_power(m, -1) | np.linalg.matrix_power(m, n)
np.linalg.matrix_rank(m) | np.linalg.matrix_rank(r) | np.linalg.matrix_rank(x)
np.linalg.matrix_transpose(r)
np.linalg.multi_dot([m, m, m])
np.linalg.norm(x) | np.linalg.norm(m) | np.linalg.norm(x, 1) | np.linalg.norm(x, np.inf) | np.linalg.norm(r, axis=1) | np.linalg.norm(m, "fro") | np.linalg.norm(r, axis=0, keepdims=True) | np.linalg.norm(m, 2) | np.linalg.norm(x - y) | np.linalg.norm(z) | np.linalg.norm(i) | np.linalg.norm(h)
np.linalg.outer(x, y)
np.linalg.pinv(r) | np.linalg.pinv(p, hermitian=True)
np.linalg.qr(m) | np.linalg.qr(r, mode="r") | np.linalg.qr(r, "complete") | np.linalg.qr(m).Q
np.linalg.slogdet(m) | np.linalg.slogdet(m).logabsdet
np.linalg.solve(m, x[:3]) | np.linalg.solve(m, m) | np.linalg.solve(m * 0, x[:3])
np.linalg.svd(r) | np.linalg.svd(r, full_matrices=False) | np.linalg.svd(r, compute_uv=False) | np.linalg.svd(m).S
np.linalg.svdvals(r)
np.linalg.tensordot(m, m, axes=1)
np.linalg.tensorinv(np.eye(24).reshape(6, 4, 8, 3) + 0 * d, ind=2)
np.linalg.tensorsolve(np.eye(6).reshape(2, 3, 6) + 0 * d, np.ones((2, 3)))
np.linalg.trace(m)
np.linalg.vecdot(r, r)
np.linalg.vector_norm(x) | np.linalg.vector_norm(r, axis=1, ord=1) | np.linalg.vector_norm(r, keepdims=True)
"""

FOURIER = """
np.fft.fft(x) | np.fft.fft(x, n=8) | np.fft.fft(r, axis=0) | np.fft.fft(z, norm="ortho") | np.fft.fft(h)
np.fft.fft2(r) | np.fft.fft2(t, s=(2, 2))
np.fft.fftfreq(8) | np.fft.fftfreq(n, d=0.5) | np.fft.fftfreq(x.size, d)
np.fft.fftn(t) | np.fft.fftn(t, axes=(0, 1))
np.fft.fftshift(x) | np.fft.fftshift(r, axes=1)
np.fft.hfft(z)
np.fft.ifft(z) | np.fft.ifft(np.fft.fft(x)).real
np.fft.ifft2(r)
np.fft.ifftn(r)
np.fft.ifftshift(x)
np.fft.ihfft(x)
np.fft.irfft(z) | np.fft.irfft(np.fft.rfft(x), n=6) | np.fft.irfft(z, n)
np.fft.irfft2(r)
np.fft.irfftn(r)
np.fft.rfft(x) | np.fft.rfft(r, axis=0) | np.fft.rfft(x, n)
np.fft.rfft2(r)
np.fft.rfftfreq(8) | np.fft.rfftfreq(n)
np.fft.rfftn(r)
"""

POLYNOMIALS = """
np.poly(x[:3]) | np.poly(m)
np.polyadd(x, y)
np.polyder(x) | np.polyder(x, 2)
np.polydiv(x, y[:3])
np.polyfit(g, x, 2) | np.polyfit(g, x, 1, full=True) | np.polyfit(g, x, 1, cov=True)
np.polyint(x) | np.polyint(x, k=d)
np.polymul(x, y)
np.polysub(x, y)
np.polyval(x, d) | np.polyval([1, 2, 3], x) | np.polyval(x, y)
np.roots(x) | np.roots([1, d, 2])
np.poly1d(x)(d) | np.poly1d([1.0, 2.0])(x) | (np.poly1d([1.0, 2.0]) * 2)(d)
np.polynomial.polynomial.polyval(d, x) | np.polynomial.polynomial.polyval(x, y) | np.polynomial.polynomial.polyval(x, [1, 2, 3])
np.polynomial.polynomial.polyfit(g, x, 2)
np.polynomial.polynomial.polyroots(x)
np.polynomial.chebyshev.chebval(x, [1, 2, 3])
np.polynomial.Polynomial([1.0, 2.0, 3.0])(x)
np.polynomial.Polynomial.fit(g, x, 2)(d)
np.polynomial.legendre.leggauss(4)
"""

CALLING = """
np.apply_along_axis(lambda v: v.sum(), 1, r) | np.apply_along_axis(np.sort, 0, r) | np.apply_along_axis(lambda v: v * d, 0, r) | np.apply_along_axis(lambda v: v[::-1] if v[0] > 1 else v, 1, r)
np.frompyfunc(lambda a, b: a + b, 2, 1)(x, y).astype(float)
np.vectorize(lambda v: v * 2)(x) | np.vectorize(lambda v: v if v > 0 else -v)(x) | np.vectorize(lambda a, b: a + b)(x, 2) | np.vectorize(lambda v: v.sum(), signature="(k)->()")(r) | np.vectorize(lambda v: int(v), otypes=[int])(x) | np.vectorize(lambda v: (v, v * 2))(x) | np.vectorize(lambda v: v * d)(x)
np.nditer(x).shape
sum(v for v in np.nditer(x))
[v * 2 for v in np.ndenumerate(x[:0])]
sum(v * k[0] for k, v in np.ndenumerate(x))
sum(r[k] for k in np.ndindex(r.shape))
np.broadcast(x, d).shape
np.packbits(b) | np.packbits(u)
np.unpackbits(u)
np.array2string(x) | np.array2string(x, precision=2)
np.array_repr(x)
np.array_str(x)
np.base_repr(5, 2) | np.base_repr(n, 2)
np.binary_repr(5) | np.binary_repr(n)
np.format_float_positional(d)
np.format_float_scientific(d)
np.info
np.busday_count("2024-01-01", "2024-01-10") | np.busday_count(o[0], o[1])
np.busday_offset(o, 2, roll="forward")
np.is_busday(o)
np.datetime_as_string(o)
np.datetime_data(o.dtype)
np.asmatrix(m) * 2
np.bmat([[m, m]])
np.from_dlpack(x)
np.getbufsize()
np.geterr()
np.get_printoptions()["precision"]
str(x) | repr(x) | f"{d:.2f}" | f"{x}"
np.strings.upper(w) | np.strings.str_len(w) | np.strings.add(w, w) | np.strings.find(w, "b") | np.strings.replace(w, "a", "q") | np.strings.startswith(w, "a") | np.strings.multiply(w, 2) | np.strings.strip(w) | np.strings.isalpha(w) | np.strings.center(w, 5) | np.strings.zfill(w, 4) | np.strings.partition(w, "b") | np.strings.encode(w)
np.char.upper(w) | np.char.join("-", w)
w == "ab" | w[0] | w[1] == "c" | np.sort(w) | np.unique(w)
np.ma.masked_where(x > 1, x).filled(0) | np.ma.array(x, mask=b).sum()
np.rec.fromarrays([x, i], names="a,b").a
"""
