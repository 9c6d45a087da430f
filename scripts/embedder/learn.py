"""Trains the word vectors. Pairs: two texts with the same meaning should be closer to each other than to all others in a batch
(InfoNCE). Sentence model: distances between texts should match those of the sentence model."""

import dataclasses

import numpy as np
from scipy import sparse

TEMPERATURE = 0.05


@dataclasses.dataclass
class Lessons:
    one: sparse.csr_matrix
    other: sparse.csr_matrix
    texts: sparse.csr_matrix
    taught: np.ndarray  # embeddings of the texts by the sentence model


def bags(texts_as_rows: list[list[int]], size: int) -> sparse.csr_matrix:
    """One row per text: the square root of each word count, as in the embedder."""
    lengths = [len(rows) for rows in texts_as_rows]
    at = np.repeat(np.arange(len(texts_as_rows)), lengths)
    flat = np.fromiter((row for rows in texts_as_rows for row in rows), np.int64, sum(lengths))
    counted = sparse.coo_matrix((np.ones(len(flat), np.float32), (at, flat)), (len(texts_as_rows), size)).tocsr()
    counted.data = np.sqrt(counted.data)
    return counted


def learn(vectors, lessons: Lessons, steps: int, rate=0.01, hide=0.35, teacher=2.0, batch=768, seed=1, report=None):
    """`hide`: share of the common words of a pair that are left out. `teacher`: weight of the sentence model."""
    random = np.random.default_rng(seed)
    current = vectors.copy()
    first, second = np.zeros_like(current), np.zeros(len(current), np.float32)
    pairs = endless(lessons.one.shape[0], batch, random)
    texts = endless(lessons.texts.shape[0], batch, random)
    for step in range(1, steps + 1):
        chosen, also = next(pairs), next(texts)
        left = hide_shared(lessons.one[chosen], lessons.other[chosen], hide, random)
        right, alone = lessons.other[chosen], lessons.texts[also]
        rows = np.unique(np.concatenate([left.indices, right.indices, alone.indices]))
        used = current[rows]
        loss, gradient = from_pairs(used, left[:, rows], right[:, rows])
        distance, more = from_teacher(used, alone[:, rows], lessons.taught[also])
        gradient += teacher * more
        # Adam with one step size per word, applied only to the words of this batch.
        first[rows] = 0.9 * first[rows] + 0.1 * gradient
        second[rows] = 0.99 * second[rows] + 0.01 * (gradient ** 2).mean(1)
        size = np.sqrt(second[rows] / (1 - 0.99 ** step)) + 1e-8
        current[rows] -= rate * (1 - step / (steps + 1)) * first[rows] / size[:, None]
        if report is not None:
            report(step, loss, distance, current)
    return current


def endless(count: int, batch: int, random):
    while True:
        order = random.permutation(count)
        for start in range(0, count - batch + 1, batch):
            yield order[start:start + batch]


def hide_shared(one: sparse.csr_matrix, other: sparse.csr_matrix, share: float, random) -> sparse.csr_matrix:
    """Leaves out some of the common words: texts that share words are found by keyword search, so train on the rest."""
    shared = one.multiply(other > 0).tocsr()
    shared.data *= random.random(len(shared.data)) < share
    left = (one - shared).tocsr()
    left.eliminate_zeros()
    # Texts without remaining words are not changed.
    empty = np.asarray(left.sum(1)).ravel() == 0
    return (left + sparse.diags(empty.astype(np.float32)) @ one).tocsr()


def from_pairs(used, left, right):
    (one, one_length), (other, other_length) = normalised(left @ used), normalised(right @ used)
    scores = one @ other.T / TEMPERATURE
    forward, backward = softmax(scores), softmax(scores.T).T
    size = len(scores)
    pull = (forward + backward - 2 * np.eye(size, dtype=np.float32)) / (2 * size * TEMPERATURE)
    loss = -np.log(np.maximum(np.diag(forward), 1e-12)).mean()
    return loss, left.T @ back(pull @ other, one, one_length) + right.T @ back(pull.T @ one, other, other_length)


def from_teacher(used, texts, taught):
    found, length = normalised(texts @ used)
    itself = 1e9 * np.eye(len(taught), dtype=np.float32)
    wanted = softmax(taught @ taught.T / TEMPERATURE - itself)
    got = softmax(found @ found.T / TEMPERATURE - itself)
    pull = (got - wanted) / (len(taught) * TEMPERATURE)
    loss = (wanted * np.log((wanted + 1e-9) / (got + 1e-9))).sum(1).mean()
    return loss, texts.T @ back((pull + pull.T) @ found, found, length)


def normalised(vectors):
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return vectors / lengths, lengths


def back(gradient, unit, length):
    """Backpropagates through the normalisation."""
    return (gradient - unit * (unit * gradient).sum(1, keepdims=True)) / length


def softmax(scores):
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)
