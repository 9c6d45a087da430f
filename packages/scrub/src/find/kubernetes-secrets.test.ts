import { expect, test } from 'vitest'

import { findKubernetesSecret } from './kubernetes-secrets.ts'

const secretsIn = (text: string, keyword: string): string[] => {
  const start = text.toLowerCase().indexOf(keyword)
  return findKubernetesSecret(text, start, start + keyword.length).spans.map((span) =>
    text.slice(span.start, span.end),
  )
}

test('finds every value of a Secret in YAML, and nothing else', () => {
  const text =
    'apiVersion: v1\ndata:\n  password: aHVudGVyMg==\n  user: YWRtaW4=\nkind: Secret\nmetadata:\n  name: x\ntype: Opaque\n'
  expect(secretsIn(text, 'kind: secret')).toEqual(['aHVudGVyMg==', 'YWRtaW4='])
})

test('finds the values of a Secret in JSON', () => {
  const text =
    '{"data":{"password":"aHVudGVyMg==","user":"YWRtaW4="},"kind":"Secret","metadata":{"name":"x"}}'
  expect(secretsIn(text, '"kind":"secret"')).toEqual(['aHVudGVyMg==', 'YWRtaW4='])
})

test('stops at the end of the document', () => {
  const text = 'kind: Secret\nstringData:\n  a: plain-value\n---\nkind: ConfigMap\ndata:\n  b: other-value\n'
  expect(secretsIn(text, 'kind: secret')).toEqual(['plain-value'])
})

test('ignores a SecretStore', () => {
  expect(secretsIn('kind: SecretStore\ndata:\n  a: plain-value\n', 'kind: secret')).toEqual([])
})
