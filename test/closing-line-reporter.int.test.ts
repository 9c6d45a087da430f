import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const outcomes: [string, string, string][] = [
  ['a test that passes', '', '1 passed, 0 failed'],
  ['a test that fails', `test('fails', () => expect(1).toBe(2))`, '1 passed, 1 failed'],
  ['a test that is skipped', `test.skip('skipped', () => {})`, '1 passed, 0 failed'],
  [
    'a clean-up that fails',
    `describe('suite', () => {
      afterAll(() => { throw new Error('left over') })
      test('passes too', () => {})
    })`,
    '2 passed, 1 failed',
  ],
  [
    'an error nobody waits for',
    `setTimeout(() => { throw new Error('late') })
    test('waits', () => new Promise((resolve) => setTimeout(resolve, 50)))`,
    '2 passed, 1 failed',
  ],
]

test.each(outcomes)('%s is counted', (_, more, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'ctxd-line-'))
  try {
    writeFileSync(join(folder, 'one.test.js'), `test('passes', () => {})\n${more}`)
    const options = ['--root', folder, '--globals', '--reporter', join(root, 'test/closing-line-reporter.ts')]
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', ...options], { encoding: 'utf8' })
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(line)
    expect(status === 0).toBe(line.endsWith(' 0 failed'))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
