import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { sandboxHere } from '../../../../test/support/sandbox-here.ts'
import { runOnTerminal } from '@contextd/shared/testing/terminal'
import { composeRuntime } from '../../../compose.ts'
import { errorCatalogue } from '../../../core/errors/errors.ts'
import { runCli } from '@contextd/shared/cli/output'
import { demoCommand } from './demo.ts'
import { buildSet } from './set.ts'
import { demoCaller, printSecret, type DemoFacts } from './story.ts'

const program = fileURLToPath(new URL('../../../../bin/ctxd.js', import.meta.url))
const canType = spawnSync('script', ['--version']).status === 0

/** The temporary folder and the home, each empty, so that leftovers are detected. */
let place: string
const before = process.env.TMPDIR
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'contextd-demo-test-'))
  process.env.TMPDIR = place
})
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
  rmSync(place, { recursive: true, force: true })
})

async function demo(...argv: string[]): Promise<FakeIo> {
  const env = { PATH: process.env.PATH, HOME: place, CONTEXTD_HOME: join(place, 'own') }
  const fake = fakeIo({ env, cwd: place })
  await runCli(demoCommand(fake.io), fake.io, argv)
  return fake
}

describe('demo', () => {
  test('prints correct facts, and leaves nothing behind', async () => {
    const { out, err, code } = await demo('--json')
    expect([err(), code()]).toEqual(['', 0])
    const { secret, refusal, folding, audit, sandbox } = JSON.parse(out()) as DemoFacts
    expect(sandbox.available).toBe(sandboxHere)
    expect(secret.tool).toBe(sandboxHere ? 'safe_bash' : 'safe_read')
    expect(secret.printed).toMatch(/^GITHUB_TOKEN=ghp_\w{36}$/)
    expect(secret.agent_saw).toContain('GITHUB_TOKEN=[SECRET_1]')
    expect(refusal).toEqual({
      agent: 'reviewer',
      tool: 'safe_bash',
      code: 'DENIED_BY_POLICY',
      rule: 'agents.reviewer.deny.tools.contextd[0]',
    })
    expect(folding.found).toBe('src/payments.js: export const retryLimit = 7')
    expect(folding.tokens_read).toBeGreaterThan(20 * folding.tokens_returned)
    expect(audit.ok).toBe(true)
    expect(audit.records).toBeGreaterThanOrEqual(2 * audit.calls.length)
    expect(audit.calls.filter(({ secrets }) => secrets > 0)).toHaveLength(1)
    expect(JSON.stringify({ refusal, folding, audit })).not.toContain(secret.printed.slice(13))
    expect(readdirSync(place)).toEqual([])
  })

  test('prints lines that fit, without color if not on a terminal', async () => {
    const { out } = await demo()
    expect(out()).not.toContain('\u001B')
    expect(out()).toMatch(/1\..*\n[^]*\[SECRET_1\][^]*2\.[^]*DENIED_BY_POLICY[^]*3\.[^]*4\.[^]*verified/)
    expect(
      Math.max(
        ...out()
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(100)
    expect(readdirSync(place)).toEqual([])
  })

  test('reads the file if no command can run', async () => {
    const set = buildSet(process.env)
    const runtime = await composeRuntime({ env: set.env, cwd: set.project, log: () => {} })
    try {
      const call = demoCaller(runtime, new AbortController().signal)
      const { tool, agent_saw: seen } = await printSecret(call, set, false)
      expect(tool).toBe('safe_read')
      expect(seen).toContain('GITHUB_TOKEN=[SECRET_1]')
    } finally {
      await runtime.close()
      set.remove()
    }
    expect(readdirSync(place)).toEqual([])
  })
})

test.runIf(canType)('Ctrl-C stops it, and it leaves nothing behind', async () => {
  let during: string[] = []
  const { output, status } = await runOnTerminal(
    `exec ${process.execPath} ${program} demo`,
    [
      [/1\. An agent/, () => (during = readdirSync(place))],
      [/1\. An agent/, '\u0003'],
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: place,
        TMPDIR: place,
        TERM: 'xterm',
        NODE_DISABLE_COMPILE_CACHE: '1',
      },
    },
  )
  expect(during).toEqual([expect.stringMatching(/^ctxd-demo-/)])
  expect(output).toContain('CANCELLED')
  expect(output).not.toContain('verified')
  expect(status).toBe(errorCatalogue.CANCELLED.exit)
  expect(readdirSync(place)).toEqual([])
})
