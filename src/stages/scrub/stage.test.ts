import { generateKeyPairSync } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import { aCall } from '../../../test/support/calls.ts'
import { checkHere } from '../../../test/support/checks.ts'
import { noModel } from '../../../test/support/no-model.ts'
import { nothingPrivate } from '../../../test/support/nothing-private.ts'
import { sampleSecrets, turned } from '../../../test/support/registry.ts'
import type { Ask, Call } from '../../core/call.ts'
import { ContextdError, describeError } from '../../core/errors/errors.ts'
import { introduction } from '../../core/introduction.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Scrub } from '../../core/ports.ts'
import { answer, failure, refusal, type Answer, type Result } from '../../core/result.ts'
import type { RevealTerms } from './reveal.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import { createSessionTokens } from '@contextd/scrub/internal/session-tokens'
import { scrubStage, type ScrubStageOptions } from './stage.ts'

const [secret = ''] = sampleSecrets(1)
type Policy = Awaited<ReturnType<ScrubStageOptions['keptPolicy']>>
const policies: Readonly<Record<string, Policy>> = {
  write: 'refuse-write',
  change: 'refuse',
  store: 'pass',
}

interface Setting {
  readonly terms?: Partial<RevealTerms>
  readonly options?: Partial<ScrubStageOptions>
}

/** The stage with a real scrubber, around the test's replacement of dispatch. */
function setUp({ terms = {}, options = {} }: Setting = {}) {
  const tokens = createSessionTokens()
  const failures: unknown[] = []
  const stage = scrubStage({
    check: checkHere({ scrub: createScrubber({ tokens }).scrub, privacy: nothingPrivate }),
    privacy: nothingPrivate,
    valuesOf: (session, asked) =>
      new Map(
        [...asked].flatMap((token): [string, string][] => {
          const value = tokens.valueOf(session, token)
          return value === undefined ? [] : [[token, value]]
        }),
      ),
    introductions: new Set<string>(),
    termsOf: ({ tool }) => ({ tool, granted: true, rules: [], runsCommands: false, ...terms }),
    writtenFile: async () => undefined,
    keptPolicy: async ({ tool }) => policies[tool] ?? 'note',
    onGiven: () => {},
    prepareModel: noModel,
    onFailure: (_, error) => failures.push(error),
    ...options,
  })
  /** The stage's result, and what reached the tool. */
  const through = async (result: Result | ((call: Call) => Promise<Result>), parts: Partial<Call> = {}) => {
    const call = aCall(parts)
    let reached: Call | undefined
    const answered = await stage(call, async (passed) => {
      reached = passed
      return typeof result === 'function' ? result(passed) : result
    })
    return { call, reached, answered, text: JSON.stringify(answered) }
  }
  return { through, failures }
}

const results: Record<string, Result> = {
  data: answer({ stdout: secret, [secret]: 1 }),
  'a value that only its key gives away': answer({ list: [{ password: secret.slice(4) }] }),
  'content blocks': { kind: 'answer', own: false, content: [{ type: 'text', text: secret }] },
  'structured content': { kind: 'answer', own: false, content: [], structured: { env: [secret] } },
  meta: { kind: 'answer', own: false, content: [], meta: { note: secret } },
  'a failed tool': failure(describeError('TOOL_FAILED', { cause: secret })),
  'a list': { kind: 'payload', value: { tools: [{ name: 'x', description: secret }] } },
  'a resource': { kind: 'payload', value: { contents: [{ uri: 'x://y', text: secret }] } },
  'a resource as bytes': {
    kind: 'payload',
    value: { contents: [{ uri: 'x://y', blob: Buffer.from(`key: ${secret}`).toString('base64') }] },
  },
  'a question': { kind: 'input_required', requests: { q: { message: secret } } },
  'the state of a question': { kind: 'input_required', requests: {}, state: secret },
  'a refusal': refusal('SERVER_UNAVAILABLE', { server: secret }),
}

