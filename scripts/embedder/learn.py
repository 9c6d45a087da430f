"""Moves the vectors so that two texts that mean the same lie closer to each other than to all others of a batch (InfoNCE)."""

import numpy as np
from scipy import sparse

TEMPERATURE = 0.05


def bags(texts_as_rows: list[list[int]], size: int) -> sparse.csr_matrix:
    """One row a text: the root of how often each word occurs, as the embedder adds them up."""
    lengths = [len(rows) for rows in texts_as_rows]
    at = np.repeat(np.arange(len(texts_as_rows)), lengths)
    flat = np.fromiter((row for rows in texts_as_rows for row in rows), np.int64, sum(lengths))
    counted = sparse.coo_matrix((np.ones(len(flat), np.float32), (at, flat)), (len(texts_as_rows), size)).tocsr()
    counted.data = np.sqrt(counted.data)
    return counted


def normalised(vectors: np.ndarray):
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)
    return vectors / lengths, lengths


def hide_shared(one: sparse.csr_matrix, other: sparse.csr_matrix, share: float, random) -> sparse.csr_matrix:
    """Leaves out some of the words both sides have: what they share is found by words; we are to find the rest."""
    shared = one.multiply(other > 0).tocsr()
    shared.data *= random.random(len(shared.data)) < share
    left = (one - shared).tocsr()
    left.eliminate_zeros()
    # A text of which nothing is left stays as it was.
    empty = np.asarray(left.sum(1)).ravel() == 0
    return left + sparse.diags(empty.astype(np.float32)) @ one


def learn(vectors, one, other, steps, rate, hide, keep, seed=1, batch=768, report=None):
    """`keep`: how strongly the vectors are drawn back to where they started."""
    random = np.random.default_rng(seed)
    start, current = vectors, vectors.copy()
    first, second = np.zeros_like(current), np.zeros(len(current), np.float32)
    order = np.empty(0, np.int64)
    for step in range(1, steps + 1):
        if len(order) < batch:
            order = random.permutation(one.shape[0])
        chosen, order = order[:batch], order[batch:]
        left, right = hide_shared(one[chosen], other[chosen], hide, random), other[chosen]
        loss, gradient, rows = gradient_of(current, left, right)
        gradient += keep * (current[rows] - start[rows])
        # Adam with one step size a word, and only for the words of this batch.
        first[rows] = 0.9 * first[rows] + 0.1 * gradient
        second[rows] = 0.99 * second[rows] + 0.01 * (gradient ** 2).mean(1)
        now = rate * (1 - step / (steps + 1))
        current[rows] -= now * first[rows] / (np.sqrt(second[rows] / (1 - 0.99 ** step)) + 1e-8)[:, None]
        if report is not None and (step % 250 == 0 or step == steps):
            report(step, loss, current)
    return current


def gradient_of(vectors, left, right):
    rows = np.union1d(left.indices, right.indices)
    used = vectors[rows]
    left, right = left[:, rows], right[:, rows]
    (one, one_length), (other, other_length) = normalised(left @ used), normalised(right @ used)
    scores = one @ other.T / TEMPERATURE
    forward, backward = softmax(scores), softmax(scores.T).T
    size = len(scores)
    loss = -np.log(np.maximum(np.diag(forward), 1e-12)).mean()
    pull = (forward + backward - 2 * np.eye(size, dtype=np.float32)) / (2 * size * TEMPERATURE)
    to_one, to_other = pull @ other, pull.T @ one
    to_one = (to_one - one * (one * to_one).sum(1, keepdims=True)) / one_length
    to_other = (to_other - other * (other * to_other).sum(1, keepdims=True)) / other_length
    return loss, np.asarray(left.T @ to_one + right.T @ to_other), rows


def softmax(scores):
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)
