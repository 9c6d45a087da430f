import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createFileTokens, formIn, isInContent, tokensIn, tokensInShell } from './secret-forms.ts'
import { tokenPattern } from './secret-token.ts'

test('tokens are found in texts and names', () => {
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
    'is found without line numbers before %j',
    (separator) => {
      expect(formIn(`before\n${key}\nafter`, numbered(separator))).toBe(key)
      expect(formIn(`before\n${key.replace('AAAA', 'AAAB')}\nafter`, numbered(separator))).toBeUndefined()
    },
  )

  test('has the line ends of the file', () => {
    const crlf = key.replaceAll('\n', '\r\n')
    expect(formIn(`x\r\n${crlf}\r\n`, key)).toBe(crlf)
    expect(formIn(`x\r\n${crlf}\r\n`, numbered('\t'))).toBe(crlf)
    expect(formIn(`x\n${key}\n`, crlf)).toBe(key)
  })

  test('keeps numbers that do not count lines', () => {
    const value = 'a\n7:b\n7:c'
    expect(formIn('a\nb\nc', value)).toBeUndefined()
    expect(formIn(`x ${value}`, value)).toBe(value)
  })

  test('may be escaped as in JSON', () => {
    const value = 'with "quotes"'
    expect(isInContent(JSON.stringify({ source: [value] }), value)).toBe(true)
    expect(isInContent(JSON.stringify({ source: ['with quotes'] }), value)).toBe(false)
  })
})

describe('tokens of a text that is written to a file', () => {
  const [token, value] = ['[SECRET_1]', 'hunted-Value_123']
  const written = (content: string, text: string): string => {
    const tokens = createFileTokens(content, new Map([[token, value]]))
    return text.replace(tokenPattern, (found, offset: number) =>
      found === token ? (tokens.restore(text, offset, token) ?? '?') : found,
    )
  }

  test('become the secret where it is in the file', () => {
    expect(written(`a=${value}\n`, `b=${token} c=${token} d=[SECRET_2]`)).toBe(
      `b=${value} c=${value} d=[SECRET_2]`,
    )
    expect(written('a=1\n', `b=${token}`)).toBe('b=?')
    expect(createFileTokens('a=1', new Map()).hasLiteral(token)).toBe(false)
    expect(createFileTokens(`a=${token}`, new Map()).hasLiteral(token)).toBe(true)
  })

  test('stay in a line that the file has with these characters, also where the secret is in another', () => {
    const content = `see ${token}\r\nkey=${value}\r\n`
    expect(written(content, `see ${token}\r\nkey=${token}\r\nnew=${token}\r\n`)).toBe(
      `see ${token}\r\nkey=${value}\r\nnew=${value}\r\n`,
    )
  })

  test('become the secrets in a line that the file has both with them and with these characters', () => {
    const lines = (one: string, two: string): string => `key=${one} ${two}\n`
    const content = lines(token, '[SECRET_2]') + lines(value, 'second')
    const values = new Map([
      [token, value],
      ['[SECRET_2]', 'second'],
    ])
    const tokens = createFileTokens(content, values)
    const text = lines(token, '[SECRET_2]').repeat(2)
    const restored = text.replace(tokenPattern, (found, offset: number) =>
      tokens.restore(text, offset, found)!,
    )
    expect(restored).toBe(lines(value, 'second').repeat(2))
  })

  test('a line may have very many', () => {
    const tokens = createFileTokens(`${token} ${value}`, new Map([[token, value]]))
    const text = `a ${token} `.repeat(50_000)
    const restored = text.replace(tokenPattern, (found, offset: number) =>
      tokens.restore(text, offset, found)!,
    )
    expect(restored).toBe(`a ${value} `.repeat(50_000))
  })

  test('a secret with the signs of a replacement is written as it is', () => {
    const odd = "$&$1$`$'"
    const tokens = createFileTokens(`${odd} ${token}`, new Map([[token, odd]]))
    expect(tokens.restore(token, 0, token)).toBe(odd)
  })

  test('what was masked is restored byte for byte, whatever is around it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r\n', '=', '[', 'é', '7:') })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (parts) => {
        const content = parts.join(value)
        const masked = parts.join(token)
        expect(written(content, masked)).toBe(parts.length === 1 ? masked : content)
      }),
    )
  })
})
