import { afterEach, beforeEach, expect, test } from 'vitest'

import { apiRuntime, declaring, person, type ApiRuntime } from '../../../../test/support/api-runtime.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { perform } from '../perform.ts'

let api: ApiRuntime
beforeEach(async () => {
  api = await apiRuntime()
  for (let n = 0; n < 20; n++) api.home.write(`project/page-${n}.md`, `# Page ${n}\n\nWords of page ${n}.\n`)
})
afterEach(() => api.close())

const isIndexed = async (): Promise<boolean> => {
  const { index } = await api.runtime.memory.repository()
  return index.folders().some((folder) => index.status(folder)?.files === 20)
}

test("indexes the caller's folder, and reports progress", async () => {
  const events: JsonObject[] = []
  const report = await perform(api.runtime, 'Index/Run', {}, person, {
    signal: new AbortController().signal,
    onEvent: (event) => events.push(event),
  })
  expect(report).toMatchObject({ folder: api.home.project, files: 20, indexed: 20, removed: 0 })
  expect(events.at(-1)).toMatchObject({ progress: { done: 20, total: 20 } })
  expect(await isIndexed()).toBe(true)
})

test('stops if the caller disconnects, and completes when called again', async () => {
  const stop = new AbortController()
  const running = perform(api.runtime, 'Index/Run', {}, person, {
    signal: stop.signal,
    onEvent: () => stop.abort(),
  })
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(await isIndexed()).toBe(false)
  await api.call('Index/Run')
  expect(await isIndexed()).toBe(true)
})

test('an allowed agent can index the project, and no other folder', async () => {
  await api.close()
  api = await apiRuntime({ rules: { agents: { keeper: { allow: { servers: ['control'] } } } } })
  api.home.write('elsewhere/private-name.md', '# x\n')
  const index = (path: string) => api.call('Index/Run', { path }, declaring('keeper'))
  await expect(index('../elsewhere')).rejects.toMatchObject({ code: 'OPERATOR_REQUIRED' })
  expect(await index('.')).toMatchObject({ folder: api.home.project })
  expect(await api.call('Index/Run', { path: '../elsewhere' })).toMatchObject({ files: 1 })
})
