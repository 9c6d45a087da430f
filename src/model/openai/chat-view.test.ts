import { describe, expect, test } from 'vitest'

import { viewed } from '../../../test/support/request-views.ts'
import { derivedId } from '../wire/derived-ids.ts'
import { openai } from './dialect.ts'

const view = (body: object) => viewed(openai, { kind: 'generate', shape: 'chat' }, body)
const viewMessages = (...messages: readonly object[]) => view({ messages })

test('fields for the provider only are exempt, but not what the model sees', () => {
  const { scrubbed } = view({
    model: 'gpt-5.1',
    user: 'user_1',
    metadata: { trace: 'trace' },
    prompt_cache_key: 'key',
    tools: [{ type: 'function', function: { name: 'run', description: 'tool' } }],
    unknown: 'unknown',
  })
  expect(scrubbed).toEqual(['function', 'run', 'tool', 'unknown'])
})

describe('messages', () => {
  test("only the user's texts get the explanation", () => {
    const { scrubbed, texts } = viewMessages(
      { role: 'system', content: 'system' },
      { role: 'user', content: 'user' },
      { role: 'user', content: [{ type: 'text', text: 'part' }] },
      { role: 'assistant', content: 'said', refusal: 'refused' },
    )
    expect(scrubbed).toEqual(['system', 'user', 'part', 'said', 'refused'])
    expect(texts.map((body) => JSON.stringify(body).match(/\w+ NOTE/)?.[0])).toEqual([
      'user NOTE',
      'part NOTE',
    ])
  })

  test('images and PDFs pass, base64 texts are decoded, URLs and unknown parts are scrubbed', () => {
    const { scrubbed, base64 } = viewMessages({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,aW1hZ2U=', detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://example.com/?key=1' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' } },
        { type: 'file', file: { filename: 'a.csv', file_data: 'data:text/csv;base64,YQ==' } },
        { type: 'file', file: { file_id: 'file_1' } },
        { type: 'input_audio', input_audio: { data: 'c291bmQ=', format: 'wav' } },
        { type: 'new', image_url: { url: 'data:image/jpeg;base64,bmV3' } },
      ],
    })
    expect(base64).toEqual(['data:text/csv;base64,YQ=='])
    expect(scrubbed).toEqual([
      'low',
      'https://example.com/?key=1',
      'a.pdf',
      'a.csv',
      'data:text/csv;base64,YQ==',
      'wav',
      'data:image/jpeg;base64,bmV3',
    ])
  })

  test('signed or encrypted reasoning passes completely, other reasoning is scrubbed', () => {
    const { scrubbed } = viewMessages({
      role: 'assistant',
      reasoning_content: 'plain',
      reasoning_opaque: 'sealed',
      reasoning_details: [
        { type: 'reasoning.text', text: 'signed', signature: 'c2ln' },
        { type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1' },
        { type: 'reasoning.text', text: 'open', signature: null, id: 'rs_2' },
        { type: 'reasoning.text', text: 'also open', signature: '' },
      ],
    })
    expect(scrubbed).toEqual(['plain', 'reasoning.text', 'open', 'reasoning.text', 'also open', ''])
  })
})

describe('tools', () => {
  test('calls and their results are found', () => {
    const { scrubbed, json, toolUses, toolResults, noted, texts } = viewMessages(
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'write', arguments: '{"a":"b"}' } },
          { id: 'call_2', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin' } },
          {
            id: 'call_3',
            type: 'function',
            function: { name: 'ls', arguments: '{}' },
            extra_content: { google: { thought_signature: 'c2ln' } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'ok' }] },
    )
    expect(scrubbed).toEqual(['write', '{"a":"b"}', 'apply_patch', '*** Begin', 'ls', '{}', 'done', 'ok'])
    expect(json).toEqual(['{"a":"b"}', '{}'])
    expect(toolUses).toEqual([
      { id: 'call_1', tool: 'write', input: JSON.stringify('{"a":"b"}') },
      { id: 'call_2', tool: 'apply_patch', input: '"*** Begin"' },
      { id: 'call_3', tool: 'ls', input: '"{}"' },
    ])
    expect(toolResults.map(({ id }) => id)).toEqual(['call_1', 'call_2'])
    expect(noted).toMatchObject([
      { messages: [{}, { content: 'done NOTE' }, {}] },
      { messages: [{}, {}, { content: [{ text: 'ok' }, { type: 'text', text: 'NOTE' }] }] },
    ])
    expect(texts).toEqual(noted)
  })

  test('legacy function calls have ids derived from their input', () => {
    const call = (path: string) => ({
      role: 'assistant',
      function_call: { name: 'write', arguments: `{"path":"${path}"}` },
    })
    const result = (content: string) => ({ role: 'function', name: 'write', content })
    const { json, toolUses, toolResults } = viewMessages(call('a'), result('1'), call('b'), result('2'))
    const ids = [derivedId('write', '{"path":"a"}'), derivedId('write', '{ "path": "b" }')]
    expect(json).toHaveLength(2)
    expect(toolUses.map(({ id }) => id)).toEqual(ids)
    expect(toolResults).toEqual([
      { id: ids[0], content: '"1"' },
      { id: ids[1], content: '"2"' },
    ])
  })
})

test.each([
  [{}],
  [{ messages: 7 }],
  [{ messages: [null, { role: 7 }, { tool_calls: [null, { function: 7 }] }] }],
])('an unexpected request is no error: %j', (body) => {
  expect(view(body).toolUses).toEqual([])
})
