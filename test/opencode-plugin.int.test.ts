import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { loadOrCreateKey } from '../src/platform/secrets/keys.ts'
import { resolvePaths } from '../src/platform/files/paths.ts'
import { verifySignedAttestation } from '../src/stages/identity/signed-attestation.ts'
import { newProcessMark, type ProcessMark } from './support/process-mark.ts'
import { until } from '@contextd/shared/testing/until'

/** The plugin as OpenCode sees it, and its parts that can be tested separately. */
interface Plugin {
  (opencode: object): Promise<Record<string, (input: object, output: object) => Promise<void>>>
  stateFolder(env: NodeJS.ProcessEnv, home: string): string
  loadOrCreateKey(path: string): Buffer
}
const shipped = new URL('../integrations/opencode/contextd.js', import.meta.url).href
const module = (await import(shipped)) as { Contextd: Plugin }
const { Contextd } = module

const sessions: Record<string, object> = {
  ses_top: { id: 'ses_top', agent: 'build' },
  ses_plan: { id: 'ses_plan', agent: 'plan' },
  ses_scan: { id: 'ses_scan', parentID: 'ses_top', agent: 'scanner' },
  ses_deep: { id: 'ses_deep', parentID: 'ses_scan', agent: 'helper' },
  ses_fake: { id: 'ses_fake', parentID: 'ses_top', agent: 'main' },
  ses_odd: { id: 'ses_odd', parentID: 'ses_top', agent: 'two words' },
  ses_new: { id: 'ses_new' },
  ses_loop: { id: 'ses_loop', parentID: 'ses_loop2', agent: 'x' },
  ses_loop2: { id: 'ses_loop2', parentID: 'ses_loop', agent: 'x' },
}
const client = {
  session: { get: async ({ path }: { path: { id: string } }) => ({ data: sessions[path.id] }) },
}

let folder: string
let mark: ProcessMark
let hooks: Awaited<ReturnType<Plugin>>

/** A fake contextd: records requests, and answers as the text says. */
const stub = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs')
const name = process.argv[3]
const payload = JSON.parse(readFileSync(0, 'utf8'))
appendFileSync(__dirname + '/asked.jsonl', JSON.stringify({ name, payload }) + '\\n')
const text = JSON.stringify(payload)
const deny = (reason) => ({ permissionDecision: 'deny', permissionDecisionReason: reason })
if (text.includes('BREAK')) process.exit(2)
const hide = (value) => JSON.parse(JSON.stringify(value).replaceAll('hush', '[SECRET_1]'))
const said =
  name === 'block-builtin' ? text.includes('STRICT') && deny('off')
  : name === 'protect' ? text.includes('GUARDED') && deny('guarded')
  : payload.tool_response ? text.includes('hush') && { updatedToolOutput: hide(payload.tool_response) }
  : text.includes('PRIVATE-LINE') && { updatedInput: JSON.parse(JSON.stringify(payload.tool_input).replaceAll('PRIVATE-LINE', '[PRIVATE]')) }
