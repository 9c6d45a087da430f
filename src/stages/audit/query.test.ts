import { describe, expect, test } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import { createAuditReader, type AuditFilter } from './query.ts'
import type { NewRecord } from './record.ts'

/** The records that the stage writes before a call. */
const intent = (call: string, change: Partial<NewRecord> = {}): NewRecord => ({
  time: 1000,
  kind: 'intent',
  call,
  tenant: 'local',
  project: '/shop',
  session: 's1',
  agent: '',
  user: 'ada',
  method: 'tool',
  server: 'contextd',
  tool: 'safe_bash',
  deadline: 31_000,
  arguments: { command: 'ls' },
  ...change,
})

function filled() {
  const audit = temporaryAudit()
  const { log, files, clock } = audit
  clock.now = 20_000
  const ended = (before: NewRecord, after: Partial<NewRecord>) => {
    const { seq } = log.append(before)
    const { deadline: _, arguments: __, ...context } = before
    log.append({ ...context, findings: undefined, notes: undefined, kind: 'outcome', intent: seq, ...after })
  }
  ended(intent('a', { time: 1000 }), { time: 1100, agent: 'main' })
  ended(intent('b', { time: 2000, tool: 'execute_tool' }), {
    time: 2100,
    agent: 'frontend',
    target_server: 'postgres',
    target_tool: 'query',
    decision: 'deny',
    error: 'DENIED_BY_POLICY',
  })
  log.append(intent('crashed', { time: 3000, deadline: 10_000, session: 's2' }))
  log.append(intent('open', { time: 4000 }))
  log.event('rules.reload_failed', { file: 'rules.json' })
  const findings = [{ layer: 'arguments', rule: 'jwt', count: 1 }] as const
  ended(intent('leak', { time: 5000, findings, notes: ['one'] }), {
    time: 5100,
    agent: 'main',
    output: 'one row',
    found_c2: 2,
    findings: [{ layer: 'C2', rule: 'jwt', count: 2 }],
    notes: ['two'],
  })
  log.append(intent('theirs', { tenant: 'other' }))
  const reader = createAuditReader({ store: files.store, tenant: 'local', clock: () => clock.now })
  return { reader, clock, files, log, forge: (sql: string) => audit.intruder.exec(sql) }
}

const named = (entries: readonly { call?: string | undefined; event?: string | undefined }[]) =>
  entries.map(({ call, event }) => call ?? event)

describe('a query', () => {
  const cases: [AuditFilter, string[]][] = [
    [{}, ['leak', 'rules.reload_failed', 'open', 'crashed', 'b', 'a']],
    [{ limit: 2 }, ['leak', 'rules.reload_failed']],
    [{ limit: 0 }, []],
    [{ kind: 'event' }, ['rules.reload_failed']],
    [{ kind: 'call' }, ['leak', 'open', 'crashed', 'b', 'a']],
    [{ since: 4000, kind: 'call' }, ['leak', 'open']],
    [{ until: 2100 }, ['b', 'a']],
    [{ since: 2100, until: 3000 }, ['crashed', 'b']],
    [{ agent: 'frontend' }, ['b']],
    [{ session: 's2' }, ['crashed']],
    [{ call: 'b' }, ['b']],
    [{ server: 'postgres' }, ['b']],
    [{ tool: 'query' }, ['b']],
    [{ tool: 'execute_tool' }, ['b']],
    [{ server: 'contextd', tool: 'safe_bash', limit: 1 }, ['leak']],
    [{ decision: 'deny' }, ['b']],
    [{ error: 'DENIED_BY_POLICY' }, ['b']],
    [{ error: 'TIMEOUT' }, []],
    [{ crashed: true }, ['crashed']],
    [{ leaks: true }, ['leak']],
    [{ leaks: true, agent: 'frontend' }, []],
  ]
  test.each(cases)('for %o', (filter, expected) => {
    expect(named(filled().reader.query(filter))).toEqual(expected)
  })

  test('shows a call as one entry, and a crash as crashed', () => {
    const { reader, clock } = filled()
    const status = () =>
      Object.fromEntries(reader.query({ kind: 'call' }).map((entry) => [entry.call, entry.status]))
    expect(status()).toEqual({ a: 'done', b: 'done', leak: 'done', crashed: 'crashed', open: 'open' })
    clock.now = 31_001
    expect(status()).toMatchObject({ open: 'crashed' })
  })
})

