"""Text to the rows of the table. The same as src/memory/search/static/tokenizer.ts, which reads the finished table."""

import re
import unicodedata

LONGEST_TEXT = 32_768
LONGEST_NAME = 80
LONGEST_UNKNOWN = 24

WORD = re.compile(r'[A-Za-z0-9]+')
CAMEL = re.compile(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])')
LETTERS_OR_DIGITS = re.compile(r'[a-z]+|[0-9]+')


def plain(text: str) -> str:
    """Letters without their accents."""
    if text.isascii():
        return text
    return ''.join(sign for sign in unicodedata.normalize('NFKD', text) if not unicodedata.category(sign).startswith('M'))


def words(text: str):
    return (found.group() for found in WORD.finditer(plain(text)))


def parts(word: str):
    return [part.lower() for part in CAMEL.split(word)]


def tokens(text: str, known: dict[str, int], most: int) -> list[int]:
    rows: list[int] = []
    seen: dict[str, list[int]] = {}
    for word in words(text[:LONGEST_TEXT]):
        found = seen.get(word)
        if found is None:
            found = seen[word] = rows_of(word, known)
        rows += found
        if len(rows) >= most:
            break
    return rows[:most]


def rows_of(word: str, known: dict[str, int]) -> list[int]:
    whole = known.get(word.lower())
    if whole is not None:
        return [whole]
    if len(word) > LONGEST_NAME:
        return []
    rows: list[int] = []
    for part in parts(word):
        row = known.get(part)
        if row is not None:
            rows.append(row)
            continue
        for run in LETTERS_OR_DIGITS.findall(part):
            row = known.get(run)
            if row is not None:
                rows.append(row)
            elif not run.isdigit() and len(run) <= LONGEST_UNKNOWN:
                rows += pieces(run, known)
    return rows


def pieces(run: str, known: dict[str, int]) -> list[int]:
    """WordPiece: always the longest that fits."""
    rows: list[int] = []
    start = 0
    while start < len(run):
        for end in range(len(run), start, -1):
            row = known.get(run[start:end] if start == 0 else '##' + run[start:end])
            if row is not None:
                rows.append(row)
                break
        else:
            return []
        start = end
    return rows
