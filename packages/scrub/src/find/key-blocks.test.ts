import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { compileSecretRules } from './compile-rules.ts'
import { findInText } from './find-in-text.ts'
import { mergeSpans } from '../text/span.ts'

const rules = compileSecretRules([])
const pem = generateKeyPairSync('ec', { namedCurve: 'secp521r1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
  .trim()
const lines = pem.split('\n')
const body = lines.slice(1, -1)

const withoutKeys = (text: string): string => {
  let from = 0
  let rest = ''
  for (const { start, end } of mergeSpans(findInText(text, rules))) {
    rest += text.slice(from, start)
    from = end
  }
  return rest + text.slice(from)
}

describe('finds every line of a key', () => {
  test.each([
    ['unchanged', pem],
    ['with CRLF', lines.join('\r\n')],
    ['in JSON', JSON.stringify({ key: pem })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ key: pem }))],
    ['indented', lines.map((line) => `      ${line}`).join('\n')],
    ['as a YAML block', `key: |\n${lines.map((line) => `  ${line}`).join('\n')}\nnext: value`],
    ['as string literals', lines.map((line) => `  "${line}\\n" +`).join('\n')],
    ['numbered', lines.map((line, i) => `${i + 1}\t${line}`).join('\n')],
    ['in a diff', lines.map((line) => `+${line}`).join('\n')],
    ['quoted', lines.map((line) => `> ${line}`).join('\n')],
    ['on one line', lines.join(' ')],
    ['cut by head', lines.slice(0, 3).join('\n')],
    ['cut inside a line', pem.slice(0, 150)],
    ['cut by tail', lines.slice(-3).join('\n')],
    ['in a log', lines.map((line) => `2026-01-02T03:04:05Z INFO  ${line}`).join('\n')],
    [
      'in git blame',
      lines.map((line, i) => `^a1b2c3d (Bob 2026-01-02 03:04:05 +0000 ${i + 1}) ${line}`).join('\n'),
    ],
    ['in a table', lines.map((line) => `| key.pem | ${line.padEnd(64)} |`).join('\n')],
    [
      'in a log, cut by tail',
      lines
        .slice(-3)
        .map((line) => `web_1  | 03:04 ${line}`)
        .join('\n'),
    ],
    ['cut by tail, escaped', lines.slice(-3).join('\\n')],
  ])('%s', (_, text) => {
    const rest = withoutKeys(text)
    for (const line of body) expect(rest).not.toContain(line.slice(0, 20))
  })
})

test('the text around a block is kept', () => {
  expect(withoutKeys(`before\n${pem}\nafter these words`)).toBe('before\n\nafter these words')
})

test('the headers of an encrypted key are part of it', () => {
  const { text } = makeSample(
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{HEX:32}\n\n{base64:64}\n{base64:64}\n{base64:20}==\n-----END RSA PRIVATE KEY-----\nrest',
    seededRandom(1),
  )
  expect(withoutKeys(text)).toBe('\nrest')
})

test('finds the private lines of a PuTTY key', () => {
  const { text } = makeSample(
    'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{base64:64}\n{base64:64}\nPrivate-MAC: {hex:64}\nrest',
    seededRandom(1),
  )
  expect(withoutKeys(text)).toBe('PuTTY-User-Key-File-3: ssh-rsa\n\nrest')
})

test.each([
  [
    'a mention',
    'if (text.includes("-----BEGIN PRIVATE KEY-----")) throw new Error("no keys in this file, please")',
  ],
  ['a public key', `-----BEGIN PUBLIC KEY-----\n${body.join('\n')}\n-----END PUBLIC KEY-----`],
  ['a certificate', `-----BEGIN CERTIFICATE-----\n${body.join('\n')}\n-----END CERTIFICATE-----`],
  [
    'both markers in prose',
    'It begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.',
  ],
])('ignores %s', (_, text) => {
  expect(withoutKeys(text)).toBe(text)
})
