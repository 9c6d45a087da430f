import { hash } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import { checkHere } from '../../../test/support/checks.ts'
import { nothingPrivate } from '../../../test/support/nothing-private.ts'
import { ContextdError, describeError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Scrub } from '../../core/ports.ts'
import { answer, failure, refusal, type Result } from '../../core/result.ts'
import type { Next } from '../../core/stage.ts'
import { createAuditReader } from './query.ts'
import { auditStage } from './stage.ts'
import { verifyAudit } from './verify.ts'

const scrub: Scrub = (text) => {
  if (text.includes('unreadable')) throw new Error('cannot vouch for it')
  const findings = [...text.matchAll(/hunter2/g)].map(({ index }) => ({
    rule: 'password',
    start: index,
    end: index + 7,
    token: '[SECRET_1]',
  }))
  return { text: text.replaceAll('hunter2', '[SECRET_1]'), findings }
}

function setUp(outputChars = 100) {
  const audit = temporaryAudit()
  const { log, files, clock, complaints } = audit
  const reports: string[] = []
  const stage = auditStage({
    log,
    check: checkHere({ scrub, privacy: nothingPrivate }),
    clock: () => clock.now,
    outputChars,
    report: (severity, message, fields) => reports.push(`${severity} ${message} ${JSON.stringify(fields)}`),
  })
  const records = () =>
    createAuditReader({ store: files.store, tenant: 'local', clock: () => clock.now }).tail({ after: 0 })
  const setWritable = (writable: boolean) =>
    files.store.prepare(`PRAGMA query_only = ${writable ? 'off' : 'on'}`).run()
  const forge = (sql: string) => audit.intruder.exec(sql)
  return { stage, files, clock, records, reports, complaints, setWritable, forge }
}

const done: Next = () => Promise.resolve(answer('fine', { blocks: [{ type: 'text', text: 'fine' }] }))
const answering =
  (result: Result): Next =>
  () =>
    Promise.resolve(result)

describe('a call', () => {
  test('is recorded before it proceeds and after it ended', async () => {
    const { stage, clock, records, files } = setUp()
    let seenBefore = 0
    const result = await stage(aCall({ arguments: { command: 'ls' }, deadline: 2_000_000 }), (call) => {
      seenBefore = records().length
      clock.now += 25
      const { trail } = call
      trail.principal = { agent: 'main', instance: 'worker-7', level: 'attested' }
      trail.decision = 'allow'
      trail.rule = 'agents.main.allow'
      trail.target = { server: 'postgres', tool: 'query' }
      trail.tokens = 3
      trail.findings.push({ layer: 'C1', rule: 'jwt', count: 2 }, { layer: 'C2', rule: 'jwt', count: 1 })
      trail.notes.push('a fixed argument was used')
      return done(call)
    })
    expect(result).toMatchObject({ kind: 'answer' })
    expect(seenBefore).toBe(1)
    const owner = { call: 'call-1', tenant: 'local', project: '/project', session: 'session-1', user: 'me' }
    const client = { client: 'test', client_version: '1', door: 'stdio' }
    const request = { ...client, method: 'tool', server: 'contextd', tool: 'probe' }
    expect(records()).toEqual([
      {
        ...owner,
        ...request,
        seq: 1,
        time: new Date(1_000_000).toISOString(),
        kind: 'intent',
        agent: '',
        deadline: new Date(2_000_000).toISOString(),
        arguments: { command: 'ls' },
        hash: expect.any(String),
      },
      {
        ...owner,
        ...request,
        seq: 2,
        time: new Date(1_000_025).toISOString(),
        kind: 'outcome',
        intent: 1,
        agent: 'main',
        instance: 'worker-7',
        level: 'attested',
        target_server: 'postgres',
        target_tool: 'query',
        decision: 'allow',
        rule: 'agents.main.allow',
        duration_ms: 25,
        output: 'fine',
        output_sha256: hash('sha256', 'fine'),
        output_bytes: 4,
        tokens: 3,
        found_c1: 2,
        found_c2: 1,
        findings: [
          { layer: 'C1', rule: 'jwt', count: 2 },
          { layer: 'C2', rule: 'jwt', count: 1 },
        ],
        notes: ['a fixed argument was used'],
        hash: expect.any(String),
      },
    ])
    expect(verifyAudit(files)).toMatchObject({ ok: true, records: 2 })
  })
})

