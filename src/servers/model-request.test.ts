import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { claimsOf, readCaller, readHead } from './model-request.ts'

test('reads who calls from the headers of clients and of our plugin', () => {
  expect(readCaller({})).toEqual({})
  expect(readCaller({ 'x-claude-code-session-id': 's', 'x-claude-code-agent-id': 'i' })).toEqual({
    clientSession: 's',
    instance: 'i',
  })
  expect(
    readCaller({ 'x-contextd-session': 's', 'x-contextd-instance': 'i', 'x-contextd-agent': 'build' }),
  ).toEqual({ clientSession: 's', instance: 'i', agent: 'build' })
  expect(readCaller({ 'x-claude-code-session-id': 's'.repeat(257), 'x-contextd-agent': 'a b' })).toEqual({})
})

test('an instance is the agent it was attested to be, and nobody where it was not', () => {
  const known: Record<string, string> = { i1: 'Explore' }
  const agentOf = (instance: string): string | undefined => known[instance]
  expect(claimsOf({ instance: 'i1' }, agentOf)).toEqual({ attested: { agent: 'Explore', instance: 'i1' } })
  expect(claimsOf({ instance: 'i2', agent: 'Explore' }, agentOf)).toEqual({ isUnknown: true })
  expect(claimsOf({}, agentOf)).toEqual({ attested: { agent: 'main' } })
  expect(claimsOf({ agent: 'build' }, agentOf)).toEqual({ attested: { agent: 'build' } })
  known[''] = 'lead'
  expect(claimsOf({ agent: 'build' }, agentOf)).toEqual({ attested: { agent: 'lead' } })
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