describe('on the way out', () => {
  test.each(Object.entries(results))('no secret leaves in %s', async (_, result) => {
    const { text } = await setUp().through(result)
    expect(text).not.toContain(secret.slice(4))
    expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(4, 40))
    expect(text).toMatch(/\[SECRET_1\]|withheld by contextd/)
  })

  test('a list passes with our own texts unchanged, but not those of others', async () => {
    const own = { options: { ownTexts: () => new Set(['password: hunter22-x9']) } }
    const listed: Result = { kind: 'payload', value: { tools: ['password: hunter22-x9', `token ${secret}`] } }
    const inList = await setUp(own).through(listed, { method: 'list' })
    expect(inList.text).toContain('hunter22-x9')
    expect(inList.text).not.toContain(secret)
    const elsewhere = await setUp(own).through(listed)
    expect(elsewhere.text).not.toContain('hunter22-x9')
  })

  test('no key leaves as a list of lines', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const lines = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
      .trim()
      .split('\n')
    const { answered, call } = await setUp().through(answer({ lines: ['before', ...lines, 'behind'], n: 1 }))
    expect((answered as Answer).structured).toMatchObject({
      data: { lines: ['before', '[SECRET_1]', ...lines.slice(1).map(() => ''), 'behind'], n: 1 },
    })
    expect(call.trail.findings).toMatchObject([{ rule: 'private-key', place: 'structured.data.lines[1]' }])
    const blocks = lines.map((text) => ({ type: 'text', text }))
    const { text } = await setUp().through({ kind: 'answer', own: false, content: blocks })
    for (const line of lines.slice(1, -1)) expect(text).not.toContain(line)
    const ordinary = { list: ['one', 'two', 'password', 'three'], more: [['a'], 5, 'b'] }
    expect(((await setUp().through(answer(ordinary))).answered as Answer).structured).toEqual({
      data: ordinary,
    })
  })

  test.each([[[10]], [[3, 20]], [[4, 5, 30]]])('no secret leaves that is split at %j', async (cuts) => {
    const parts = [0, ...cuts].map((from, index) => secret.slice(from, cuts[index]))
    const content = ['see', `key ${parts[0]}`, ...parts.slice(1), 'behind it'].map((text, index, all) => ({
      type: 'text',
      text: index === all.length - 2 ? `${text} and` : text,
    }))
    const { answered } = await setUp().through({ kind: 'answer', own: true, content })
    const texts = (answered as Answer).content.map(({ text }) => text)
    const left = ['see', 'key [SECRET_1]', ...parts.slice(2).map(() => ''), ' and', 'behind it']
    expect(texts.slice(0, left.length)).toEqual(left)
  })

  test('a complete secret at the end of a block is not joined with the next', async () => {
    const content = [secret, 'exit'].map((text) => ({ type: 'text', text }))
    const { text } = await setUp().through({ kind: 'answer', own: true, content })
    expect(text).toContain('"[SECRET_1]"')
    expect(text).toContain('"exit"')
  })

  test('a number is a secret if it would be one as text', async () => {
    const data = { password: 8437261959, count: 8437261959, list: [8437261959], n: 1.5 }
    const { answered } = await setUp().through(answer(data))
    expect((answered as Answer).structured).toMatchObject({ data: { ...data, password: '[SECRET_1]' } })
  })

  test('findings are noted by rule and place, never by value', async () => {
    const result: Result = {
      kind: 'answer',
      own: false,
      content: [
        { type: 'text', text: 'nothing' },
        { type: 'text', text: `${secret} ${secret}` },
      ],
      structured: { data: { env: [{ [secret]: secret }] } },
    }
    const { call } = await setUp().through(result)
    expect(call.trail.findings).toEqual([
      { layer: 'C2', rule: 'github-pat', place: 'content[1].text', count: 2 },
      { layer: 'C2', rule: 'github-pat', place: 'structured.data.env[0] (a name)', count: 1 },
      { layer: 'C2', rule: 'github-pat', place: 'structured.data.env[0].[SECRET_1]', count: 1 },
    ])
  })

  test('a place stays short for any names', async () => {
    const deep = { ['n'.repeat(200)]: { a: { b: { c: { d: { e: { f: { g: secret } } } } } } } }
    const { call } = await setUp().through(answer(deep))
    const [{ place = '' } = {}] = call.trail.findings
    expect(place).toMatch(/^structured\.data\.n{39}….*\.g$/)
    expect(place.length).toBeLessThan(200)
  })

  test('a failing scrubber withholds the answer', async () => {
    const scrub: Scrub = () => {
      throw new Error('out of time')
    }
    const { through, failures } = setUp({ options: { check: checkHere({ scrub, privacy: nothingPrivate }) } })
    const { answered, text } = await through(answer('something private'))
    expect(answered).toMatchObject({ kind: 'refusal', error: { code: 'SCRUB_FAILED' } })
    expect(text).not.toContain('something private')
    expect(failures).toHaveLength(1)
  })

  test('a request to a model that cannot be checked is not sent', async () => {
    const model = { method: 'model' } as const
    const broken = setUp()
    const { answered, reached } = await broken.through(answer('sent'), model)
    expect(answered).toMatchObject({ kind: 'refusal', error: { code: 'MODEL_REQUEST_UNCHECKED' } })
    expect(reached).toBeUndefined()
    expect(broken.failures).toHaveLength(1)
    const checked = setUp({ options: { prepareModel: async (call) => call } })
    expect((await checked.through(answer('sent'), model)).reached).toMatchObject(model)
  })

  test("a failure of an inner stage is not reported as the scrubber's", async () => {
    const { through, failures } = setUp()
    await expect(through(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug')
    expect(failures).toEqual([])
  })

  test('raw output is only stored if the vault requests it', async () => {
    const kept: Result[] = []
    await setUp({ options: { keepRaw: (_, raw) => kept.push(raw) } }).through(answer(secret))
    expect(JSON.stringify(kept)).toContain(secret)
  })
})

