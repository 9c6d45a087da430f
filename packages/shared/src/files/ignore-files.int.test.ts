import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { seededRandom, type Random } from '../../testing/secret-samples.ts'
import { createIgnoreRules, type IgnoreRules } from './ignore-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-ignore-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const names = ['a', 'b', 'ab', 'a.b', 'c-d', '!a', 'a b', '#b', 'a]']
const pieces = [
  'a',
  'b',
  '*',
  '**',
  '?',
  '/',
  '/',
  '.b',
  '[ab]',
  '[!a]',
  'c-d',
  '\\a',
  ' ',
  '!',
  '#',
  '[a',
  '-',
]

function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)]!
}

function randomIgnoreFile(random: Random): string {
  const line = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(pieces, random)).join('')
  return Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => (random() < 0.2 ? '!' : '') + line(),
  ).join('\n')
}

/** The files that a walk with our rules ignores. */
function leftOut(paths: readonly string[], texts: ReadonlyMap<string, string>): string[] {
  return paths.filter((path) => {
    let rules: IgnoreRules = createIgnoreRules(texts.get('') ?? '')
    const steps = path.split('/')
    return steps.some((name, depth) => {
      if (rules.ignores(name, depth < steps.length - 1)) return true
      rules = rules.enter(name).add(texts.get(steps.slice(0, depth + 1).join('/')) ?? '')
      return false
    })
  })
}

test('agrees with git on 100 random sets of ignore files', () => {
  const random = seededRandom(7)
  const paths = names.map((name) => `x${name}`)
  for (const one of names) {
    for (const two of names) paths.push(`${one}/${two}/a`, `${one}/${two}/b`, `d/${two}/${one}/ab`)
  }
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  spawnSync('git', ['init', '-q'], { cwd: folder })
  let ignoredInAll = 0
  for (let round = 0; round < 100; round++) {
    const texts = new Map([
      ['', randomIgnoreFile(random)],
      ['b', randomIgnoreFile(random)],
    ])
    for (const [where, text] of texts) writeFileSync(join(folder, where, '.gitignore'), text)
    const { stdout } = spawnSync(
      'git',
      ['-c', 'core.excludesFile=', 'check-ignore', '--no-index', '--stdin', '-z'],
      {
        cwd: folder,
        input: paths.join('\0'),
        encoding: 'utf8',
      },
    )
    const ignoredByGit = stdout.split('\0').filter((path) => path !== '')
    ignoredInAll += ignoredByGit.length
    expect(leftOut(paths, texts), JSON.stringify([...texts])).toEqual(ignoredByGit)
  }
  expect(ignoredInAll).toBeGreaterThan(1000)
})
