import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../../test/support/audit.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { notesIn, readTail } from './transcript-tail.ts'

const line = (type: string, content: unknown, more: JsonObject = {}): string =>
  JSON.stringify({ isSidechain: false, ...more, message: { role: type, content }, type })
const person = (text: string, more?: JsonObject): string => line('user', text, more)
const agent = (text: string, more?: JsonObject): string => line('assistant', [{ type: 'text', text }], more)
const use = (id: string, name: string, input: JsonObject): string =>
  line('assistant', [{ type: 'tool_use', id, name, input }])
const result = (id: string, content: string, isError = false): string =>
  line('user', [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }])

test("returns the user's prompts and the main thread's messages in order", () => {
  const notes = notesIn([
    '{"type":"summary","half a line',
    '{"type":"prompt_snapshot","role":"user"}',
    person('fix the build'),
    agent('I look at it.'),
    line('user', [
      { type: 'text', text: 'and' },
      { type: 'text', text: 'quickly' },
    ]),
    agent('of an agent it started', { isSidechain: true }),
    person('<command-name>/compact</command-name>'),
    person('<local-command-stdout>Compacted</local-command-stdout>'),
    person('<task-notification>done</task-notification>'),
    person('[Request interrupted by user]'),
    person('a reminder', { isMeta: true }),
    agent('Done.'),
  ])
  expect(notes.requests).toEqual(['fix the build', 'and\nquickly'])
  expect(notes.said).toEqual(['I look at it.', 'Done.'])
  expect(notes).not.toHaveProperty('earlier')
})

test("returns the client's summary of the previous compaction", () => {
  const kept = person('This session is being continued: it was about caches.', { isCompactSummary: true })
  const notes = notesIn([kept, person('go on')])
  expect(notes).toMatchObject({ earlier: expect.stringContaining('about caches'), requests: ['go on'] })
})

test('returns files that were read and written, newest first, without failed ones', () => {
  const { files } = notesIn([
    use('1', 'Read', { file_path: '/p/a.ts' }),
    use('2', 'Read', { file_path: '/p/b.ts' }),
    use('3', 'Edit', { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' }),
    use('4', 'Write', { file_path: '/p/refused.ts' }),
    result('4', 'denied', true),
    use('5', 'mcp__plugin_contextd_contextd__safe_read', { path: 'c.ts' }),
    use('6', 'mcp__contextd__safe_write', { path: 'd.ts' }),
    use('7', 'Read', { file_path: '/p/a.ts' }),
    use('8', 'Bash', { command: 'cat e.ts' }),
    use('9', 'Read', { file_path: 7 }),
  ])
  expect(files).toEqual({ written: ['d.ts', '/p/a.ts'], read: ['/p/a.ts', 'c.ts', '/p/b.ts'] })
})

test('returns a to-do list stored as a whole', () => {
  const todos = [
    { content: 'write the test', status: 'completed' },
    { content: 'make it pass', status: 'in_progress' },
  ]
  const { todo } = notesIn([use('1', 'TodoWrite', { todos: [] }), use('2', 'TodoWrite', { todos })])
  expect(todo).toEqual(['[completed] write the test', '[in_progress] make it pass'])
})

test('returns a to-do list stored as single tasks', () => {
  const { todo } = notesIn([
    use('1', 'TaskCreate', { subject: 'write the test', description: 'x' }),
    result('1', 'Task #1 created successfully: write the test'),
    use('2', 'TaskCreate', { subject: 'make it pass', description: 'x' }),
    result('2', 'Task #2 created successfully: make it pass'),
    use('3', 'TaskUpdate', { taskId: '1', status: 'completed' }),
    use('4', 'TaskUpdate', { taskId: '9', status: 'completed' }),
  ])
  expect(todo).toEqual(['[completed] write the test', '[pending] make it pass'])
})

test('reads only complete lines at the end of a long transcript', () => {
  const file = join(temporaryFolder(), 'transcript.jsonl')
  const lines = [person('first'), person('x'.repeat(5000)), person('ä last'), agent('end')]
  writeFileSync(file, lines.join('\n'))
  expect(notesIn(readTail(file)).requests).toHaveLength(3)
  expect(notesIn(readTail(file, 3000))).toMatchObject({ requests: ['ä last'], said: ['end'] })
  for (let most = 0; most < 300; most += 1) notesIn(readTail(file, most))
})

test.each([[''], ['nonsense'], ['[]'], ['{"message":{"role":"user","content":7},"type":"user"}']])(
  '%s is no entry',
  (text) => {
    expect(notesIn([text])).toEqual({ requests: [], said: [], todo: [], files: { written: [], read: [] } })
  },
)

test('does not wait for what is not a file', () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, temporaryFolder(), '/dev/zero']) {
    expect(() => readTail(path)).toThrow('the transcript is not a file')
  }
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, 'one\ntwo')
  expect(readTail(file)).toEqual(['one', 'two'])
})
