import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { escapedTokens, noteKept, refuseKept } from './kept-tokens.ts'
import type { KeptToken, RevealTerms } from './reveal.ts'

const terms = (parts: Partial<RevealTerms> = {}): RevealTerms => ({
  tool: 'notes.write',
  granted: false,
  rules: [],
  runsCommands: false,
  ...parts,
})
const call = { tool: 'write', arguments: {}, principal: { agent: 'release', level: 'attested' } } as const
const kept = (token: string, parts: Partial<KeptToken> = {}): KeptToken => ({
  token,
  argument: 'content',
  why: { kind: 'no-rule' },
  ...parts,
})

test('a refusal names each token once, the rule that would allow it, and the capability', () => {
  const { error } = refuseKept(call, 'refuse', [kept('[SECRET_1]'), kept('[SECRET_2]')], terms())
  expect(error).toMatchObject({
    code: 'SECRET_TOKEN_IN_ARGUMENT',
    message: expect.stringContaining('[SECRET_1], [SECRET_2]') as string,
    agent: 'release',
    reveal: [{ tool: 'notes.write', argument: 'content' }],
  })
  expect(error.hint).toContain(
    'add {"tool":"notes.write","argument":"content"} to `reveal` of agent "release" in rules.json. It also needs "secret:reveal"',
  )
  const granted = refuseKept(call, 'refuse', [kept('[SECRET_1]')], terms({ granted: true }))
  expect(granted.error.hint).toContain('has the capability `secret:reveal` already')
})

test('a rule for a command names a host, because any command could otherwise print the secret', () => {
  const { error } = refuseKept(call, 'refuse', [kept('[SECRET_1]')], terms({ runsCommands: true }))
  expect(error.reveal).toEqual([
    { tool: 'notes.write', argument: 'content', host: '<the host it is sent to>' },
  ])
})

test('a rule for a call to an address names only its host', () => {
  const rulesFor = (args: JsonObject) =>
    refuseKept({ ...call, arguments: args }, 'refuse', [kept('[SECRET_1]', { argument: 'headers' })], terms())
      .error.reveal
  expect(rulesFor({ url: 'https://api.example.com:8443/x?y' })).toEqual([
    { tool: 'notes.write', argument: 'headers', host: 'api.example.com:8443' },
  ])
  for (const args of [
    { url: 'https://[SECRET_1].example.com' },
    { a: 'http://a.example', b: 'http://b.example' },
  ]) {
    expect(rulesFor(args)).toEqual([{ tool: 'notes.write', argument: 'headers' }])
  }
})

test.each<[string, Partial<KeptToken>]>([
  ['a field', { why: { kind: 'name' } }],
  ['a rule for another host', { why: { kind: 'host', hosts: ['api.example.com'] } }],
  ['a token that could be text', { why: { kind: 'unclear' } }],
  ['an escaped token', { why: { kind: 'escaped' } }],
])('no rule is proposed for %s, where none would help', (_, parts) => {
  const { error } = refuseKept(call, 'refuse-write', [kept('[SECRET_1]', parts)], terms())
  expect(error.code).toBe('SECRET_NOT_REVEALED')
  expect(error.reveal).toBeUndefined()
  expect(error.hint).not.toContain('rules.json')
})

test('an existing rule that does not apply is explained', () => {
  const why = { kind: 'host', hosts: ['a.example', 'b.example'] } as const
  expect(refuseKept(call, 'refuse', [kept('[SECRET_1]', { why })], terms()).error.hint).toContain(
    'not certain to go to a.example or b.example alone',
  )
})

test('a token that could be a secret or literal text is explained separately', () => {
  const unclear = kept('[SECRET_1]', { why: { kind: 'unclear' } })
  const hintFor = (...all: KeptToken[]): unknown => refuseKept(call, 'refuse-write', all, terms()).error.hint
  expect(hintFor(unclear)).toMatch(/secret that \[SECRET_1\] represents, and .* text\. .* one at a time\.$/)
  expect(hintFor(unclear, kept('[SECRET_2]'))).toMatch(/one at a time\. Write the rest: .*\[SECRET_2\]/)
})

test('many tokens result in a short message', () => {
  const many = Array.from({ length: 500 }, (_, n) => kept(`[SECRET_${n}]`, { argument: `a${n}` }))
  const { error } = refuseKept(call, 'refuse-write', many, terms())
  expect(error.message).toContain('and 490 more')
  expect(JSON.stringify(error).length).toBeLessThan(4000)
  expect(noteKept(call, many).length).toBeLessThan(500)
})

test('the escaped tokens of a command are those that were issued and do not occur unescaped', () => {
  const values = new Map([
    ['[SECRET_1]', 'a'],
    ['[SECRET_2]', 'b'],
  ])
  const command = String.raw`sed 's/\[SECRET_1\]/x/; s/[SECRET_2]/\[SECRET_2\]/; s/\[SECRET_3\]/y/'`
  expect(escapedTokens({ command }, values).map(({ token }) => token)).toEqual(['[SECRET_1]'])
})
