import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { claimsOf, readCaller, readHead } from './model-request.ts'

test('reads who calls from the headers of Claude Code', () => {
  const read = (headers: Record<string, string>): object => readCaller(headers, () => ({ problem: 'unused' }))
  expect(read({})).toEqual({})
  expect(read({ 'x-claude-code-session-id': 's', 'x-claude-code-agent-id': 'i' })).toEqual({
    clientSession: 's',
    instance: 'i',
  })
  expect(read({ 'x-claude-code-session-id': 's'.repeat(257), 'x-claude-code-agent-id': '' })).toEqual({})
})

test('reads what our plugin for OpenCode signed, and nothing else then', () => {
  const headers = { 'x-contextd-caller': 'v1', 'x-claude-code-session-id': 'other' }
  const signed = { session: 's', agent: 'scanner', instance: 'i', folder: '/project' }
  const caller = readCaller(headers, () => signed)
  expect(caller).toEqual({ clientSession: 's', signed })
  const nobody = (): undefined => undefined
  expect(claimsOf(caller, 'opencode', nobody)).toEqual({ attested: { agent: 'scanner', instance: 'i' } })
  expect(claimsOf({ signed: { session: 's' } }, 'opencode', nobody)).toEqual({ isUnknown: true })
  const forged = readCaller(headers, () => ({ problem: 'it is too old' }))
  expect(forged.clientSession).toBeUndefined()
  expect(claimsOf(forged, 'opencode', nobody)).toEqual({
    refused: { code: 'ATTESTATION_FORGED', problem: 'it is too old' },
  })
})

test('a request of OpenCode that nobody signed is of nobody', () => {
  expect(claimsOf({}, 'opencode', () => 'lead')).toEqual({ isUnknown: true })
  expect(claimsOf({ instance: 'i1' }, 'opencode', () => 'lead')).toEqual({ isUnknown: true })
})

test('an instance is the agent it was attested to be, and nobody where it was not', () => {
  const known: Record<string, string> = { i1: 'Explore' }
  const agentOf = (instance: string): string | undefined => known[instance]
  const of = (caller: object): object => claimsOf(caller, 'claude-code', agentOf)
  expect(of({ instance: 'i1' })).toEqual({ attested: { agent: 'Explore', instance: 'i1' } })
  expect(of({ instance: 'i2' })).toEqual({ isUnknown: true })
  expect(of({})).toEqual({ attested: { agent: 'main' } })
  known[''] = 'lead'
  expect(of({})).toEqual({ attested: { agent: 'lead' } })
})

test('finds model and stream at the top of a body, wherever they are', () => {
  expect(readHead('{"model":"m","messages":[{"model":"x","stream":false}],"stream":true}')).toEqual({
    model: 'm',
    stream: true,
  })
  expect(readHead('{ "a" : "\\"model\\": 1" , "stream" :\nfalse, "model" : "a\\u0062" }')).toEqual({
    model: 'ab',
    stream: false,
  })
  expect(readHead('{"model":["m"],"stream":{"model":"x"}}')).toEqual({})
  for (const text of ['', '{', '"model', '[{"model":"m"}]', '{"model":null}'])
    expect(readHead(text)).toEqual({})
})

test('finds what JSON.parse finds', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.string(),
      fc.boolean(),
      (other, model, stream) => {
        const body = JSON.stringify({ ...other, model, more: other, stream })
        expect(readHead(body)).toEqual({ model, stream })
      },
    ),
  )
})
