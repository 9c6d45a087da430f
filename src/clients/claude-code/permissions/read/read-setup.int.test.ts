import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../../../test/support/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

it('waits for no pipe, wherever one stands', () => {
  const pipes = [
    'project/.claude/settings.json',
    'project/.claude/agents/a.md',
    'project/.mcp.json',
    'project/README.md',
    'home/.claude.json',
    'home/.claude/plugins/known_marketplaces.json',
    'managed/managed-mcp.json',
  ]
  for (const pipe of pipes) {
    const file = join(folders.path, pipe)
    mkdirSync(dirname(file), { recursive: true })
    execFileSync('mkfifo', [file])
  }
  const setup = folders.read()
  expect(Array.from(setup.documents())).toEqual([])
  const named = setup.troubles.map(({ kind, file }) => `${kind} ${folders.short(file)}`)
  const expected = pipes.filter((pipe) => pipe !== 'project/README.md').map((pipe) => `unreadable ${pipe}`)
  expect(named.sort()).toEqual(expected.sort())
})
