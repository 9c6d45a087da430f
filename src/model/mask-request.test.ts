import { describe, expect, test } from 'vitest'

import { sampleSecrets, temporaryRegistry } from '../../test/support/registry.ts'
import { testMasker } from '../../test/support/request-masker.ts'
import { introduction } from '../core/introduction.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { InvalidJson } from './wire/json-spans.ts'
import { keptNote } from './request-notes.ts'
import { viewChat } from './openai/chat-view.ts'

const [secret = '', other = ''] = sampleSecrets(2)
const password = 'Quite-Private-8812'

const user = (content: unknown): JsonObject => ({ role: 'user', content }) as JsonObject
const assistant = (...content: unknown[]): JsonObject => ({ role: 'assistant', content }) as JsonObject
const requestOf = (...messages: JsonObject[]): string =>
  JSON.stringify({ model: 'claude', max_tokens: 1000, messages })
const toolUse = (id: string, input: JsonObject, name = 'Bash') => ({ type: 'tool_use', id, name, input })
const toolResult = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content })

describe('unrelated bytes', () => {
  const odd =
    '\n{ "model" :"claude",\t"messages":[ {"role":"user","content":"caf\\u00e9 \\/ \\ud800 \\"quoted\\" 😀"} ],' +
    '"max_tokens":123456789012345678901234567890, "temperature": 1.0e-0,"unknown_field":{"":[[],{},null,true]},' +
    '"a":1,"a":"twice", "\\u0061":"by another name","stream":false}\r\n'

  test('stay unchanged', async () => {
    const { mask } = testMasker()
    expect(await mask(odd)).toMatchObject({ body: odd, found: [] })
  })

  test('stay unchanged around a replaced string', async () => {
    const { mask } = testMasker()
    const { body } = await mask(odd.replace('by another name', secret))
    expect(body).toBe(odd.replace('by another name', '[SECRET_1]'))
  })

  test('a request that is not JSON is rejected', async () => {
    const { mask } = testMasker()
    await expect(mask(`${odd}}`)).rejects.toThrow(InvalidJson)
    await expect(mask('{"messages":"\\q"}')).rejects.toThrow(InvalidJson)
  })
})

