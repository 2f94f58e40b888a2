"""Statistics of a text: letters, word lengths, pairs, entropy, a cipher, a similarity of sentences."""

import nd4py as np

text = """It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of
foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the
season of Darkness, it was the spring of hope, it was the winter of despair."""

codes = np.frombuffer(text.lower().encode("ascii"), dtype=np.uint8)
letters = codes[(codes >= ord("a")) & (codes <= ord("z"))] - ord("a")
counts = np.bincount(letters, minlength=26)
order = np.argsort(-counts, kind="stable")
print([(chr(ord("a") + i), int(counts[i])) for i in order[:6]])
p = counts / counts.sum()
print(f"{-(p[p > 0] * np.log2(p[p > 0])).sum():.4f} bits a letter")

words = [word.strip(".,").lower() for word in text.split()]
lengths = np.array([len(word) for word in words])
print(len(words), lengths.mean().round(4), np.median(lengths), lengths.max(), lengths.std().round(4))
values, repeats = np.unique(lengths, return_counts=True)
print(dict(zip(values.tolist(), repeats.tolist())))
print(np.histogram(lengths, bins=[1, 3, 5, 7, 13])[0])

vocabulary = sorted(set(words))
index = {word: i for i, word in enumerate(vocabulary)}
ids = np.array([index[word] for word in words])
frequency = np.bincount(ids)
top = frequency.argsort()[::-1][:4]
print(sorted((vocabulary[i], int(frequency[i])) for i in top))
ranks = np.arange(1, len(frequency) + 1)
slope, intercept = np.polyfit(np.log(ranks), np.log(np.sort(frequency)[::-1]), 1)
print(f"Zipf {slope:.4f} {np.exp(intercept):.4f}")

pairs = np.zeros((len(vocabulary), len(vocabulary)), dtype=int)
np.add.at(pairs, (ids[:-1], ids[1:]), 1)
i, j = np.unravel_index(pairs.argmax(), pairs.shape)
print(vocabulary[i], vocabulary[j], pairs.max(), np.count_nonzero(pairs))
after = pairs[index["the"]]
print([vocabulary[k] for k in np.flatnonzero(after == after.max())])

shifted = np.where(codes >= ord("a"), (codes - ord("a") + 3) % 26 + ord("a"), codes).astype(np.uint8)
print(shifted[:20].tobytes().decode())
secret = np.bincount(shifted[shifted >= 97] - 97, minlength=26)
match = np.array([(np.roll(secret, -k) * counts).sum() for k in range(26)])
print("shift", match.argmax())

sentences = [part.split() for part in text.replace("\n", " ").lower().split(",")]
bags = np.zeros((len(sentences), len(vocabulary)))
for row, sentence in enumerate(sentences):
    for word in sentence:
        bags[row, index[word.strip(".")]] += 1
idf = np.log(len(sentences) / (bags > 0).sum(axis=0))
tfidf = bags * idf
norms = np.linalg.norm(tfidf, axis=1, keepdims=True)
similarity = (tfidf / norms) @ (tfidf / norms).T
np.fill_diagonal(similarity, -1)
first, second = np.unravel_index(np.argmax(similarity), similarity.shape)
print(" ".join(sentences[first]), "|", " ".join(sentences[second]), round(float(similarity.max()), 4))
vowels = np.isin(letters, [ord(c) - ord("a") for c in "aeiou"])
print(f"{vowels.mean():.4f}", np.diff(np.flatnonzero(vowels)).max())
spaces = np.flatnonzero(codes == ord(" "))
print(np.add.reduceat((codes != ord(" ")).astype(int), np.r_[0, spaces[:5] + 1]))
