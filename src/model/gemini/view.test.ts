import { describe, expect, test } from 'vitest'

import { viewed } from '../../../test/support/request-views.ts'
import { derivedId } from '../wire/derived-ids.ts'
import { gemini } from './dialect.ts'

const view = (body: object) =>
  viewed(gemini, { kind: 'generate', shape: 'content', model: 'gemini-pro' }, body)
const viewParts = (...parts: readonly object[]) => view({ contents: [{ role: 'user', parts }] })

test('system instructions, tools and settings are scrubbed, but not the name of a cache', () => {
  const { scrubbed, texts } = view({
    systemInstruction: { parts: [{ text: 'system' }] },
    tools: [{ functionDeclarations: [{ name: 'run', description: 'tool' }] }],
    cachedContent: 'cachedContents/1',
    labels: { team: 'label' },
    unknown: 'unknown',
  })
  expect(scrubbed).toEqual(['system', 'run', 'tool', 'label', 'unknown'])
  expect(texts).toEqual([])
})

test("only the user's texts get the explanation", () => {
  const { scrubbed, texts } = view({
    contents: [
      { parts: [{ text: 'first' }] },
      { role: 'model', parts: [{ text: 'said' }] },
      { role: 'user', parts: [{ text: 'second' }] },
    ],
  })
  expect(scrubbed).toEqual(['first', 'said', 'second'])
  expect(texts.map((body) => JSON.stringify(body).match(/\w+ NOTE/)?.[0])).toEqual([
    'first NOTE',
    'second NOTE',
  ])
})

test('a countTokens request may contain a complete request', () => {
  const { scrubbed, toolUses } = view({
    generateContentRequest: {
      model: 'models/gemini-pro',
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} }, thoughtSignature: 'c2ln' }] },
      ],
    },
  })
  expect(scrubbed).toEqual(['ls'])
  expect(toolUses).toHaveLength(1)
})

describe('data', () => {
  test.each([
    ['camelCase', 'inlineData', 'mimeType', 'fileData', 'fileUri'],
    ['snake_case', 'inline_data', 'mime_type', 'file_data', 'file_uri'],
  ])(
    'images and PDFs pass, texts are decoded, other data and URIs are scrubbed: %s',
    (_, inline, type, file, uri) => {
      const { scrubbed, base64 } = viewParts(
        { [inline]: { [type]: 'image/png', data: 'aW1hZ2U=' } },
        { [inline]: { [type]: 'application/pdf', data: 'cGRm' } },
        { [inline]: { [type]: 'text/markdown; charset=utf-8', data: 'dGV4dA==' } },
        { [inline]: { [type]: 'application/zip', data: 'emlw' } },
        { [inline]: { data: 'bm9uZQ==' } },
        { [file]: { [type]: 'image/png', [uri]: 'https://example.com/?key=1' } },
      )
      expect(base64).toEqual(['dGV4dA=='])
      expect(scrubbed).toEqual([
        'image/png',
        'application/pdf',
        'text/markdown; charset=utf-8',
        'dGV4dA==',
        'application/zip',
        'emlw',
        'bm9uZQ==',
        'image/png',
        'https://example.com/?key=1',
      ])
    },
  )
})

test('signed thoughts pass completely; in other parts only the signature does', () => {
  const { scrubbed } = viewParts(
    { text: 'signed thought', thought: true, thoughtSignature: 'c2ln' },
    { text: 'snake', thought: true, thought_signature: 'c2ln' },
    { text: 'open thought', thought: true },
    { text: 'empty signature', thought: true, thoughtSignature: '' },
    { text: 'no thought', thought: false, thoughtSignature: 'c2ln' },
    { text: 'text', thoughtSignature: 'c2ln' },
    { functionCall: { name: 'run', args: { a: 'b' } }, thoughtSignature: 'c2ln' },
  )
  expect(scrubbed).toEqual(['open thought', 'empty signature', 'no thought', 'text', 'run', 'b'])
})

describe('function calls', () => {
  const call = (args: object, more: object = {}) => ({ functionCall: { name: 'write_file', args, ...more } })
  const answer = (response: object, more: object = {}) => ({
    functionResponse: { name: 'write_file', response, ...more },
  })

  test("have the provider's id, by which their results are found", () => {
    const { scrubbed, toolUses, toolResults } = viewParts(
      call({ a: 1 }, { id: 'fc-1' }),
      call({ a: 2 }, { id: 'fc-2' }),
      answer({ output: 'second' }, { id: 'fc-2' }),
      answer({ output: 'first' }, { id: 'fc-1' }),
    )
    expect(scrubbed).toEqual(['write_file', 'write_file', 'write_file', 'second', 'write_file', 'first'])
    expect(toolUses).toEqual([
      { id: 'fc-1', tool: 'write_file', input: '{"a":1}' },
      { id: 'fc-2', tool: 'write_file', input: '{"a":2}' },
    ])
    expect(toolResults.map(({ id }) => id)).toEqual(['fc-2', 'fc-1'])
  })

  test('have an id derived from name and arguments if the provider sent none', () => {
    const { toolUses, toolResults } = viewParts(
      call({ a: 1, b: 2 }),
      { functionCall: { name: 'ls', args: {} } },
      call({ a: 3 }),
      answer({ output: 'first' }),
      answer({ output: 'second' }),
      answer({ output: 'of no call' }),
    )
    const ids = [derivedId('write_file', '{"b": 2, "a": 1}'), derivedId('write_file', '{"a":3}')]
    expect(toolUses.map(({ id }) => id)).toEqual([ids[0], derivedId('ls', '{}'), ids[1]])
    expect(toolResults).toEqual([
      { id: ids[0], content: '{"output":"first"}' },
      { id: ids[1], content: '{"output":"second"}' },
    ])
  })

  test('get a note in the text of their result, or next to it', () => {
    const responses = [{ output: 'done' }, { error: 'failed' }, { lines: [1] }, {}]
    const { noted, texts } = viewParts(...responses.flatMap((response, a) => [call({ a }), answer(response)]))
    const notesOf = (body: object | undefined): object[] =>
      (
        body as { contents: { parts: { functionResponse?: { response: object } }[] }[] }
      ).contents[0]!.parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [functionResponse.response],
      )
    const expected = [
      { output: 'done NOTE' },
      { error: 'failed NOTE' },
      { lines: [1], contextd_note: 'NOTE' },
      { contextd_note: 'NOTE' },
    ]
    expect(noted.map((body, index) => notesOf(body)[index])).toEqual(expected)
    expect(texts).toEqual(noted)
  })

  test('may have images in their result', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'aW1hZ2U=' } }
    const { scrubbed } = viewParts(call({}), answer({ output: 'ok' }, { parts: [image] }))
    expect(scrubbed).toEqual(['write_file', 'write_file', 'ok', 'image/png'])
  })
})

test('everything in a part of an unknown kind is scrubbed', () => {
  const { scrubbed } = viewParts(
    { hologram: { data: 'new', mimeType: 'image/png', id: 'id' } },
    { executableCode: { language: 'PYTHON', code: 'code' } },
  )
  expect(scrubbed).toEqual(['new', 'image/png', 'id', 'PYTHON', 'code'])
})

test.each([[{}], [{ contents: 'text' }], [{ contents: [null, { parts: [null, { functionCall: 7 }] }] }]])(
  'an unexpected request is no error: %j',
  (body) => {
    expect(view(body).toolUses).toEqual([])
  },
)
