import { expect, test } from 'vitest'

import { verifySignedAttestation } from './signed-attestation.ts'
import { verifySignedCaller } from './signed-caller.ts'
import { signedLifetimeMs } from './signed-payload.ts'

/** The signing code of the OpenCode plugin: both sides are tested against each other. */
const plugin = new URL('../../../integrations/opencode/contextd.js', import.meta.url).href
const { Contextd } = (await import(plugin)) as {
  Contextd: { sign(payload: object, key: Uint8Array): string }
}
const { sign } = Contextd

const key = Buffer.alloc(32, 7)
const now = 1_800_000_000_000
const caller = { session: 'ses_top', agent: 'scanner', instance: 'ses_child', folder: '/home/ä/project' }
const payload = { use: 'model', ...caller, expires: now + 20_000 }
const verify = (text: unknown, at = now): unknown => verifySignedCaller(text, { key, now: at })

test('a payload signed by the plugin identifies the sender of a request, any number of times', () => {
  const text = sign(payload, key)
  expect([verify(text), verify(text)]).toEqual([caller, caller])
  const { agent: _agent, instance: _instance, folder: _folder, ...unnamed } = payload
  expect(verify(sign(unnamed, key))).toEqual({ session: 'ses_top' })
})

test('is valid for as long as clients retry', () => {
  const text = sign(payload, key)
  const retries = 15 * 60_000
  expect(verify(text, payload.expires + retries - 1)).toEqual(caller)
  expect(verify(text, payload.expires + retries)).toEqual({ problem: 'it has expired' })
  expect(verify(text, payload.expires - signedLifetimeMs - 1)).toEqual({
    problem: 'its lifetime is too long',
  })
})

test('cannot be forged', () => {
  expect(verify(sign(payload, Buffer.alloc(32, 8)))).toEqual({ problem: 'its signature is invalid' })
  const [version, , signature] = sign(payload, key).split('.')
  const changed = Buffer.from(JSON.stringify({ ...payload, agent: 'main' })).toString('base64url')
  expect(verify([version, changed, signature].join('.'))).toEqual({ problem: 'its signature is invalid' })
})

test.each<[string, object]>([
  ['no use', { ...payload, use: undefined }],
  ['another use', { ...payload, use: 'tool' }],
  ['no session', { ...payload, session: undefined }],
  ['an agent that is none', { ...payload, agent: 'a b' }],
  ['an instance that is no text', { ...payload, instance: null }],
  ['a folder that is no whole path', { ...payload, folder: 'project' }],
  ['a time that is no number', { ...payload, expires: 'soon' }],
  ['more than it should', { ...payload, level: 'attested' }],
])('signed, but with %s', (_, said) => {
  expect(verify(sign(said, key))).toEqual({ problem: 'unexpected payload' })
})

test('an attestation of a tool call and a caller are never confused', () => {
  const { use: _use, ...rest } = payload
  const attestation = { ...rest, tool: 'safe_read', args: 'A'.repeat(43), nonce: 'A'.repeat(22) }
  expect(verify(sign(attestation, key))).toEqual({ problem: 'unexpected payload' })
  const expected = { key, tool: 'safe_read', arguments: {}, now, use: () => true }
  expect(verifySignedAttestation(sign(payload, key), expected)).toEqual({
    problem: 'unexpected payload',
  })
})

test.each([undefined, '', 'v1..', 7, ['v1.a.b']])('%j is not a caller', (text) => {
  expect(verify(text)).toEqual({ problem: 'it is malformed' })
})
