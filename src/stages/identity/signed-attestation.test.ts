import { createHmac, randomBytes } from 'node:crypto'

import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import {
  attestationArgument,
  createNonceBook,
  verifySignedAttestation,
  type ExpectedAttestation,
} from './signed-attestation.ts'
import { signedLifetimeMs } from './signed-payload.ts'

/** The signing code of the OpenCode plugin: both sides are tested against each other. */
interface SigningParts {
  sign(payload: object, key: Uint8Array): string
  canonical(value: unknown): string
  attest(args: JsonObject, tool: string, caller: object, key: Uint8Array): void
}
const plugin = new URL('../../../integrations/opencode/contextd.js', import.meta.url).href
const { Contextd } = (await import(plugin)) as { Contextd: SigningParts }
const { sign, canonical, attest } = Contextd

const key = Buffer.alloc(32, 7)
const now = 1_800_000_000_000
const args: JsonObject = { path: 'a.md', deep: { b: [1, 2.5, null], a: 'ä€😀' } }
const payload = {
  agent: 'scanner',
  instance: 'ses_child',
  session: 'ses_top',
  tool: 'safe_read',
  args: 'oMQ8uJjEMc6pboujNqO6cg0YIE0MmfMZmdMltd8dVT4',
  expires: now + 20_000,
  nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
}

function expected(changes: Partial<ExpectedAttestation> = {}): ExpectedAttestation {
  return { key, tool: 'safe_read', arguments: args, now, use: () => true, ...changes }
}

function problemOf(text: unknown, changes: Partial<ExpectedAttestation> = {}): string | undefined {
  const said = verifySignedAttestation(text, expected(changes))
  return 'problem' in said ? said.problem : undefined
}

test('a payload signed by the plugin identifies the caller', () => {
  const { instance, ...ofMain } = { ...payload, agent: 'main' }
  expect(verifySignedAttestation(sign(payload, key), expected())).toEqual({
    agent: 'scanner',
    instance,
    session: 'ses_top',
  })
  expect(verifySignedAttestation(sign(ofMain, key), expected())).toEqual({
    agent: 'main',
    session: 'ses_top',
  })
})

test('both sides compute the same signature', () => {
  expect(sign({ agent: 'main' }, key)).toBe(
    'v1.eyJhZ2VudCI6Im1haW4ifQ.qlsIfSExEwJIt1i6Oxn-9p76JEdNi184NYx4STnHcfU',
  )
  expect(canonical(args)).toBe('{"deep":{"a":"ä€😀","b":[1,2.5,null]},"path":"a.md"}')
})

test('the plugin attests any arguments so that they verify after transport', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
      const sent = given as JsonObject
      attest(sent, 'safe_read', { session: 'ses_top', agent: 'main' }, key)
      const received = JSON.parse(JSON.stringify(sent)) as JsonObject
      const { [attestationArgument]: text, ...rest } = received
      expect(problemOf(text, { arguments: rest, now: Date.now() })).toBeUndefined()
      expect(problemOf(text, { arguments: { ...rest, more: 1 }, now: Date.now() })).toBe(
        'it was made for other arguments',
      )
    }),
  )
})

test('arguments that the plugin sees in another form than transport delivers', () => {
  const odd = { b: -0, a: Number.POSITIVE_INFINITY, gone: undefined, when: new Date(0), half: '\ud800' }
  const sent = odd as unknown as JsonObject
  attest(sent, 'safe_read', { session: 'ses_top', agent: 'main' }, key)
  const { [attestationArgument]: text, ...rest } = JSON.parse(JSON.stringify(sent)) as JsonObject
  expect(problemOf(text, { arguments: rest, now: Date.now() })).toBeUndefined()
})

test('an argument named __proto__ is signed like any other', () => {
  const sent = JSON.parse('{"__proto__":{"x":1},"path":"a"}') as JsonObject
  attest(sent, 'safe_read', { session: 'ses_top', agent: 'main' }, key)
  const { [attestationArgument]: text, ...rest } = sent
  expect(Object.keys(rest)).toEqual(['__proto__', 'path'])
  expect(problemOf(text, { arguments: rest, now: Date.now() })).toBeUndefined()
  expect(problemOf(text, { arguments: { path: 'a' }, now: Date.now() })).toBe(
    'it was made for other arguments',
  )
})

test('the order of arguments does not matter, but a key named __proto__ does', () => {
  const text = sign(payload, key)
  const reordered = { deep: { a: 'ä€😀', b: [1, 2.5, null] }, path: 'a.md' }
  expect(problemOf(text, { arguments: reordered })).toBeUndefined()
  const swapped = { ...reordered, deep: { a: 'ä€😀', b: [2.5, 1, null] } }
  expect(problemOf(text, { arguments: swapped })).toBe('it was made for other arguments')
  const withProto = JSON.parse(
    '{"path":"a.md","deep":{"a":"ä€😀","b":[1,2.5,null]},"__proto__":{"x":1}}',
  ) as JsonObject
  expect(problemOf(text, { arguments: withProto })).toBe('it was made for other arguments')
})

