/** Private context in the scrub stage: every place where another agent could send or receive it. */

import { describe, expect, test } from 'vitest'

import { checkHere } from '../../../../test/support/checks.ts'
import { aCall } from '../../../../test/support/calls.ts'
import { noModel } from '../../../../test/support/no-model.ts'
import { sampleSecrets } from '../../../../test/support/registry.ts'
import type { Ask, Call } from '../../../core/call.ts'
import { ContextdError, describeError } from '../../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { PrivateContext } from '../../../core/ports.ts'
import { answer, failure, refusal, type Answer, type Result } from '../../../core/result.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import { privateNote, scrubStage } from '../stage.ts'
import { maskPrivate } from './mask.ts'
import { compileMatcher } from './matcher.ts'

const name = 'Anna Miller'
const key = 'ctx_q7Rk2mVx'
const [secret = ''] = sampleSecrets(1)

const owners = new Set(['scanner'])
const matcher = compileMatcher([
  { kind: 'name', text: name, owners },
  { kind: 'name', text: key, owners },
  { kind: 'line', text: `the password of ours is ${secret}`, owners },
])
const privacy: Pick<PrivateContext, 'mask' | 'holders'> = {
  mask: (text, _, caller) => maskPrivate(text, matcher, caller),
  holders: () => [{ agent: 'scanner' }],
}

interface Setting {
  readonly agent: string
  readonly privacy?: Pick<PrivateContext, 'mask' | 'holders'>
  readonly parts?: Partial<Call>
}

async function through(result: Result | ((call: Call) => Promise<Result>), setting: Setting) {
  const kept: Result[] = []
  const failures: unknown[] = []
  const stage = scrubStage({
    check: checkHere({ scrub: createScrubber().scrub, privacy: setting.privacy ?? privacy }),
    privacy: setting.privacy ?? privacy,
    valuesOf: () => new Map(),
    introductions: new Set<string>(),
    termsOf: ({ tool }) => ({ tool, granted: false, rules: [], runsCommands: false }),
    writtenFile: async () => undefined,
    keptPolicy: async () => 'pass',
    onGiven: () => {},
    prepareModel: noModel,
    keepRaw: (_, raw) => kept.push(raw),
    onFailure: (_, error) => failures.push(error),
  })
  const call = aCall({ claims: { attested: { agent: setting.agent, instance: 'a1' } }, ...setting.parts })
  let reached: Call | undefined
  const answered = await stage(call, async (passed) => {
    reached = passed
    return typeof result === 'function' ? result(passed) : result
  })
  const places = call.trail.findings.map(({ rule, place }) => `${rule} ${place}`)
  return { reached, answered, text: JSON.stringify(answered), places, kept: JSON.stringify(kept), failures }
}

const text = `see ${name}`

describe("another agent's private context in a call", () => {
  const args: JsonObject = { path: 'a.txt', content: [`// ${text}`, 7], [name]: { n: 'x' }, id: 1_234_567 }

  test.each(['main', 'default', ''])('reaches no tool of %j', async (agent) => {
    const { reached, places, answered } = await through(answer('done'), { agent, parts: { arguments: args } })
    expect(reached?.arguments).toEqual({
      path: 'a.txt',
      content: ['// see [PRIVATE]', 7],
      '[PRIVATE]': { n: 'x' },
      id: 1_234_567,
    })
    expect(places).toEqual(['private-context arguments.content[0]', 'private-context arguments (a name)'])
    expect((answered as Answer).structured).toEqual({ data: 'done', note: privateNote })
  })

  test('reaches the tools of its owner', async () => {
    const {
      reached,
      places,
      text: said,
    } = await through(answer('done'), { agent: 'scanner', parts: { arguments: args } })
    expect(reached?.arguments).toEqual(args)
    expect(places).toEqual([])
    expect(said).not.toContain(privateNote)
  })

  test.each([
    ['a tool of another server', { server: 'notes', tool: 'add' }],
    ['a prompt', { method: 'prompt' }],
  ] as const)('is masked for %s too', async (_, parts) => {
    const { reached } = await through(answer('done'), {
      agent: 'main',
      parts: { ...parts, arguments: { text } },
    })
    expect(reached?.arguments).toEqual({ text: 'see [PRIVATE]' })
  })

  test('is masked in the address of a resource', async () => {
    const parts = { method: 'resource', tool: `notes://${name}` } as const
    expect((await through(answer('x'), { agent: 'main', parts })).reached?.tool).toBe('notes://[PRIVATE]')
    expect((await through(answer('x'), { agent: 'scanner', parts })).reached?.tool).toBe(`notes://${name}`)
  })

  test('is mentioned in addition to answers of other servers and failed tools', async () => {
    const parts = { arguments: { text } }
    for (const result of [
      { kind: 'answer', own: false, content: [], structured: { rows: [] } } as Result,
      failure(describeError('TOOL_FAILED')),
    ]) {
      const { answered } = await through(result, { agent: 'main', parts })
      expect((answered as Answer).content.at(-1)).toEqual({ type: 'text', text: privateNote })
    }
  })

  test('the key reaches the broker, which refuses it, and no other tool', async () => {
    const parts = { tool: 'load_context', arguments: { key, note: key } }
    const { reached } = await through(refusal('CONTEXT_REFUSED'), { agent: 'main', parts })
    expect(reached?.arguments).toEqual({ key, note: '[PRIVATE]' })
    for (const other of [{ tool: 'safe_bash' }, { tool: 'load_context', server: 'notes' }]) {
      const { reached } = await through(answer('x'), { agent: 'main', parts: { ...parts, ...other } })
      expect(reached?.arguments).toEqual({ key: '[PRIVATE]', note: '[PRIVATE]' })
    }
  })
})

