import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { openStore, type Store } from '../../platform/storage/store.ts'
import { createModelUsage, sumUsage } from './model-usage.ts'

const day = 86_400_000
const noon = Date.parse('2026-11-16T12:00:00Z')
const usage = { input: 1, output: 20, cacheRead: 300, cacheWrite: 4000 }
const main = { tenant: 'local', project: '/p', session: 's1', agent: 'main' }

let folder: string
let store: Store
let now = noon
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-usage-'))
  store = openStore(join(folder, 'contextd.db'))
  now = noon
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true })
})

test("adds up an agent's usage per session and day", () => {
  const book = createModelUsage(store, 'local', () => now)
  const other = { ...main, session: 's2' }
  book.add(main, 'anthropic', { model: 'm', usage })
  book.add(main, 'anthropic', { model: 'm', usage })
  book.add(main, 'anthropic', { model: 'n', usage })
  book.add(other, 'anthropic', { usage })
  book.add(main, 'anthropic', { model: 'm' })
  book.add({ ...main, agent: 'Explore' }, 'anthropic', { model: 'm', usage })
  expect([book.inSession(main), book.inSession(other), book.today(main)]).toEqual([3 * 4321, 4321, 4 * 4321])
  now += day
  expect([book.inSession(main), book.today(main)]).toEqual([3 * 4321, 0])
  expect(createModelUsage(store, 'other', () => now).inSession(main)).toBe(0)
  expect(
    sumUsage(store, 'local', { since: noon, by: 'model' }).map(({ name, requests }) => [name, requests]),
  ).toEqual([
    ['m', 3],
    ['n', 1],
    ['', 1],
  ])
  expect(sumUsage(store, 'local', { since: noon + day, by: 'model' })).toEqual([])
})

test('keeps complete days', () => {
  const book = createModelUsage(store, 'local', () => now)
  book.add(main, 'anthropic', { model: 'm', usage })
  expect(book.prune(noon + 1000)).toBe(0)
  expect(book.prune(noon + day)).toBe(1)
  expect(book.inSession(main)).toBe(0)
})
