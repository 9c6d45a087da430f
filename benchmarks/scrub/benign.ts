import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { madeLockFiles, madeTexts } from './benign-made.ts'
import { hashOf } from './case.ts'

/** Ordinary text without secrets. */
export interface BenignText {
  readonly group: string
  readonly name: string
  readonly text: string
}

interface Group {
  readonly name: string
  readonly roots: readonly string[]
  readonly accepts: (path: string) => boolean
  readonly megabytes: number
}

const hasExtension =
  (...extensions: readonly string[]) =>
  (path: string): boolean =>
    extensions.includes(extname(path))

const isMinified = (path: string): boolean => path.endsWith('.min.js') || path.endsWith('.map')
const isLockFile = (path: string): boolean =>
  ['package-lock.json', '.package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'Cargo.lock', 'go.sum'].includes(
    basename(path),
  )

/** Folders that exist on most machines; missing ones are skipped. */
const groups: readonly Group[] = [
  {
    name: 'javascript',
    roots: ['node_modules', '/usr/lib/node_modules'],
    accepts: (path) => hasExtension('.js', '.mjs', '.cjs')(path) && !isMinified(path),
    megabytes: 8,
  },
  { name: 'typescript', roots: ['node_modules'], accepts: hasExtension('.ts', '.mts', '.cts'), megabytes: 4 },
  { name: 'minified', roots: ['node_modules', '/usr/lib/node_modules'], accepts: isMinified, megabytes: 4 },
  {
    name: 'json',
    roots: ['node_modules'],
    accepts: (path) => hasExtension('.json')(path) && !isLockFile(path),
    megabytes: 2,
  },
  { name: 'markdown', roots: ['node_modules'], accepts: hasExtension('.md'), megabytes: 3 },
  {
    name: 'python',
    roots: ['/usr/lib/python3', '/usr/lib/python3.11', '/usr/lib/python3.12', '/usr/lib/python3.13'],
    accepts: hasExtension('.py'),
    megabytes: 6,
  },
  {
    name: 'perl',
    roots: ['/usr/share/perl', '/usr/share/perl5'],
    accepts: hasExtension('.pm', '.pl', '.pod'),
    megabytes: 2,
  },
  { name: 'c', roots: ['/usr/include'], accepts: hasExtension('.h', '.hpp'), megabytes: 3 },
  {
    name: 'go',
    roots: ['/usr/local/go/src', '/usr/lib/go/src'],
    // Tests of cryptography contain real keys.
    accepts: (path) => path.endsWith('.go') && !/_test\.go$|testdata/.test(path),
    megabytes: 3,
  },
  {
    name: 'command definitions',
    roots: ['/usr/lib/google-cloud-sdk/lib/surface', '/usr/share/bash-completion', '/usr/share/cmake-3.25'],
    accepts: hasExtension('.yaml', '.py', '', '.cmake'),
    megabytes: 3,
  },
  {
    name: 'html',
    roots: ['/usr/share/doc', '/usr/share/gtk-doc'],
    accepts: hasExtension('.html'),
    megabytes: 2,
  },
  {
    name: 'documentation',
    roots: ['/usr/share/doc'],
    accepts: (path) => !path.endsWith('.html'),
    megabytes: 4,
  },
  {
    name: 'manuals',
    roots: ['/usr/share/man/man1', '/usr/share/man/man5', '/usr/share/man/man8'],
    accepts: () => true,
    megabytes: 2,
  },
  {
    name: 'logs',
    roots: ['/var/log/dpkg.log', '/var/log/apt', '/var/log/alternatives.log'],
    accepts: hasExtension('.log'),
    megabytes: 2,
  },
  {
    name: 'lock-files',
    roots: ['package-lock.json', 'node_modules', '/usr/lib/node_modules'],
    accepts: isLockFile,
    megabytes: 2,
  },
]

const maxFileBytes = 1_500_000

/** At most `megabytes` of ordinary text, always in the same order on the same machine. */
export function benignTexts(megabytes: number): BenignText[] {
  const ratio = megabytes / groups.reduce((sum, group) => sum + group.megabytes, 0)
  return [...groups.flatMap((group) => textsOf(group, ratio)), ...madeTexts(), ...madeLockFiles()]
}

/** Whether it comes from the machine rather than generated. */
export const isInstalled = ({ group }: BenignText): boolean => !group.startsWith('made ')

export const isLockFileText = ({ group }: BenignText): boolean => group.includes('lock-files')

function textsOf({ name: group, roots, accepts, megabytes }: Group, ratio: number): BenignText[] {
  // Ordered by hash, so that the limit applies evenly to all packages.
  const files = roots
    .flatMap((root) => filesUnder(root, accepts))
    .map((path) => ({ path, rank: hashOf(path) }))
    .sort((a, b) => a.rank - b.rank)
  const texts: BenignText[] = []
  let left = megabytes * 1e6 * ratio
  for (const { path } of files) {
    if (left <= 0) break
    const text = readText(path)
    if (text === undefined) continue
    left -= text.length
    texts.push({ group, name: path, text })
  }
  return texts
}

function filesUnder(path: string, accepts: (path: string) => boolean): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  if (found.isFile()) return accepts(path) && found.size <= maxFileBytes ? [path] : []
  if (!found.isDirectory() || basename(path) === '.cache') return []
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .flatMap((entry) => filesUnder(join(path, entry.name), accepts))
}

function readText(path: string): string | undefined {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text
}
