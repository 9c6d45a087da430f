import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
})
afterEach(() => folders.remove())

it('does not block on a pipe in any location', () => {
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
  const named = setup.problems.map(({ kind, file }) => `${kind} ${folders.short(file)}`)
  const expected = pipes.filter((pipe) => pipe !== 'project/README.md').map((pipe) => `unreadable ${pipe}`)
  expect(named.sort()).toEqual(expected.sort())
})

it('stops before agents exhaust memory, and reports it', () => {
  const problems = (times: number): string[] => {
    const agents = Array.from({ length: times }, () => './large.md')
    folders.write({
      'plugin/.claude-plugin/plugin.json': { name: 'large', agents },
      'plugin/large.md': 'x'.repeat(1_000_000),
    })
    const setup = folders.read({ pluginFolders: [join(folders.path, 'plugin')] })
    return setup.problems.map(({ kind, severity, file }) => `${severity} ${kind} ${folders.short(file)}`)
  }
  expect(problems(100)).toEqual([])
  expect(problems(150)).toEqual(['error unreadable plugin/large.md'])
})
