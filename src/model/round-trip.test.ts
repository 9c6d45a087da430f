import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { rewritten } from '../../test/support/rewritten.ts'
import type { Dialect, Endpoint } from './wire/dialect.ts'
import { gemini } from './gemini/dialect.ts'
import { parseJsonSpans } from './wire/json-spans.ts'
import { openai } from './openai/dialect.ts'
import { createInputRestorer } from './restore-input.ts'
import { createFileReader } from '../platform/files/written-file.ts'

let folder: string
let remembered: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-round-trip-'))
  writeFileSync(join(folder, 'a.env'), 'A=first-value\n')
  remembered = []
})
afterEach(() => rmSync(folder, { recursive: true }))

async function answer(dialect: Dialect, endpoint: Endpoint, body: object): Promise<string> {
  const restore = createInputRestorer({
    valuesOf: () => new Map([['[SECRET_1]', 'first-value']]),
    readFile: createFileReader(folder),
    mayReveal: () => () => false,
    remember: (id) => void remembered.push(id),
    note: () => {},
  })
  const create = dialect.rewriter(endpoint, restore)
  // The spaces make the client's serialization differ.
  const response = Buffer.from(JSON.stringify(body, null, 2))
  return (await rewritten(create, 'application/json', [response])).bytes.toString()
}

function idsIn(dialect: Dialect, endpoint: Endpoint, body: object): string[] {
  const text = JSON.stringify(body)
  return dialect.view(text, parseJsonSpans(text), endpoint).toolUses.map(({ id }) => id)
}

/** Restored in the first, but not in the second, whose file does not contain it. */
const inputs = ['a.env', 'b.env'].map((path) => ({ file_path: path, content: 'A=[SECRET_1]\n' }))
const restored = { file_path: 'a.env', content: 'A=first-value\n' }

describe('restored values are remembered by the id that the call has in the next request', () => {
  test.each([
    ['its own', { id: 'fc-1' }],
    ['a derived one', {}],
  ])('Gemini, %s', async (_, own) => {
    const endpoint = { kind: 'generate', shape: 'content' } as const
    const parts = inputs.map((args) => ({ functionCall: { ...own, name: 'write_file', args } }))
    const { candidates } = JSON.parse(
      await answer(gemini, endpoint, { candidates: [{ content: { parts } }] }),
    )
    const { content } = candidates[0]
    expect(content.parts[0].functionCall.args).toEqual(restored)
    expect(content.parts[1]).toEqual(parts[1])
    expect(remembered).toEqual([idsIn(gemini, endpoint, { contents: [content] })[0]])
  })

  test('OpenAI, Responses', async () => {
    const endpoint = { kind: 'generate', shape: 'responses' } as const
    const output = inputs.map((input, index) => ({
      type: 'function_call',
      call_id: `call_${index}`,
      name: 'write_file',
      arguments: JSON.stringify(input),
    }))
    const response = JSON.parse(await answer(openai, endpoint, { output }))
    expect(JSON.parse(response.output[0].arguments)).toEqual(restored)
    expect(response.output[1]).toEqual(output[1])
    expect(remembered).toEqual(idsIn(openai, endpoint, { input: response.output }).slice(0, 1))
  })

  test.each(['tool_calls', 'function_call'])('OpenAI, Chat Completions, %s', async (kind) => {
    const endpoint = { kind: 'generate', shape: 'chat' } as const
    const calls = inputs.map((input) => ({ name: 'write_file', arguments: JSON.stringify(input) }))
    const messages = calls.map((call, index) =>
      kind === 'function_call'
        ? { role: 'assistant', function_call: call }
        : { role: 'assistant', tool_calls: [{ id: `call_${index}`, type: 'function', function: call }] },
    )
    const choices = messages.map((message, index) => ({ index, message, finish_reason: kind }))
    const response = JSON.parse(await answer(openai, endpoint, { choices }))
    const sentBack = response.choices.map(({ message }: { message: object }) => message)
    expect(JSON.stringify(sentBack[0])).toContain('first-value')
    expect(sentBack[1]).toEqual(messages[1])
    expect(remembered).toEqual(idsIn(openai, endpoint, { messages: sentBack }).slice(0, 1))
  })
})
