import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders
let inner: string

beforeEach(() => {
  folders = makeClaudeFolders()
  inner = join(folders.places.project, 'packages/one')
  mkdirSync(inner, { recursive: true })
})
afterEach(() => folders.remove())

const trusted = (...names: string[]): object => ({
  projects: Object.fromEntries(names.map((name) => [name, { hasTrustDialogAccepted: true }])),
})

describe('trust', () => {
  it("is read from the client's state file", () => {
    expect(folders.read()).toMatchObject({ isUsed: false, isTrusted: false })
    folders.write({ 'home/.claude.json': trusted('$HOME') })
    expect(folders.read()).toMatchObject({ isUsed: true, isTrusted: false })
    folders.trust()
    expect(folders.read()).toMatchObject({ isUsed: true, isTrusted: true })
  })

  it.each(['{"projects": []}', '{"projects": {"$PROJECT": true}}', 'nonsense', '[]'])(
    'is not in %s',
    (text) => {
      folders.write({ 'home/.claude.json': text })
      expect(folders.read()).toMatchObject({ isUsed: true, isTrusted: false })
    },
  )

  it('is that of the enclosing repository, not of a folder in it', () => {
    folders.write({ 'home/.claude.json': trusted('$PROJECT') })
    expect(folders.read({ project: inner }).isTrusted).toBe(false)
    mkdirSync(join(folders.places.project, '.git'))
    expect(folders.read({ project: inner }).isTrusted).toBe(true)
    folders.write({ 'home/.claude.json': trusted('$PROJECT/packages/one') })
    expect(folders.read({ project: inner }).isTrusted).toBe(false)
  })

  it('is that of the repository a worktree belongs to', () => {
    folders.write({
      'main/.git/worktrees/tree/commondir': '../..\n',
      'project/.git': `gitdir: ${folders.path}/main/.git/worktrees/tree\n`,
      'home/.claude.json': trusted(join(folders.path, 'main')),
    })
    expect(folders.read().isTrusted).toBe(true)
  })
})

describe('the local settings', () => {
  it('are those of the repository and of the folder', () => {
    writeFileSync(join(folders.places.project, 'packages/settings'), '')
    folders.write({
      'project/.claude/settings.local.json': { permissions: { deny: ['Root'] } },
      'project/.claude/settings.json': { permissions: { deny: ['Other'] } },
      'project/packages/one/.claude/settings.local.json': { permissions: { deny: ['Inner'] } },
    })
    const denied = (): string[] =>
      folders.read({ project: inner }).settings.flatMap(({ rules }) => rules.map(({ text }) => text))
    expect(denied()).toEqual(['Inner'])
    mkdirSync(join(folders.places.project, '.git'))
    expect(denied()).toEqual(['Root', 'Inner'])
  })
})
