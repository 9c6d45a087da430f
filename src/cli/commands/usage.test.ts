import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { openRecords } from '../../compose.ts'
import { createModelUsage } from '../../stages/budget/model-usage.ts'
import { usageCommand } from './usage.ts'

let home: TempHome
beforeEach(() => (home = makeTempHome()))
afterEach(() => home.remove())

const dayMs = 86_400_000

function use(agent: string, model: string, daysAgo: number): void {
  const records = openRecords(home.env)
  const scope = { tenant: 'local', project: '/p', session: `session-of-${agent}`, agent }
  const usage = { input: 1000, output: 20, cacheRead: 300, cacheWrite: 4 }
  createModelUsage(records.store, 'local', () => Date.now() - daysAgo * dayMs).add(scope, 'anthropic', {
    model,
    usage,
  })
  records.close()
}

const json = async (...argv: string[]): Promise<{ usage: { name: string; requests: number }[] }> =>
  JSON.parse((await home.run(usageCommand, ...argv, '--json')).out())

test('sums up tokens by day, session, agent and model', async () => {
  expect((await home.run(usageCommand)).out()).toBe('No tokens were used through the model door.\n')
  use('main', 'big', 0)
  use('main', 'small', 0)
  use('main', 'big', 1)
  use('Explore', 'small', 8)
  const names = async (...argv: string[]): Promise<[string, number][]> =>
    (await json(...argv)).usage.map(({ name, requests }) => [name, requests])
  const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)
  expect(await names()).toEqual([
    [day(1), 1],
    [day(0), 2],
  ])
  expect(await names('--days', '1')).toEqual([[day(0), 2]])
  expect(await names('--days', '30', '--by', 'agent')).toEqual([
    ['main', 3],
    ['Explore', 1],
  ])
  expect(await names('--days', '30', '--by', 'session')).toEqual([
    ['session-of-main', 3],
    ['session-of-Explore', 1],
  ])
  expect((await json('--by', 'model')).usage[0]).toEqual({
    name: 'big',
    requests: 2,
    input: 2000,
    output: 40,
    cache_read: 600,
    cache_write: 8,
  })
  const table = (await home.run(usageCommand, '--by', 'model')).out()
  expect(table).toMatch(/^MODEL +REQUESTS +INPUT +OUTPUT +CACHE READ +CACHE WRITE$/m)
  expect(table).toMatch(/^big +2 +2,000 +40 +600 +8$/m)
  expect(table).toMatch(/^total +3 +3,000/m)
})