describe('secrets', () => {
  const withIntroduction = (text: string): string => `${text}\n\n${introduction}`

  test('are replaced in texts, field names, tool inputs and results, system prompt and tools', async () => {
    const { mask } = testMasker()
    const { body, found } = await mask(
      JSON.stringify({
        model: 'claude',
        system: [{ type: 'text', text: `system ${secret}` }],
        tools: [{ name: 'f', description: secret, input_schema: { properties: { [secret]: {} } } }],
        messages: [
          user(`user ${secret}`),
          assistant(toolUse('t1', { command: [`echo ${secret}`], id: secret, thinking: secret })),
          user([toolResult('t1', [{ type: 'text', text: secret }])]),
          { role: 'system', content: secret },
        ],
      }),
    )
    expect(JSON.parse(body)).toEqual({
      model: 'claude',
      system: [{ type: 'text', text: 'system [SECRET_1]' }],
      tools: [{ name: 'f', description: '[SECRET_1]', input_schema: { properties: { '[SECRET_1]': {} } } }],
      messages: [
        user(withIntroduction('user [SECRET_1]')),
        assistant(toolUse('t1', { command: ['echo [SECRET_1]'], id: '[SECRET_1]', thinking: '[SECRET_1]' })),
        // The tool received the value, so its result gets no note.
        user([toolResult('t1', [{ type: 'text', text: '[SECRET_1]' }])]),
        { role: 'system', content: '[SECRET_1]' },
      ],
    })
    expect(found).toEqual([{ layer: 'C2', rule: 'github-pat', count: 9 }])
  })

  test('are found behind escapes and in base64 documents', async () => {
    const { mask } = testMasker()
    const document = (data: string, type = 'text/plain') => ({
      type: 'document',
      source: { type: 'base64', media_type: type, data },
    })
    const base64 = Buffer.from(`é key ${secret}\n`).toString('base64')
    const latin1 = Buffer.from(`é key ${secret}\n`, 'latin1')
    const escaped = `\\u0067${secret.slice(1)}`
    const body = requestOf(
      user([{ type: 'text', text: 'ESCAPED' }, document(base64), document(latin1.toString('base64'))]),
    )
    const masked = JSON.parse((await mask(body.replace('ESCAPED', escaped))).body)
    const [text, utf8, bytes] = masked.messages[0].content
    expect(text.text).toBe(withIntroduction('[SECRET_1]'))
    expect(Buffer.from(utf8.source.data, 'base64').toString()).toBe('é key [SECRET_1]\n')
    expect(Buffer.from(bytes.source.data, 'base64').toString('latin1')).toBe('é key [SECRET_1]\n')
  })

  test('are found in a text that is declared as an image', async () => {
    const { mask } = testMasker()
    const image = (content: string) => {
      const data = Buffer.from(content).toString('base64')
      return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    }
    const { body } = await mask(requestOf(user([image(`export const key = "${secret}"\n`)])))
    expect(body).toBe(requestOf(user([image('export const key = "[SECRET_1]"\n')])))
  })

  test('under a revealing field name are removed everywhere, even before it', async () => {
    const { mask } = testMasker()
    const bare = user(`is it ${password}?`)
    const named = assistant(toolUse('t1', { password }))
    const masked = JSON.parse((await mask(requestOf(bare, named))).body)
    expect(masked.messages[0].content).toContain('is it [SECRET_1]?')
    expect(masked.messages[1].content[0].input).toEqual({ password: '[SECRET_1]' })
    // Without the name, nothing suggests a secret.
    expect((await testMasker().mask(requestOf(bare))).found).toEqual([])
  })

  test('in signed reasoning stay, and are replaced elsewhere', async () => {
    const { mask } = testMasker()
    const blocks = [
      { type: 'thinking', thinking: `hm, ${secret}`, signature: 'abc' },
      { type: 'redacted_thinking', data: secret },
    ]
    const body = requestOf(assistant(...blocks, { type: 'text', text: secret }), user(JSON.stringify(blocks)))
    const masked = JSON.parse((await mask(body)).body)
    expect(masked.messages[0].content).toEqual([...blocks, { type: 'text', text: '[SECRET_1]' }])
    expect(masked.messages[1].content).not.toContain(secret)
  })

  test('in a body of unknown format are replaced in every string, and no notes are added', async () => {
    const { mask } = testMasker()
    const body = JSON.stringify({ id: secret, messages: [user(`text ${secret}`)] })
    const masked = await mask(body, { endpoint: undefined })
    expect(masked.body).toBe(body.replaceAll(secret, '[SECRET_1]'))
    expect(masked.found).toHaveLength(1)
  })

  test('are masked depending on the reader', async () => {
    const { mask, privacy } = testMasker()
    const body = requestOf(user('Ada was here'))
    expect((await mask(body)).found).toEqual([])
    Object.assign(privacy, { version: 1, text: 'Ada' })
    expect((await mask(body)).body).toBe(body.replace('Ada', '[PRIVATE]'))
  })
})

describe('a repeated conversation', () => {
  const first = [user(`my token is ${secret}`), assistant({ type: 'text', text: 'I see' })]
  const second = [...first, user([{ type: 'text', text: `and ${other}` }])]

  test('starts with the same bytes in every request, even after a restart', async () => {
    const { registry, another } = temporaryRegistry()
    const { mask } = testMasker(registry)
    const [one, two] = [await mask(requestOf(...first)), await mask(requestOf(...second))]
    expect(one.body).toContain('[SECRET_1]')
    expect(two.body.startsWith(one.body.slice(0, -2))).toBe(true)
    const restarted = testMasker(another().registry)
    expect((await restarted.mask(requestOf(...second))).body).toBe(two.body)
    expect((await restarted.mask(requestOf(...first))).body).toBe(one.body)
  })

  test('is checked once, and then only its new parts', async () => {
    const { mask, checked } = testMasker()
    await mask(requestOf(...first))
    const before = checked.length
    await mask(requestOf(...first))
    expect(checked).toHaveLength(before)
    await mask(requestOf(...first, user([{ type: 'text', text: 'nothing special' }])))
    expect(checked.slice(before).map((texts) => texts.map(({ text }) => text))).toEqual([['nothing special']])
  })

  test('is checked again when more secrets are known, including cached strings', async () => {
    const { mask, engine } = testMasker()
    const bare = user(`it is ${password}`)
    expect((await mask(requestOf(bare))).body).toContain(password)
    const grown = (await mask(requestOf(bare, assistant(toolUse('t1', { password }))))).body
    expect(grown).not.toContain(password)
    expect((await mask(requestOf(bare))).body).not.toContain(password)
    const another = user('Zx81-quite-Private-77')
    expect((await mask(requestOf(another))).found).toEqual([])
    engine.know('Zx81-quite-Private-77', 'set:mine')
    expect((await mask(requestOf(another))).found).toEqual([{ layer: 'C2', rule: 'set:mine', count: 1 }])
  })

  test('only checks strings again that contain a newly discovered secret', async () => {
    const { mask, checked, engine } = testMasker()
    const conversation = [user(`a ${secret}`), user(`it is ${password}`), user('nothing special')]
    await mask(requestOf(...conversation))
    const before = checked.length
    engine.know('Zx81-quite-Private-77', 'set')
    await mask(requestOf(...conversation))
    expect(checked).toHaveLength(before)
    engine.know(password, 'set')
    expect((await mask(requestOf(...conversation))).body).toContain('it is [SECRET_2]')
    expect(checked.slice(before).map((texts) => texts.map(({ text }) => text))).toEqual([
      [`it is ${password}`],
    ])
  })

  test('is masked while other requests keep discovering secrets, which are applied everywhere', async () => {
    const { engine, mask } = foundMeanwhile((n) => `Unrelated-Private-${n}717`)
    const { body } = await mask(requestOf(user(`a ${secret}`), user('it is Unrelated-Private-1717')))
    expect(JSON.parse(body).messages.map(({ content }: JsonObject) => content)).toEqual([
      expect.stringContaining('a [SECRET_1]'),
      'it is [SECRET_2]',
    ])
    expect(engine.knownCount()).toBeGreaterThan(3)
  })

  test('of another session or reader is checked separately', async () => {
    const { mask, checked } = testMasker()
    const whose = { tenant: 'local', session: 's1', reader: 'main' }
    await mask(requestOf(...first))
    await mask(requestOf(user(other)), { whose: { ...whose, session: 's2' } })
    const before = checked.length
    const elsewhere = await mask(requestOf(...first), {
      whose: { ...whose, session: 's2' },
      issued: () => new Set(),
    })
    expect(elsewhere.body).toContain('my token is [SECRET_2]')
    expect(checked.length).toBeGreaterThan(before)
  })
})

