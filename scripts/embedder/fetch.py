"""Fetches the packages whose documentation is the training text, without running their code: fetch.py FOLDER [npm:|crate:]NAME...

FOLDER/sources.txt lists the packages with their versions."""

import concurrent.futures
import io
import json
import pathlib
import sys
import tarfile
import urllib.request

MAX_ARCHIVE_BYTES = 60_000_000
TEXTS = ('.py', '.rst', '.md', '.d.ts', '.rs')


def fetch(name: str, folder: pathlib.Path) -> str:
    target = folder / name.replace('/', '+')
    if target.exists():
        return ''
    version, url, licence = locate(name)
    archive = tarfile.open(fileobj=io.BytesIO(read(url)), mode='r:gz')
    part = target.with_name(f'.{target.name}')
    part.mkdir(parents=True, exist_ok=True)
    for count, entry in enumerate(entry for entry in archive if entry.isfile() and entry.name.endswith(TEXTS)):
        if entry.size < 500_000:
            content = archive.extractfile(entry).read()
            (part / f'{count}{pathlib.PurePath(entry.name).suffix}').write_bytes(content)
    part.rename(target)
    return f'{name} {version} ({licence})'


def locate(name: str) -> tuple[str, str, str]:
    kind, _, rest = name.rpartition(':')
    if kind == 'npm':
        about = json.loads(read(f'https://registry.npmjs.org/{rest}/latest'))
        return about['version'], about['dist']['tarball'], str(about.get('license'))
    if kind == 'crate':
        lines = read(f'https://index.crates.io/{crate_path(rest)}').decode().strip().split('\n')
        version = json.loads(lines[-1])['vers']
        return version, f'https://static.crates.io/crates/{rest}/{rest}-{version}.crate', 'crate'
    about = json.loads(read(f'https://pypi.org/pypi/{rest}/json'))
    source = next(file for file in about['urls'] if file['filename'].endswith('.tar.gz') and file['size'] < MAX_ARCHIVE_BYTES)
    # Mirrors use other URLs, but the last four path components are the same everywhere.
    url = 'https://files.pythonhosted.org/packages/' + '/'.join(source['url'].split('/')[-4:])
    info = about['info']
    return info['version'], url, info['license_expression'] or (info['license'] or '').split('\n')[0][:40]


def crate_path(name: str) -> str:
    return f'{len(name)}/{name[0] + "/" if len(name) == 3 else ""}{name}' if len(name) < 4 else f'{name[:2]}/{name[2:4]}/{name}'


def read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=180) as response:
        return response.read()


def attempt(name: str, folder: pathlib.Path) -> str:
    try:
        return fetch(name, folder)
    except Exception as problem:  # a single missing package does not matter
        print(f'{name}: {problem}', file=sys.stderr)
        return ''


if __name__ == '__main__':
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(4) as pool, open(folder / 'sources.txt', 'a') as sources:
        for line in filter(None, pool.map(lambda name: attempt(name, folder), sys.argv[2:])):
            print(line, file=sources, flush=True)