describe('an output', () => {
  test('is recorded up to a max length, with hash and size of the whole', async () => {
    const { stage, records } = setUp(5)
    const text = 'schön und lang'
    await stage(aCall(), answering(answer(text, { blocks: [{ type: 'text', text }] })))
    expect(records()[1]).toMatchObject({
      output: 'schön',
      output_bytes: 15,
      output_sha256: hash('sha256', text),
    })
  })

  test('may be cut inside a character and still be sealed correctly', async () => {
    const { stage, records, files } = setUp(2)
    await stage(aCall(), answering(answer('', { blocks: [{ type: 'text', text: 'a😀' }] })))
    expect(records()[1]).toMatchObject({ output: 'a\uFFFD' })
    expect(verifyAudit(files)).toMatchObject({ ok: true })
  })
})

describe('every end of a call is recorded', () => {
  test.each<[string, Result, string | undefined]>([
    ['an answer', answer('x'), undefined],
    ['a refusal', refusal('DENIED_BY_POLICY', { agent: 'a', server: 's', tool: 't' }), 'DENIED_BY_POLICY'],
    ['a failure of ours', failure(describeError('TIMEOUT', { limit_ms: 1 })), 'TIMEOUT'],
    ['a failure of theirs', { kind: 'answer', own: false, isError: true, content: [] }, 'TOOL_FAILED'],
    [
      'a failure with a code of theirs',
      { kind: 'answer', own: false, isError: true, content: [], structured: { error: { code: 'toString' } } },
      'TOOL_FAILED',
    ],
    ['a payload', { kind: 'payload', value: {} }, undefined],
    ['a question', { kind: 'input_required', requests: {} }, undefined],
  ])('%s', async (_, result, error) => {
    const { stage, records } = setUp()
    expect(await stage(aCall(), answering(result))).toBe(result)
    expect(records().map(({ kind }) => kind)).toEqual(['intent', 'outcome'])
    expect(records()[1]?.error).toBe(error)
  })

  test("a crash, as an internal error that contains only the call's id", async () => {
    const { stage, records, reports } = setUp()
    const result = await stage(aCall(), () => Promise.reject(new Error('secret inner workings')))
    expect(result).toEqual(refusal('INTERNAL', { call: 'call-1' }))
    expect(records()[1]).toMatchObject({ error: 'INTERNAL' })
    expect(reports).toEqual([expect.stringContaining('secret inner workings')])
  })

  test('a crash with one of our errors, as that error', async () => {
    const { stage, records } = setUp()
    const result = await stage(aCall(), () =>
      Promise.reject(new ContextdError('STORE_UNAVAILABLE', { cause: 'full' })),
    )
    expect(result).toEqual(refusal('STORE_UNAVAILABLE', { cause: 'full' }))
    expect(records()[1]).toMatchObject({ error: 'STORE_UNAVAILABLE' })
  })

  test.each<[string, Next]>([
    ['the tool was stopped', () => Promise.reject(new Error('aborted'))],
    ['the tool answered all the same', done],
  ])('a cancellation in which %s', async (_, next) => {
    const { stage, records, reports } = setUp()
    const controller = new AbortController()
    const result = await stage(aCall({ signal: controller.signal }), (call) => {
      controller.abort()
      return next(call)
    })
    expect(result).toEqual(refusal('CANCELLED'))
    expect(records()[1]).toMatchObject({ error: 'CANCELLED' })
    expect(reports).toEqual([])
  })
})

