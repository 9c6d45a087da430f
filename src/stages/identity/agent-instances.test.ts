import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { openStore, type Store } from '../../platform/storage/store.ts'
import { createAgentInstances, type AgentInstances } from './agent-instances.ts'

let folder: string
let store: Store
let now = 1000
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-instances-'))
  store = openStore(join(folder, 'contextd.db'))
  now = 1000
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})
const of = (tenant = 'local'): AgentInstances =>
  createAgentInstances({ store, tenant, project: '/a' }, () => now)

test('knows the agent of an instance in its client session, and nowhere else', () => {
  of().record('c1', 'i1', 'Explore')
  of().record('c1', '', 'lead')
  expect(of().agentOf('c1', 'i1')).toBe('Explore')
  expect(of().agentOf('c1', '')).toBe('lead')
  expect(of().agentOf('c2', 'i1')).toBeUndefined()
  expect(of('other').agentOf('c1', 'i1')).toBeUndefined()
  of().record('c1', 'i1', 'Plan')
  expect(of().agentOf('c1', 'i1')).toBe('Plan')
})

test('is kept as long as it is seen', () => {
  of().record('c1', 'i1', 'Explore')
  of().record('c1', 'i2', 'Explore')
  now += 7_200_000
  of().record('c1', 'i1', 'Explore')
  expect(of().prune(1000)).toBe(1)
  expect([of().agentOf('c1', 'i1'), of().agentOf('c1', 'i2')]).toEqual(['Explore', undefined])
})
