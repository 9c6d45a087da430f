/** A hundred concurrent callers. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { expect, test } from 'vitest'

import { as, gatewayRuntime, textOf } from '../support/gateway-runtime.ts'
import { newProcessMark } from '../support/process-mark.ts'

const agents = Array.from({ length: 10 }, (_, at) => `agent${at}`)
const sessions = Array.from({ length: 10 }, (_, at) => `session ${at}`)
const rules = { agents: Object.fromEntries(agents.map((agent) => [agent, { allow: { servers: ['*'] } }])) }
const script = resolve('test', 'support', 'upstream-fixtures', 'counted-start.sh')

test('each gets its own server process, few start at a time, and none is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-storm-'))
  const mark = newProcessMark()
  const servers = { counted: { command: '/bin/sh', args: [script, folder], env: mark.env } }
  const gateway = await gatewayRuntime({ servers, rules, config: '[upstream]\nconnections = 100\n' })
  const callers = agents.flatMap((agent) => sessions.map((session) => ({ ...as(agent), session })))
  const pidLists = await Promise.all(
    callers.map(async (caller) => {
      const calls = [1, 2, 3].map(() => gateway.execute('counted', 'pid', {}, caller))
      return (await Promise.all(calls)).map(textOf)
    }),
  )
  expect(pidLists.filter((answers) => new Set(answers).size !== 1)).toEqual([])
  const pids = new Set(pidLists.flat())
  expect(pids.size).toBe(100)
  expect(new Set(mark.processes().map(String))).toEqual(pids)
  const seen = readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n').map(Number)
  expect(seen).toHaveLength(100)
  expect(Math.max(...seen)).toBeLessThanOrEqual(4)
  // Several do start concurrently, otherwise the count proves nothing.
  expect(Math.max(...seen)).toBeGreaterThan(1)

  gateway.runtime.sessions.end('session 0')
  expect(gateway.runtime.upstream.health()).toMatchObject([{ server: 'counted', connections: 90 }])
  await gateway.close()
  expect(mark.processes()).toEqual([])
  rmSync(folder, { recursive: true })
})

test('with fewer connections than agents, the limit holds, and everyone is served eventually', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-storm-'))
  const mark = newProcessMark()
  const servers = { counted: { command: '/bin/sh', args: [script, folder], env: mark.env } }
  const gateway = await gatewayRuntime({ servers, rules, config: '[upstream]\nconnections = 5\n' })
  for (const agent of agents) {
    for (const session of sessions.slice(0, 2)) {
      expect(textOf(await gateway.execute('counted', 'pid', {}, { ...as(agent), session }))).toMatch(/^\d+$/)
      expect(gateway.runtime.upstream.health()[0]?.connections).toBeLessThanOrEqual(5)
    }
  }
  await gateway.close()
  expect(mark.processes()).toEqual([])
  rmSync(folder, { recursive: true })
})