describe('secrets', () => {
  test('do not get into records, wherever the caller puts them', async () => {
    const { stage, records, files } = setUp()
    const call = aCall({
      tool: 'file:///x?token=hunter2',
      server: 'hunter2',
      client: { name: 'hunter2', version: 'hunter2', door: 'http' },
      arguments: { agent_id: 'hunter2', hunter2: [{ deep: 'my hunter2!' }] },
    })
    await stage(call, ({ trail }) => {
      trail.principal = { agent: 'main', instance: 'hunter2', level: 'declared' }
      trail.target = { server: 'hunter2', tool: 'hunter2' }
      trail.notes.push('hunter2')
      return Promise.resolve(refusal('TOOL_NOT_FOUND', { name: 'hunter2' }))
    })
    expect(JSON.stringify(records())).not.toContain('hunter2')
    expect(records()[0]).toMatchObject({
      tool: 'file:///x?token=[SECRET_1]',
      arguments: { agent_id: '[SECRET_1]', '[SECRET_1]': [{ deep: 'my [SECRET_1]!' }] },
      findings: [{ layer: 'arguments', rule: 'password', count: 7 }],
    })
    expect(verifyAudit(files)).toMatchObject({ ok: true })
  })

  test('in arguments that cannot be checked stop the call', async () => {
    const { stage, records } = setUp()
    let called = false
    const next: Next = (call) => {
      called = true
      return done(call)
    }
    expect(await stage(aCall({ arguments: { x: 'unreadable' } }), next)).toEqual(refusal('SCRUB_FAILED'))
    expect(called).toBe(false)
    expect(records()).toMatchObject([
      { kind: 'intent', notes: [expect.stringContaining('withheld')] },
      { kind: 'outcome', error: 'SCRUB_FAILED' },
    ])
    expect(records()[0]).not.toHaveProperty('arguments')
    expect(await stage(aCall({ id: 'call-2', arguments: { x: 'readable' } }), next)).toMatchObject({
      kind: 'answer',
    })
    expect(called).toBe(true)
  })

  test('in a refusal that cannot be checked are withheld', async () => {
    const { stage, records } = setUp()
    const result = await stage(aCall(), answering(refusal('NOT_FOUND', { what: 'unreadable' })))
    expect(result).toEqual(refusal('SCRUB_FAILED'))
    expect(JSON.stringify(records())).not.toContain('unreadable')
    expect(records()[1]).toMatchObject({ error: 'SCRUB_FAILED' })
  })

  test('nested too deeply to check stop the call', async () => {
    const { stage } = setUp()
    let deep: JsonObject = {}
    for (let i = 0; i < 100_000; i++) deep = { deep }
    expect(await stage(aCall({ arguments: deep }), done)).toEqual(refusal('SCRUB_FAILED'))
  })
})

describe('if a record cannot be written', () => {
  test('because a trigger drops it, the call does not proceed', async () => {
    const { stage, forge, records, reports } = setUp()
    const called: string[] = []
    const next: Next = (call) => {
      called.push(call.tool)
      return done(call)
    }
    forge(`CREATE TRIGGER x BEFORE INSERT ON audit WHEN NEW.tool = 'secret_tool'
      BEGIN SELECT RAISE(IGNORE); END`)
    expect(await stage(aCall({ tool: 'other_tool' }), next)).toMatchObject({ kind: 'answer' })
    expect(await stage(aCall({ tool: 'secret_tool' }), next)).toEqual(refusal('AUDIT_FAILED'))
    expect(called).toEqual(['other_tool'])
    expect(records()).toHaveLength(2)
    expect(reports).toEqual([expect.stringContaining('rejected a record')])
  })

  test('before the call, the call does not proceed', async () => {
    const { stage, setWritable, records, reports } = setUp()
    let called = 0
    const next: Next = (call) => {
      called++
      return done(call)
    }
    setWritable(false)
    expect(await stage(aCall(), next)).toEqual(refusal('AUDIT_FAILED'))
    expect(called).toBe(0)
    expect(reports).toEqual([expect.stringContaining('read-only')])
    setWritable(true)
    expect(await stage(aCall(), next)).toMatchObject({ kind: 'answer' })
    expect([called, records().length]).toEqual([1, 2])
  })

  test('after the call, its answer is withheld, and it is listed as crashed', async () => {
    const { stage, setWritable, records, files, clock } = setUp()
    const result = await stage(aCall({ deadline: 2_000_000 }), (call) => {
      setWritable(false)
      return done(call)
    })
    expect(result).toEqual(refusal('AUDIT_FAILED'))
    expect(records().map(({ kind }) => kind)).toEqual(['intent'])
    clock.now = 2_000_001
    const reader = createAuditReader({ store: files.store, tenant: 'local', clock: () => clock.now })
    expect(reader.show('call-1')).toMatchObject({ status: 'crashed' })
  })
})