if (said) process.stdout.write(JSON.stringify({ hookSpecificOutput: said }))
`

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-opencode-'))
  writeFileSync(join(folder, 'contextd.cjs'), stub, { mode: 0o755 })
  vi.stubEnv('CONTEXTD_BIN', join(folder, 'contextd.cjs'))
  vi.stubEnv('CONTEXTD_HOME', join(folder, 'home'))
  mark = newProcessMark()
  for (const [name, value] of Object.entries(mark.env)) vi.stubEnv(name, value)
  hooks = await Contextd({ client, directory: folder })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  // Several hooks run concurrently, and the first failure ends the wait for all.
  await until(() => mark.processes().length === 0)
  rmSync(folder, { recursive: true })
})

function asked(): { name: string; payload: JsonObject }[] {
  const file = join(folder, 'asked.jsonl')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as { name: string; payload: JsonObject })
}

async function before(tool: string, args: object, sessionID = 'ses_top'): Promise<void> {
  await hooks['tool.execute.before']!({ tool, sessionID, callID: 'call' }, { args })
}

async function after(output: object, tool = 'bash', args: object = {}): Promise<void> {
  await hooks['tool.execute.after']!({ tool, sessionID: 'ses_top', callID: 'call', args }, output)
}

async function history(parts: object[]): Promise<void> {
  const messages = [{ info: { sessionID: 'ses_top' }, parts }]
  await hooks['experimental.chat.messages.transform']!({}, { messages })
}

test('OpenCode treats every export as a plugin', async () => {
  expect(Object.keys(module).toSorted()).toEqual([
    'Contextd',
    'ContextdAnthropic',
    'ContextdGoogle',
    'ContextdOpenAI',
  ])
  for (const plugin of Object.values(module))
    expect(await plugin({ client, directory: folder })).toBeTypeOf('object')
})

test('plugin and contextd use the same key file, whichever creates it', () => {
  for (const env of [{ CONTEXTD_HOME: '/a' }, { XDG_STATE_HOME: '/b' }, {}]) {
    expect(Contextd.stateFolder(env, '/home/x')).toBe(resolvePaths(env, '/home/x').state)
  }
  const [ours, theirs] = [join(folder, 'a/keys/k'), join(folder, 'b/keys/k')]
  expect(Contextd.loadOrCreateKey(ours)).toEqual(loadOrCreateKey(ours))
  expect(loadOrCreateKey(theirs)).toEqual(Contextd.loadOrCreateKey(theirs))
  expect(statSync(ours).mode & 0o777).toBe(0o600)
  chmodSync(ours, 0o644)
  expect(() => Contextd.loadOrCreateKey(ours)).toThrow('only you can read')
  writeFileSync(theirs, 'short')
  expect(() => Contextd.loadOrCreateKey(theirs)).toThrow('32 bytes')
})

test.each<[string, object | undefined]>([
  ['ses_top', { agent: 'main', session: 'ses_top' }],
  ['ses_plan', { agent: 'plan', session: 'ses_plan' }],
  ['ses_scan', { agent: 'scanner', instance: 'ses_scan', session: 'ses_top' }],
  ['ses_deep', { agent: 'helper', instance: 'ses_deep', session: 'ses_top' }],
  ['ses_fake', { agent: 'subagent:main', instance: 'ses_fake', session: 'ses_top' }],
  ['ses_odd', undefined],
  ['ses_new', undefined],
])('who calls in %s', async (sessionID, caller) => {
  const args: JsonObject = { path: 'a.md', contextd_attestation: 'v1.written.by-a-model' }
  await before('contextd_safe_read', args, sessionID)
  const { contextd_attestation: text, ...rest } = args
  if (caller === undefined) return expect(text).toBeUndefined()
  const key = loadOrCreateKey(join(resolvePaths().keys, 'attestation.key'))
  const expected = { key, tool: 'safe_read', arguments: rest, now: Date.now(), use: () => true }
  expect(verifySignedAttestation(text, expected)).toEqual(caller)
})

test('a session that OpenCode does not know, or with a cycle of parents, has no caller', async () => {
  await expect(before('contextd_safe_read', {}, 'ses_unknown')).rejects.toThrow('which agent is calling')
  await expect(before('contextd_safe_read', {}, 'ses_loop')).rejects.toThrow('which agent is calling')
})

test('contextd is asked before a built-in tool runs, in the format it understands', async () => {
  await before('bash', { command: 'ls', workdir: 'sub' }, 'ses_scan')
  const about = { session_id: 'ses_top', agent_id: 'ses_scan', agent_type: 'scanner' }
  const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, cwd: join(folder, 'sub') }
  const byName = new Map(asked().map(({ name, payload }) => [name, payload]))
  expect(byName.get('block-builtin')).toMatchObject({ ...about, ...bash })
  expect(byName.get('protect')).toMatchObject({ ...about, ...bash })
  expect(byName.get('scrub')).toMatchObject({ ...about, cwd: folder, hook_event_name: 'PreToolUse' })
})

test('denied tools do not run', async () => {
  await expect(before('bash', { command: 'STRICT' })).rejects.toThrow('Use contextd_safe_bash')
  await expect(before('edit', { filePath: 'STRICT' })).rejects.toThrow('Use contextd_safe_edit')
  await expect(before('read', { filePath: 'GUARDED' })).rejects.toThrow('guarded')
  const patchText = '*** Begin Patch\n*** Add File: ok\n*** Update File: GUARDED\n*** End Patch'
  await expect(before('apply_patch', { patchText })).rejects.toThrow('guarded')
  await expect(before('other_tool', { path: 'GUARDED' })).rejects.toThrow('guarded')
  await expect(before('bash', { command: 'BREAK' })).rejects.toThrow('contextd')
  await expect(before('bash', { command: 'ls' })).resolves.toBeUndefined()
  vi.stubEnv('CONTEXTD_BIN', join(folder, 'not-there'))
  await expect(before('bash', { command: 'ls' })).rejects.toThrow('cannot be run')
})

test("another agent's private context is removed from arguments, and no command runs with it", async () => {
  const write = { filePath: 'a', content: 'x PRIVATE-LINE' }
  await before('write', write)
  expect(write.content).toBe('x [PRIVATE]')
  await expect(before('bash', { command: 'echo PRIVATE-LINE' })).rejects.toThrow('private context')
})

test('a task is resumed only for the agent that started it, under its own name', async () => {
  const task = (subagent_type: string, task_id?: string): object => ({ prompt: 'p', subagent_type, task_id })
  await expect(before('task', task('other', 'ses_scan'))).rejects.toThrow('another agent')
  await expect(before('task', task('scanner', 'ses_scan'), 'ses_plan')).rejects.toThrow('another agent')
  await expect(before('task', task('scanner', 'ses_unknown'))).rejects.toThrow('contextd')
  await expect(before('task', task('scanner', 'ses_scan'))).resolves.toBeUndefined()
  // Several hooks run concurrently.
  const messages = asked().filter(({ payload }) => payload.tool_name === 'SendMessage')
  expect(messages.length).toBeGreaterThan(0)
  for (const { payload } of messages) expect(payload).toMatchObject({ tool_input: { to: 'ses_scan' } })
  await expect(before('task', task('scanner'))).resolves.toBeUndefined()
})

test('results of every format are scrubbed', async () => {
  const builtin = { output: 'a hush', metadata: { output: 'a hush', exit: 3 } }
  await after(builtin)
  expect(builtin).toEqual({ output: 'a [SECRET_1]', metadata: { output: 'a [SECRET_1]', exit: 3 } })
  const mcp = {
    content: [
      { type: 'text', text: 'hush' },
      { type: 'resource', resource: { text: 'hush' } },
    ],
  }
  await after(mcp, 'other_tool')
  expect(JSON.stringify(mcp)).not.toContain('hush')
})

test('results of our own tools are not scrubbed again, and their attestation is removed', async () => {
  const output = { content: [{ type: 'text', text: 'hush' }] }
  const args = { path: 'a', contextd_attestation: 'v1' }
  await after(output, 'contextd_load_context', args)
  expect(output.content[0]!.text).toBe('hush')
  const part = {
    type: 'tool',
    tool: 'contextd_safe_read',
    state: { input: { ...args, contextd_attestation: 'v1' } },
  }
  await history([part])
  expect([args, part.state.input]).toEqual([{ path: 'a' }, { path: 'a' }])
  expect(asked()).toEqual([])
})

test('text that other hooks do not see is scrubbed once before it reaches the model', async () => {
  const parts = (): object[] => [
    { type: 'text', text: 'the user wrote hush' },
    { type: 'text', text: 'attached: hush', synthetic: true },
    { type: 'tool', tool: 'other_tool', state: { status: 'error', error: 'failed: hush' } },
    { type: 'tool', tool: 'bash', state: { status: 'completed', output: 'plain' } },
  ]
  const first = parts()
  await history(first)
  expect(first).toMatchObject([
    { text: 'the user wrote hush' },
    { text: 'attached: [SECRET_1]' },
    { state: { error: 'failed: [SECRET_1]' } },
    { state: { output: 'plain' } },
  ])
  const again = parts()
  await history(again)
  expect(again).toEqual(first)
  expect(asked()).toHaveLength(1)
})

test('a file that the user attaches is scrubbed before it is stored', async () => {
  const parts = [{ type: 'text', text: 'file: hush', synthetic: true }]
  await hooks['chat.message']!({ sessionID: 'ses_top' }, { message: {}, parts })
  expect(parts[0]!.text).toBe('file: [SECRET_1]')
})

test('text that could not be checked is withheld, and checked again the next time', async () => {
  const answer = { output: 'a hush BREAK' }
  await after(answer)
  expect(answer.output).toContain('withheld')
  vi.stubEnv('CONTEXTD_BIN', join(folder, 'not-there'))
  const failed = { type: 'tool', tool: 'bash', state: { status: 'error', error: 'hush' } }
  await history([failed])
  expect(failed.state.error).toContain('withheld')
  vi.stubEnv('CONTEXTD_BIN', join(folder, 'contextd.cjs'))
  const later = { output: 'hush' }
  await after(later)
  expect(later.output).toBe('[SECRET_1]')
})
