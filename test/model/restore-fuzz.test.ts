import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { mapStrings, type JsonObject } from '../../src/core/json.ts'
import { anthropicRewriter } from '../../src/model/anthropic/rewriter.ts'
import { createInputRestorer } from '../../src/model/restore-input.ts'
import { createSseReader } from '../../src/model/sse.ts'
import { rewritten } from '../support/rewritten.ts'

/** Tools by the argument that names their file; undefined for tools that write none. */
const tools = {
  Edit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  write: 'filePath',
  Bash: undefined,
}

const tokens = ['[SECRET_1]', '[SECRET_2]', '[SECRET_3]'] as const

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\n', '[', 'ü', '💥', '\u2028', '\ud800'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
})
const part = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...tokens) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('[SECRET_9]', '[SECRET_', '[SECRET', '\\u005bSECRET_1]', '[', ']', '_1]'),
  },
  { weight: 2, arbitrary: anyText },
)
const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''))
const value = fc.oneof(
  text,
  fc.array(text, { maxLength: 2 }),
  fc.record({ old_string: text, new_string: text }),
  fc.constantFrom(null, true, 1.5),
)

const example = fc.record({
  tool: fc.constantFrom(...(Object.keys(tools) as (keyof typeof tools)[])),
  rest: fc.dictionary(fc.constantFrom('content', 'old_string', 'new_string', 'edits', 'x'), value, {
    minKeys: 1,
    maxKeys: 3,
  }),
  secrets: fc.tuple(anyText, anyText, anyText),
  /** Which of them the file contains. */
  inFile: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  space: fc.constantFrom('', ' ', '\n'),
  /** Which brackets are written as escapes. */
  escapes: fc.infiniteStream(fc.boolean()),
  cuts: fc.array(fc.nat(300), { maxLength: 6 }),
})

/** The same JSON, written in another way. */
function written(input: JsonObject, space: string, escapes: { next(): IteratorResult<boolean> }): string {
  return JSON.stringify(input, undefined, space).replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replaceAll(/\\.|\[/g, (one) => (one === '[' && escapes.next().value === true ? '\\u005b' : one)),
  )
}

function cutAt(whole: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
  return places.slice(1).map((place, index) => whole.slice(places[index], place))
}

const event = (data: object): string => `event: x\ndata: ${JSON.stringify(data)}\n\n`
const streamOf = (name: string, pieces: readonly string[]): string =>
  [
    event({
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name, input: {} },
    }),
    ...pieces.map((piece) =>
      event({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: piece },
      }),
    ),
    event({ type: 'content_block_stop', index: 0 }),
  ].join('')

function inputOf(stream: string): JsonObject {
  const deltas = createSseReader()
    .read(Buffer.from(stream))
    .map(({ data = '{}' }) => JSON.parse(data).delta?.partial_json ?? '')
  return JSON.parse(deltas.join('')) as JsonObject
}

test('10,000 tool inputs: a value for a file that contains it, a token for every other', async () => {
  let restoredInputs = 0
  let keptInputs = 0
  await fc.assert(
    fc.asyncProperty(example, async ({ tool, rest, secrets, inFile, space, escapes, cuts }) => {
      // A letter in front makes them different, and no part of each other's text.
      const values = new Map(tokens.map((token, index) => [token as string, `«${index}${secrets[index]}»`]))
      const content = tokens.map((token, index) => (inFile[index] ? values.get(token) : 'x')).join('\n')
      const restore = createInputRestorer({
        valuesOf: () => values,
        readFile: async (path) => (path === '/has' ? content : path === '/has-not' ? 'x' : undefined),
        mayReveal: () => () => false,
        remember: () => undefined,
        note: () => undefined,
      })
      const run = async (path: string): Promise<{ input: JsonObject; output: JsonObject }> => {
        const argument = tools[tool]
        const input: JsonObject = { ...(argument !== undefined && { [argument]: path }), ...rest }
        const stream = streamOf(tool, cutAt(written(input, space, escapes), cuts))
        const { bytes } = await rewritten(anthropicRewriter(restore), 'text/event-stream', [
          Buffer.from(stream),
        ])
        return { input, output: inputOf(bytes.toString()) }
      }

      const { input, output } = await run('/has')
      const hasFile = tools[tool] !== undefined
      const expected = mapStrings(input, (string, key) =>
        key === undefined || !hasFile
          ? string
          : string.replaceAll(/\[SECRET_[123]\]/g, (token) =>
              content.includes(values.get(token)!) ? values.get(token)! : token,
            ),
      )
      expect(output).toEqual(expected)
      if (JSON.stringify(output) === JSON.stringify(input)) keptInputs += 1
      else restoredInputs += 1

      for (const path of ['/has-not', '/new']) {
        const other = await run(path)
        expect(other.output).toEqual(other.input)
      }
    }),
    { numRuns: 10_000 },
  )
  expect(restoredInputs).toBeGreaterThan(2000)
  expect(keptInputs).toBeGreaterThan(2000)
})
