"""Maps text to rows of the table, in the same way as src/memory/search/static/tokenizer.ts."""

import re
import unicodedata

MAX_TEXT_LENGTH = 32_768
MAX_NAME_LENGTH = 80
MAX_UNKNOWN_LENGTH = 24

WORD = re.compile(r'[A-Za-z0-9]+')
CAMEL = re.compile(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])')
LETTERS_OR_DIGITS = re.compile(r'[a-z]+|[0-9]+')


def plain(text: str) -> str:
    """Removes accents from letters."""
    if text.isascii():
        return text
    return ''.join(char for char in unicodedata.normalize('NFKD', text) if not unicodedata.category(char).startswith('M'))


def words(text: str):
    return (found.group() for found in WORD.finditer(plain(text)))


def parts(word: str):
    return [part.lower() for part in CAMEL.split(word)]


def tokens(text: str, known: dict[str, int], limit: int) -> list[int]:
    rows: list[int] = []
    seen: dict[str, list[int]] = {}
    for word in words(text[:MAX_TEXT_LENGTH]):
        found = seen.get(word)
        if found is None:
            found = seen[word] = rows_of(word, known)
        rows += found
        if len(rows) >= limit:
            break
    return rows[:limit]


def rows_of(word: str, known: dict[str, int]) -> list[int]:
    row = known.get(word.lower())
    if row is not None:
        return [row]
    if len(word) > MAX_NAME_LENGTH:
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
            elif not run.isdigit() and len(run) <= MAX_UNKNOWN_LENGTH:
                rows += pieces(run, known)
    return rows


def pieces(run: str, known: dict[str, int]) -> list[int]:
    """WordPiece: greedy longest match."""
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
