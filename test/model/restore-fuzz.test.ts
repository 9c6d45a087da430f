/** Any tool call of a model, restored on its way to the client and masked again on its way back. */

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { decodeByteText, encodeByteText } from '@contextd/shared/text/byte-text'
import { introduction } from '../../src/core/introduction.ts'
import { textsIn, type Json, type JsonObject } from '@contextd/shared/json/value'
import { dialects } from '../../src/model/dialects.ts'
import { keptNote } from '../../src/model/request-notes.ts'
import { parseJsonSpans } from '../../src/model/wire/json-spans.ts'
import { createRequestMasker } from '../../src/model/mask-request.ts'
import { createInputRestorer, type RestoredToken } from '../../src/model/restore-input.ts'
import { cutAt } from '../support/model-streams.ts'
import { modelWires, type WireCall } from '../support/model-wires.ts'
import { rewritten } from '../support/rewritten.ts'

interface Tool {
  readonly name: string
  /** The argument that names the file; absent for tools that write none. */
  readonly path?: string
  /** The argument with a patch, or `free text` where all of the input is one. */
  readonly patch?: 'patchText' | 'input' | 'free text'
}

const fileTools: readonly Tool[] = [
  // Claude Code
  { name: 'Edit', path: 'file_path' },
  { name: 'MultiEdit', path: 'file_path' },
  { name: 'Write', path: 'file_path' },
  { name: 'NotebookEdit', path: 'notebook_path' },
  // OpenCode
  { name: 'edit', path: 'filePath' },
  { name: 'write', path: 'filePath' },
  { name: 'apply_patch', patch: 'patchText' },
  // Codex
  { name: 'apply_patch', patch: 'input' },
  { name: 'apply_patch', patch: 'free text' },
  // Gemini CLI
  { name: 'replace', path: 'file_path' },
  { name: 'write_file', path: 'file_path' },
]
const otherTools: readonly Tool[] = [{ name: 'Bash' }, { name: 'mcp__github__create_issue' }]

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
const line = text.map((one) => one.replaceAll('\n', ' '))
const halves = fc.record({ old_string: text, new_string: text })
const value = fc.oneof(
  text,
  fc.array(text, { maxLength: 2 }),
  fc.array(halves, { maxLength: 2 }),
  halves,
  fc.constantFrom(null, true, 1.5),
)
const names = ['content', 'old_string', 'newString', 'edits', 'new_source', 'command', 'a [SECRET_2]']

/** The file contains what `inFile` says; the other one nothing of it; the last one does not exist. */
const paths = ['/has', '/has-not', '/new'] as const

