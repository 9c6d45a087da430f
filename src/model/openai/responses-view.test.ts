import { describe, expect, test } from 'vitest'

import { viewed } from '../../../test/support/request-views.ts'
import { openai } from './dialect.ts'

const view = (body: object) => viewed(openai, { kind: 'generate', shape: 'responses' }, body)
const viewItems = (...input: readonly object[]) => view({ input })
const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('fields for the provider only are exempt, but not what the model sees', () => {
  const { scrubbed } = view({
    model: 'gpt-5.1',
    instructions: 'instructions',
    previous_response_id: 'resp_1',
    prompt_cache_key: 'key',
    safety_identifier: 'hash',
    conversation: { id: 'conv_1' },
    metadata: { trace: 'trace' },
    include: ['reasoning.encrypted_content'],
    text: { format: { type: 'json_schema', schema: { description: 'schema' } } },
    tools: [{ type: 'function', name: 'run', description: 'tool' }],
    unknown: 'unknown',
  })
  expect(scrubbed).toEqual(['instructions', 'json_schema', 'schema', 'function', 'run', 'tool', 'unknown'])
})

test("credentials for the provider's MCP servers pass, but not the same fields of other tools", () => {
  const tool = { server_url: 'url', authorization: 'token', headers: { 'x-key': 'key' } }
  const { scrubbed } = view({
    tools: [
      { type: 'mcp', ...tool },
      { type: 'function', ...tool },
    ],
  })
  expect(scrubbed).toEqual(['mcp', 'url', 'function', 'url', 'token', 'key'])
})

describe('messages', () => {
  test('a string is a text', () => {
    const { scrubbed, texts } = view({ input: 'hello' })
    expect(scrubbed).toEqual(['hello'])
    expect(texts).toEqual([{ input: 'hello NOTE' }])
  })

  test("only the user's texts get the explanation", () => {
    const messages = ['system', 'developer', 'assistant', 'user'].map((role) => ({ role, content: role }))
    const part = (role: string, type: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type, text }],
    })
    const { scrubbed, texts } = viewItems(
      ...messages,
      part('user', 'input_text', 'asked'),
      part('assistant', 'output_text', 'said'),
    )
    expect(scrubbed).toEqual(['system', 'developer', 'assistant', 'user', 'asked', 'said'])
    expect(texts.map((text) => JSON.stringify(text).match(/\w+ NOTE/)?.[0])).toEqual([
      'user NOTE',
      'asked NOTE',
    ])
  })

  test('images and PDFs pass, base64 texts are decoded, URLs and other data are scrubbed', () => {
    const { scrubbed, base64: decoded } = viewItems({
      role: 'user',
      content: [
        { type: 'input_image', image_url: 'data:image/png;base64,aW1hZ2U=', detail: 'auto' },
        { type: 'input_image', image_url: 'https://example.com/?key=1' },
        { type: 'input_image', file_id: 'file_1' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' },
        { type: 'input_file', filename: 'b.pdf', file_data: base64('%PDF-1.7') },
        { type: 'input_file', filename: 'a.txt', file_data: `data:text/plain;base64,${base64('text')}` },
        { type: 'input_file', filename: 'a.zip', file_data: 'data:application/zip;base64,emlw' },
        { type: 'input_file', file_url: 'https://example.com/?key=2' },
        { type: 'input_audio', input_audio: { data: 'c291bmQ=', format: 'mp3' } },
        { type: 'input_hologram', image_url: 'data:image/png;base64,bmV3', data: 'new' },
      ],
    })
    const text = `data:text/plain;base64,${base64('text')}`
    expect(decoded).toEqual([text])
    expect(scrubbed).toEqual([
      'auto',
      'https://example.com/?key=1',
      'a.pdf',
      'b.pdf',
      'a.txt',
      text,
      'a.zip',
      'data:application/zip;base64,emlw',
      'https://example.com/?key=2',
      'mp3',
      'data:image/png;base64,bmV3',
      'new',
    ])
  })
})

