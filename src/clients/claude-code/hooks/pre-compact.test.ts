import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { sessionTexts } from '../../../../test/support/hook-session.ts'
import { temporaryFolder } from '../../../../test/support/audit.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { HookMemory, HookPayload, HookPorts, SessionNotes } from './hook.ts'
import { preCompact } from './pre-compact.ts'
import { noDoor } from '../../../../test/support/hook-door.ts'

interface World {
  readonly ports: HookPorts
  readonly saved: SessionNotes[]
  readonly events: [string, JsonObject][]
}

function world(memory: Partial<HookMemory> = {}): World {
  const saved: SessionNotes[] = []
  const events: [string, JsonObject][] = []
  const opened: HookMemory = {
    maySave: true,
    clean: (text) => text.replaceAll('hunter2', '[SECRET_1]'),
    save: async (notes) => `cp_${saved.push(notes)}`,
    offer: async () => undefined,
    notesFor: async () => undefined,
    ...memory,
  }
  const ports: HookPorts = {
    mode: 'friendly',
    allowProtected: [],
    door: noDoor,
    ownFolders: [],
    privateFiles: async () => [],
    program: [],
    env: {},
    session: async () => ({
      ...sessionTexts(),
      holders: () => [],
      event: (name, details) => void events.push([name, details]),
    }),
    memory: async () => opened,
  }
  return { ports, saved, events }
}

function payload(lines: readonly object[], more: Partial<HookPayload> = {}): HookPayload {
  const folder = temporaryFolder()
  const transcript_path = join(folder, 'transcript.jsonl')
  writeFileSync(transcript_path, lines.map((line) => JSON.stringify(line)).join('\n'))
  return { hook_event_name: 'PreCompact', session_id: 's', cwd: folder, transcript_path, ...more }
}

const person = (content: string): object => ({ type: 'user', message: { role: 'user', content } })
const agent = (text: string): object => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
})
const edit = {
  type: 'assistant',
  message: {
    role: 'assistant',
    content: [{ type: 'tool_use', id: '1', name: 'Edit', input: { file_path: 'a.ts' } }],
  },
}

test('saves the state of the conversation, without output', async () => {
  const { ports, saved } = world()
  const asked = Array.from({ length: 9 }, (_, n) => person(`request ${n}`))
  expect(await preCompact(payload([...asked, edit, agent('The build is green.')]), ports)).toBeUndefined()
  const [notes] = saved
  expect(notes?.summary).toBe('Asked last: request 8\nSaid last: The build is green.')
  expect(notes?.context).toContain('request 5')
  expect(notes?.context).not.toContain('request 4')
  expect(JSON.stringify(notes?.state)).toContain('request 0')
  expect(notes?.files).toEqual({ written: ['a.ts'], read: [] })
})

test('scrubs texts before truncating them, so that no partial secret remains', async () => {
  const { ports, saved } = world()
  const text = `${'x'.repeat(294)} hunter2 and more ${'y '.repeat(900)}`
  await preCompact(payload([person(text), agent(text)]), ports)
  expect(saved[0]?.summary).toContain('…')
  expect(JSON.stringify(saved)).not.toContain('hunter')
})

test.each([
  ['of an agent that the main thread started', { agent_id: 'a1', agent_type: 'helper' }, {}],
  ['that nobody wants kept', {}, { maySave: false }],
])('saves nothing of a conversation %s', async (_, more, memory) => {
  const { ports, saved } = world(memory)
  await preCompact(payload([person('do it')], more), ports)
  expect(saved).toEqual([])
  const twin = world()
  await preCompact(payload([person('do it')]), twin.ports)
  expect(twin.saved).toHaveLength(1)
})

test('saves nothing of an empty conversation', async () => {
  const { ports, saved } = world()
  await preCompact(payload([{ type: 'mode' }]), ports)
  expect(saved).toEqual([])
})

test('records a failure, and reports it to the user', async () => {
  const { ports, events } = world({ save: () => Promise.reject(new ContextdError('MEMORY_NOT_KEPT')) })
  await expect(preCompact(payload([person('do it')]), ports)).rejects.toThrow('does not read back')
  expect(events).toEqual([['checkpoint-not-saved', { problem: 'MEMORY_NOT_KEPT' }]])
  const missing = { ...payload([]), transcript_path: '/nowhere/transcript.jsonl' }
  await expect(preCompact(missing, ports)).rejects.toThrow()
  expect(events.at(-1)).toEqual(['checkpoint-not-saved', { problem: 'INTERNAL' }])
})

test.each([
  ['a NUL', [person('do\0it')], 'do\ufffdit'],
  ['more than fits', Array.from({ length: 40 }, () => person('\u0001漢字 '.repeat(60_000))), '漢字'],
])('%s in a conversation does not prevent the checkpoint', async (_, lines, kept) => {
  const { ports, saved } = world()
  await preCompact(payload(lines), ports)
  const { summary = '', context = '', state } = saved[0] ?? {}
  expect([summary, context].join('')).not.toContain('\0')
  expect(JSON.stringify(state)).toContain(kept)
  expect(Buffer.byteLength(JSON.stringify(state, null, 1))).toBeLessThan(4 << 20)
})
