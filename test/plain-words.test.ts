/** Words that this project does not use in names and in texts for people, each with what to write in its place. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Word {
  readonly pattern: RegExp
  readonly instead: string
}

const phrases: readonly Word[] = [
  { pattern: /\bsteer(?:s|ed|ing)?\b/i, instead: 'control, manage, configure' },
  { pattern: /\bhow things stand\b|\bwhere (?:it|they) stood\b/i, instead: 'status, state' },
  {
    pattern: /\bcounts? at once\b|\bhow long (?:it|they) counts?\b/i,
    instead: 'takes effect immediately, valid until',
  },
  { pattern: /\bnot to be had\b|\bnothing to take over\b/i, instead: 'not available, nothing to import' },
  { pattern: /\bthe one gate\b/i, instead: 'the gate' },
  { pattern: /\bover a way\b/i, instead: 'channel, transport' },
  { pattern: /\bon real parts\b|\bgoes at the end\b/i, instead: 'is deleted at the end' },
  { pattern: /\bfrom now on it is told\b|\bis told from now on\b/i, instead: 'receives, reports' },
]

const names: readonly Word[] = [
  // A word that ends here, such as `mostly`, is none of these.
  {
    pattern: /\b(?:most|longest|deepest|largest|biggest|shortest|fewest|least)[A-Z]\w*/,
    instead: 'max… or min…, with the unit at the end: maxNameLength, maxBytes',
  },
]

/** Functions that answer the longest or largest of something, and no limits. */
const superlatives = new Set([
  'largestArray',
  'longestBeginning',
  'longestCommon',
  'longestField',
  'longestFirst',
  'longestMatch',
  'longestOrder',
  'longestWithin',
])

interface Page {
  readonly path: string
  readonly text: string
}

const read = (path: string): Page => ({ path, text: readFileSync(join(root, path), 'utf8') })
const below = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !/(?:^|\/)(?:gen|dist|node_modules)\//.test(path))
    .map((path) => join(folder, path))

/** Help texts, errors and descriptions are in the pages that are generated from them. */
const pages = [...readdirSync(root).filter((path) => path.endsWith('.md')), ...below('docs', '.md')].map(read)
const sources = ['src', 'test', 'benchmarks'].flatMap((folder) => below(folder, '.ts')).map(read)

function uses({ path, text }: Page, words: readonly Word[], isExcused?: (name: string) => boolean): string[] {
  return text.split('\n').flatMap((line, index) =>
    words.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(line)?.[0]
      return found === undefined || isExcused?.(found) ? [] : [`${path}:${index + 1}: ${found} → ${instead}`]
    }),
  )
}

test('no page uses words that native speakers would stop at', () => {
  expect(pages.length).toBeGreaterThan(50)
  expect(pages.flatMap((page) => uses(page, phrases))).toEqual([])
})

test('limits are called max and min', () => {
  expect(sources.length).toBeGreaterThan(1000)
  const own = join('test', 'plain-words.test.ts')
  const others = sources.filter(({ path }) => path !== own)
  expect(others.flatMap((source) => uses(source, names, (name) => superlatives.has(name)))).toEqual([])
})

test('the check sees what it looks for', () => {
  const page = { path: 'page.md', text: 'fine\nIt steers contextd.\nlet it count at once' }
  expect(uses(page, phrases)).toEqual([
    'page.md:2: steers → control, manage, configure',
    'page.md:3: count at once → takes effect immediately, valid until',
  ])
  const source = { path: 'a.ts', text: 'const mostFiles = 1\nconst almostAll = longestFirst(mostly)' }
  expect(uses(source, names, (name) => superlatives.has(name))).toEqual([
    'a.ts:1: mostFiles → max… or min…, with the unit at the end: maxNameLength, maxBytes',
  ])
})