/** A masker with concurrent activity: another value becomes known during each of its checks. */
function foundMeanwhile(valueOf: (n: number) => string) {
  let n = 0
  const masker = testMasker(undefined, undefined, (options) => ({
    ...options,
    check(one, whose) {
      masker.engine.know(valueOf(++n), 'elsewhere')
      return options.check(one, whose)
    },
  }))
  return masker
}

describe('values restored in a tool call', () => {
  const restored = (id: string) =>
    id === 't1'
      ? [
          { token: '[SECRET_1]', value: 'weak' },
          { token: '[SECRET_2]', value: 'weaker "one"' },
        ]
      : []
  const input = { content: 'a weak and a weaker "one"', weak: 1 }
  const shown = 'weak, "weaker \\"one\\"" and [SECRET_1]'

  test('become tokens in that call and its result, and nowhere else', async () => {
    const { mask } = testMasker()
    const body = requestOf(
      user('weak'),
      assistant(toolUse('t1', input, 'Write'), toolUse('t2', input, 'Write')),
      user([toolResult('t1', shown), toolResult('t2', 'weak')]),
    )
    const masked = await mask(body, { restored })
    const [before, uses, results] = JSON.parse(masked.body).messages
    expect(before.content).toBe('weak')
    expect(uses.content.map((one: JsonObject) => one.input)).toEqual([
      { content: 'a [SECRET_1] and a [SECRET_2]', weak: 1 },
      input,
    ])
    expect(results.content.map((one: JsonObject) => one.content)).toEqual([
      '[SECRET_1], "[SECRET_2]" and [SECRET_1]',
      'weak',
    ])
    expect(masked.found).toEqual([{ layer: 'C2', rule: 'restored-value', count: 4 }])
    expect((await mask(body, { restored })).body).toBe(masked.body)
    // The same strings without the restored values.
    expect((await mask(body)).body).toBe(body)
  })

  test('become tokens even if the call itself is not in the request', async () => {
    const { mask } = testMasker()
    const results = user([toolResult('t1', shown), toolResult('t2', 'weak')])
    const masked = JSON.parse((await mask(requestOf(results), { restored })).body)
    expect(masked.messages[0].content.map((one: JsonObject) => one.content)).toEqual([
      '[SECRET_1], "[SECRET_2]" and [SECRET_1]',
      'weak',
    ])
  })

  test('are not replaced in field names of the format, even if equal', async () => {
    const { mask } = testMasker()
    const requestWith = (value: string): string =>
      requestOf(
        assistant(toolUse('t1', { content: value }, 'Write')),
        user([toolResult('t1', [{ type: 'text', text: `wrote ${value}` }])]),
      )
    for (const word of ['text', 'type', 'content']) {
      const masked = await mask(requestWith(word), { restored: () => [{ token: '[SECRET_1]', value: word }] })
      expect(masked.body).toBe(requestWith('[SECRET_1]'))
    }
  })
})

