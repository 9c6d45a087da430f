import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { agentsCommand } from '../../src/cli/commands/agents.ts'
import { auditCommand } from '../../src/cli/commands/audit/audit.ts'
import { branchCommand } from '../../src/cli/commands/branch.ts'
import { checkpointCommand } from '../../src/cli/commands/checkpoint.ts'
import { configCommand } from '../../src/cli/commands/config.ts'
import { contextCommand } from '../../src/cli/commands/context/context.ts'
import { indexCommand } from '../../src/cli/commands/index-repository.ts'
import { memoryCommand } from '../../src/cli/commands/memory/memory.ts'
import { rulesCommand } from '../../src/cli/commands/rules/rules.ts'
import { upstreamCommand } from '../../src/cli/commands/upstream/upstream.ts'
import { runCli, type CliIo } from '@contextd/shared/cli/output'
import { composeRuntime, openRecords, type Runtime } from '../../src/compose.ts'
import { controlTools } from '../../src/servers/control/control-tools.ts'
import { runDaemon } from '../../src/servers/daemon/daemon.ts'
import { fakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome, type TempHome } from '../support/temp-home.ts'

let home: TempHome
let ids: { branch: string; checkpoint: string; call: string; token: string }

/** Creates a home with data of every kind. */
beforeEach(async () => {
  home = makeTempHome()
  const file = home.write('private.md', 'for main alone\n')
  home.write(
    'config/config.toml',
    '[http]\nport = 0\n[memory]\nembedder = "off"\n[log]\nlevel = "error"\n[index]\nwatch = false\n',
  )
  home.write('config/context-map.toml', `[keys]\nctx_0123456789abcdefghij = ${JSON.stringify(file)}\n`)
  home.write('config/servers.json', {
    mcpServers: { echo: { command: 'no-such-program', args: ['${NOT_SET}'] } },
  })
  home.write('project/a.md', '# One\n\nThe first page.\n')
  const runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {} })
  const client = { name: 'test', version: '1', door: 'cli' } as const
  const session = runtime.sessions.begin(client)
  const { signal } = new AbortController()
  const use = async (tool: string, args: object, agent = 'main'): Promise<string> => {
    const call = runtime.newCall({
      method: 'tool',
      tool,
      session,
      client,
      signal,
      claims: { declared: agent },
      arguments: { ...args },
    })
    await runtime.handle(call)
    return call.id
  }
  await use('branch', { description: 'read all', prompt: 'Read all of it.' })
  await use('checkpoint_save', { summary: 'half way', context: 'go on' })
  const lesson = { title: 'Wait for the socket', description: 'When a test is flaky', outcome: 'success' }
  await use('memory_store', { ...lesson, content: 'Wait for the socket and not for a time.' })
  await use('read_more', { ref: 'ref_x' }, 'nobody')
  const checkpoints = await runtime.memory.checkpoints()
  ids = {
    branch: runtime.memory.branches.list(1)[0]?.id ?? '',
    checkpoint: checkpoints.list(runtime.memory.operatorIn()).checkpoints[0]?.id ?? '',
    call: await use('read_more', { ref: 'ref_of_nothing' }),
    token: runtime.tokens.create('main', 'laptop').token.id,
  }
  await runtime.close()
})
afterEach(() => home.remove())

type MakeCommand = (io: CliIo) => Parameters<typeof runCli>[0]

interface Outcome {
  readonly out: string
  readonly err: string
  readonly code: number
}

async function run(command: MakeCommand, argv: readonly string[], answer?: string): Promise<Outcome> {
  const fake = fakeIo({ env: { ...home.env, NO_COLOR: '1' }, cwd: home.project, answer })
  await runCli(command(fake.io), fake.io, argv)
  return { out: fake.out(), err: fake.err(), code: fake.code() }
}

/** Runs a daemon for this home in this process, with another folder as its own; commands pass theirs. */
async function withDaemon<T>(work: () => Promise<T>): Promise<T> {
  const open = (cwd: string): Promise<Runtime> =>
    composeRuntime({ env: home.env, cwd, log: () => {}, control: controlTools })
  const own = await open(home.path)
  const stop = new AbortController()
  let ended: Promise<void> = Promise.resolve()
  try {
    await new Promise<void>((onReady, reject) => {
      ended = runDaemon(own, { stop: stop.signal, onReady: () => onReady(), open })
      ended.catch(reject)
    })
    return await work()
  } finally {
    stop.abort()
    await ended
  }
}

/** Number of recorded API calls: the daemon records them, a command by itself does not always. */
function apiCalls(): number {
  const records = openRecords(home.env)
  try {
    return records.audit.query({ server: 'control', limit: 1000 }).length
  } finally {
    records.close()
  }
}

