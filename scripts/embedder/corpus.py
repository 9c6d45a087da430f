"""Pairs of short texts with the same meaning, from the documentation of open source packages and WordNet. The texts themselves are not stored."""

import ast
import hashlib
import pathlib
import random
import re
import warnings

MAX_TEXT_LENGTH = 700
MAX_FILES = 300
HEADING = re.compile(r'^(?:#{1,4} +(?P<md>.+?)#*|(?P<rst>[^\s=~^\-#*.].{2,70})\n[=~^\-"*]{4,} *)$', re.M)
MARKUP = re.compile(r'<[^>]{1,80}>|\]\([^)]*\)|https?://\S+|:[a-z:]+:`|[`*|>\[\]]|^\.\. .*$', re.M)

COMMENTED = re.compile(r'((?:/\*\*(?:[^*]|\*(?!/))+\*/)|(?:^[ \t]*//[/!].*\n)+)\s*((?:[^\n]*\n){1,6})', re.M)
DECLARED = re.compile(r'\b(?:fn|struct|trait|enum|function|class|interface|type|const)\s+(\w+)|^\s*(?:readonly )?(\w+)')


def pairs_of(folders: list[pathlib.Path], seed: int = 1) -> list[tuple[str, str, str]]:
    """Tuples of kind, first text and second text."""
    found: list[tuple[str, str, str]] = []
    seen: set[bytes] = set()
    for folder in folders:
        for file in files_of(folder):
            for kind, one, other in MAKERS[file.suffix](file.read_text('utf8', 'ignore')[:400_000]):
                one, other = ' '.join(one.split())[:300], ' '.join(other.split())[:MAX_TEXT_LENGTH]
                # Packages copy from each other; a duplicate first text in a batch would count as a wrong match.
                key = hashlib.md5((kind + one.lower()).encode()).digest()
                if len(one) > 7 and len(other) > 15 and one.isascii() and key not in seen:
                    seen.add(key)
                    found.append((kind, one, other))
    random.Random(seed).shuffle(found)
    return found


def files_of(folder: pathlib.Path) -> list[pathlib.Path]:
    """A deterministic selection, limited per package so that none dominates."""
    found = [file for file in folder.rglob('*') if file.suffix in MAKERS and file.is_file()]
    return sorted(found, key=lambda file: hashlib.md5(str(file.relative_to(folder)).encode()).digest())[:MAX_FILES]


def python_pairs(text: str):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = text.split('\n')
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        doc = ast.get_docstring(node)
        if not doc:
            continue
        summary, _, rest = doc.partition('\n\n')
        summary = MARKUP.sub(' ', summary)[:300]
        if len(summary.split()) < 3:
            continue
        first = node.body[1] if len(node.body) > 1 else None
        if first is not None:
            head = ' '.join(lines[node.lineno - 1:node.body[0].lineno - 1])[:200]
            body = '\n'.join(lines[first.lineno - 1:node.end_lineno])[:MAX_TEXT_LENGTH]
            yield 'code', summary, f'{head} {body}'
        if len(rest) > 60:
            yield 'rest', summary, MARKUP.sub(' ', rest)
        yield 'name', node.name, summary


def document_pairs(text: str):
    found = list(HEADING.finditer(text))
    for at, heading in enumerate(found):
        title = MARKUP.sub(' ', heading.group('md') or heading.group('rst') or '')
        body = text[heading.end():found[at + 1].start() if at + 1 < len(found) else None]
        paragraphs = [MARKUP.sub(' ', part) for part in body.split('\n\n') if len(part) > 60]
        if paragraphs and len(title) > 5:
            yield 'title', title, paragraphs[0]
        if len(paragraphs) > 1:
            yield 'next', paragraphs[0][:300], paragraphs[1]


def comment_pairs(text: str):
    """Declarations in TypeScript and Rust with the comments above them."""
    for comment, code in COMMENTED.findall(text):
        description = MARKUP.sub(' ', re.sub(r'^\s*(?:/\*\*|\*+/?|//[/!])', '', comment, flags=re.M)).strip(' */\n')
        summary, _, rest = description.partition('\n\n')
        if len(summary.split()) < 3:
            continue
        yield 'code', summary, code
        if len(rest) > 60:
            yield 'rest', summary, rest
        name = DECLARED.search(code)
        if name:
            yield 'name', name.group(1) or name.group(2), summary


MAKERS = {'.py': python_pairs, '.rst': document_pairs, '.md': document_pairs, '.ts': comment_pairs, '.rs': comment_pairs}


def wordnet_pairs(folder: pathlib.Path) -> list[tuple[str, str, str]]:
    """Synonyms with their meanings."""
    found = []
    for file in sorted(folder.glob('data.*')):
        for line in file.read_text('latin1').split('\n'):
            if line.startswith(' ') or '|' not in line:
                continue
            fields, _, gloss = line.partition('|')
            fields = fields.split()
            names = [fields[4 + 2 * at].replace('_', ' ').split('(')[0] for at in range(int(fields[3], 16))]
            meaning, *examples = gloss.strip().split('; "')
            names = [name for name in names if name == name.lower()]
            if not names:
                continue
            found.append(('sense', ' '.join(names[:4]), meaning))
            found += [('example', example.strip('" '), f'{names[0]} {meaning}') for example in examples[:2]]
            found += [('synonym', names[0], name) for name in names[1:4]]
    return found
