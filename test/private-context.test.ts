/** Where text that one agent loaded through the broker can appear afterwards, end to end. */

import { readFileSync } from 'node:fs'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { composeRuntime, type Runtime } from '../src/compose.ts'
import type { Claims } from '../src/core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer, type Answer, type Result } from '../src/core/result.ts'
import type { Tool } from '../src/core/tool.ts'
import { makeTempHome, type TempHome } from './support/temp-home.ts'

const key = 'ctx_q7Rk2mVxW4'
const line = 'The nests are on the north tower.'
const catalogue = `# Names\n\n- Anna Miller\n- ACME-77812\n\n${line}\n`
const pieces = [key, line, 'Anna Miller', 'ACME-77812']
const client = { name: 'test', version: '1', door: 'stdio' } as const

let home: TempHome
let runtime: Runtime
let session: string
/** The arguments that the tool received, unchanged. */
let written: JsonObject[]

const note: Tool = {
  definition: { name: 'note', description: 'Notes.', inputSchema: { type: 'object' } },
  server: 'contextd',
  needs: [],
  async run(args, host) {
    written.push(args)
    host.refs.save(JSON.stringify(args))
    return answer({ written: args, file: catalogue, archived: host.archive(catalogue) })
  },
}

beforeEach(async () => {
  home = makeTempHome()
  written = []
  home.write('config/config.toml', '[audit]\nvault = true\n')
  home.write('config/catalogue.md', catalogue)
  const entry = 'path = "catalogue.md", agents = ["contextd:scanner"], require = "attested"'
  home.write('config/context-map.toml', `[keys]\n${key} = { ${entry} }\n`)
  runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {}, tools: [note] })
  session = runtime.sessions.begin(client)
})
afterEach(async () => {
  await runtime.close()
  home.remove()
})

const call = (
  agent: string,
  tool: string,
  args: JsonObject = {},
  inSession = session,
  claims: Claims = { attested: { agent, instance: 'a1' } },
): Promise<Result> =>
  runtime.handle(
    runtime.newCall({
      method: 'tool',
      tool,
      arguments: args,
      session: inSession,
      client,
      claims,
      signal: new AbortController().signal,
    }),
  )
const load = (): Promise<Result> => call('contextd:scanner', 'load_context', { key })
const shown = (result: Result): string => JSON.stringify(result)
const found = (text: string): string[] => pieces.filter((piece) => text.includes(piece))

/** Everything on disk. */
function stored(): string {
  runtime.store.prepare('PRAGMA wal_checkpoint(truncate)').get()
  return readFileSync(runtime.store.path).toString('latin1')
}

test('its owner gets it complete, and may use it', async () => {
  const loaded = (await load()) as Answer
  expect((loaded.structured as JsonObject).data).toBe(catalogue)
  const args = { text: pieces.join(' | ') }
  const used = await call('contextd:scanner', 'note', args)
  expect(written).toEqual([args])
  expect(found(shown(used))).toHaveLength(4)
})

describe('another agent', () => {
  const args = { text: pieces.join(' | '), lines: ['anna_miller', line.replaceAll(' ', '\n  ')] }

  test('can neither send nor receive any of it', async () => {
    const before = await call('main', 'note', args)
    expect([written[0], found(shown(before)).length]).toEqual([args, 4])
    await load()
    const after = await call('main', 'note', args)
    expect(written[1]).toEqual({
      text: '[PRIVATE] | [PRIVATE]. | [PRIVATE] | [PRIVATE]',
      lines: ['[PRIVATE]', '[PRIVATE].'],
    })
    expect(found(shown(after))).toEqual([])
    expect(shown(after)).toContain('private to another agent')
  })

  test('includes one that only claims to be the same', async () => {
    home.write('config/rules.json', {
      agents: { scanner: { aliases: ['contextd:scanner'], allow: { servers: ['contextd'] } } },
    })
    await runtime.close()
    runtime = await composeRuntime({ env: home.env, cwd: home.project, log: () => {}, tools: [note] })
    await load()
    for (const claims of [{ declared: 'contextd:scanner' }, { token: { id: 't', agent: 'scanner' } }]) {
      expect(found(shown(await call('', 'note', args, session, claims)))).toEqual([])
    }
    expect(written).toHaveLength(2)
    expect(found(JSON.stringify(written))).toEqual([])
  })

  test('is flagged in the record', async () => {
    await load()
    await call('main', 'note', args)
    const row = runtime.store
      .prepare("SELECT findings FROM audit WHERE kind = 'outcome' AND tool = 'note'")
      .get()
    const rules = (JSON.parse(String(row?.findings)) as { rule: string; place: string }[]).map(
      ({ rule, place }) => `${rule} ${place}`,
    )
    expect(rules).toContain('private-context arguments.text')
    expect(rules).toContain('private-context structured.data.file')
  })

  test('is refused by the broker with the right key', async () => {
    await load()
    expect(shown(await call('main', 'load_context', { key }))).toContain('CONTEXT_REFUSED')
  })

  test('in another session has no access to it', async () => {
    await load()
    await call('main', 'note', args, runtime.sessions.begin(client))
    expect(written).toEqual([args])
  })
})

test('a tool that fails with it leaves none of it in the log', async () => {
  await runtime.close()
  const logged: unknown[] = []
  const failing: Tool = {
    ...note,
    async run({ text }) {
      throw new Error(`cannot write down ${JSON.stringify(text)}`)
    },
  }
  const log = (...entry: unknown[]): unknown => logged.push(entry)
  runtime = await composeRuntime({ env: home.env, cwd: home.project, log, tools: [failing] })
  await load()
  await call('contextd:scanner', 'note', { text: pieces.join(' | ') })
  expect(JSON.stringify(logged)).toMatch(/cannot write down \W+PRIVATE\]/)
  expect(found(JSON.stringify(logged))).toEqual([])
})

test('none of it is stored in plain text, whichever agent called, with the vault on', async () => {
  await load()
  await call('main', 'load_context', { key })
  for (const agent of ['main', 'contextd:scanner']) {
    const { data } = ((await call(agent, 'note', { text: 'nothing' })) as Answer).structured as JsonObject
    expect(found((data as JsonObject).archived as string)).toEqual([])
  }
  await call('main', 'note', { text: catalogue })
  expect(found(stored())).toEqual([])
  // Control: text that was not loaded is stored in plain text, so the search of the disk would find it.
  await call('main', 'note', { text: catalogue }, runtime.sessions.begin(client))
  expect(found(stored())).toContain('Anna Miller')
})
