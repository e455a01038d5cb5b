"""An image by its pixels: a blur, edges, a threshold, labels, a histogram."""

import numpy as np
from jit import jit


@jit
def blur(image, kernel):
    height, width = image.shape
    k = kernel.shape[0] // 2
    out = np.zeros((height, width))
    for i in range(k, height - k):
        for j in range(k, width - k):
            total = 0.0
            for a in range(-k, k + 1):
                for b in range(-k, k + 1):
                    total += image[i + a, j + b] * kernel[a + k, b + k]
            out[i, j] = total
    return out


@jit
def edges(image):
    height, width = image.shape
    out = np.zeros_like(image)
    for i in range(1, height - 1):
        for j in range(1, width - 1):
            gx = image[i, j + 1] - image[i, j - 1]
            gy = image[i + 1, j] - image[i - 1, j]
            out[i, j] = (gx * gx + gy * gy) ** 0.5
    return out


@jit
def histogram(image, bins):
    counts = np.zeros(bins, dtype=np.int64)
    for row in image:
        for value in row:
            at = int(value * bins)
            if at >= bins:
                at = bins - 1
            counts[at] += 1
    return counts


@jit
def threshold(counts):
    total = counts.sum()
    mean_all = 0.0
    for i in range(len(counts)):
        mean_all += i * counts[i]
    weight, mean, best, where = 0, 0.0, -1.0, 0
    for i in range(len(counts)):
        weight += counts[i]
        if weight == 0 or weight == total:
            continue
        mean += i * counts[i]
        between = (mean_all * weight / total - mean) ** 2 / (weight * (total - weight))
        if between > best:
            best, where = between, i
    return where


@jit
def label(mask):
    height, width = mask.shape
    labels = np.zeros((height, width), dtype=np.int64)
    count = 0
    for i in range(height):
        for j in range(width):
            if mask[i, j] and labels[i, j] == 0:
                count += 1
                stack = [(i, j)]
                while stack:
                    a, b = stack.pop()
                    if a < 0 or b < 0 or a >= height or b >= width:
                        continue
                    if not mask[a, b] or labels[a, b] != 0:
                        continue
                    labels[a, b] = count
                    stack.append((a + 1, b))
                    stack.append((a - 1, b))
                    stack.append((a, b + 1))
                    stack.append((a, b - 1))
    return count


rng = np.random.default_rng(5)
kernel = np.array([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]) / 16
for size in 64, 128, 128:
    image = rng.random((size, size))
    smooth = blur(blur(image, kernel), kernel)
    counts = histogram(smooth, 64)
    cut = threshold(counts)
    print(size, round(edges(smooth).sum(), 6), cut, label(smooth > cut / 64))
