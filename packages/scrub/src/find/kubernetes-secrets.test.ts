import { expect, test } from 'vitest'

import { findKubernetesSecret } from './kubernetes-secrets.ts'

const takenFrom = (text: string, keyword: string): string[] => {
  const start = text.toLowerCase().indexOf(keyword)
  return findKubernetesSecret(text, start, start + keyword.length).spans.map((span) =>
    text.slice(span.start, span.end),
  )
}

test('every value of a Secret in YAML, and nothing else of it', () => {
  const text =
    'apiVersion: v1\ndata:\n  password: aHVudGVyMg==\n  user: YWRtaW4=\nkind: Secret\nmetadata:\n  name: x\ntype: Opaque\n'
  expect(takenFrom(text, 'kind: secret')).toEqual(['aHVudGVyMg==', 'YWRtaW4='])
})

test('in JSON as well', () => {
  const text =
    '{"data":{"password":"aHVudGVyMg==","user":"YWRtaW4="},"kind":"Secret","metadata":{"name":"x"}}'
  expect(takenFrom(text, '"kind":"secret"')).toEqual(['aHVudGVyMg==', 'YWRtaW4='])
})

test('the next document is not its', () => {
  const text = 'kind: Secret\nstringData:\n  a: plain-value\n---\nkind: ConfigMap\ndata:\n  b: other-value\n'
  expect(takenFrom(text, 'kind: secret')).toEqual(['plain-value'])
})

test('a SecretStore holds none', () => {
  expect(takenFrom('kind: SecretStore\ndata:\n  a: plain-value\n', 'kind: secret')).toEqual([])
})
