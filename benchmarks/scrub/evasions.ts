import { labelledCase, type Case } from './case.ts'
import { between, base64, chain, hex, inLines, percent, perCharacter, type Encoder } from './encoders.ts'
import { toolEncoders } from './encoders-tools.ts'
import { commonEncoders } from './encodings.ts'
import { selfDescribing } from './kinds.ts'
import { fill, pick, randomFor } from './recipes.ts'

const perPair = (separator: string, size: number): Encoder =>
  perCharacter((char, index) => (index > 0 && index % size === 0 ? separator : '') + char)

const changed =
  (change: (text: string) => string): Encoder =>
  ({ text }) => ({ text: change(text), stretches: [{ start: 0, end: change(text).length }] })

const reversed = (text: string): string => text.split('').toReversed().join('')

const rot13 = (text: string): string =>
  text.replace(/[a-zA-Z]/g, (char) => {
    const from = char <= 'Z' ? 65 : 97
    return String.fromCharCode(((char.charCodeAt(0) - from + 13) % 26) + from)
  })

/** Base64 of longer data with the value at every alignment. */
const insideBase64 =
  (bytesBefore: number): Encoder =>
  (hidden) =>
    base64(between('#'.repeat(bytesBefore), hidden, ' and more data after it'))

/** Encodings of a known value that a plain search does not find. */
export const evasions: Readonly<Record<string, Encoder>> = {
  plain: changed((text) => text),
  reversed: changed(reversed),
  'reversed-base64': chain(changed(reversed), base64),
  'base64-reversed': chain(base64, changed(reversed)),
  upper: changed((text) => text.toUpperCase()),
  lower: changed((text) => text.toLowerCase()),
  rot13: changed(rot13),
  base64,
  'base64-of-base64': chain(base64, base64),
  'base64-of-base64-of-base64': chain(base64, base64, base64),
  'base64-after-1': insideBase64(1),
  'base64-after-2': insideBase64(2),
  'base64-after-3': insideBase64(3),
  'base64-after-10': insideBase64(10),
  'base64-after-50': chain(insideBase64(50), inLines(76)),
  'base64-url-after-2': chain((hidden) => between('??', hidden, '>>'), commonEncoders['base64-url']!),
  hex,
  'hex-with-spaces': toolEncoders['spaced-hex']!,
  'hex-with-colons': toolEncoders['colon-hex']!,
  'hex-with-dashes': chain(hex, perPair('-', 2)),
  'hex-with-0x': toolEncoders['go-byte-slice']!,
  'hex-with-backslashes': commonEncoders['hex-escapes']!,
  'hex-upper': commonEncoders['hex-upper']!,
  'hex-reversed': chain(changed(reversed), hex),
  percent,
  'percent-twice': commonEncoders['percent-of-percent']!,
  'unicode-escapes': commonEncoders['unicode-escapes']!,
  entities: commonEncoders['entities-decimal']!,
  'octal-escapes': toolEncoders['octal-escapes']!,
  'decimal-list': toolEncoders['python-byte-list']!,
  bits: toolEncoders['bits']!,
  base32: toolEncoders['base32']!,
  gzip: toolEncoders['gzip-base64']!,
  xxd: toolEncoders['xxd']!,
  utf16: toolEncoders['utf16']!,
  'quoted-printable': toolEncoders['quoted-printable-all']!,
  'character-per-line': perPair('\n', 1),
  'characters-with-spaces': perPair(' ', 1),
  'characters-with-commas': perPair(', ', 1),
  'characters-with-dashes': perPair('-', 1),
  'characters-with-dots': perPair('.', 1),
  'characters-quoted': perPair("', '", 1),
  'characters-with-zero-width': perPair('\u200b', 1),
  'characters-with-underscores': perPair('_', 1),
  'characters-with-pipes': perPair(' | ', 1),
  'characters-interleaved': perCharacter((char, index) => char + '*~#'[index % 3]!),
  'characters-numbered': perCharacter((char, index) => `${index + 1}: ${char}\n`),
  'pieces-on-lines': perPair('\n', 8),
  'pieces-on-indented-lines': perPair('\n    ', 10),
  'pieces-with-spaces': perPair(' ', 4),
  'pieces-with-dashes': perPair('-', 4),
  'pieces-with-slashes': perPair('/', 8),
  'pieces-concatenated': perPair("' + '", 7),
  'pieces-joined': perPair('", "', 5),
  'pieces-continued': perPair('\\\n', 9),
  'pieces-quoted-lines': perPair('"\n"', 9),
  'pieces-escaped-newlines': perPair('\\n', 10),
  'in-longer-word': (hidden) => between('prefix', hidden, 'suffix'),
  'in-longer-number': (hidden) => between('0000', hidden, '9999'),
  'in-longer-underscores': (hidden) => between('old_', hidden, '_bak'),
  'in-longer-hex': chain((hidden) => between('abc', hidden, 'xyz'), hex),
  'in-url-query': (hidden) => between('https://a.io/?q=x', hidden, 'y&z=1'),
  repeated: ({ text }) => ({ text: text + text, stretches: [{ start: 0, end: text.length * 2 }] }),
}

const kindsPerEvasion = 8

const wholeSecrets = selfDescribing.filter(([, recipe]) => !recipe.includes('«'))

/** How the session learned the value. */
const firstSeen = ['§', 'API_TOKEN=§', '{"token":"§"}', 'remote: https://ci:§@git.acme.io/app.git']

const places: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['out: ', ' end'],
  ['"', '"'],
  ['$ ./run\n', '\n$ '],
]

export function evasionCases(): Case[] {
  return Object.entries(evasions).flatMap(([unit, evade]) => {
    const random = randomFor(`evasions/${unit}`)
    return Array.from({ length: kindsPerEvasion }, (_, index) => {
      const isPassword = index % 4 === 3
      const [kind, recipe] = isPassword ? (['password', '{password}'] as const) : pick(wholeSecrets, random)
      const value = fill(recipe, random)
      const first = isPassword ? 'DB_PASSWORD="§"' : pick(firstSeen, random)
      const [before, after] = pick(places, random)
      const evaded = evade({ text: value, stretches: [{ start: 0, end: value.length }] })
      const { text, stretches } = between(before, evaded, after)
      const seen = first.replace('§', () => value)
      return labelledCase(
        { class: 'evasions', unit, variant: `${index}-${kind}`, before: [seen] },
        { text, planted: [stretches], kept: [] },
      )
    })
  })
}