describe('reasoning', () => {
  test('that is encrypted passes completely, other reasoning is scrubbed', () => {
    const summary = [{ type: 'summary_text', text: 'thought' }]
    const sealed = viewItems(
      { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'gAAA' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAB' },
    )
    expect(sealed.scrubbed).toEqual([])
    const open = viewItems({ type: 'reasoning', id: 'rs_1', summary, encrypted_content: null })
    expect(open.scrubbed).toEqual(['summary_text', 'thought'])
  })

  test('does not exempt other items with encrypted content', () => {
    const { scrubbed } = viewItems({ role: 'user', content: 'hello', encrypted_content: 'gAAA' })
    expect(scrubbed).toEqual(['hello'])
  })
})

describe('tools', () => {
  test('function calls and their results are found', () => {
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'write',
      arguments: '{"a":"b"}',
    }
    const { scrubbed, json, toolUses, toolResults, noted, texts } = viewItems(
      call,
      { type: 'function_call_output', call_id: 'call_1', output: 'done' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'one' },
          { type: 'input_image', image_url: 'data:image/png;base64,aW1hZ2U=' },
        ],
      },
      { type: 'function_call_output', call_id: 'call_3', output: [] },
    )
    expect(scrubbed).toEqual(['write', '{"a":"b"}', 'done', 'one'])
    expect(json).toEqual(['{"a":"b"}'])
    expect(toolUses).toEqual([{ id: 'call_1', tool: 'write', input: JSON.stringify('{"a":"b"}') }])
    expect(toolResults.map(({ id }) => id)).toEqual(['call_1', 'call_2', 'call_3'])
    expect(toolResults[0]).toEqual({ id: 'call_1', content: '"done"' })
    const note = { type: 'input_text', text: 'NOTE' }
    expect(noted).toMatchObject([
      { input: [call, { output: 'done NOTE' }, {}, {}] },
      { input: [call, {}, { output: [{ text: 'one' }, { type: 'input_image' }, note] }, {}] },
      { input: [call, {}, {}, { output: [note] }] },
    ])
    expect(texts).toEqual(noted)
  })

  test('tools of a namespace have their full name', () => {
    const call = { type: 'function_call', call_id: 'call_1', arguments: '{}' }
    const { toolUses } = viewItems(
      { ...call, namespace: 'mcp__contextd', name: 'safe_bash' },
      { ...call, namespace: 'mcp__contextd__', name: 'safe_bash' },
      { ...call, namespace: 'mcp__contextd', name: 'mcp__contextd__safe_bash' },
    )
    expect(new Set(toolUses.map(({ tool }) => tool))).toEqual(new Set(['mcp__contextd__safe_bash']))
  })

  test('custom tools have free text', () => {
    const { scrubbed, json, toolUses, noted } = viewItems(
      { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin' },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'ok' },
    )
    expect(scrubbed).toEqual(['apply_patch', '*** Begin', 'ok'])
    expect(json).toEqual([])
    expect(toolUses).toEqual([{ id: 'call_1', tool: 'apply_patch', input: '"*** Begin"' }])
    expect(noted).toMatchObject([{ input: [{}, { output: 'ok NOTE' }] }])
  })

  test('calls of shells, patches and computers are found', () => {
    const operation = { type: 'update_file', path: 'a', diff: '+b' }
    const { scrubbed, toolUses, toolResults, noted } = viewItems(
      { type: 'apply_patch_call', call_id: 'call_1', operation },
      { type: 'apply_patch_call_output', call_id: 'call_1', status: 'completed' },
      { type: 'shell_call', call_id: 'call_2', action: { commands: ['ls'] } },
      { type: 'shell_call_output', call_id: 'call_2', output: [{ stdout: 'a', stderr: 'b' }] },
      { type: 'local_shell_call', call_id: 'call_3', action: { command: ['ls'] } },
      { type: 'local_shell_call_output', id: 'call_3', output: '{}' },
      { type: 'computer_call', call_id: 'call_4', action: { type: 'type', text: 'typed' } },
      {
        type: 'computer_call_output',
        call_id: 'call_4',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,aW1hZ2U=' },
      },
    )
    expect(toolUses.map(({ id, tool }) => [id, tool])).toEqual([
      ['call_1', 'apply_patch_call'],
      ['call_2', 'shell'],
      ['call_3', 'local_shell'],
      ['call_4', 'computer'],
    ])
    expect(toolUses[0]?.input).toBe(JSON.stringify(operation))
    expect(toolResults.map(({ id }) => id)).toEqual(['call_1', 'call_2', 'call_3', 'call_4'])
    expect(noted.map((body) => JSON.stringify(body)?.match(/"[^"]*NOTE"/)?.[0])).toEqual([
      '"NOTE"',
      '"a NOTE"',
      '"{} NOTE"',
      undefined,
    ])
    expect(scrubbed).toEqual(
      expect.arrayContaining(['+b', 'ls', 'a', 'b', '{}', 'typed', 'computer_screenshot']),
    )
    expect(scrubbed.join()).not.toContain('base64')
  })

  test('MCP calls that the provider ran are found', () => {
    const { scrubbed, json, toolUses, noted } = viewItems(
      {
        type: 'mcp_list_tools',
        id: 'mcpl_1',
        server_label: 'docs',
        tools: [{ name: 'ask', description: 'asks' }],
      },
      {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'ask',
        server_label: 'docs',
        arguments: '{"q":1}',
        output: 'answer',
      },
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ask', server_label: 'docs', arguments: '{"q":2}' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true, reason: 'fine' },
    )
    expect(scrubbed).toEqual([
      'docs',
      'ask',
      'asks',
      'ask',
      'docs',
      '{"q":1}',
      'answer',
      'ask',
      'docs',
      '{"q":2}',
      'fine',
    ])
    expect(json).toEqual(['{"q":1}', '{"q":2}'])
    expect(toolUses).toEqual([{ id: 'mcp_1', tool: 'ask', input: JSON.stringify('{"q":1}') }])
    expect(noted).toMatchObject([{ input: [{}, { output: 'answer NOTE' }, {}, {}] }])
  })

  test('images generated by the provider pass, what it searched and ran is scrubbed', () => {
    const { scrubbed } = viewItems(
      { type: 'image_generation_call', id: 'ig_1', result: 'aW1hZ2U=', revised_prompt: 'prompt' },
      { type: 'web_search_call', id: 'ws_1', action: { query: 'query' } },
      {
        type: 'code_interpreter_call',
        id: 'ci_1',
        container_id: 'cntr_1',
        code: 'code',
        outputs: [
          { type: 'logs', logs: 'logs' },
          { type: 'image', url: 'data:image/png;base64,aW1hZ2U=' },
        ],
      },
    )
    expect(scrubbed).toEqual(['prompt', 'query', 'code', 'logs', 'logs', 'image'])
  })
})

test('everything in an item of an unknown type is scrubbed, except its type and id', () => {
  const { scrubbed, toolUses, toolResults } = viewItems({
    type: 'new_thing',
    id: 'nt_1',
    call_id: 'call_1',
    signature: 'signed',
    image_url: 'data:image/png;base64,aW1hZ2U=',
    arguments: '{"a":"b"}',
    inner: { id: 'inner', text: 'deep' },
  })
  expect(scrubbed).toEqual(['signed', 'data:image/png;base64,aW1hZ2U=', '{"a":"b"}', 'inner', 'deep'])
  expect([...toolUses, ...toolResults]).toEqual([])
})

test('an id that is not a string is scrubbed like everything else', () => {
  const { scrubbed } = view({
    previous_response_id: { hidden: 'text' },
    input: [{ type: 'x', id: ['list'] }],
  })
  expect(scrubbed).toEqual(['text', 'list'])
})

test.each([[{}], [[]], [{ input: null }], [{ input: [null, 1, 'text', [], { content: 7 }, { type: 7 }] }]])(
  'an unexpected request is no error: %j',
  (body) => {
    expect(view(body).toolUses).toEqual([])
  },
)
