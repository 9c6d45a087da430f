import { afterEach, beforeEach, expect, test } from 'vitest'

import { apiRuntime, type ApiRuntime } from '../../../test/support/api-runtime.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { createAuditReader } from '../../stages/audit/query.ts'
import { callMethod } from './socket-calls.ts'

let api: ApiRuntime
beforeEach(async () => {
  api = await apiRuntime()
})
afterEach(() => api.close())

async function ask(request: JsonObject, length = 100): Promise<Json> {
  const workspaces = {
    use: <T>(_: unknown, work: (runtime: ApiRuntime['runtime']) => Promise<T>) => work(api.runtime),
    sweep: async () => {},
    close: async () => {},
  }
  const line = { signal: new AbortController().signal, length, send: () => {} }
  return callMethod(workspaces, 1000)(request, line)
}

test('refuses a request that is too long, and answers a shorter one', async () => {
  const request = { rpc: 'Agents/List' }
  await expect(ask(request, 1001)).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
  expect(await ask(request, 1000)).toHaveProperty('agents')
})

test('truncates the name of a program', async () => {
  await ask({ rpc: 'Agents/List', client: 'x'.repeat(100_000) })
  const { store } = api.runtime
  const [entry] = createAuditReader({ store, tenant: 'local', clock: Date.now }).query({ limit: 1 })
  expect(entry?.client).toBe('x'.repeat(64))
})