describe('a token that a tool received as literal text', () => {
  const conversation = (tool: string, content: unknown, command = 'echo [SECRET_1] > f'): string =>
    requestOf(
      user(`token ${secret}`),
      assistant(toolUse('t1', { command }, tool)),
      user([toolResult('t1', content)]),
    )
  const resultIn = (body: string): unknown => JSON.parse(body).messages[2].content[0].content

  test('is named in a note in the result', async () => {
    const { mask } = testMasker()
    const { body } = await mask(conversation('Bash', 'done'))
    expect(resultIn(body)).toBe(`done\n\n${keptNote(['[SECRET_1]'])}`)
    const blocks = await mask(conversation('Bash', []))
    expect(resultIn(blocks.body)).toEqual([{ type: 'text', text: keptNote(['[SECRET_1]']) }])
    expect((await mask(conversation('Bash', 'done'))).body).toBe(body)
  })

  test.each([
    ['mcp__contextd__safe_bash', 'echo [SECRET_1] > f'],
    ['Task', 'use [SECRET_1]'],
    ['Bash', 'echo [SECRET_7] > f'],
    ['Bash', `echo ${secret}`],
  ])('is not mentioned for %s with %s', async (tool, command) => {
    const { mask } = testMasker()
    expect(resultIn((await mask(conversation(tool, 'done', command))).body)).toBe('done')
  })
})

describe('a request with tool inputs as JSON strings', () => {
  const chat = { view: viewChat }
  const requestWith = (args: string, result: string): string =>
    JSON.stringify({
      model: 'gpt',
      messages: [
        user(`my token is ${secret}`),
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'write', arguments: args } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: result },
      ],
    })
  const partsOf = (body: string): [string, string] => {
    const [, called, result] = JSON.parse(body).messages
    return [called.tool_calls[0].function.arguments, result.content]
  }

  test('is masked inside them, including field names', async () => {
    const { mask } = testMasker(undefined, chat)
    const { body } = await mask(requestWith(`{ "password" : "${password}", "n":1.0 }`, `it is ${password}`))
    expect(partsOf(body)).toEqual(['{ "password" : "[SECRET_2]", "n":1.0 }', 'it is [SECRET_2]'])
  })

  test('has restored values turned back into tokens', async () => {
    const { mask } = testMasker(undefined, chat)
    const restored = (id: string) => (id === 'c1' ? [{ token: '[SECRET_7]', value: 'a "weak" one' }] : [])
    const args = JSON.stringify({ content: 'x a "weak" one' })
    const { body } = await mask(requestWith(args, `wrote a "weak" one`), { restored })
    expect(partsOf(body)).toEqual(['{"content":"x [SECRET_7]"}', 'wrote [SECRET_7]'])
  })

  test('gets notes about tokens that a tool received', async () => {
    const { mask } = testMasker(undefined, chat)
    const { body } = await mask(requestWith('{"content":"[SECRET_1]"}', 'ok'))
    expect(partsOf(body)).toEqual(['{"content":"[SECRET_1]"}', `ok\n\n${keptNote(['[SECRET_1]'])}`])
  })
})

describe('the explanation of tokens', () => {
  const explained = (body: string): string[] =>
    body.split('"').filter((part) => part.includes('removed from this text'))

  test('is added once, at the first token', async () => {
    const { mask } = testMasker()
    const { body } = await mask(requestOf(user('hello'), user(`a ${secret}`), user(`b ${other}`)))
    expect(explained(body)).toHaveLength(1)
    expect(JSON.parse(body).messages[1].content).toBe(`a [SECRET_1]\n\n${introduction}`)
  })

  test("is a separate block in a result with blocks, and never part of the model's text", async () => {
    const { mask } = testMasker()
    const said = assistant({ type: 'text', text: `I say ${secret}` }, toolUse('t1', {}))
    const { body } = await mask(requestOf(said, user([toolResult('t1', [{ type: 'text', text: secret }])])))
    const [model, result] = JSON.parse(body).messages
    expect(model.content[0].text).toBe('I say [SECRET_1]')
    expect(result.content[0].content).toEqual([
      { type: 'text', text: '[SECRET_1]' },
      { type: 'text', text: introduction },
    ])
  })

  test('is not added for text that only looks like a token', async () => {
    const { mask } = testMasker()
    const body = requestOf(user('see [SECRET_3]'))
    expect((await mask(body)).body).toBe(body)
  })
})