describe('while the tool runs', () => {
  test('progress, log lines and questions are scrubbed, and findings noted', async () => {
    const heard: Json[] = []
    const ask: Ask = Object.assign(
      async ({ params }: { params: JsonObject }) => {
        heard.push(params)
        return { said: secret }
      },
      { kinds: ['elicitation'] as const, waits: true },
    )
    const { call } = await setUp().through(
      async (running) => {
        running.onProgress?.({ progress: 1, message: `at ${secret}` })
        running.onLog?.('info', { token: [secret] })
        const said = await running.ask?.({ kind: 'elicitation', params: { message: `Use ${secret}?` } })
        // The user's answer is for the tool.
        expect(said).toEqual({ said: secret })
        expect(running.ask?.kinds).toEqual(['elicitation'])
        return answer('done')
      },
      {
        ask,
        onProgress: (progress) => heard.push({ ...progress }),
        onLog: (_, message) => heard.push(message),
      },
    )
    expect(heard).toEqual([
      { progress: 1, message: 'at [SECRET_1]' },
      { token: ['[SECRET_1]'] },
      { message: 'Use [SECRET_1]?' },
    ])
    expect(call.trail.findings.map(({ layer, place }) => `${layer} ${place}`)).toEqual([
      'C2 progress.message',
      'C2 log.token[0]',
      'C2 question.message',
    ])
  })

  test('data that cannot be checked is dropped or not asked, and the tool continues', async () => {
    const heard: unknown[] = []
    const ask: Ask = Object.assign(async () => ({}), { kinds: [], waits: true })
    let calls = 0
    const scrub: Scrub = (text) => {
      calls += 1
      if (text.includes('private')) throw new Error('out of time')
      return { text, findings: [] }
    }
    const { through, failures } = setUp({ options: { check: checkHere({ scrub, privacy: nothingPrivate }) } })
    const { answered } = await through(
      async (running) => {
        running.onProgress?.({ progress: 1, message: 'private' })
        running.onLog?.('info', 'private')
        const asked = running.ask?.({ kind: 'elicitation', params: { message: 'private' } })
        await expect(asked).rejects.toBeInstanceOf(ContextdError)
        running.onLog?.('info', 'fine')
        return answer('done')
      },
      { ask, onProgress: (x) => heard.push(x), onLog: (_, message) => heard.push(message) },
    )
    expect(heard).toEqual(['fine'])
    expect(failures).toHaveLength(3)
    expect(calls).toBeGreaterThan(4)
    expect(answered.kind).toBe('answer')
  })
})

