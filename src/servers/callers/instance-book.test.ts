import { beforeEach, expect, it } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import { createAgentInstances, type AgentInstances } from '../../stages/identity/agent-instances.ts'
import type { Store } from '../../platform/storage/store.ts'
import { createInstanceBook } from './instance-book.ts'

let store: Store
let instances: AgentInstances
beforeEach(() => {
  store = temporaryStore()
  instances = createAgentInstances({ store, tenant: LOCAL_TENANT, project: '/p' }, Date.now)
})

it('records agents, and the main thread', () => {
  const book = createInstanceBook(store, '/p')
  expect(book.note('s', '', 'main')).toBe('noted')
  expect(book.note('s', 'a1', 'reviewer')).toBe('noted')
  expect(book.note('s', 'a1', 'reviewer')).toBe('noted')
  expect(instances.agentOf('s', '')).toBe('main')
  expect(instances.agentOf('s', 'a1')).toBe('reviewer')
})

it('accepts neither of two conflicting statements, and not the first one afterwards', () => {
  const book = createInstanceBook(store, '/p')
  book.note('s', 'a1', 'reviewer')
  expect(book.note('s', 'a1', 'contextd:scanner')).toBe('conflict')
  expect(instances.agentOf('s', 'a1')).toBe('subagent:')
  expect(book.note('s', 'a1', 'reviewer')).toBe('conflict')
  expect(instances.agentOf('s', 'a1')).toBe('subagent:')
  expect(book.note('s', '', 'main')).toBe('noted')
  expect(book.note('s', '', 'lead')).toBe('conflict')
  expect(instances.agentOf('s', '')).toBe('subagent:')
})

it('a resumed session may become another agent, but a subagent may not', () => {
  createInstanceBook(store, '/p').note('s', '', 'main')
  createInstanceBook(store, '/p').note('s', 'a1', 'reviewer')
  const later = createInstanceBook(store, '/p')
  expect(later.note('s', '', 'lead')).toBe('noted')
  expect(instances.agentOf('s', '')).toBe('lead')
  expect(later.note('s', 'a1', 'contextd:scanner')).toBe('conflict')
})
