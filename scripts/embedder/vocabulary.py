"""Selects the vocabulary: pieces of the sentence model that developers use, and whole words that it would split."""

import collections
import pathlib
import re

import corpus
import tokens

PIECE = re.compile(r'(?:##)?[a-z]+|[a-z][a-z0-9]+|(?:##)?[0-9]|[0-9]{2,3}')
OWN_WORD = re.compile(r'[a-z]{2,20}|[a-z]{2,8}[0-9]{1,3}')
# Names that end in a number are mostly from examples.
SPREAD, SPREAD_WITH_NUMBER = 4, 30

WORDS = pathlib.Path(__file__).with_name('words.txt')


def count_words(folders: list[pathlib.Path], other_texts: list[str]):
    """Counts words, and the packages that use them: names that only one package uses are useless to others."""
    counts = collections.Counter()
    packages = collections.Counter()
    for folder in folders:
        here = collections.Counter()
        for file in corpus.files_of(folder):
            for word, count in collections.Counter(tokens.words(file.read_text('utf8', 'ignore')[:100_000])).items():
                here[word.lower()] += count
                for part in tokens.parts(word) if word.lower() != word else ():
                    here[part] += count
        # Dampened, so that a word is not common just because one package uses it a lot.
        counts.update({word: count ** 0.7 for word, count in here.items()})
        packages.update(here.keys())
    for text in other_texts:
        counts.update(word.lower() for word in tokens.words(text))
    return counts, packages


def choose(model_vocabulary: list[str], counts, packages, size: int, own: int) -> list[str]:
    pieces = {piece for piece in model_vocabulary if PIECE.fullmatch(piece)}
    spread = sorted((word for word in packages if word not in pieces and OWN_WORD.fullmatch(word)
                     and packages[word] >= (SPREAD_WITH_NUMBER if word[-1].isdigit() else SPREAD)),
                    key=lambda word: (-packages[word], word))
    always_words = set(tokens.words(WORDS.read_text()))
    whole = sorted({*spread[:own], *(always_words - pieces)})
    known = {word: at for at, word in enumerate([*pieces, *whole])}
    names = list(known)
    used = collections.Counter()
    for word, count in counts.items():
        for row in tokens.rows_of(word, known):
            used[names[row]] += count
    # Single letters and digits are always included, so that every word can be composed.
    always = {piece for piece in pieces if len(piece.removeprefix('##')) == 1} | always_words
    ranked = sorted((name for name in names if name not in always), key=lambda name: (-used[name], name))
    return sorted(always | set(ranked[:size - len(always)]), key=lambda name: (-used[name], name))


def frequencies(vocabulary: list[str], counts) -> list[float]:
    known = {word: at for at, word in enumerate(vocabulary)}
    used = [0.0] * len(vocabulary)
    for word, count in counts.items():
        for row in tokens.rows_of(word, known):
            used[row] += count
    total = sum(used)
    return [count / total for count in used]