test('an attestation written by a model is overwritten, and removed if the caller has no name', () => {
  const forged = { path: 'a', [attestationArgument]: 'v1.copied.nonce' }
  attest(forged, 'safe_read', { session: 'ses_top', agent: 'main' }, key)
  expect(forged[attestationArgument]).not.toContain('copied')
  const unnamed = { path: 'a', [attestationArgument]: 'v1.copied.nonce' }
  attest(unnamed, 'safe_read', { session: 'ses_top' }, key)
  expect(unnamed).toEqual({ path: 'a' })
})

test.each(Object.keys(payload))('%s cannot be changed without the key', (field) => {
  const text = sign(payload, key)
  const [version, , signature] = text.split('.')
  const changed = { ...payload, [field]: field === 'expires' ? payload.expires + 1 : 'other' }
  const forged = `${version}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
  expect(problemOf(forged)).toBe('its signature is invalid')
  expect(problemOf(text)).toBeUndefined()
})

test('any change of a single character is detected', () => {
  const text = sign(payload, key)
  for (let at = 0; at < text.length; at += 1) {
    const other = text[at] === 'A' ? 'B' : 'A'
    const changed = text.slice(0, at) + other + text.slice(at + 1)
    expect(problemOf(changed), String(at)).toBeDefined()
    expect(problemOf(text.slice(0, at)), `cut at ${at}`).toBeDefined()
  }
  expect(problemOf(`${text}=`)).toBeDefined()
  expect(problemOf(` ${text}`)).toBeDefined()
  expect(problemOf(text)).toBeUndefined()
})

test('rejects another key, another tool, other arguments', () => {
  const text = sign(payload, key)
  expect(problemOf(text, { key: randomBytes(32) })).toBe('its signature is invalid')
  expect(problemOf(sign(payload, randomBytes(32)))).toBe('its signature is invalid')
  expect(problemOf(text, { tool: 'safe_write' })).toBe('it was made for another tool')
  expect(problemOf(text, { arguments: { ...args, path: 'b.md' } })).toBe('it was made for other arguments')
  expect(problemOf(text, { arguments: {} })).toBe('it was made for other arguments')
  expect(problemOf(text)).toBeUndefined()
})

test("a tool is matched by its client's name for it", () => {
  const text = sign({ ...payload, tool: 'git__log_all' }, key)
  expect(problemOf(text, { tool: 'git__log.all' })).toBeUndefined()
  expect(problemOf(text, { tool: 'git__log-all' })).toBe('it was made for another tool')
})

test('is valid for seconds', () => {
  const text = sign(payload, key)
  expect(problemOf(text, { now: payload.expires - 1 })).toBeUndefined()
  expect(problemOf(text, { now: payload.expires })).toBe('it has expired')
  expect(problemOf(text, { now: payload.expires - signedLifetimeMs })).toBeUndefined()
  expect(problemOf(text, { now: payload.expires - signedLifetimeMs - 1 })).toBe('its lifetime is too long')
})

test('is valid once, and a rejected one is not consumed', () => {
  const text = sign(payload, key)
  const { use } = createNonceBook(() => now)
  expect(problemOf(text, { use, tool: 'safe_write' })).toBeDefined()
  expect(problemOf(text, { use })).toBeUndefined()
  expect(problemOf(text, { use })).toBe('it was used before')
  expect(problemOf(sign({ ...payload, nonce: 'B'.repeat(22) }, key), { use })).toBeUndefined()
})

test.each<[string, object]>([
  ['an agent that is none', { ...payload, agent: 'a b' }],
  ['an agent that is too long', { ...payload, agent: 'a'.repeat(129) }],
  ['no agent', { ...payload, agent: undefined }],
  ['an instance that is none', { ...payload, instance: '../x' }],
  ['an instance that is no text', { ...payload, instance: null }],
  ['a session that is too long', { ...payload, session: 's'.repeat(129) }],
  ['no session', { ...payload, session: '' }],
  ['a time that is no number', { ...payload, expires: String(now + 1) }],
  ['a time that is no whole number', { ...payload, expires: now + 0.5 }],
  ['a short nonce', { ...payload, nonce: 'A' }],
  ['more than it should', { ...payload, level: 'attested' }],
  ['a list', [payload]],
])('signed, but with %s', (_, said) => {
  expect(problemOf(sign(said, key))).toBe('unexpected payload')
})

test('rejects anything else, in every form that arguments can have', () => {
  const signed = 'v1.bm90IGpzb24' // "not json"
  const notJson = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  expect(problemOf(notJson)).toBe('unexpected payload')
  for (const text of [
    undefined,
    null,
    '',
    0,
    true,
    {},
    [],
    [sign(payload, key)],
    'v1..',
    'v1.a.b',
    'x'.repeat(5000),
  ])
    expect(problemOf(text)).toBe('it is malformed')
  expect(problemOf(sign(payload, key).replace('v1', 'v2'))).toBe('it is malformed')
})

test('problems quote nothing', () => {
  const text = sign({ ...payload, agent: 'very secret' }, key)
  expect(problemOf(text)).not.toContain('secret')
})

test('a full nonce book rejects until an entry has expired', () => {
  let time = now
  const { use } = createNonceBook(() => time, 2)
  expect(use('a', now + 10)).toBe(true)
  expect(use('b', now + 20)).toBe(true)
  expect(use('c', now + 30)).toBe(false)
  time = now + 10
  expect(use('c', now + 30)).toBe(true)
  expect(use('b', now + 20)).toBe(false)
  expect(use('d', now + 30)).toBe(false)
})