describe('on the way in', () => {
  const rules = [{ tool: 'use' }, { tool: 'write', argument: 'content' }]
  const terms = { rules }
  const args = { text: 'with [SECRET_1] and [SECRET_5]' }

  /** A session with the token `[SECRET_1]`. */
  const given = async (setting: Setting) => {
    const { through, failures } = setUp(setting)
    await through(answer(secret))
    return { through, failures }
  }

  test('an allowed tool gets the value, and its answer is masked again in every form', async () => {
    const { through } = await given({ terms })
    const { reached, text, call } = await through(
      async ({ arguments: { text } }) => {
        const value = /with (\S+)/.exec(text as string)?.[1] ?? ''
        return answer([value, Buffer.from(`x${value}`).toString('base64'), turned(value)])
      },
      { tool: 'use', arguments: args },
    )
    expect(reached?.arguments).toEqual({ text: `with ${secret} and [SECRET_5]` })
    expect(call.trail.notes).toEqual(['revealed: [SECRET_1] in text'])
    expect(text).toContain('[SECRET_1]')
    for (const form of [secret, Buffer.from(`x${secret}`).toString('base64'), turned(secret)]) {
      expect(text).not.toContain(form)
    }
    expect(call.arguments).toEqual(args)
  })

  test('a read-only tool gets the token, which the answer and the record mention', async () => {
    const { through } = await given({ terms })
    const { reached, call, answered } = await through(answer('ok'), { tool: 'other', arguments: args })
    expect(reached?.arguments).toEqual(args)
    expect(call.trail.notes).toEqual(['reveal refused: [SECRET_1] in text (no rule)'])
    expect((answered as Answer).structured).toEqual({
      data: 'ok',
      note: expect.stringMatching(/other received \[SECRET_1\] as these characters, not as the secret/),
    })
    const plain = await through(answer('ok'), { tool: 'other', arguments: { text: 'with [SECRET_5]' } })
    expect((plain.answered as Answer).structured).toEqual({ data: 'ok' })
  })

  test('a tool that may change something does not run with a token in place of a secret', async () => {
    const { through } = await given({ terms: { rules: [{ tool: 'change', argument: 'password' }] } })
    const { answered, reached } = await through(answer('ok'), { tool: 'change', arguments: args })
    expect(answered).toMatchObject({
      kind: 'refusal',
      error: { code: 'SECRET_TOKEN_IN_ARGUMENT', tokens: '[SECRET_1]' },
    })
    expect(reached).toBeUndefined()
    const allowed = await through(answer('ok'), { tool: 'change', arguments: { password: '[SECRET_1]' } })
    expect(allowed.reached?.arguments).toEqual({ password: secret })
    const ofNobody = await through(answer('ok'), { tool: 'change', arguments: { text: '[SECRET_5]' } })
    expect(ofNobody.reached?.arguments).toEqual({ text: '[SECRET_5]' })
  })

  test('a tool that stores text with its tokens gets them without a note', async () => {
    const { through } = await given({ terms })
    const { reached, answered } = await through(answer('ok'), { tool: 'store', arguments: args })
    expect(reached?.arguments).toEqual(args)
    expect((answered as Answer).structured).toEqual({ data: 'ok' })
  })

  test('a backslash before the brackets does not hide a token in a command', async () => {
    const { through } = await given({ terms: { runsCommands: true } })
    const run = (command: string) => through(answer('ok'), { tool: 'change', arguments: { command } })
    for (const command of [String.raw`sed -i 's/x/\[SECRET_1\]/' a`, String.raw`grep "\\[SECRET_1\\]" a`]) {
      expect((await run(command)).answered).toMatchObject({ error: { code: 'SECRET_TOKEN_IN_ARGUMENT' } })
    }
    expect((await run(String.raw`grep '\[SECRET_5\]' a`)).answered.kind).toBe('answer')
    expect((await run('grep SECRET_1 a')).answered.kind).toBe('answer')
  })

  test('a secret that is in the written file is restored there without a rule', async () => {
    const text = `KEY=${secret}\nEXAMPLE=[SECRET_2]\n`
    const writtenFile = async () => ({ text, arguments: ['content'] })
    const { through } = await given({ terms: { granted: false }, options: { writtenFile } })
    await through(answer('password: hunter22-x9'))
    const write = (written: JsonObject) => through(answer('written'), { tool: 'write', arguments: written })
    const { reached, call } = await write({ content: 'KEY=[SECRET_1]\nEXAMPLE=[SECRET_2]\nmore=[SECRET_9]' })
    expect(reached?.arguments).toEqual({ content: `${text}more=[SECRET_9]` })
    expect(call.trail.notes).toEqual(['restored: [SECRET_1] in content (its secret is in the file)'])
    // But not if the argument is not written to the file.
    expect((await write({ path: '[SECRET_1]', content: '' })).reached).toBeUndefined()
  })

  test('a token of another session is plain text', async () => {
    const { through } = await given({ terms })
    const { reached, call } = await through(answer('ok'), {
      tool: 'use',
      arguments: args,
      session: 'session-2',
    })
    expect(reached?.arguments).toEqual(args)
    expect(call.trail.notes).toEqual([])
  })

  test.each(['prompt', 'resource', 'list'] as const)('nothing is restored in a %s', async (method) => {
    const { through } = await given({ terms })
    const { reached } = await through(
      { kind: 'payload', value: {} },
      { method, tool: 'use', arguments: args },
    )
    expect(reached?.arguments).toEqual(args)
  })

  test('a tool that writes files is refused tokens it may not restore, so that none overwrites a secret', async () => {
    const { through } = await given({ terms })
    const write = (written: JsonObject) => through(answer('written'), { tool: 'write', arguments: written })
    const { answered, reached, call } = await write({ path: '.env', text: 'KEY=[SECRET_1]' })
    expect(answered).toMatchObject({
      kind: 'refusal',
      error: { code: 'SECRET_NOT_REVEALED', tool: 'write', tokens: '[SECRET_1]' },
    })
    expect(reached).toBeUndefined()
    expect(call.trail.notes).toEqual(['reveal refused: [SECRET_1] in text (no rule)'])

    const allowed = await write({ path: '.env', content: 'KEY=[SECRET_1]' })
    expect(allowed.reached?.arguments).toEqual({ path: '.env', content: `KEY=${secret}` })
    const lookAlike = await write({ path: 'notes', text: 'KEY=[SECRET_5]' })
    expect(lookAlike.reached?.arguments).toEqual({ path: 'notes', text: 'KEY=[SECRET_5]' })
  })

  test('a failed lookup refuses the call', async () => {
    const { through, failures } = setUp({
      options: {
        valuesOf: () => {
          throw new Error('the store is gone')
        },
      },
    })
    const { answered, reached } = await through(answer('ok'), { tool: 'use', arguments: args })
    expect(answered).toMatchObject({ error: { code: 'SCRUB_FAILED' } })
    expect([reached, failures.length]).toEqual([undefined, 1])
    expect((await through(answer('ok'), { tool: 'use', arguments: {} })).reached).toBeDefined()
  })
})

