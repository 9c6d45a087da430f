import { createHash } from 'node:crypto'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { aCall } from '../../../../test/support/calls.ts'
import { noModel } from '../../../../test/support/no-model.ts'
import { sampleSecrets } from '../../../../test/support/registry.ts'
import { spinningProgram, temporaryChecks } from '../../../../test/support/scrub-checks.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { Call } from '../../../core/call.ts'
import type { Check, CheckFor } from '../../../core/checks.ts'
import type { Json } from '@contextd/shared/json/value'
import type { Answer, Result } from '../../../core/result.ts'
import { allSamples } from '../../../../packages/scrub/src/rules/all.samples.ts'
import { createScrubEngine } from '@contextd/scrub/internal/engine'
import { createSessionTokens } from '@contextd/scrub/internal/session-tokens'
import { scrubStage } from '../stage.ts'
import { maxSizeHere } from './open-checks.ts'
import { performCheck } from './perform-check.ts'

const whose: CheckFor = { tenant: 'local', session: 's1', reader: 'main' }
const padding = '\nan ordinary line of a long text'.repeat(Math.ceil(maxSizeHere / 32))
const [secret = '', other = ''] = sampleSecrets(2)

const answerOf = (text: string): Answer => ({ kind: 'answer', own: false, content: [{ type: 'text', text }] })
const resultCheck = (text: string) => ({ kind: 'result', value: answerOf(text), secrets: true }) as const

describe('a worker finds the same as the main thread', () => {
  const acme = {
    file: 'own.toml',
    mayUnmask: true,
    extended: [{ from: 'own.toml', path: 'more.toml', text: '' }],
  }
  const text =
    '[extend]\nuseDefault = true\ndisabledRules = ["npm-access-token"]\n' +
    "[[rules]]\nid = \"acme\"\nregex = '''acme_[a-z0-9]{12}'''\nkeywords = [\"acme_\"]\n"
  const sources = [{ ...acme, text }]
  const held = [
    { holder: { agent: 'scanner' }, text: '# Names\n\n- Anna Miller\n- Bluebird-7712\n' },
    { holder: { agent: 'main' }, text: '- kestrel_orders_v2\n' },
  ]
  const known = 'Zx81-quite-Private-77'
  const random = seededRandom(5)
  const recipes = Object.values(allSamples).flatMap(({ secret }) => secret)
  const ordinary = ['const x = items.map((item) => item.id)', 'naïve café, 東京, 😀', 'see [SECRET_7]', '']
  const forms = [
    (value: string) => value,
    (value: string) => Buffer.from(`x ${value} y`).toString('base64'),
    (value: string) => Buffer.from(value).toString('hex'),
    (value: string) => encodeURIComponent(JSON.stringify(value)),
    (value: string) => Array.from(value).toReversed().join(''),
  ]
  const value = fc.oneof(
    fc.constantFrom(known, 'Anna Miller', 'anna-miller', 'Bluebird-7712', 'kestrel_orders_v2'),
    fc.constant(0).map(() => makeSample('acme_{lower:12}', random).text),
    fc
      .tuple(fc.constantFrom(...recipes), fc.integer())
      .map(([recipe, seed]) => makeSample(recipe, seededRandom(seed)).text),
  )
  const written = fc.tuple(value, fc.constantFrom(...forms)).map(([plain, form]) => form(plain))
  const line = fc.oneof(fc.constantFrom(...ordinary), written)
  const texts = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'))
  const kinds = ['result', 'json', 'record', 'spans', 'text', 'texts'] as const

  const checkOf = (kind: (typeof kinds)[number], one: string, two: string, secrets: boolean): Check => {
    const large = `${one}${padding}\n${two}`
    const structured: Json = { env: [one, two], password: two, note: padding, [one]: 1 }
    switch (kind) {
      case 'result':
        return { kind, value: { ...answerOf(large), structured }, secrets }
      case 'json':
        return { kind, value: structured, root: 'arguments', secrets }
      case 'record':
        return { kind, value: structured, secrets }
      case 'spans':
        return { kind, value: large }
      case 'text':
        return { kind, value: large, before: two, keepLines: true }
      case 'texts':
        return { kind, value: [{ text: one }, { text: two, key: 'password' }, { text: large }] }
    }
  }

  test('in texts of all kinds, with user rules, known values and private context', async () => {
    const given = await temporaryChecks({ sources, held })
    given.engine.know(known, 'set:mine')
    /** In a single thread, with the same history. */
    const { rulesFrom } = await import('../load-user-rules.ts')
    const rules = (await rulesFrom(sources))!
    const alone = createScrubEngine({
      tokens: createSessionTokens(),
      ownRules: rules.find,
      ...(rules.unmask && { unmask: rules.unmask }),
    })
    alone.know(known, 'set:mine')
    const prepareKnown = (): number => {
      while (alone.prepareNext());
      return alone.knownCount()
    }
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        texts,
        texts,
        fc.boolean(),
        fc.constantFrom('main', 'scanner', undefined),
        async (kind, one, two, secrets, reader) => {
          const check = checkOf(kind, one, two, secrets)
          const owner = { ...whose, reader }
          const { privacy } = given
          const here = performCheck(check, owner, { scrub: alone.scrub, privacy, prepareKnown })
          const there = given.check(check, owner)
          expect(there).toBeInstanceOf(Promise)
          expect(await there).toEqual(here)
          found += here.found.length
        },
      ),
      { numRuns: 60, seed: 4 },
    )
    expect(found).toBeGreaterThan(60)
  })
})

