import { expect, test } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import type { NewRecord } from '../../stages/audit/record.ts'
import { createAuditMetrics } from './http-metrics-audit.ts'
import { createMetrics } from './http-metrics.ts'

const outcome: NewRecord = {
  time: 1,
  kind: 'outcome',
  call: 'c',
  tenant: 'local',
  project: '/p',
  session: 's',
  agent: 'main',
  user: 'ada',
  door: 'stdio',
  method: 'tool',
  server: 'contextd',
  tool: 'safe_read',
  decision: 'allow',
  duration_ms: 30,
  tokens: 100,
}

function open() {
  const audit = temporaryAudit()
  const { files, log } = audit
  log.append({ ...outcome, time: 1 })
  const metrics = createMetrics()
  const upstream = {
    health: (principal?: { agent: string }) =>
      [
        { server: 'a', state: 'connected' as const, connections: 1 },
        { server: 'b', state: 'failing' as const, connections: 0 },
      ].filter(({ server }) => principal?.agent !== 'only-a' || server === 'a'),
  }
  const audited = createAuditMetrics({ store: files.store, upstream } as never, metrics)
  const lines = async (agent = 'main'): Promise<string[]> => {
    await audited.catchUp()
    return metrics.render(audited.gauges({ agent, level: 'token' })).split('\n')
  }
  return { audit, log, lines, store: files.store }
}

test('counts records after the start, once', async () => {
  const { log, lines } = open()
  expect((await lines()).filter((line) => line.startsWith('contextd_calls_total'))).toEqual([])
  log.append(outcome)
  const counted = 'contextd_calls_total{door="stdio",method="tool",outcome="answered",error=""} 1'
  expect(await lines()).toContain(counted)
  expect(await lines()).toContain(counted)
  expect(await lines()).toContain('contextd_audit_records_total{kind="outcome"} 1')
  expect(await lines()).toContain('contextd_answer_tokens_total 100')
})

test('counts refusals and failures by error code', async () => {
  const { log, lines } = open()
  log.append({ ...outcome, decision: 'deny', error: 'DENIED_BY_POLICY' })
  log.append({ ...outcome, error: 'TOOL_FAILED' })
  const text = await lines()
  const series = (result: string, error: string): string =>
    `contextd_calls_total{door="stdio",method="tool",outcome="${result}",error="${error}"} 1`
  expect(text).toContain(series('refused', 'DENIED_BY_POLICY'))
  expect(text).toContain(series('failed', 'TOOL_FAILED'))
})

test('counts secrets by a fixed set of classes', async () => {
  const { log, lines } = open()
  const found = (rule: string, count = 1) => ({ layer: 'C2' as const, rule, count })
  log.append({
    ...outcome,
    findings: [
      found('github-pat', 2),
      found('generic-api-key'),
      found('set:my-own-key'),
      found('rule-of-somebody'),
      found('private-context'),
      { layer: 'arguments', rule: 'github-pat', count: 9 },
    ],
  })
  log.event('tool-output-scrubbed', { tool: 'Bash', found: 3, rules: ['github-pat', 'x'] })
  const held = (await lines()).filter((line) => line.startsWith('contextd_secrets_held_back_total'))
  expect(held).toEqual([
    'contextd_secrets_held_back_total{class="generic"} 1',
    'contextd_secrets_held_back_total{class="own"} 1',
    'contextd_secrets_held_back_total{class="private"} 1',
    'contextd_secrets_held_back_total{class="provider"} 5',
    'contextd_secrets_held_back_total{class="set"} 1',
  ])
})

test('counts sandbox runs of the shell and of user-defined tools', async () => {
  const { log, lines } = open()
  log.append({ ...outcome, tool: 'safe_bash' })
  log.append({ ...outcome, tool: 'safe_bash', error: 'SANDBOX_UNAVAILABLE' })
  log.append({ ...outcome, tool: 'my-tool', error: 'TOOL_FAILED' })
  log.append({ ...outcome, tool: 'execute_tool', target_server: 'x', target_tool: 'y' })
  log.append({ ...outcome, tool: 'my-tool', decision: 'deny' })
  expect((await lines()).filter((line) => line.startsWith('contextd_sandbox_runs_total'))).toEqual([
    'contextd_sandbox_runs_total{tool="safe_bash"} 1',
    'contextd_sandbox_runs_total{tool="user"} 1',
  ])
})

test('shows a caller the servers it may see', async () => {
  const { lines } = open()
  const up = (text: string[]): string[] => text.filter((line) => line.startsWith('contextd_upstream_up'))
  expect(up(await lines())).toEqual([
    'contextd_upstream_up{server="a"} 1',
    'contextd_upstream_up{server="b"} 0',
  ])
  expect(up(await lines('only-a'))).toEqual(['contextd_upstream_up{server="a"} 1'])
})

test('counts open sessions and pending events in the store', async () => {
  const { store, lines } = open()
  const sessions = store.rows('sessions', { tenant: 'local', project: '/p' })
  const begun = { door: 'stdio', client: 'x/1', client_session: null, started_at: 1 }
  sessions.insert({ ...begun, id: 'one', ended_at: null })
  sessions.insert({ ...begun, id: 'two', ended_at: 2 })
  expect(await lines()).toContain('contextd_sessions_open 1')
  expect(await lines()).toContain('contextd_webhook_deliveries{state="waiting"} 0')
})

test('reads more than one batch', async () => {
  const { log, lines } = open()
  for (let n = 0; n < 1500; n += 1) log.append(outcome)
  expect(await lines()).toContain('contextd_audit_records_total{kind="outcome"} 1500')
})

test('skips gaps in the sequence numbers', async () => {
  const { log, lines, audit } = open()
  log.append(outcome)
  audit.intruder.prepare('UPDATE audit SET seq = 9007199254740000 WHERE seq = 2').run()
  expect(await lines()).toContain('contextd_audit_records_total{kind="outcome"} 1')
})