const example = fc.record({
  wire: fc.constantFrom(...Object.keys(modelWires)),
  isStream: fc.boolean(),
  tool: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...fileTools) },
    { weight: 1, arbitrary: fc.constantFrom(...otherTools) },
  ),
  path: fc.constantFrom(...paths),
  rest: fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3 }),
  patch: fc.record({
    comment: line,
    sections: fc.array(
      fc.record({
        path: fc.constantFrom(...paths),
        lines: fc.array(fc.tuple(fc.constantFrom(' ', '+', '-'), line), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  secrets: fc.tuple(anyText, anyText, anyText),
  /** Which of them the file contains. */
  inFile: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  /** Which of them a rule gives to the tool, in every argument but `edits`. */
  revealed: fc.tuple(...tokens.map(() => fc.integer({ min: 0, max: 3 }).map((one) => one === 0))),
  space: fc.constantFrom('', ' ', '\n'),
  /** Which brackets are written as escapes. */
  escapes: fc.infiniteStream(fc.boolean()),
  cuts: fc.array(fc.nat(300), { maxLength: 6 }),
  byteCuts: fc.array(fc.nat(2000), { maxLength: 6 }),
})
type Example = typeof example extends fc.Arbitrary<infer One> ? One : never

/** The same JSON, written in another way. */
function written(input: Json, space: string, escapes: { next(): IteratorResult<boolean> }): string {
  return JSON.stringify(input, undefined, space).replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replaceAll(/\\.|\[/g, (one) => (one === '[' && escapes.next().value === true ? '\\u005b' : one)),
  )
}

const placesIn = (length: number, cuts: readonly number[]): number[] =>
  cuts.filter((cut) => cut < length).toSorted((one, other) => one - other)

function piecesOf(whole: string, cuts: readonly number[]): string[] {
  const places = [0, ...placesIn(whole.length, cuts), whole.length]
  return places.slice(1).map((place, index) => whole.slice(places[index], place))
}

/** In the place of the tokens in one text: the argument it is in, its file, and what begins its lines in a patch. */
type Give = (text: string, argument: string | undefined, path: string | undefined, prefix?: string) => string

const keepAll: Give = (one) => one

/** The input of the call with the values that `give` puts into it. */
function inputWith({ tool, path, rest, patch }: Example, isFreeText: boolean, give: Give): Json {
  const { path: pathName, patch: patchName } = tool
  if (patchName !== undefined) {
    const argument = isFreeText ? undefined : nameOfPatch(tool)
    const sections = patch.sections.map(({ path: file, lines }) =>
      [
        `*** Update File: ${file}\n@@\n`,
        ...lines.map(([prefix, one]) => `${prefix}${give(one, argument, file, prefix)}\n`),
      ].join(''),
    )
    const all = `*** Begin Patch ${patch.comment}\n${sections.join('')}*** End Patch\n`
    return argument === undefined ? all : { [argument]: all }
  }
  const file = pathName === undefined ? undefined : path
  const giveIn = (item: Json, argument: string): Json => {
    if (typeof item === 'string') return give(item, argument, file)
    if (Array.isArray(item)) return item.map((one) => giveIn(one, argument))
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(Object.entries(item).map(([name, one]) => [name, giveIn(one, argument)]))
  }
  const given = Object.entries(rest as JsonObject).map(([name, item]) => [name, giveIn(item, name)] as const)
  return { ...(pathName !== undefined && { [pathName]: path }), ...Object.fromEntries(given) }
}

/** Where a format has no free text, the patch is an argument. */
const nameOfPatch = ({ patch = 'input' }: Tool): string => (patch === 'free text' ? 'input' : patch)

const meant = ({ form, input }: WireCall): Json => (form === 'json' ? (JSON.parse(input) as Json) : input)

/** Each once, in order. */
const tokensIn = (one: string): string[] => [...new Set(one.match(/\[SECRET_[123]\]/g))]

/** Finds nothing: what was restored has to become its token without any rule. */
const findNothing = createRequestMasker({
  check: async () => ({ value: { changed: [], learned: 0 }, found: [], tokens: [] }) as never,
  knowledge: () => ({ secrets: 0, privacy: 0 }),
  knownSince: () => [],
  isOwnTool: () => false,
})

test('10,000 tool calls: restored where nothing new is revealed, and tokens again in the next request', async () => {
  const seen = { restored: 0, kept: 0, revealed: 0, both: 0 }
  const ofWire = new Map<string, number>()
  const ofTool = new Map<string, number>()
  const run = async (one: Example): Promise<void> => {
    const { tool, secrets, inFile, revealed } = one
    const wire = modelWires[one.wire]!
    const isFreeText = tool.patch === 'free text' && wire.hasFreeText
    // A letter in front makes them different, and no part of each other's text.
    const values = new Map(tokens.map((token, index) => [token as string, `«${index}${secrets[index]}»`]))
    const content = tokens.map((token, index) => (inFile[index] ? values.get(token) : 'x')).join('\n')
    const isRevealed = (argument: string | undefined, token: string): boolean =>
      argument !== 'edits' && revealed[tokens.indexOf(token as never)]!

    const remembered = new Map<string, readonly RestoredToken[]>()
    const restore = createInputRestorer({
      valuesOf: () => values,
      readFile: async (path) => (path === '/has' ? content : path === '/has-not' ? 'x' : undefined),
      mayReveal: () => isRevealed,
      remember: (id, restored) => void remembered.set(id, restored),
      note: () => undefined,
    })

    const input = inputWith(one, isFreeText, keepAll)
    const call: WireCall = {
      tool: tool.name,
      form: isFreeText ? 'text' : 'json',
      input: typeof input === 'string' ? input : written(input, one.space, one.escapes),
    }
    const response = one.isStream ? wire.stream(call, piecesOf(call.input, one.cuts)) : wire.whole(call)
    const dialect = dialects[wire.api]
    const endpoint = dialect.endpointOf('POST', wire.path(one.isStream))!
    const type = one.isStream ? 'text/event-stream' : 'application/json'
    const chunks = cutAt(response, ...placesIn(Buffer.byteLength(response), one.byteCuts))
    const { bytes } = await rewritten(dialect.rewriter(endpoint, restore), type, chunks)
    const received = { ...call, input: wire.inputIn(bytes.toString()) }

    let isGiven = false
    const give: Give = (string, argument, path, prefix = '') =>
      string.replaceAll(/\[SECRET_[123]\]/g, (token) => {
        const secret = values.get(token)!
        const isThere = path === '/has' && content.includes(secret)
        if (!isThere && !isRevealed(argument, token)) return token
        isGiven = true
        if (!isThere) seen.revealed += 1
        return secret.replaceAll('\n', `\n${prefix}`)
      })
    const expected = inputWith(one, isFreeText, give)
    expect(meant(received)).toEqual(expected)
    expect(remembered.size).toBe(isGiven ? 1 : 0)

    // The tool says what it wrote.
    const restored = [...remembered.values()].flat()
    const said = (of: 'token' | 'text'): string => ['done', ...restored.map((each) => each[of])].join(' ')
    const request = JSON.stringify(wire.request('Hi', received, said('text')))
    const sent = encodeByteText(request)
    const { body } = await findNothing.mask({
      body: sent,
      root: parseJsonSpans(sent, true),
      dialect,
      endpoint,
      whose: { tenant: 'local', session: 's1', reader: 'main' },
      restored: (id) => (remembered.get(id) ?? []).map(({ token, text: given }) => ({ token, value: given })),
      issued: (named) => new Set(named.filter((token) => values.has(token))),
    })
    const kept = tokensIn([...textsIn(expected)].join(' '))
    const masked = decodeByteText(body)
    const turn = wire.turnIn(masked)
    expect(meant({ ...call, input: turn.input })).toEqual(input)
    expect(turn.result).toBe(
      [said('token'), ...(isGiven ? [introduction] : []), ...(kept.length > 0 ? [keptNote(kept)] : [])].join(
        '\n\n',
      ),
    )
    // The mark of every value.
    expect(masked).not.toContain('«')
    expect(request.includes('«')).toBe(isGiven)

    if (isGiven) seen.restored += 1
    if (kept.length > 0) seen.kept += 1
    if (isGiven && kept.length > 0) seen.both += 1
    ofWire.set(one.wire, (ofWire.get(one.wire) ?? 0) + 1)
    const kind = isFreeText ? tool.patch : (tool.path ?? nameOfPatch(tool))
    const name = `${tool.name} ${kind}`
    if (isGiven) ofTool.set(name, (ofTool.get(name) ?? 0) + 1)
  }
  await fc.assert(fc.asyncProperty(example, run), { numRuns: 10_000 })
  // It was not all the same.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1000)
  for (const count of ofWire.values()) expect(count).toBeGreaterThan(1000)
  for (const count of ofTool.values()) expect(count).toBeGreaterThan(100)
  expect(ofWire.size).toBe(4)
  expect(ofTool.size).toBe(fileTools.length + otherTools.length)
})
