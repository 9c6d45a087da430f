import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import { createAuditLog, type AuditLog } from './log.ts'
import { recentRecords } from './recent.ts'
import type { NewRecord } from './record.ts'

let home: TempHome
let store: Store
let log: AuditLog
let now = 0
beforeEach(() => {
  home = makeTempHome()
  const { database, keys, auditHead } = resolvePaths(home.env)
  store = openStore(database)
  now = Date.parse('2026-11-15T10:00:00Z')
  const files = { store, keysDir: keys, headFile: auditHead }
  log = createAuditLog({ ...files, clock: () => now, tenant: 'local', user: 'me', report: () => {} })
})
afterEach(() => {
  log.flush()
  store.close()
  home.remove()
})

function outcome(more: Partial<NewRecord>): void {
  log.append({
    time: now,
    kind: 'outcome',
    tenant: 'local',
    project: '/p',
    session: 's',
    agent: 'coder',
    user: 'me',
    server: 'contextd',
    tool: 'safe_read',
    ...more,
  })
}

describe('refusals', () => {
  test('are listed newest first, with their actual target', () => {
    outcome({ decision: 'deny', error: 'DENIED_BY_POLICY', rule: 'agents.coder.allow', call: 'one' })
    outcome({ decision: 'allow' })
    now += 1000
    outcome({
      decision: 'deny',
      error: 'DENIED_BY_POLICY',
      tool: 'execute_tool',
      target_server: 'db',
      target_tool: 'drop',
    })
    const { refusals } = recentRecords(store, { since: 0, refusals: 5 })
    expect(refusals).toEqual([
      {
        time: '2026-11-15T10:00:01.000Z',
        agent: 'coder',
        server: 'db',
        tool: 'drop',
        code: 'DENIED_BY_POLICY',
      },
      {
        time: '2026-11-15T10:00:00.000Z',
        agent: 'coder',
        server: 'contextd',
        tool: 'safe_read',
        code: 'DENIED_BY_POLICY',
        rule: 'agents.coder.allow',
        call: 'one',
      },
    ])
  })

  test('include those of hooks, up to the requested number', () => {
    log.event('hook-refused', { hook: 'protect', tool: 'Bash', what: 'operator-command', agent: 'main' })
    outcome({ decision: 'deny', error: 'DENIED_BY_POLICY' })
    const all = recentRecords(store, { since: 0, refusals: 5 }).refusals
    expect(all[1]).toMatchObject({ agent: 'main', server: 'client', tool: 'Bash', code: 'operator-command' })
    expect(recentRecords(store, { since: 0, refusals: 1 }).refusals).toEqual(all.slice(0, 1))
  })
})

describe('secrets held back', () => {
  test("are counted from the given time on, in our own and clients' answers", () => {
    outcome({ found_c1: 9 })
    now += 1000
    const since = now
    outcome({ found_c1: 2, found_c2: 1 })
    outcome({ found_c1: 0 })
    log.event('tool-output-scrubbed', { tool: 'Read', found: 4, rules: [] })
    expect(recentRecords(store, { since, refusals: 5 }).heldBack).toEqual({ secrets: 7, answers: 2 })
    expect(recentRecords(store, { since: 0, refusals: 5 }).heldBack).toEqual({ secrets: 16, answers: 3 })
  })

  test('are zero in an empty log', () => {
    expect(recentRecords(store, { since: 0, refusals: 5 })).toEqual({
      refusals: [],
      heldBack: { secrets: 0, answers: 0 },
    })
  })
})
