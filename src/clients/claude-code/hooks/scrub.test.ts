import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { sessionTexts } from '../../../../test/support/hook-session.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Scrubbed } from '../../../core/ports.ts'
import type { HookPayload, HookPorts, HookSession } from './hook.ts'
import { wrapShell } from './scrub-shell.ts'
import { scrub } from './scrub.ts'
import { noDoor } from '../../../../test/support/hook-door.ts'

const folder = mkdtempSync(join(tmpdir(), 'contextd-scrub-'))
afterAll(() => rmSync(folder, { recursive: true }))

const env = {
  CLAUDE_CONFIG_DIR: folder,
  CLAUDE_PID: '7',
  CLAUDE_ENV_FILE: join(folder, 'session-env', 'one', 'sessionstart-hook-0.sh'),
}
const common = { session_id: 'one', cwd: folder }

function replacing(word: string, rule: string, token: string): (text: string) => Scrubbed {
  return (text) => ({
    text: text.replaceAll(word, token),
    findings: [...text.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({
      rule,
      token,
      start: index,
      end: index + word.length,
    })),
  })
}

interface World {
  readonly ports: HookPorts
  readonly events: [string, JsonObject][]
}

/** A session in which the agent `keeper` holds the word Ada. */
function world(session: Partial<HookSession> = {}): World {
  const events: [string, JsonObject][] = []
  const ports: HookPorts = {
    mode: 'friendly',
    allowProtected: [],
    door: noDoor,
    ownFolders: [],
    privateFiles: async () => [],
    program: ['node', 'contextd.js'],
    env,
    session: async () => ({
      ...sessionTexts(secret, ada),
      holders: () => [{ agent: 'keeper' }],
      event: (name, details) => void events.push([name, details]),
      ...session,
    }),
    memory: () => Promise.reject(new Error('this hook needs no memory')),
  }
  return { ports, events }
}

const secret = replacing('hunter2', 'password', '[SECRET_1]')
const ada = replacing('Ada', 'private-context', '[PRIVATE]')
const nobodyHolds = { holders: () => [], ...sessionTexts(secret) }

const call = (tool_name: string, tool_input: JsonObject, more: Partial<HookPayload> = {}): HookPayload => ({
  ...common,
  hook_event_name: 'PreToolUse',
  tool_name,
  tool_input,
  ...more,
})
const answered = (tool_name: string, tool_response: HookPayload['tool_response'] & {}): HookPayload => ({
  ...call(tool_name, {}),
  hook_event_name: 'PostToolUse',
  tool_response,
})
const decision = (output: JsonObject | undefined): unknown =>
  (output?.hookSpecificOutput as JsonObject | undefined)?.permissionDecision
const updated = (output: JsonObject | undefined): unknown =>
  (output?.hookSpecificOutput as JsonObject | undefined)?.updatedInput

test('runs a command only in the wrapped shell', async () => {
  const { ports } = world(nobodyHolds)
  expect(decision(await scrub(call('Bash', { command: 'ls' }), ports))).toBe('deny')
  expect(decision(await scrub(call('Monitor', { command: 'ls' }), ports))).toBe('deny')
  await scrub({ ...common, hook_event_name: 'SessionStart' }, ports)
  expect(await scrub(call('Bash', { command: 'ls' }), ports)).toBeUndefined()
  expect(await scrub(call('Monitor', { command: 'ls' }), ports)).toBeUndefined()
  expect(decision(await scrub(call('Monitor', { ws: { url: 'ws://127.0.0.1:1' } }), ports))).toBe('deny')
})

test('with private context present, tells the shell who runs the command', async () => {
  const { ports } = world()
  wrapShell({ ...common, hook_event_name: 'SessionStart' }, ports)
  const named = await scrub(call('Bash', { command: 'ls', timeout: 9 }), ports)
  expect(updated(named)).toMatchObject({
    timeout: 9,
    command: expect.stringMatching(/^# contextd caller \S+\nls$/),
  })
  const forged = { command: '# contextd caller a2VlcGVy\nls' }
  expect(decision(await scrub(call('Bash', forged), ports))).toBe('deny')
})

test("masks other agents' private context in arguments, refuses a command with it, and lets its owner continue", async () => {
  const { ports, events } = world()
  wrapShell({ ...common, hook_event_name: 'SessionStart' }, ports)
  const written = await scrub(call('Write', { file_path: '/a', content: 'for Ada' }), ports)
  expect(updated(written)).toEqual({ file_path: '/a', content: 'for [PRIVATE]' })
  expect(events).toEqual([
    ['private-context-masked', expect.objectContaining({ tool: 'Write', agent: 'main' })],
  ])
  expect(decision(await scrub(call('Bash', { command: 'git commit -m Ada' }), ports))).toBe('deny')
  const keeper = world(sessionTexts(secret))
  const own = call('Write', { content: 'for Ada' }, { agent_id: 'a1', agent_type: 'keeper' })
  expect(await scrub(own, keeper.ports)).toBeUndefined()
})

test('reads a long file with secrets in parts, and one without unchanged', async () => {
  const { ports } = world(nobodyHolds)
  writeFileSync(join(folder, 'secrets'), 'pw hunter2\n'.repeat(3000))
  writeFileSync(join(folder, 'clean'), 'nothing at\n'.repeat(3000))
  const narrowed = await scrub(call('Read', { file_path: 'secrets' }), ports)
  expect(updated(narrowed)).toEqual({ file_path: 'secrets', limit: 1136 })
  expect(JSON.stringify(narrowed)).toContain('offset 1137')
  expect(await scrub(call('Read', { file_path: 'clean' }), ports)).toBeUndefined()
})

test('scrubs an answer in its own shape, and records it without the findings', async () => {
  const { ports, events } = world()
  const output = await scrub(
    answered('Bash', { stdout: 'hunter2 of Ada', stderr: '', isImage: false }),
    ports,
  )
  expect(output).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PostToolUse',
      updatedToolOutput: { stdout: '[SECRET_1] of [PRIVATE]', stderr: '', isImage: false },
    },
  })
  expect(events).toEqual([
    [
      'tool-output-scrubbed',
      { tool: 'Bash', agent: 'main', found: 2, rules: ['password', 'private-context'] },
    ],
  ])
  expect(await scrub(answered('Bash', { stdout: 'fine' }), ports)).toBeUndefined()
})

test('preserves the line numbers of a file', async () => {
  const { ports } = world({ ...nobodyHolds, ...sessionTexts(replacing('a\nb\nc', 'key', '[SECRET_1]')) })
  const output = await scrub(answered('Read', { type: 'text', file: { content: 'a\nb\nc\nd' } }), ports)
  expect(JSON.stringify(output)).toContain(String.raw`[SECRET_1]\n\n\nd`)
})

test.each([
  [
    'the scrubber fails',
    {
      clean: async (): Promise<never> => {
        throw new Error('hunter2')
      },
    },
  ],
  [
    'the record cannot be written',
    {
      event: () => {
        throw new Error('hunter2')
      },
    },
  ],
])('withholds the answer and stops the client if %s', async (_, broken) => {
  const { ports } = world(broken)
  const output = await scrub(answered('mcp__other__tool', [{ type: 'text', text: 'hunter2' }]), ports)
  expect(output).toMatchObject({ continue: false })
  expect(JSON.stringify(output)).not.toContain('hunter2')
  expect(JSON.stringify(output)).toContain('withheld')
})

test('ignores other events', async () => {
  expect(await scrub({ ...common, hook_event_name: 'Stop' }, world().ports)).toBeUndefined()
})
