import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { stateOfSources } from '../scripts/built-commit.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-built-'))
  write('src/a.ts', 'a')
  write('package.json', '{}')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

test('the state of the sources changes with every file that a build reads', () => {
  const states = [stateOfSources(folder)]
  write('src/a.ts', 'longer')
  states.push(stateOfSources(folder))
  utimesSync(join(folder, 'src/a.ts'), 1, 1)
  states.push(stateOfSources(folder))
  write('packages/scrub/src/b.ts', '')
  states.push(stateOfSources(folder))
  rmSync(join(folder, 'package.json'))
  states.push(stateOfSources(folder))
  expect(new Set(states).size).toBe(5)
})

test('it stays the same if nothing changes, or only what is built or not read', () => {
  const state = stateOfSources(folder)
  write('packages/scrub/dist/index.js', '')
  write('docs/page.md', '')
  expect(stateOfSources(folder)).toBe(state)
})
