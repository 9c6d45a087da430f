/** Words that this project avoids in names and texts, each with its replacement. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Word {
  readonly pattern: RegExp
  readonly instead: string
}

/** In pages, and in comments, messages and help texts of the sources. */
const phrases: readonly Word[] = [
  { pattern: /\bsteer(?:s|ed|ing)?\b(?!-phrases)/i, instead: 'control, manage, configure' },
  { pattern: /\bhow things stand\b|\bwhere (?:it|they) stood\b/i, instead: 'status, state' },
  {
    pattern: /\bcounts? (?:at once|now|here|no longer|nowhere|until)\b|\bhow long (?:it|they) counts?\b/i,
    instead: 'applies, takes effect immediately, valid until',
  },
  {
    pattern: /\bto be had\b|\bthere (?:is|are|was|were) none\b/i,
    instead: 'available, not found, missing, no …',
  },
  { pattern: /\bnothing to take over\b/i, instead: 'nothing to import' },
  { pattern: /\bthe one gate\b/i, instead: 'the gate' },
  { pattern: /\bover a way\b/i, instead: 'channel, transport' },
  { pattern: /\bon real parts\b|\bgoes at the end\b/i, instead: 'is deleted at the end' },
  { pattern: /\b(?:is|are|was|were|be|been) told\b(?! apart| from)/i, instead: 'receives, reports, shows' },
  { pattern: /\bhears? (?:of|what)\b/i, instead: 'is notified of, called when' },
  { pattern: /\bthe person\b/i, instead: 'the user, or the operator where the role matters' },
  { pattern: /\bwhoever\b/i, instead: 'name the role: the caller, the user, anyone who' },
  { pattern: /\bof (?:ours|yours|theirs)\b/i, instead: 'our, your, their' },
  { pattern: /(?<![-\w.])beside(?![-\w:,])/i, instead: 'next to, in addition to, compared with' },
  {
    pattern: /\bstands? (?:in|there|under|before|behind|beside)\b/i,
    instead: 'is in, follows, precedes, represents',
  },
]

/** In comments only: the field says that functions return. */
const comments: readonly Word[] = [
  { pattern: /^\s*(?:\/\*\*|\*) Answers (?!of\b|to\b|that\b)/, instead: 'Returns' },
]

/** Names everywhere, tests included. */
const limits: readonly Word[] = [
  // Words such as `mostly` are allowed.
  {
    pattern: /\b(?:most|longest|deepest|largest|biggest|shortest|fewest|least)[A-Z]\w*/,
    instead: 'max… or min…, with the unit at the end: maxNameLength, maxBytes',
  },
]

/** Names in shipped code: tests may use these words in their usual sense. */
const names: readonly Word[] = [
  { pattern: /\bsteer(?:s|ed|ing)?\b|\bsteer[A-Z](?!oncepts|hrases)\w*/, instead: 'control…, configure…' },
  { pattern: /\b\w*[fF]oresee\w*/, instead: 'preview…' },
  {
    pattern: /\bstanding(?:Of)?\b|\bStanding\b|\btake(?:Their)?Standing\b/,
    instead: '…Status, StatusSnapshot, state',
  },
  { pattern: /\b[aA]im(?:s|ed|ing|At|Of)?\b|[a-z]Aim(?:ed)?\b/, instead: 'target, resolveTarget' },
  { pattern: /\bsurvivors?\b|Survivors?\b/, instead: 'orphan, leftover process' },
  { pattern: /\bdress[A-Z]\w*/, instead: 'a verb for what it does: convert…, format…' },
  { pattern: /\bdeeds?\b|\w*Deeds?\b/, instead: 'action, event, operation' },
  { pattern: /\bways?\b|\bwayOf\b/, instead: 'transport, channel, method, path' },
]

/** Functions that return the longest or largest of something, which are not limits. */
const superlatives = new Set([
  'largestArray',
  'longestBeginning',
  'longestField',
  'longestFirst',
  'longestMatch',
  'longestWithin',
  'shortestPath',
])

interface Page {
  readonly path: string
  readonly text: string
}