describe('secrets found in one thread', () => {
  const valueOf = (n: number): string => createHash('sha256').update(`${n}`).digest('base64url').slice(0, 20)
  const password = 'Quite-Private-8812'
  const encoded = `a ${Buffer.from(password).toString('hex')} b`

  test('by a worker are searched for here, and vice versa', async () => {
    const { check, engine } = await temporaryChecks()
    const before = await check({ kind: 'json', value: [encoded], root: 'x', secrets: true }, whose)
    expect(before.found).toEqual([])
    await check({ kind: 'json', value: { password, padding }, root: 'x', secrets: true }, whose)
    while (engine.prepareNext());
    const after = await check({ kind: 'json', value: [encoded], root: 'x', secrets: true }, whose)
    expect(after.value).toEqual(['a [SECRET_2] b'])
  })

  test('here are searched for in a worker', async () => {
    const { check } = await temporaryChecks()
    const value: Json = [encoded, padding]
    const large = { kind: 'json', value, root: 'x', secrets: true } as const
    expect((await check(large, whose)).found).toEqual([])
    await check({ kind: 'json', value: { password }, root: 'x', secrets: true }, whose)
    expect((await check(large, whose)).value).toEqual(['a [SECRET_2] b', padding])
  })

  test('since a certain mark can be searched for separately, here and in a worker', async () => {
    const { check, knowledge, knownSince } = await temporaryChecks()
    const { secrets } = knowledge(whose.session)
    await check({ kind: 'json', value: { password }, root: 'x', secrets: true }, whose)
    expect(knownSince(secrets)).toEqual([password])
    expect(knownSince(knowledge(whose.session).secrets)).toEqual([])
    for (const more of ['', padding]) {
      const value = [{ text: `a text${more}` }, { text: encoded }, { text: more, key: password }]
      const found = async (...known: string[]) =>
        (await check({ kind: 'known', value, secrets: known }, whose)).value
      expect(await found(password)).toEqual([1, 2])
      expect(await found('Else-Private-9931')).toEqual([])
    }
  })

  test('are unavailable if there were too many since', async () => {
    const { news, knownSince } = await temporaryChecks()
    for (let n = 0; n < 20_000; n++) news.add({ value: valueOf(n), rule: 'r' })
    expect(knownSince(0)).toBe(undefined)
    expect(knownSince(19_999)).toEqual([valueOf(19_999)])
  })

  test('before a worker started are searched for in its first text, however many there are', async () => {
    const { check, news } = await temporaryChecks({ deadlineMs: 1000 })
    const many = Array.from({ length: 4000 }, (_, n) => valueOf(n))
    const large = (value: string) => {
      const texts: Json = [`a ${Buffer.from(value).toString('hex')} b`, padding]
      return { kind: 'json', value: texts, root: 'x', secrets: true } as const
    }
    for (const value of many) news.add({ value, rule: 'r' })
    expect((await check(large(many.at(-1)!), whose)).value).toEqual(['a [SECRET_1] b', padding])
    expect((await check(large(valueOf(-1)), whose)).found).toEqual([])
  })

  test('have the same number everywhere', async () => {
    const { check } = await temporaryChecks()
    const small = await check(resultCheck(secret), whose)
    const large = await check(resultCheck(`${other}${padding}\n${secret}`), whose)
    expect(small.value).toEqual(answerOf('[SECRET_1]'))
    expect(large.value).toEqual(answerOf(`[SECRET_2]${padding}\n[SECRET_1]`))
  })
})

