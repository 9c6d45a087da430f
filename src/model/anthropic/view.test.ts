import { describe, expect, test } from 'vitest'

import { parseJsonSpans, type JsonNode } from '../wire/json-spans.ts'
import { anthropicView } from './view.ts'

function viewOf(request: unknown) {
  const text = JSON.stringify(request)
  const view = anthropicView(text, parseJsonSpans(text))
  const written = (nodes: Iterable<JsonNode>): unknown[] =>
    Array.from(nodes, ({ start, end }) => JSON.parse(text.slice(start, end)))
  return { view, exempt: written(view.exempt), base64: written(view.base64), written }
}
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
/** The exempt nodes of a message, except its role. */
const exemptIn = (message: object): unknown[] => viewOf({ messages: [message] }).exempt.slice(1)

describe('passes unchanged', () => {
  test('fields for the provider only', () => {
    const { exempt } = viewOf({
      model: 'claude',
      metadata: { user_id: 'u' },
      container: { id: 'c' },
      service_tier: 'auto',
      tools: [
        { type: 'custom', name: 'n', cache_control: { type: 'ephemeral' }, input_schema: { type: 'object' } },
      ],
      mcp_servers: [{ type: 'url', url: 'https://example.com', authorization_token: 'abc' }],
      messages: [],
    })
    expect(exempt).toEqual([
      'claude',
      { user_id: 'u' },
      { id: 'c' },
      'custom',
      { type: 'ephemeral' },
      'url',
      'abc',
    ])
  })

  test('signed reasoning of the model', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'abc' }
    const redacted = { type: 'redacted_thinking', data: 'abc' }
    expect(exemptIn(assistant(thinking, redacted))).toEqual([thinking, redacted])
    // Only the model's own reasoning is signed.
    expect(exemptIn(user(thinking))).toEqual(['thinking', 'abc'])
    const inResult = { type: 'tool_result', tool_use_id: 't', content: [thinking] }
    expect(exemptIn(user(inResult))).toEqual(['tool_result', 't', 'thinking', 'abc'])
  })

  test('images and PDFs', () => {
    const source = (media_type: string) => ({ type: 'base64', media_type, data: 'abcd' })
    const { exempt, base64 } = viewOf({
      messages: [
        user(
          { type: 'image', source: source('image/png') },
          { type: 'document', source: source('application/pdf'), title: 'a title' },
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: [{ type: 'image', source: source('image/webp') }],
          },
        ),
      ],
    })
    expect(exempt.filter((one) => one === 'abcd')).toHaveLength(3)
    expect(exempt).not.toContain('a title')
    expect(base64).toEqual([])
  })

  test('encrypted content', () => {
    const result = {
      type: 'web_search_result',
      url: 'https://example.com',
      title: 't',
      encrypted_content: 'abc',
    }
    expect(
      exemptIn(
        assistant(
          { type: 'web_search_tool_result', tool_use_id: 'srv', content: [result] },
          { type: 'text', text: 'so', citations: [{ cited_text: 'c', encrypted_index: 'def' }] },
        ),
      ),
    ).toEqual(['web_search_tool_result', 'srv', 'web_search_result', 'abc', 'text', 'def'])
  })
})

describe('is checked', () => {
  test('everything in tool inputs and schemas, whatever the field name', () => {
    const names = { id: 'a', type: 'b', thinking: 'c', signature: 'd', source: { type: 'base64', data: 'e' } }
    expect(exemptIn(assistant({ type: 'tool_use', id: 't', name: 'n', input: names }))).toEqual([
      'tool_use',
      't',
    ])
    expect(viewOf({ tools: [{ name: 'n', input_schema: names }] }).exempt).toEqual([])
  })

  test('text documents, decoded, and URLs', () => {
    const { base64, exempt } = viewOf({
      messages: [
        user(
          { type: 'document', source: { type: 'base64', media_type: 'text/csv', data: 'abcd' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com' } },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inside' }] } },
          {
            type: 'search_result',
            source: 'https://example.com',
            content: [{ type: 'text', text: 'found' }],
          },
        ),
      ],
    })
    expect(base64).toEqual(['abcd'])
    expect(
      exempt.filter(
        (one) => !/^(?:user|document|base64|text.*|image|url|content|search_result)$/.test(String(one)),
      ),
    ).toEqual([])
  })

  test('an id that is not a string', () => {
    expect(exemptIn(user({ type: 'text', text: 'a', id: { of: 'b' } }))).toEqual(['text'])
  })
})

describe('the conversation', () => {
  test('contains tool calls and their results', () => {
    const { view, written } = viewOf({
      messages: [
        assistant(
          { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
          { type: 'server_tool_use', id: 't2', name: 'web_search', input: { query: 'q' } },
          { type: 'mcp_tool_use', id: 't3', name: 'n', server_name: 's', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 't2', content: [] },
        ),
        user(
          { type: 'tool_result', tool_use_id: 't1', content: 'out' },
          { type: 'tool_result', tool_use_id: 't4', content: [{ type: 'text', text: 'more' }] },
          { type: 'tool_result', tool_use_id: 't5' },
        ),
      ],
    })
    expect(view.toolUses.map(({ id, tool }) => [id, tool])).toEqual([
      ['t1', 'Bash'],
      ['t2', 'web_search'],
      ['t3', 'n'],
    ])
    expect(written(view.toolUses.map(({ input }) => input))).toEqual([{ command: 'ls' }, { query: 'q' }, {}])
    expect(written(view.toolResults.map(({ content }) => content))).toEqual([
      [],
      'out',
      [{ type: 'text', text: 'more' }],
    ])
    const [search, plain, blocks] = view.toolResults.map(({ notePlace }) => notePlace)
    expect(search).toBeUndefined()
    expect(plain).toHaveProperty('string')
    expect(blocks && 'insert' in blocks && blocks.insert('a "note"')).toBe(
      ',{"type":"text","text":"a \\"note\\""}',
    )
  })

  test('contains texts for the explanation, except those of the model and the system prompt', () => {
    const { view, written } = viewOf({
      messages: [
        { role: 'user', content: 'one' },
        assistant({ type: 'text', text: 'said' }),
        { role: 'assistant', content: 'said' },
        user({ type: 'text', text: 'two' }, { type: 'tool_result', tool_use_id: 't', content: 'three' }),
        { role: 'system', content: 'four' },
      ],
      system: 'zero',
    })
    expect(written(view.texts.flatMap((place) => ('string' in place ? [place.string] : [])))).toEqual([
      'one',
      'two',
      'three',
    ])
  })
})

test.each([
  [''],
  [null],
  [{ messages: 1 }],
  [{ messages: [1, { content: 2 }], system: { a: 1 }, tools: 'x' }],
])('other requests are no error: %j', (request) => {
  expect(() => viewOf(request)).not.toThrow()
})
