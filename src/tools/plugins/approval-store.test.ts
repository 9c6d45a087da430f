import { afterEach, beforeEach, expect, it } from 'vitest'

import { toolProject, type ToolProject } from '../../../test/support/tool-packages.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import { createApprovalStore, type ApprovalStore } from './approval-store.ts'

let place: ToolProject
let store: Store
let now = 1000
const of = (project: string): ApprovalStore =>
  createApprovalStore(store, { tenant: 'local', project }, () => now)
beforeEach(() => {
  place = toolProject()
  store = openStore(`${place.home}/contextd.db`)
  now = 1000
})
afterEach(() => {
  store.close()
  place.remove()
})

const read = { kind: 'fs:read', scope: 'src/**' } as const
const fetch = { kind: 'http:fetch', scope: 'GET@api.example.com' } as const

it('remembers what was approved, for good and for a session', () => {
  const approvals = of('/a')
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [read] })
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [fetch] }, 's1')
  expect(approvals.find('weather')).toEqual({
    tool: 'weather',
    sha256: 'h1',
    capabilities: [read],
    approvedAt: 1000,
  })
  expect(approvals.find('weather', 's1')?.capabilities).toEqual([fetch])
  expect(approvals.find('weather', 's2')).toBeUndefined()
  expect(approvals.list().map(({ tool }) => tool)).toEqual(['weather'])
})

it('puts a new approval in the place of the old one', () => {
  const approvals = of('/a')
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [] })
  approvals.put({ tool: 'weather', sha256: 'h2', capabilities: [read] })
  expect(approvals.list()).toMatchObject([{ sha256: 'h2', capabilities: [read] }])
})

it('keeps projects apart', () => {
  of('/a').put({ tool: 'weather', sha256: 'h1', capabilities: [] })
  of('/b').put({ tool: 'weather', sha256: 'h2', capabilities: [] })
  expect(of('/c').find('weather')).toBeUndefined()
  expect(of('/a').remove('weather')).toBe(true)
  expect(of('/a').remove('weather')).toBe(false)
  expect(of('/b').find('weather')?.sha256).toBe('h2')
  expect([...of('/a').hashesInUse()]).toEqual(['h2'])
})

it('takes what holds for sessions away with the rest', () => {
  const approvals = of('/a')
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [] })
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [fetch] }, 's1')
  approvals.remove('weather')
  expect(approvals.find('weather', 's1')).toBeUndefined()
})

it('forgets old sessions, and nothing that holds for good', () => {
  const approvals = of('/a')
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [] })
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [fetch] }, 'old')
  now = 2000
  approvals.put({ tool: 'weather', sha256: 'h1', capabilities: [fetch] }, 'new')
  expect(approvals.prune(1500)).toBe(1)
  expect(
    [undefined, 'old', 'new'].map((session) => approvals.find('weather', session) !== undefined),
  ).toEqual([true, false, true])
})