const results: Record<string, Result> = {
  data: answer({ stdout: text, [name]: 1 }),
  'content blocks': { kind: 'answer', own: false, content: [{ type: 'text', text }] },
  'blocks that cut it': {
    kind: 'answer',
    own: false,
    content: ['see Anna', 'Miller'].map((part) => ({ type: 'text', text: part })),
  },
  'structured content': { kind: 'answer', own: false, content: [], structured: { rows: [text] } },
  meta: { kind: 'answer', own: false, content: [], meta: { note: text } },
  'a failed tool': failure(describeError('TOOL_FAILED', { cause: text })),
  'a list': { kind: 'payload', value: { tools: [{ name: 'x', description: text }] } },
  'a resource as bytes': {
    kind: 'payload',
    value: { contents: [{ uri: 'x://y', blob: Buffer.from(`the report: ${text}`).toString('base64') }] },
  },
  'a question': { kind: 'input_required', requests: { q: { message: text } } },
  'a refusal': refusal('SERVER_UNAVAILABLE', { server: text }),
  'an error of another server': { kind: 'fault', error: { code: 1, message: text } },
}

describe("another agent's private context in a result", () => {
  test.each(Object.entries(results))('is masked in %s', async (_, result) => {
    const { text: got, places, kept } = await through(result, { agent: 'main' })
    expect(got).not.toMatch(/Anna|Miller|QW5uYSBNaWxsZX/)
    expect(got).toMatch(/\[PRIVATE\]|withheld by contextd/)
    expect(got).not.toContain(privateNote)
    expect(places[0]).toMatch(/^private-context /)
    // The vault gets no copy either, whoever called.
    expect(kept).not.toMatch(/Anna|Miller|QW5uYSBNaWxsZX/)
    const owner = await through(result, { agent: 'scanner' })
    expect([owner.text, owner.places]).toEqual([JSON.stringify(result), []])
    expect(owner.kept).not.toMatch(/Anna|Miller|QW5uYSBNaWxsZX/)
  })

  test('contains nothing of a private line around a secret, and its owner gets a token for that', async () => {
    const line = `the password of ours is ${secret}`
    expect((await through(answer(line), { agent: 'main' })).answered).toMatchObject({
      structured: { data: '[PRIVATE]' },
    })
    expect((await through(answer(line), { agent: 'scanner' })).answered).toMatchObject({
      structured: { data: 'the password of ours is [SECRET_1]' },
    })
  })

  test('is masked while the tool runs', async () => {
    const heard: Json[] = []
    const ask: Ask = Object.assign(
      async ({ params }: { params: JsonObject }) => {
        heard.push(params)
        return {}
      },
      { kinds: ['elicitation'] as const, waits: true },
    )
    const parts: Partial<Call> = {
      ask,
      onProgress: (progress) => heard.push({ ...progress }),
      onLog: (_, message) => heard.push(message),
    }
    const running = async (call: Call): Promise<Result> => {
      call.onProgress?.({ progress: 1, message: text })
      call.onLog?.('info', [text])
      await call.ask?.({ kind: 'elicitation', params: { message: text } })
      return answer('done')
    }
    await through(running, { agent: 'main', parts })
    expect(heard).toEqual([
      { progress: 1, message: 'see [PRIVATE]' },
      ['see [PRIVATE]'],
      { message: 'see [PRIVATE]' },
    ])
    heard.length = 0
    await through(running, { agent: 'scanner', parts })
    expect(heard).toEqual([{ progress: 1, message: text }, [text], { message: text }])
  })
})

test('an answer for its caller only passes unchanged, and no copy is stored', async () => {
  const catalogue = answer(`- ${name}\n- ${secret}`, { isPrivate: true })
  const { answered, kept, places } = await through(catalogue, { agent: 'writer' })
  expect(answered).toBe(catalogue)
  expect([kept, places]).toEqual(['[]', []])
  const ordinary = await through(answer(`- ${name}\n- ${secret}`), { agent: 'writer' })
  expect(ordinary.text).toContain('- [PRIVATE]\\n- [SECRET_1]')
  expect(ordinary.kept).not.toBe('[]')
})

describe('data that cannot be checked', () => {
  const broken: Setting = {
    agent: 'main',
    privacy: {
      holders: privacy.holders,
      mask: (one) => {
        if (one === 'fine') return { text: one, findings: [] }
        throw new ContextdError('STORE_UNAVAILABLE')
      },
    },
  }

  test('is not sent', async () => {
    const { answered, reached, failures } = await through(answer('x'), {
      ...broken,
      parts: { arguments: { fine: text } },
    })
    expect(answered).toMatchObject({ kind: 'refusal', error: { code: 'SCRUB_FAILED' } })
    expect([reached, failures.length]).toEqual([undefined, 1])
  })

  test('is withheld', async () => {
    const { answered, text: got, kept } = await through(answer(text), broken)
    expect(answered).toMatchObject({ kind: 'refusal', error: { code: 'SCRUB_FAILED' } })
    expect(got + kept).not.toContain(name)
  })
})
