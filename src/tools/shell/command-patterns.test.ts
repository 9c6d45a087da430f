import { expect, test } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { isCommandGranted } from './command-patterns.ts'

const granted = (command: string, ...texts: string[]): boolean =>
  isCommandGranted(
    command,
    texts.map((text) => parseCapability(text)!),
  )

test.each([
  ['anything at all', ['shell:exec']],
  ['git', ['shell:exec:git *']],
  ['git status && git diff | git apply', ['shell:exec:git *']],
  ['npm test', ['shell:exec:git *', 'shell:exec:npm test']],
  ['npm run build:all', ['shell:exec:npm run *:all']],
])('%s is granted by %j', (command, grants) => expect(granted(command, ...grants)).toBe(true))

test.each([
  ['rm -rf x', ['shell:exec:git *']],
  ['git status; rm -rf x', ['shell:exec:git *']],
  ['git status\nrm x', ['shell:exec:git *']],
  ['git $(rm x)', ['shell:exec:git *']],
  ['git `rm x`', ['shell:exec:git *']],
  ['gitx', ['shell:exec:git *']],
  ['npm test --more', ['shell:exec:npm test']],
  ['', ['shell:exec:git *']],
  ['git status', ['fs:read']],
])('%s is not granted by %j', (command, grants) => expect(granted(command, ...grants)).toBe(false))

test('an exception takes a command out of a grant', () => {
  const grants = [{ kind: 'shell:exec', except: ['git push*'] } as const]
  expect(isCommandGranted('git status', grants)).toBe(true)
  expect(isCommandGranted('git status && git push origin', grants)).toBe(false)
})

test('a long pattern against a long command is decided at once', () => {
  expect(granted('a'.repeat(50_000), `shell:exec:${'*a'.repeat(2000)}b`)).toBe(false)
})