describe('texts that belong together', () => {
  const password = 'Quite-Private-8812'
  const texts = (...more: string[]) =>
    ({
      kind: 'texts',
      value: [
        { text: `bare ${password}` },
        { text: password, key: 'password' },
        ...more.map((text) => ({ text })),
      ],
    }) as const

  test.each([['here'], ['in a worker', padding]])(
    'lose %s what a later one gives away',
    async (_, ...more) => {
      const { check, knowledge } = await temporaryChecks()
      const before = knowledge('s1')
      const { changed, learned } = (await check(texts(...more), whose)).value
      expect(changed.map((one) => one?.text)).toEqual([
        'bare [SECRET_1]',
        '[SECRET_1]',
        ...more.map(() => undefined),
      ])
      expect(learned).toBe(1)
      // What the worker found is known from now on.
      expect(knowledge('s1')).toEqual({ ...before, secrets: before.secrets + 1 })
      expect((await check(texts(...more), whose)).value.learned).toBe(0)
      expect(knowledge('s1').secrets).toBe(before.secrets + 1)
    },
  )

  test('go to a worker while values wait to be prepared, and otherwise stay here', async () => {
    const { check, engine } = await temporaryChecks()
    const encoded = Buffer.from(password).toString('hex')
    const small = { kind: 'texts', value: [{ text: `a ${encoded} b` }] } as const
    expect(check(small, whose)).not.toBeInstanceOf(Promise)
    const others = sampleSecrets(20).map((value) => ({ value, rule: 'r' }))
    engine.learn([...others, { value: password, rule: 'r' }])
    const checked = check(small, whose)
    expect(checked).toBeInstanceOf(Promise)
    expect((await checked).value.changed).toEqual([{ text: 'a [SECRET_1] b', rules: ['r'] }])
  })
})

test('very many empty texts go to a worker, few stay here', async () => {
  const { check } = await temporaryChecks()
  const empty = (length: number) =>
    ({ kind: 'json', value: Array<string>(length).fill(''), root: 'x', secrets: true }) as const
  expect(check(empty(10), whose)).not.toBeInstanceOf(Promise)
  const many = check(empty(maxSizeHere), whose)
  expect(many).toBeInstanceOf(Promise)
  expect((await many).found).toEqual([])
})

test('a small text full of new secrets goes to a worker, with few it stays here', async () => {
  const { check } = await temporaryChecks()
  const few = sampleSecrets(3, 2).join('\n')
  const many = sampleSecrets(100, 3).join('\n')
  expect(many.length).toBeLessThan(maxSizeHere)
  expect(check(resultCheck(few), whose)).not.toBeInstanceOf(Promise)
  const checked = check(resultCheck(many), whose)
  expect(checked).toBeInstanceOf(Promise)
  const spread: Json = sampleSecrets(20, 4)
  const inMany = check({ kind: 'json', value: spread, root: 'x', secrets: true }, whose)
  expect(inMany).toBeInstanceOf(Promise)
  expect(JSON.stringify((await inMany).value)).toMatch(/^\["\[SECRET_\d+\]"(,"\[SECRET_\d+\]"){19}\]$/)
  const [block] = ((await checked).value as Answer).content
  expect((block!.text as string).split('\n').every((line) => /^\[SECRET_\d+\]$/.test(line))).toBe(true)
})

