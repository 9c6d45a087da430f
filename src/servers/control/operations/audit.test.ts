import { afterEach, beforeEach, expect, test } from 'vitest'

import { apiRuntime, declaring, person, type ApiRuntime } from '../../../../test/support/api-runtime.ts'
import { until } from '@contextd/shared/testing/until'
import { openRecords } from '../../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { perform } from '../perform.ts'

let api: ApiRuntime
beforeEach(async () => {
  api = await apiRuntime()
})
afterEach(() => api.close())

/** An API stream that runs until it is stopped. */
function listening(rpc: string, request: JsonObject) {
  const events: JsonObject[] = []
  const stop = new AbortController()
  const ended = perform(api.runtime, rpc, request, person, {
    signal: stop.signal,
    onEvent: (event) => events.push(event),
  })
  return {
    events,
    names: () => events.map(({ record }) => (record as JsonObject).event ?? (record as JsonObject).tool),
    /** A stream ends when its client disconnects, which gets no error. */
    async stop() {
      stop.abort()
      await expect(ended).rejects.toMatchObject({ code: 'CANCELLED' })
    },
  }
}

test("a query leaves out the operator's own queries unless requested", async () => {
  await api.call('Agents/List')
  await api.call('Agents/List', {}, declaring('main')).catch(() => {})
  const tools = async (request: JsonObject) =>
    ((await api.call('Audit/Query', { kind: 'call', ...request })).entries as JsonObject[]).map(
      ({ agent, tool }) => `${agent as string} ${tool as string}`,
    )
  expect(await tools({})).toEqual(['main agents.list'])
  expect(await tools({ agent: '@operator' })).toEqual(['@operator audit.query', '@operator agents.list'])
  expect(await tools({ server: 'control' })).toContain('@operator agents.list')
})

test('a tail starts with the last records, and continues with those of this and other processes', async () => {
  for (const name of ['one', 'two', 'three']) api.runtime.audit.event(name)
  const tail = listening('Audit/Tail', { limit: 2, kind: 'event' })
  await until(() => tail.events.length === 2)
  expect(tail.names()).toEqual(['two', 'three'])
  api.runtime.audit.event('four')
  await until(() => tail.events.length === 3)
  const other = openRecords(api.home.env)
  other.event('five', {})
  other.close()
  await until(() => tail.events.length === 4)
  expect(tail.names()).toEqual(['two', 'three', 'four', 'five'])
  await tail.stop()
  api.runtime.audit.event('six')
  expect(tail.names()).not.toContain('six')
})

test('a tail from a position returns everything after it, and ends there without follow', async () => {
  const { seq } = api.runtime.audit.event('one')
  for (let n = 0; n < 1200; n++) api.runtime.audit.event(`e${n}`)
  const events: JsonObject[] = []
  await perform(api.runtime, 'Audit/Tail', { after: seq, follow: false }, person, {
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
  })
  const names = events.map(({ record }) => (record as JsonObject).event)
  expect(names).toEqual(Array.from({ length: 1200 }, (_, n) => `e${n}`))
})

test("a tail omits the operator's own queries, but not those of an agent", async () => {
  const tail = listening('Audit/Tail', { limit: 1, kind: 'call' })
  await api.call('Agents/List')
  await api.call('Agents/List', {}, declaring('main')).catch(() => {})
  await until(() => tail.events.length > 0)
  await tail.stop()
  expect(tail.events).toHaveLength(1)
  expect(tail.events[0]).toMatchObject({ record: { agent: 'main', tool: 'agents.list', decision: 'deny' } })
})

test('refuses an invalid tail before it starts, and any tail by an agent', async () => {
  await expect(api.call('Audit/Tail', { kind: 'calls' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  await expect(api.call('Audit/Tail', {}, declaring('main'))).rejects.toMatchObject({
    code: 'DENIED_BY_POLICY',
  })
})

test('verify returns the verdict', async () => {
  api.runtime.audit.event('one')
  expect(await api.call('Audit/Verify')).toMatchObject({ ok: true, first_bad: null })
})