const read = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') })
const below = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !/(?:^|[\\/])(?:gen|dist|node_modules|fixtures)[\\/]/.test(path))
    .map((path) => join(folder, path))

const own = join('test', 'plain-words.test.ts')
/** Recorded by the oracle, with names that must not change. */
const recorded = /\bpermissions-oracle(?:-opencode)?\.md$/
const pages = [
  ...readdirSync(root).filter((path) => path.endsWith('.md')),
  ...['docs', 'integrations', 'packages'].flatMap((folder) => below(folder, /\.md$/)),
]
  .filter((path) => !recorded.test(path))
  .map(read)
/** Their descriptions are shown to users. */
const manifests = [
  'package.json',
  ...['scrub', 'permissions'].map((name) => join('packages', name, 'package.json')),
  ...['integrations', 'schema'].flatMap((folder) => below(folder, /\.json$/)),
].map(read)
const sources = ['src', 'packages', 'integrations', 'scripts', 'bin', 'test', 'benchmarks']
  .flatMap((folder) => below(folder, /\.(?:[mc]?js|ts|sh)$/))
  .filter((path) => path !== own)
  .map(read)
/** Without tests, benchmarks and the list of ordinary English words. */
const shipped = sources.filter(
  ({ path }) =>
    !/^(?:test|benchmarks)\b|\.(?:test|samples)\.ts$|\b(?:test|testing|oracle)[\\/]/.test(path) &&
    !path.endsWith('ordinary-words.ts'),
)

function uses({ path, text }: Page, words: readonly Word[], isExcused?: (name: string) => boolean): string[] {
  return text.split('\n').flatMap((line, index) =>
    words.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)?.[0].trim()
      return found === undefined || isExcused?.(found) ? [] : [`${path}:${index + 1}: ${found} → ${instead}`]
    }),
  )
}

/** Removes comments and strings but keeps the lines, so that names remain. */
function codeOf({ path, text }: Page): Page {
  const code = text.replace(
    /\/\*[\s\S]*?\*\/|(?<![:'"`\\/])\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
    (removed) => removed.replace(/[^\n]/g, ''),
  )
  return { path, text: code }
}

test('no page uses words that native speakers would stop at', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(pages.flatMap((page) => uses(page, phrases))).toEqual([])
})

test('no manifest or schema uses them either', () => {
  expect(manifests.length).toBeGreaterThan(8)
  expect(manifests.flatMap((manifest) => uses(manifest, phrases))).toEqual([])
})

test('no comment, message or help text uses them either', () => {
  expect(shipped.length).toBeGreaterThan(1000)
  expect(shipped.flatMap((source) => uses(source, [...phrases, ...comments]))).toEqual([])
})

test('limits are called max and min', () => {
  expect(sources.length).toBeGreaterThan(1500)
  expect(sources.flatMap((source) => uses(source, limits, (name) => superlatives.has(name)))).toEqual([])
})

test('names are the usual words of the field', () => {
  expect(shipped.flatMap((source) => uses(codeOf(source), names))).toEqual([])
})

test('the check finds what it searches for', () => {
  const page = { path: 'page.md', text: 'fine\nIt steers contextd.\nlet it count at once\nask the person' }
  expect(uses(page, phrases)).toEqual([
    'page.md:2: steers → control, manage, configure',
    'page.md:3: count at once → applies, takes effect immediately, valid until',
    'page.md:4: the person → the user, or the operator where the role matters',
  ])
  const text = [
    'const mostFiles = 1',
    'const almostAll = longestFirst(mostly)',
    "const always = 'by the way' // a long way",
    '/* standing */ noteDeed(`dressed ${way}`)',
  ].join('\n')
  expect(uses({ path: 'a.ts', text }, limits, (name) => superlatives.has(name))).toEqual([
    'a.ts:1: mostFiles → max… or min…, with the unit at the end: maxNameLength, maxBytes',
  ])
  expect(uses(codeOf({ path: 'a.ts', text }), names)).toEqual(['a.ts:4: noteDeed → action, event, operation'])
  expect(
    uses({ path: 'a.ts', text: '/** Answers the row. */\n/** Answers to a call. */' }, comments),
  ).toHaveLength(1)
})
