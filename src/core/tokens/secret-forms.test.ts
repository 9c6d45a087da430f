import { describe, expect, test } from 'vitest'

import { formIn, tokensIn, tokensInShell } from './secret-forms.ts'

test('tokens are found in texts and field names', () => {
  expect(tokensIn({ a: ['[SECRET_1] [SECRET_2]'], '[SECRET_3]': 'x [SECRET_1]' })).toEqual(
    new Set(['[SECRET_1]', '[SECRET_2]', '[SECRET_3]']),
  )
  expect(tokensIn('[SECRET_] [SECRET_1 SECRET_1] [SECRET_1234567890]').size).toBe(0)
})

test('a backslash does not hide a token in a command', () => {
  const command = String.raw`sed 's/\[SECRET_1\]/[SECRET_2]/' && grep "\\[SECRET_3\\]"`
  expect(tokensInShell({ command })).toEqual(new Set(['[SECRET_1]', '[SECRET_2]', '[SECRET_3]']))
  expect(tokensIn({ command })).toEqual(new Set(['[SECRET_2]']))
})

describe('a secret in a file', () => {
  const lines = ['-----BEGIN KEY-----', 'AAAA', '', '12BB', '-----END KEY-----']
  const key = lines.join('\n')
  const numbered = (separator: string): string =>
    lines
      .map((line, index) => (index === 0 ? line : `${String(index + 9).padStart(4)}${separator}${line}`))
      .join('\n')

  test.each(['\t', '→', ':', '-', ': ', ' | ', '|'])(
    'is found despite line numbers followed by %j',
    (separator) => {
      expect(formIn(`before\n${key}\nafter`, numbered(separator))).toBe(key)
      expect(formIn(`before\n${key.replace('AAAA', 'AAAB')}\nafter`, numbered(separator))).toBeUndefined()
    },
  )

  test('is found despite zero-padded line numbers', () => {
    const padded = lines.map((line, index) => (index === 0 ? line : `0000${index + 1}| ${line}`)).join('\n')
    expect(formIn(`x\n${key}\n`, padded)).toBe(key)
    expect(formIn('x\n', padded)).toBeUndefined()
  })

  test('uses the line ends of the file', () => {
    const crlf = key.replaceAll('\n', '\r\n')
    expect(formIn(`x\r\n${crlf}\r\n`, key)).toBe(crlf)
    expect(formIn(`x\r\n${crlf}\r\n`, numbered('\t'))).toBe(crlf)
    expect(formIn(`x\n${key}\n`, crlf)).toBe(key)
  })

  test('keeps numbers that are not line numbers', () => {
    const value = 'a\n7:b\n7:c'
    expect(formIn('a\nb\nc', value)).toBeUndefined()
    expect(formIn(`x ${value}`, value)).toBe(value)
  })

  test('is found in its JSON-escaped form', () => {
    const value = 'with "quotes"'
    expect(formIn(JSON.stringify({ source: [value] }), value)).toBe(String.raw`with \"quotes\"`)
    expect(formIn(JSON.stringify({ source: [value] }) + value, value)).toBe(value)
    expect(formIn(JSON.stringify({ source: ['with quotes'] }), value)).toBeUndefined()
  })
})