describe('the explanation of tokens', () => {
  const notesIn = (result: Result): number => JSON.stringify(result).split(introduction).length - 1

  test('is given once per session, in the first answer with a token', async () => {
    const { through } = setUp()
    const plain = await through(answer('no secret, though [SECRET_1] looks like one'))
    expect(notesIn(plain.answered)).toBe(0)
    const first = await through(answer({ key: secret }))
    expect((first.answered as Answer).structured).toEqual({ data: { key: '[SECRET_1]' }, note: introduction })
    expect(notesIn((await through(answer(secret))).answered)).toBe(0)
    expect(notesIn((await through(answer(secret), { session: 'session-2' })).answered)).toBe(1)
  })

  test('is added to answers of other servers without changing their structured content', async () => {
    const structured = { rows: [secret] }
    const { answered } = await setUp().through({
      kind: 'answer',
      own: false,
      content: [{ type: 'text', text: 'rows' }],
      structured,
    })
    expect(answered).toMatchObject({
      structured: { rows: ['[SECRET_1]'] },
      content: [{ text: 'rows' }, { type: 'text', text: introduction }],
    })
    expect(Object.keys((answered as Answer).structured as object)).toEqual(['rows'])
  })

  test.each(['a failed tool', 'a list', 'a resource', 'a question', 'a refusal'])(
    'is not told with %s, but with the next answer',
    async (name) => {
      const { through } = setUp()
      expect(notesIn((await through(results[name]!)).answered)).toBe(0)
      expect(notesIn((await through(answer('again [SECRET_1]'))).answered)).toBe(1)
    },
  )
})
