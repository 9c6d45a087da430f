/** Somebody swaps what a path leads to, for real, while it is loaded. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { startSwapping } from '../../../test/support/swap-attacker.ts'
import { readMarkdownFile } from './markdown-file.ts'

const rounds = 2000
/** The careless way is tried until it is caught, but not for ever. */
const maxAttempts = 400_000

/** A path that is Markdown at one moment, and leads to something else with a name that is not at the next. */
async function underAttack(): Promise<string> {
  const folder = realpathSync(temporaryFolder())
  const outside = join(folder, 'outside')
  mkdirSync(join(folder, 'work/d'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(folder, 'work/d/c.md'), 'meant')
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  symlinkSync('secret.txt', join(outside, 'c.md'))
  const attacker = await startSwapping(join(folder, 'work'), outside)
  onTestFinished(attacker.stop)
  return join(attacker.path, 'c.md')
}

test('not one of many loads brings what is not Markdown', async () => {
  const path = await underAttack()
  const seen = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const read = await readMarkdownFile(path, '/nowhere')
    seen.add(read.kind === 'text' ? read.text : read.code)
  }
  expect(seen).toContain('meant')
  expect([...seen].filter((what) => !/^(?:meant|CONTEXT_\w+)$/.test(what))).toEqual([])
})

test('the careless way leaks under the same attack', async () => {
  const path = await underAttack()
  let leaked = false
  for (let tried = 0; tried < maxAttempts && !leaked; tried++) {
    try {
      leaked = realpathSync(path).endsWith('.md') && readFileSync(path, 'utf8') === 'secret'
    } catch {
      // Swapped at another moment.
    }
  }
  expect(leaked).toBe(true)
})

test('a pipe neither blocks nor answers', async () => {
  const path = join(temporaryFolder(), 'pipe.md')
  execFileSync('mkfifo', [path])
  expect(await readMarkdownFile(path, '/nowhere')).toMatchObject({
    code: 'CONTEXT_NOT_MARKDOWN',
    problem: 'it is not a regular file',
  })
})
