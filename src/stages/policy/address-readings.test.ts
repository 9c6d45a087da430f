import { expect, test } from 'vitest'

import { evaluate } from './evaluate.ts'
import { compilePolicy } from './compile-rules.ts'
import { addressReadings } from './address-readings.ts'

const spellings = [
  'file:///secret/key',
  'FILE:///secret/key',
  'file:/secret/key',
  'file://localhost/secret/key',
  'file:///./secret/key',
  'file:///public/../secret/key',
  'file:///public/%2e%2e/secret/key',
  'file:///public/%252e%252e/secret/key',
  'file:///public\\..\\secret/key',
  'file:///%73ecret/key',
  'file:////secret/key',
  ' file:///secret/key',
  'file:///se\tcret/key',
]

test.each(spellings)('%j is the same resource', (address) => {
  expect(addressReadings(address).meant.at(-1)).toBe('file:///secret/key')
  const rules = compilePolicy({
    text: JSON.stringify({
      agents: {
        some: {
          allow: { servers: ['*'], resources: { fs: ['file:///public/*', 'file:/p*', ' *', 'FILE*'] } },
        },
        less: { allow: { servers: ['*'] }, deny: { resources: { fs: ['file:///secret/*'] } } },
        one: { allow: { servers: ['*'] }, deny: { resources: { fs: ['file:///secret/key'] } } },
      },
    }),
  })
  for (const agent of ['some', 'less', 'one']) {
    const question = { agent, level: 'declared', server: 'fs', tool: address, method: 'resource' } as const
    expect(evaluate(rules, question).effect).toBe('deny')
  }
})

test('a plain address is only itself; templates and other schemes stay unchanged', () => {
  for (const plain of [
    'file:///a/b c.txt',
    'memo://insights',
    'file:///{+path}',
    'urn:isbn:1',
    'note',
    'a://b?c=d',
  ]) {
    expect(addressReadings(plain).meant).toEqual([plain])
  }
})

test('query and fragment neither avoid a deny nor gain an allow', () => {
  const rules = compilePolicy({
    text: JSON.stringify({
      agents: {
        one: { allow: { servers: ['*'] }, deny: { resources: { fs: ['file:///key'] } } },
        two: { allow: { servers: ['*'], resources: { fs: ['a://b?c=d'] } } },
      },
    }),
  })
  const ask = (agent: string, tool: string): string =>
    evaluate(rules, { agent, level: 'declared', server: 'fs', tool, method: 'resource' }).effect
  expect(ask('one', 'file:///key?x')).toBe('deny')
  expect(ask('one', 'file:///key#x')).toBe('deny')
  expect(ask('one', 'file:///other?x')).toBe('allow')
  expect(ask('two', 'a://b?c=d')).toBe('allow')
})