const reading: [string, MakeCommand, () => string[]][] = [
  ['agents list', agentsCommand, () => ['list']],
  ['agents token list', agentsCommand, () => ['token', 'list']],
  ['agents token revoke of none', agentsCommand, () => ['token', 'revoke', 'never']],
  [
    'rules explain',
    rulesCommand,
    () => ['explain', '--agent', 'main', '--server', 'contextd', '--tool', 'read_more'],
  ],
  [
    'rules explain of a refusal',
    rulesCommand,
    () => ['explain', '--agent', 'main', '--server', 'x', '--tool', 'y'],
  ],
  ['branch list', branchCommand, () => ['list']],
  ['branch show', branchCommand, () => ['show', ids.branch]],
  ['branch show of none', branchCommand, () => ['show', 'br_never']],
  ['checkpoint show', checkpointCommand, () => ['show', ids.checkpoint]],
  ['checkpoint show of none', checkpointCommand, () => ['show', 'cp_never']],
  ['memory list', memoryCommand, () => ['list']],
  ['memory list, filtered', memoryCommand, () => ['list', '--outcome', 'failure']],
  ['memory edit of none', memoryCommand, () => ['edit', 'mem_never', '--title', 'x']],
  ['context list', contextCommand, () => ['list']],
  ['context check', contextCommand, () => ['check']],
  ['upstream list', upstreamCommand, () => ['list']],
  ['upstream tools of none', upstreamCommand, () => ['tools', 'never']],
  ['config get', configCommand, () => ['get', 'http.port']],
  ['config list', configCommand, () => ['list']],
  ['audit query', auditCommand, () => ['query', '--kind', 'call']],
  ['audit query, filtered', auditCommand, () => ['query', '--error', 'INVALID_AGENT_ID']],
  ['audit query of nothing', auditCommand, () => ['query', '--agent', 'never']],
  ['audit show', auditCommand, () => ['show', ids.call]],
  ['audit show of none', auditCommand, () => ['show', 'never']],
  ['audit tail', auditCommand, () => ['tail', '--kind', 'call']],
]

test('reads return the same with and without a daemon, word for word', async () => {
  const all = async (): Promise<Record<string, Outcome>> => {
    const outcomes: Record<string, Outcome> = {}
    for (const [name, command, argv] of reading) {
      outcomes[name] = await run(command, argv())
      outcomes[`${name} --json`] = await run(command, [...argv(), '--json'])
    }
    return outcomes
  }
  // The daemon first, because it creates a token at startup, which then exists for both.
  const there = await withDaemon(all)
  // Control: the daemon really answered.
  expect(apiCalls()).toBeGreaterThan(reading.length)
  const here = await all()
  expect(there).toEqual(here)
  for (const [name, { code }] of Object.entries(here))
    expect([name, code > 0]).toEqual([name, /of none/.test(name)])
})

/** Values that differ between runs. */
const volatile = /"seconds": [\d.]+|"(?:changed|used)": "[^"]+"|"helped": [\d.]+/g

test('writes have the same effect', async () => {
  const writing: [MakeCommand, () => Promise<string[]>, string?][] = [
    [memoryCommand, async () => ['edit', await memoryId(), '--title', 'Wait for it', '--json']],
    [memoryCommand, async () => ['edit', await memoryId(), '--title', 'Wait for it', '--json']],
    [memoryCommand, async () => ['list', '--json']],
    [agentsCommand, async () => ['token', 'revoke', ids.token, '--json']],
    [agentsCommand, async () => ['token', 'revoke', ids.token, '--json']],
    [configCommand, async () => ['set', 'audit.retention_days', '30', '--json'], 'y'],
    [configCommand, async () => ['set', 'audit.retention_days', '31'], 'n'],
    [configCommand, async () => ['get', 'audit.retention_days']],
    [indexCommand, async () => ['--json']],
    [memoryCommand, async () => ['delete', await memoryId(), '--json'], 'y'],
    [memoryCommand, async () => ['list', '--json']],
  ]
  const all = async (): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    for (const [command, argv, answer] of writing) {
      const { out, ...rest } = await run(command, await argv(), answer)
      outcomes.push({ out: out.replaceAll(volatile, '…'), ...rest })
    }
    return outcomes
  }
  // Both start with the same store.
  const backup = `${home.path}-backup`
  cpSync(home.path, backup, { recursive: true })
  try {
    const here = await all()
    rmSync(home.path, { recursive: true })
    cpSync(backup, home.path, { recursive: true })
    expect(await withDaemon(all)).toEqual(here)
    // The token that is already revoked, and the prompt that was answered with no.
    expect(here.flatMap(({ code }, index) => (code > 0 ? [index] : []))).toEqual([4, 6])
  } finally {
    rmSync(backup, { recursive: true, force: true })
  }
})

async function memoryId(): Promise<string> {
  const { memories } = JSON.parse((await run(memoryCommand, ['list', '--json'])).out) as {
    memories: { id: string }[]
  }
  return memories[0]?.id ?? ''
}

test('if the rules do not load and no daemon runs, records can still be read', async () => {
  writeFileSync(join(home.path, 'config', 'rules.json'), '{')
  expect(await run(auditCommand, ['query', '--kind', 'call'])).toMatchObject({ code: 0, err: '' })
  expect(await run(auditCommand, ['tail'])).toMatchObject({ code: 0, err: '' })
  expect(await run(agentsCommand, ['token', 'list'])).toMatchObject({ code: 0, err: '' })
  expect(await run(contextCommand, ['list'])).toMatchObject({ code: 0, err: '' })
  // Control: commands that need the rules fail.
  expect((await run(agentsCommand, ['list'])).err).toContain('RULES_INVALID')
})