describe('in the stage', () => {
  const word = 'spin-for-ever'

  async function setUp(setting: { program?: string; deadlineMs?: number } = {}) {
    const { check, privacy } = await temporaryChecks(setting)
    const failures: string[] = []
    const stage = scrubStage({
      check,
      privacy,
      valuesOf: () => new Map(),
      introductions: new Set<string>(),
      termsOf: ({ tool }) => ({ tool, granted: false, rules: [], runsCommands: false }),
      writtenFile: async () => undefined,
      keptPolicy: async () => 'pass',
      onGiven: () => {},
      prepareModel: noModel,
      onFailure: (_, error) => failures.push(String(error)),
    })
    const through = (text: string, session = 's1', parts: Partial<Call> = {}): Promise<Result> =>
      stage(aCall({ session, ...parts }), async () => answerOf(text))
    return { through, failures }
  }
  const codeOf = (result: Result): string => (result.kind === 'refusal' ? result.error.code : result.kind)

  test('a small call finishes while a large text is being checked', async () => {
    const { through } = await setUp({ program: await spinningProgram(word), deadlineMs: 10_000 })
    const ended: string[] = []
    const large = through(`${word}${padding}`).then((result) => ended.push(`large ${codeOf(result)}`))
    const small = through(`token ${secret}`, 's2').then((result) => {
      ended.push('small')
      return result
    })
    expect(JSON.stringify(await small)).toContain('[SECRET_1]')
    expect(ended).toEqual(['small'])
    await large
    expect(ended).toEqual(['small', 'large SCRUB_FAILED'])
  })

  test('a text that takes too long is withheld, but not the next one', async () => {
    const { through, failures } = await setUp({ program: await spinningProgram(word), deadlineMs: 10_000 })
    const [late, next] = [through(`${word} ${secret}${padding}`), through(`${secret}${padding}`)]
    const refused = await late
    expect(codeOf(refused)).toBe('SCRUB_FAILED')
    expect(JSON.stringify(refused)).not.toContain(secret)
    expect(failures.join()).toContain('10000 ms')
    expect(await next).toMatchObject(answerOf(`[SECRET_1]${padding}`))
  })

  const claimsOf = (id: string) => ({ claims: { token: { id, agent: 'main' } } })
  test.each<[string, (n: number) => string, Partial<Call>, Partial<Call>]>([
    ['session', () => 'greedy', {}, {}],
    ['token in many sessions', (n) => `greedy ${n}`, claimsOf('greedy'), claimsOf('modest')],
  ])(
    'a %s with too many texts waiting is refused, and another is served',
    async (_, sessionOf, its, others) => {
      const { through } = await setUp({ program: await spinningProgram(word), deadlineMs: 10_000 })
      const controllers = Array.from({ length: 40 }, () => new AbortController())
      const greedy = controllers.map(({ signal }, n) =>
        through(`${word}${padding}`, sessionOf(n), { ...its, signal }),
      )
      const refused = await Promise.race(greedy)
      expect(refused).toMatchObject({ kind: 'refusal', error: { code: 'SCRUB_QUEUE_FULL' } })
      const served = await through(`${secret}${padding}`, 'modest', others)
      expect(codeOf(served)).toBe('answer')
      expect(served).toMatchObject(answerOf(`[SECRET_1]${padding}`))
      controllers.forEach((controller) => controller.abort())
      const codes = (await Promise.all(greedy)).map(codeOf)
      expect(codes.filter((code) => code === 'SCRUB_QUEUE_FULL')).toHaveLength(7)
      expect(new Set(codes)).toEqual(new Set(['SCRUB_QUEUE_FULL', 'SCRUB_FAILED']))
    },
  )

  test('what a tool sends while it runs is checked in order, even if it is large', async () => {
    const { check, privacy } = await temporaryChecks()
    const stage = scrubStage({
      check,
      privacy,
      valuesOf: () => new Map(),
      introductions: new Set<string>(),
      termsOf: ({ tool }) => ({ tool, granted: false, rules: [], runsCommands: false }),
      writtenFile: async () => undefined,
      keptPolicy: async () => 'pass',
      onGiven: () => {},
      prepareModel: noModel,
      onFailure: () => {},
    })
    const heard: unknown[] = []
    await stage(aCall({ onLog: (_, message) => heard.push(message) }), async (call) => {
      call.onLog?.('info', `${secret}${padding}`)
      call.onLog?.('info', 'after it')
      return answerOf('done')
    })
    expect(heard).toEqual([`[SECRET_1]${padding}`, 'after it'])
  })
})
