import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { toolProject, type ToolProject } from '../../../test/support/tool-packages.ts'
import type { Approval } from './approval-store.ts'
import { createShelf, type Shelf } from './shelf.ts'

let place: ToolProject
let approved: Map<string, Approval>
let counted = 0
let shelf: Shelf
beforeEach(() => {
  place = toolProject()
  approved = new Map()
  counted = 0
  shelf = createShelf({
    project: place.project,
    approvals: { find: (tool) => approved.get(tool) },
    copies: { read: () => undefined },
    count: () => {
      counted += 1
      return 1
    },
    isTaken: (name) => name === 'safe_bash',
  })
})
afterEach(() => place.remove())

function approve(name: string): void {
  const found = shelf.look(name)
  if (found === undefined || !('package' in found)) throw new Error(JSON.stringify(found))
  approved.set(name, { tool: name, sha256: found.package.files.sha256, capabilities: [], approvedAt: 0 })
}

it('is empty where there is no folder', () => {
  expect(shelf.names()).toEqual([])
  expect(shelf.look('probe')).toBeUndefined()
})

it('tells what state each package is in', () => {
  for (const name of ['ok', 'fresh', 'other', 'safe_bash']) place.add({ name })
  for (const name of ['ok', 'other']) approve(name)
  place.add({ name: 'other', script: 'echo other' })
  place.add({ name: 'half', files: { 'schema.json': '{' } })
  place.add({ name: 'Upper' })
  const tools = join(place.project, '.contextd/tools')
  writeFileSync(join(tools, 'README'), 'no package')
  symlinkSync(join(tools, 'ok'), join(tools, 'linked'))
  expect(shelf.names().map((name) => `${name} ${shelf.look(name)?.state}`)).toEqual([
    'Upper broken',
    'fresh new',
    'half broken',
    'linked broken',
    'ok approved',
    'other changed',
    'safe_bash broken',
  ])
  expect(shelf.look('safe_bash')).toEqual({
    state: 'broken',
    problems: ['contextd has a built-in tool with this name'],
  })
})

it('reads a package on first use, and again only when it changed', () => {
  place.add({})
  shelf.names()
  expect(counted).toBe(0)
  for (let n = 0; n < 5; n++) shelf.look('probe')
  expect(counted).toBe(1)
  place.add({ description: 'Something else.' })
  expect(shelf.look('probe')).toMatchObject({ package: { description: 'Something else.' } })
  expect(counted).toBe(2)
})

it('notices new and deleted packages', () => {
  mkdirSync(join(place.project, '.contextd/tools'), { recursive: true })
  expect(shelf.look('probe')).toBeUndefined()
  const folder = place.add({})
  expect(shelf.look('probe')?.state).toBe('new')
  approve('probe')
  rmSync(folder, { recursive: true })
  expect(shelf.look('probe')).toBeUndefined()
  expect(shelf.names()).toEqual([])
})
