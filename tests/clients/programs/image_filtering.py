"""Filters of a small picture: blur, sharpening, edges, thresholds, histogram equalization, medians."""

import nd4py as np

height, width = 48, 64
y, x = np.mgrid[0:height, 0:width]
image = 100 + 60 * np.sin(x / 5.0) + 40 * np.cos(y / 7.0)
image[10:20, 15:30] = 230
image[(y - 34) ** 2 + (x - 45) ** 2 < 80] = 15
image[::9, ::11] = 255  # salt
image = np.clip(image, 0, 255).astype(np.uint8)
print(image.shape, image.dtype, image.min(), image.max(), round(float(image.mean()), 3))


def convolve(picture, kernel):
    kh, kw = kernel.shape
    padded = np.pad(picture.astype(float), ((kh // 2, kh // 2), (kw // 2, kw // 2)), mode="edge")
    result = np.zeros(picture.shape)
    for i in range(kh):
        for j in range(kw):
            result += kernel[i, j] * padded[i : i + picture.shape[0], j : j + picture.shape[1]]
    return result


def gaussian(size, sigma):
    ax = np.arange(size) - size // 2
    kernel = np.exp(-(ax[:, None] ** 2 + ax[None, :] ** 2) / (2 * sigma**2))
    return kernel / kernel.sum()


blurred = convolve(image, gaussian(5, 1.2))
print(np.round(blurred[:3, :4], 4))

sharpened = np.clip(2 * image.astype(float) - blurred, 0, 255).astype("uint8")
print(sharpened[9:12, 14:18], int(sharpened.sum()))

sobel_x = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
gx, gy = convolve(blurred, sobel_x), convolve(blurred, sobel_x.T)
magnitude = np.hypot(gx, gy)
direction = np.degrees(np.arctan2(gy, gx)) % 180
edges = magnitude > magnitude.mean() + magnitude.std()
print(edges.sum(), np.round(direction[edges][:5], 3))
rows, columns = np.nonzero(edges)
print(rows.min(), rows.max(), columns.min(), columns.max())

histogram = np.bincount(image.ravel(), minlength=256)
cdf = histogram.cumsum()
table = np.round((cdf - cdf[cdf > 0].min()) / (image.size - cdf[cdf > 0].min()) * 255).astype(np.uint8)
equalized = table[image]
counts, borders = np.histogram(equalized, bins=8, range=(0, 256))
print(counts, borders)

windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, 1, mode="reflect"), (3, 3))
median = np.median(windows, axis=(-2, -1))
print(median.shape, int((median != image).sum()), median[9, 11], image[9, 11])


def otsu(picture):
    p = np.bincount(picture.ravel(), minlength=256) / picture.size
    level = np.arange(256)
    w0, m0 = p.cumsum(), (p * level).cumsum()
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (m0[-1] * w0 - m0) ** 2 / (w0 * (1 - w0))
    return np.nanargmax(between)


threshold = otsu(image)
mask = image > threshold
print("threshold", threshold, "share", f"{mask.mean():.4f}")
small = image[: height // 4 * 4, : width // 4 * 4].reshape(height // 4, 4, width // 4, 4).mean(axis=(1, 3))
print(np.round(small[0], 2))
print(np.array_equal(np.rot90(image, 4), image), np.flipud(image)[0, :3], np.fliplr(image)[0, :3])