describe('one call', () => {
  test('is shown with its arguments and its result', () => {
    const { reader } = filled()
    const entry = reader.show('leak')
    expect(entry).toMatchObject({
      kind: 'call',
      status: 'done',
      agent: 'main',
      arguments: { command: 'ls' },
      output: 'one row',
      findings: [
        { layer: 'arguments', rule: 'jwt', count: 1 },
        { layer: 'C2', rule: 'jwt', count: 2 },
      ],
      notes: ['one', 'two'],
    })
    expect(entry).not.toHaveProperty('hash')
  })

  test('can be found by a unique id prefix', () => {
    const { reader, log } = filled()
    log.append(intent('bee29823-aa0b-4ce1', { time: 6000 }))
    expect(reader.show('bee29823')).toMatchObject({ call: 'bee29823-aa0b-4ce1' })
    expect(['bee2982', 'bee29824', 'bee29823-aa0c', '________'].map(reader.show)).toEqual(Array(4))
    log.append(intent('bee29823-bb0b-4ce1', { time: 7000 }))
    expect(reader.show('bee29823')).toBeUndefined()
    expect(reader.show('bee29823-b')).toMatchObject({ call: 'bee29823-bb0b-4ce1' })
  })

  test('is shown as far as it got', () => {
    expect(filled().reader.show('crashed')).toMatchObject({
      status: 'crashed',
      arguments: { command: 'ls' },
      agent: '',
    })
  })

  test('is shown even if its intent was pruned', () => {
    const { reader, log } = filled()
    log.prune(1050)
    expect(reader.show('a')).toMatchObject({ status: 'done', agent: 'main' })
    expect(reader.show('a')).not.toHaveProperty('arguments')
  })

  test('of another tenant does not exist', () => {
    const { reader, files } = filled()
    expect(reader.show('theirs')).toBeUndefined()
    expect(
      createAuditReader({ store: files.store, tenant: 'other', clock: Date.now }).show('theirs'),
    ).toBeDefined()
  })
})

describe('the tail', () => {
  test('contains the newest records in order', () => {
    expect(
      filled()
        .reader.tail({ limit: 3 })
        .map(({ seq }) => seq),
    ).toEqual([7, 8, 9])
  })

  test('continues after a cursor', () => {
    const { reader, log } = filled()
    expect(reader.tail({ after: 7 }).map(({ seq }) => seq)).toEqual([8, 9])
    expect(reader.tail({ after: 9 })).toEqual([])
    log.event('daemon.started')
    expect(reader.tail({ after: 9 })).toMatchObject([{ seq: 11, kind: 'event', event: 'daemon.started' }])
  })
})

describe('an export', () => {
  test('contains every record of the tenant with its seal, while others write', () => {
    const { reader, log } = filled()
    const seqs: number[] = []
    for (const record of reader.export()) {
      seqs.push(record.seq)
      expect(record.hash).toMatch(/^[0-9a-f]{64}$/)
      log.event('meanwhile')
    }
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('a record that became unreadable', () => {
  type Reader = ReturnType<typeof createAuditReader>
  const reads: [string, (reader: Reader) => unknown][] = [
    ['a query', (reader) => reader.query()],
    ['the call', (reader) => reader.show('b')],
    ['the tail', (reader) => reader.tail()],
    ['what follows a cursor', (reader) => reader.tail({ after: 2 })],
    ['an export', (reader) => [...reader.export()]],
  ]
  const edits = [
    'time = 1152921504606846976',
    'time = -9223372036854775808',
    'time = 9000000000000000',
    "notes = '5'",
  ]

  describe.each(edits)('with %s', (edit) => {
    test.each(reads)('is reported by %s', (_, read) => {
      const { reader, forge } = filled()
      expect(() => read(reader)).not.toThrow()
      forge(`UPDATE audit SET ${edit} WHERE seq = 4`)
      expect(() => read(reader)).toThrow(
        expect.objectContaining({ code: 'AUDIT_TAMPERED', details: expect.objectContaining({ seq: 4 }) }),
      )
    })
  })

  test('is reported when found by an id prefix', () => {
    const { reader, forge } = filled()
    forge('UPDATE audit SET tokens = 1152921504606846976 WHERE seq = 3')
    expect(() => reader.show('b')).toThrow('broken at record 3')
    expect(reader.show('a')).toMatchObject({ status: 'done' })
  })
})
