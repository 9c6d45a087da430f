import { describe, expect, test } from 'vitest'

import type { RecordedEntry } from '../../stages/audit/recorded.ts'
import { happeningsOf } from './events.ts'

const outcome: RecordedEntry = {
  seq: 7,
  time: 1,
  kind: 'outcome',
  call: 'c1',
  project: '/shop',
  session: 's1',
  agent: 'frontend',
  client: 'claude-code',
  client_version: '2',
  door: 'stdio',
  level: 'attested',
  method: 'tool',
  server: 'contextd',
  tool: 'execute_tool',
  target_server: 'postgres',
  target_tool: 'query',
  decision: 'allow',
  rule: 'agents.frontend.allow.servers[0]',
  duration_ms: 4,
  found_c1: 0,
  found_c2: 0,
}
const event = (name: string, details: RecordedEntry['details'] = {}): RecordedEntry => ({
  seq: 8,
  time: 1,
  kind: 'event',
  project: '/shop',
  session: '',
  agent: '',
  event: name,
  details,
})
const named = (record: RecordedEntry): string[] => happeningsOf(record).map((one) => one.event)

describe('a call', () => {
  test('that was allowed and succeeded is no event', () => {
    expect(happeningsOf(outcome)).toEqual([])
    expect(happeningsOf({ ...outcome, kind: 'intent' })).toEqual([])
  })

  test('that was refused is an event with its rule and error', () => {
    const [refused] = happeningsOf({ ...outcome, decision: 'deny', error: 'DENIED_BY_POLICY' })
    expect(refused).toEqual({
      event: 'refusal',
      fields: {
        record: 7,
        call: 'c1',
        project: '/shop',
        session: 's1',
        agent: 'frontend',
        client: 'claude-code',
        client_version: '2',
        door: 'stdio',
        level: 'attested',
        method: 'tool',
        server: 'contextd',
        tool: 'execute_tool',
        target_server: 'postgres',
        target_tool: 'query',
        decision: 'deny',
        rule: 'agents.frontend.allow.servers[0]',
        error: 'DENIED_BY_POLICY',
        duration_ms: 4,
      },
    })
  })

  test.each([
    ['the budget is used up', { error: 'BUDGET_EXHAUSTED' }, ['refusal']],
    ['a path is not granted', { error: 'PATH_NOT_GRANTED' }, ['refusal']],
    ['a person must say yes first', { decision: 'deny', error: 'APPROVAL_REQUIRED' }, ['approval-wanted']],
    ['a tool failed', { error: 'TOOL_FAILED' }, []],
    ['it was given up by the caller', { decision: 'deny', error: 'CANCELLED' }, []],
  ] as const)('where %s', (_, parts, expected) => {
    expect(named({ ...outcome, ...parts })).toEqual(expected)
  })

  test('whose answer held secrets is reported by rule and count, never by location or value', () => {
    const record: RecordedEntry = {
      ...outcome,
      found_c1: 1,
      found_c2: 2,
      findings: [
        { layer: 'C1', rule: 'github-pat', place: 'content[0].text', count: 1 },
        { layer: 'C2', rule: 'github-pat', place: 'structured.data.ada', count: 2 },
        { layer: 'arguments', rule: 'aws', count: 5 },
      ],
    }
    const [leak] = happeningsOf(record)
    expect(leak).toMatchObject({
      event: 'leak-held-back',
      fields: { found: 3, findings: [{ rule: 'github-pat', count: 3 }] },
    })
    expect(JSON.stringify(leak)).not.toMatch(/structured|content|aws/)
    expect(named({ ...record, decision: 'deny', error: 'SCRUB_FAILED' })).toEqual([
      'refusal',
      'leak-held-back',
    ])
  })

  test('is reported without possible contents, even if a record contains them', () => {
    const more = { arguments: { a: 'private' }, output: 'private', notes: ['private'] }
    const text = JSON.stringify(happeningsOf({ ...outcome, decision: 'deny', ...more }))
    expect(text).toContain('refusal')
    expect(text).not.toContain('private')
  })
})

describe('an event', () => {
  test.each([
    ['hook-refused', 'refusal'],
    ['attestation-refused', 'refusal'],
    ['call-foreseen-refused', 'refusal'],
    ['tool-approval-wanted', 'approval-wanted'],
    ['tool-output-scrubbed', 'leak-held-back'],
    ['upstream-down', 'server-down'],
    ['tool-held', 'tool-definition-changed'],
    ['tool-repinned', 'tool-definition-changed'],
  ])('%s is reported as %s', (name, expected) => {
    expect(named(event(name))).toEqual([expected])
  })

  test.each([
    'daemon-started',
    'upstream-up',
    'webhook-given-up',
    'webhook-added',
    'constructor',
    'toString',
  ])('%s is not reported', (name) => {
    expect(named(event(name))).toEqual([])
  })

  test('is limited in length', () => {
    const [down] = happeningsOf(event('upstream-down', { server: 'x', why: 'y'.repeat(10_000) }))
    expect(down?.fields.why).toBe('y'.repeat(500))
  })

  test('includes only harmless details', () => {
    const details = {
      server: 'postgres',
      why: 'it ended',
      since: '2026-11-15T00:00:00Z',
      token: 'x',
      path: '/y',
    }
    expect(happeningsOf(event('upstream-down', details))).toEqual([
      {
        event: 'server-down',
        fields: {
          record: 8,
          project: '/shop',
          source: 'upstream-down',
          server: 'postgres',
          why: 'it ended',
          since: '2026-11-15T00:00:00Z',
        },
      },
    ])
  })
})
