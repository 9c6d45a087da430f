import { gzipSync } from 'node:zlib'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { sampleSecrets } from '../../test/support/registry.ts'
import { testMasker, type TestMasker } from '../../test/support/request-masker.ts'
import type { Json } from '@contextd/shared/json/value'
import type { FindingCount } from '../core/trail.ts'

/** No rule detects these: they are masked once they become known. */
const passwords = [
  'Quite-Private-8812',
  'x9Kf-Wq27-Lm41-Zt88',
  'correct7horse!battery9staple',
  'Zx81qpPrivate77kk',
]
/** Rules detect these, and removing them may change how the surrounding text is decoded. */
const keys = sampleSecrets(3, 23)
const values = [...passwords, ...keys]

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const forms: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => value,
  base64,
  (value) => base64(base64(value)),
  (value) => gzipSync(`it is ${value}, no more`).toString('base64'),
  (value) => Buffer.from(value).toString('hex'),
  (value) => encodeURIComponent(value).replaceAll('-', '%2D'),
  (value) => Array.from(value).toReversed().join(''),
  (value) => Array.from(value).join(' '),
  (value) => Array.from(value).join('\n'),
  (value) => value.toUpperCase(),
  (value) => value.slice(0, Math.ceil(value.length * 0.7)),
  (value) => `"${value.slice(0, 6)}" + "${value.slice(6)}"`,
  (value) => JSON.stringify(JSON.stringify({ note: `\u00e9 "${value}"` })),
  (value) => `postgres://admin:${value}@db.internal/app`,
]
const written = fc
  .tuple(fc.constantFrom(...values), fc.constantFrom(...forms))
  .map(([value, form]) => form(value))
const word = fc.constantFrom('an ordinary text', 'const x = "1"\n', '\\', '', 'caf\u00e9', 'see [SECRET_2]')
/** Adjacent texts may be decoded together, with or without a gap. */
const text = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: written }, word), { maxLength: 4 }),
    fc.constantFrom('', ' '),
  )
  .map(([parts, gap]) => parts.join(gap))
/** Makes a value known. */
const telling = fc.constantFrom(...passwords).map((value) => `password = "${value}"`)

const block = fc.oneof(
  text.map((said): Json => ({ type: 'text', text: said })),
  telling.map((said): Json => ({ type: 'text', text: said })),
  fc
    .tuple(text, fc.constantFrom('command', 'api_key', passwords[0]!))
    .map(([said, name]): Json => ({ type: 'tool_use', id: 't1', name: 'f', input: { [name]: said } })),
  text.map((said): Json => ({
    type: 'document',
    source: { type: 'base64', media_type: 'text/plain', data: base64(said) },
  })),
)
const turn = fc.record({
  session: fc.constantFrom('s1', 's2', 's3'),
  blocks: fc.array(block, { maxLength: 3 }),
  /** Values that become known outside of requests, such as credentials, or through another process. */
  known: fc.option(fc.constantFrom(...values), { freq: 4, nil: undefined }),
})

const byRule = (found: readonly FindingCount[]) => new Map(found.map(({ rule, count }) => [rule, count]))

interface Turn {
  readonly session: string
  readonly blocks: Json[]
  readonly known: string | undefined
}

/**
 * Several conversations at once, each sent again as a whole with every turn. Answers how often an earlier message was masked
 * differently than before.
 */
async function play(turns: readonly Turn[], masker: TestMasker): Promise<number> {
  const conversations = new Map<string, Json[]>()
  const sent = new Map<string, readonly Json[]>()
  let overtaken = 0
  for (const { session, blocks, known } of turns) {
    const messages = conversations.get(session) ?? []
    conversations.set(session, messages)
    messages.push({ role: 'user', content: blocks })
    if (known !== undefined) masker.engine.know(known, 'set')
    const whose = { tenant: 'local', session, reader: 'main' }
    const options = { whose, issued: () => new Set<string>() }
    const body = JSON.stringify({ messages })
    const masked = await masker.mask(body, options)
    const anew = await masker.maskAnew(body, options)
    expect(masked.body).toBe(anew.body)
    expect(byRule(masked.found)).toEqual(byRule(anew.found))
    const now = (JSON.parse(masked.body) as { messages: Json[] }).messages
    const isSame = (sent.get(session) ?? []).every(
      (one, at) => JSON.stringify(one) === JSON.stringify(now[at]),
    )
    if (!isSame) overtaken++
    sent.set(session, now)
  }
  return overtaken
}

const anyTurns = fc.array(turn, { minLength: 2, maxLength: 10 })

test('cached results equal a fresh check, whatever became known since and in which session', async () => {
  let overtaken = 0
  await fc.assert(
    fc.asyncProperty(anyTurns, async (turns) => {
      overtaken += await play(turns, testMasker())
    }),
    { numRuns: 100 },
  )
  expect(overtaken).toBeGreaterThan(20)
})

test('the test would notice a masker that ignores new secrets', async () => {
  const deaf = (): TestMasker =>
    testMasker(undefined, undefined, (options) => ({ ...options, knownSince: () => [] }))
  const property = fc.asyncProperty(anyTurns, async (turns) => void (await play(turns, deaf())))
  expect((await fc.check(property, { numRuns: 100 })).failed).toBe(true)
})
