import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import { modelIn, readCaller, bodyRoot } from './request.ts'

const key = Buffer.alloc(32, 7)
const now = 1_800_000_000_000
const known: Record<string, string> = { 's1 i1': 'Explore', 's2 ': 'lead' }
const read = (headers: Record<string, string>, client = 'claude-code'): unknown =>
  readCaller(headers, {
    key: () => key,
    now,
    client,
    agentOf: (session, instance) => known[`${session} ${instance}`],
  })
const ofClaude = (session: string, instance?: string): Record<string, string> => ({
  'x-claude-code-session-id': session,
  ...(instance !== undefined && { 'x-claude-code-agent-id': instance }),
})

test('a subagent of Claude Code is its attested agent, or unknown', () => {
  expect(read({})).toEqual({ claims: { isUnknown: true } })
  expect(read(ofClaude('s1'))).toEqual({ clientSession: 's1', claims: { attested: { agent: 'main' } } })
  expect(read(ofClaude('s2'))).toEqual({ clientSession: 's2', claims: { attested: { agent: 'lead' } } })
  expect(read(ofClaude('s1', 'i1'))).toEqual({
    clientSession: 's1',
    claims: { attested: { agent: 'Explore', instance: 'i1' } },
  })
  expect(read(ofClaude('s2', 'i1'))).toEqual({ clientSession: 's2', claims: { isUnknown: true } })
  expect(read(ofClaude('s'.repeat(257)))).toEqual({ claims: { isUnknown: true } })
})

test('our plugin signs the caller', async () => {
  const { Contextd } = (await import(
    new URL('../../../integrations/opencode/contextd.js', import.meta.url).href
  )) as { Contextd: { sign(payload: object, key: Uint8Array): string } }
  const signed = (payload: object, with_ = key): Record<string, string> => ({
    ...ofClaude('s1'),
    'x-contextd-caller': Contextd.sign(
      { use: 'model', session: 'ses', expires: now + 1000, ...payload },
      with_,
    ),
  })
  expect(read(signed({ agent: 'build', folder: '/p' }))).toEqual({
    clientSession: 'ses',
    folder: '/p',
    claims: { attested: { agent: 'build' } },
  })
  expect(read(signed({ agent: 'scan', instance: 'i2' }))).toMatchObject({
    claims: { attested: { agent: 'scan', instance: 'i2' } },
  })
  expect(read(signed({}))).toEqual({ clientSession: 'ses', claims: { isUnknown: true } })
  expect(read(signed({ agent: 'build' }), 'opencode')).toMatchObject({
    claims: { attested: { agent: 'build' } },
  })
  // A client that can sign but does not is unknown.
  expect(read(ofClaude('s1'), 'opencode')).toEqual({ claims: { isUnknown: true } })
  expect(() => read(signed({ agent: 'build' }, Buffer.alloc(32, 8)))).toThrow(ContextdError)
})

const modelOf = (body: string) => modelIn(body, bodyRoot(body))

test('finds the model at the top level of a body, in any position', () => {
  expect(modelOf('{"model":"m","messages":[{"model":"x"}]}')).toBe('m')
  expect(modelOf('{ "a" : "\\"model\\": 1" ,\n"model" : "a\\u0062" }')).toBe('ab')
  const noModels = [
    '',
    '{',
    '"model',
    '[{"model":"m"}]',
    '{"model":null}',
    '{"model":["m"]}',
    '{"model":"\\q"}',
  ]
  for (const body of [...noModels, `{"model":"${'m'.repeat(300)}"}`]) expect(modelOf(body)).toBe(undefined)
})

test('agrees with JSON.parse', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (other, model) => {
      expect(modelOf(JSON.stringify({ ...other, model, more: other }))).toBe(model)
    }),
  )
})
