"""The sentence model that the table is trained on: all-MiniLM-L6-v2, run with jax on the CPU."""

import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS = 12
LAYERS = 6
LENGTHS = (8, 16, 32, 64, 128, 256)


class Teacher:
    def __init__(self, folder: pathlib.Path):
        self.weights = {name: jnp.asarray(value) for name, value in load_file(folder / 'model.safetensors').items()
                        if value.dtype == np.float32}
        self.tokenizer = Tokenizer.from_file(str(folder / 'tokenizer.json'))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LENGTHS[-1])
        self.forward = jax.jit(forward)

    def embed(self, texts: list[str], batch_tokens: int = 4096) -> np.ndarray:
        """One unit vector per text. Texts of similar length are batched together to avoid padding."""
        found = self.tokenizer.encode_batch(texts)
        order = sorted(range(len(texts)), key=lambda at: len(found[at].ids))
        vectors = np.zeros((len(texts), 384), np.float32)
        at = 0
        while at < len(order):
            # As many texts as fit into a batch of this padded length.
            length = next(one for one in LENGTHS if one >= min(len(found[order[at]].ids), LENGTHS[-1]))
            rows = batch_tokens // length
            chosen = [row for row in order[at:at + rows] if len(found[row].ids) <= length]
            ids = np.zeros((rows, length), np.int32)
            mask = np.zeros((rows, length), np.float32)
            for place, row in enumerate(chosen):
                ids[place, :len(found[row].ids)] = found[row].ids
                mask[place, :len(found[row].ids)] = 1
            vectors[chosen] = np.asarray(self.forward(self.weights, ids, mask))[:len(chosen)]
            at += len(chosen)
        return vectors


def forward(w, ids, mask):
    hidden = w['embeddings.word_embeddings.weight'][ids]
    hidden += w['embeddings.position_embeddings.weight'][:ids.shape[1]] + w['embeddings.token_type_embeddings.weight'][0]
    hidden = norm(w, 'embeddings.LayerNorm', hidden)
    hide = jnp.where(mask[:, None, None, :] > 0, 0.0, -1e9)
    for layer in range(LAYERS):
        name = f'encoder.layer.{layer}'
        heads = [split(dense(w, f'{name}.attention.self.{part}', hidden)) for part in ('query', 'key', 'value')]
        scores = jnp.einsum('bhqd,bhkd->bhqk', heads[0], heads[1]) / np.sqrt(heads[0].shape[-1]) + hide
        mixed = jnp.einsum('bhqk,bhkd->bqhd', jax.nn.softmax(scores), heads[2]).reshape(hidden.shape)
        hidden = norm(w, f'{name}.attention.output.LayerNorm', hidden + dense(w, f'{name}.attention.output.dense', mixed))
        inner = jax.nn.gelu(dense(w, f'{name}.intermediate.dense', hidden), approximate=False)
        hidden = norm(w, f'{name}.output.LayerNorm', hidden + dense(w, f'{name}.output.dense', inner))
    pooled = (hidden * mask[..., None]).sum(1) / jnp.maximum(mask.sum(1), 1)[:, None]
    return pooled / jnp.maximum(jnp.linalg.norm(pooled, axis=1, keepdims=True), 1e-9)


def dense(w, name, x):
    return x @ w[f'{name}.weight'].T + w[f'{name}.bias']


def norm(w, name, x):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / jnp.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-12)
    return scaled * w[f'{name}.weight'] + w[f'{name}.bias']


def split(x):
    return x.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)
