import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

import type { Stretch } from './case.ts'
import {
  asAWhole,
  base64,
  between,
  chain,
  hex,
  hexOf,
  inDigits,
  inLines,
  perCharacter,
  type Encoder,
  type Hidden,
} from './encoders.ts'

const code = (char: string): number => char.charCodeAt(0)

const around =
  (prefix: string, encode: Encoder, suffix: string): Encoder =>
  (hidden) =>
    between(prefix, encode(hidden), suffix)

const listed = (item: (char: string) => string, separator: string): Encoder =>
  perCharacter((char, index) => (index === 0 ? '' : separator) + item(char))

/** A dump in rows: an offset, the bytes, and their characters on the right. */
interface Dump {
  readonly row: number
  readonly offset: (at: number) => string
  readonly cell: (char: string, place: number, next: string) => string
  readonly column?: { readonly width: number; readonly open: string; readonly close: string }
}

function dump({ row, offset, cell, column }: Dump): Encoder {
  return ({ text, stretches }) => {
    const isSecret = (at: number): boolean => stretches.some(({ start, end }) => at >= start && at < end)
    let output = ''
    const marks: Stretch[] = []
    for (let from = 0; from < text.length; from += row) {
      const chars = text.slice(from, from + row).split('')
      output += offset(from)
      const write = (render: Dump['cell']): void => {
        let start = -1
        for (const [place, char] of chars.entries()) {
          if (isSecret(from + place)) start = start === -1 ? output.length : start
          else if (start !== -1) start = closeAt(start)
          output += render(char, place, chars[place + 1] ?? '\0')
        }
        if (start !== -1) closeAt(start)
      }
      const closeAt = (start: number): number => {
        marks.push({ start, end: output.length })
        return -1
      }
      const cellsFrom = output.length
      write(cell)
      if (column !== undefined) {
        output = output.padEnd(cellsFrom + column.width) + column.open
        write((char) => (/[ -~]/.test(char) ? char : '.'))
        output += column.close
      }
      output += '\n'
    }
    return { text: output, stretches: marks }
  }
}

const offsetHex = (digits: number, after: string) => (at: number) =>
  at.toString(16).padStart(digits, '0') + after
const offsetOctal = (at: number): string => at.toString(8).padStart(7, '0')

const named: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\0': '\\0' }

const base32Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const toBase32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map(
    (group) => base32Digits[parseInt(group.padEnd(5, '0'), 2)]!,
  )
  return digits.join('').padEnd(Math.ceil(digits.length / 8) * 8, '=')
}
const base32: Encoder = inDigits(toBase32, 5)

const uuencode: Encoder = asAWhole((bytes) => {
  let output = ''
  for (let from = 0; from < bytes.length; from += 45) {
    const row = bytes.subarray(from, from + 45)
    const bits = [...row].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const padded = bits.padEnd(Math.ceil(bits.length / 24) * 24, '0')
    const digits = (padded.match(/.{6}/g) ?? []).map((six) =>
      String.fromCharCode((parseInt(six, 2) || 64) + 32),
    )
    output += `${String.fromCharCode(row.length + 32)}${digits.join('')}\n`
  }
  return output
})

const quotedPrintable: Encoder = (hidden) =>
  inLines(72, '=\n')(perCharacter((char) => (char === '=' ? '=3D' : char))(hidden))

const utf16: Encoder = perCharacter((char) => `${char}\0`)
/** Two bytes as one little-endian number; only whole words can be distinguished. */
const words =
  (base: number, width: number): Encoder =>
  ({ text, stretches }: Hidden) =>
    dump({
      row: 16,
      offset: offsetOctal,
      cell: (char, place, next) =>
        place % 2 === 0 ? ` ${(code(next) * 256 + code(char)).toString(base).padStart(width, '0')}` : '',
    })({
      text,
      stretches: stretches.map(({ start, end }) => ({ start: start + (start % 2), end: end - (end % 2) })),
    })

/** Byte formats printed by command-line tools, runtimes and databases. */
export const toolEncoders: Readonly<Record<string, Encoder>> = {
  xxd: dump({
    row: 16,
    offset: offsetHex(8, ': '),
    cell: (char, place) => hexOf(char) + (place % 2 === 1 ? ' ' : ''),
    column: { width: 40, open: ' ', close: '' },
  }),
  'xxd-upper': dump({
    row: 16,
    offset: offsetHex(8, ': '),
    cell: (char, place) => hexOf(char).toUpperCase() + (place % 2 === 1 ? ' ' : ''),
    column: { width: 40, open: ' ', close: '' },
  }),
  'xxd-plain': chain(hex, inLines(60)),
  'xxd-include': around(
    'unsigned char t[] = {\n  ',
    listed((char) => `0x${hexOf(char)}`, ', '),
    '\n};',
  ),
  'xxd-bits': dump({
    row: 6,
    offset: offsetHex(8, ': '),
    cell: (char) => `${code(char).toString(2).padStart(8, '0')} `,
    column: { width: 54, open: ' ', close: '' },
  }),
  'hexdump-canonical': dump({
    row: 16,
    offset: offsetHex(8, '  '),
    cell: (char, place) => `${hexOf(char)} ${place === 7 ? ' ' : ''}`,
    column: { width: 50, open: '|', close: '|' },
  }),
  'hexdump-words': words(16, 4),
  'od-characters': dump({
    row: 16,
    offset: offsetOctal,
    cell: (char) => (named[char] ?? char).padStart(4),
  }),
  'od-hex-bytes': dump({ row: 16, offset: offsetOctal, cell: (char) => ` ${hexOf(char)}` }),
  'od-hex-and-text': dump({
    row: 16,
    offset: offsetHex(6, ''),
    cell: (char) => ` ${hexOf(char)}`,
    column: { width: 48, open: '  >', close: '<' },
  }),
  'od-octal-bytes': dump({
    row: 16,
    offset: offsetOctal,
    cell: (char) => ` ${code(char).toString(8).padStart(3, '0')}`,
  }),
  'od-octal-words': words(8, 6),
  'powershell-format-hex': dump({
    row: 16,
    offset: offsetHex(8, '   '),
    cell: (char) => `${hexOf(char).toUpperCase()} `,
    column: { width: 50, open: '', close: '' },
  }),
  'powershell-encoded-command': (hidden) =>
    between('powershell -EncodedCommand ', chain(utf16, base64)(hidden), ''),
  base32,
  'base32-folded': chain(base32, inLines(76)),
  'base32-unpadded-lower': inDigits((bytes) => toBase32(bytes).replace(/=+$/, '').toLowerCase(), 5),
  'quoted-printable': quotedPrintable,
  'quoted-printable-all': perCharacter((char) => `=${hexOf(char).toUpperCase()}`),
  'gzip-base64': asAWhole((bytes) => gzipSync(bytes).toString('base64')),
  'gzip-base64-folded': chain(
    asAWhole((bytes) => gzipSync(bytes).toString('base64')),
    inLines(76),
  ),
  'zlib-base64': asAWhole((bytes) => deflateSync(bytes).toString('base64')),
  'deflate-base64url': asAWhole((bytes) => deflateRawSync(bytes).toString('base64url')),
  'gzip-hex': asAWhole((bytes) => gzipSync(bytes).toString('hex')),
  utf16,
  'utf16-base64': chain(utf16, base64),
  'utf16-hex': chain(utf16, hex),
  'octal-escapes': perCharacter((char) => `\\${code(char).toString(8).padStart(3, '0')}`),
  'printf-hex': around(
    "printf '",
    perCharacter((char) => `\\x${hexOf(char)}`),
    "'",
  ),
  'node-buffer': around('<Buffer ', listed(hexOf, ' '), '>'),
  'node-buffer-json': around(
    '{"type":"Buffer","data":[',
    listed((char) => String(code(char)), ','),
    ']}',
  ),
  'node-typed-array': around(
    'Uint8Array(40) [\n  ',
    listed((char) => String(code(char)), ', '),
    '\n]',
  ),
  'python-byte-list': around(
    '[',
    listed((char) => String(code(char)), ', '),
    ']',
  ),
  'python-bytearray': around(
    "bytearray(b'",
    perCharacter((char) => `\\x${hexOf(char)}`),
    "')",
  ),
  'go-byte-slice': around(
    '[]byte{',
    listed((char) => `0x${hexOf(char)}`, ', '),
    '}',
  ),
  'go-byte-values': around(
    '[',
    listed((char) => String(code(char)), ' '),
    ']',
  ),
  'rust-byte-array': around(
    '[',
    listed((char) => `${code(char)}u8`, ', '),
    ']',
  ),
  'java-byte-array': around(
    'new byte[] { ',
    listed((char) => `(byte) ${code(char)}`, ', '),
    ' };',
  ),
  'from-char-code': around(
    'String.fromCharCode(',
    listed((char) => String(code(char)), ','),
    ')',
  ),
  'chr-concatenation': listed((char) => `chr(${code(char)})`, ' . '),
  'postgres-bytea': around('\\x', hex, ''),
  'sql-hex-literal': around(
    "X'",
    perCharacter((char) => hexOf(char).toUpperCase()),
    "'",
  ),
  'mysql-hex-literal': around(
    '0x',
    perCharacter((char) => hexOf(char).toUpperCase()),
    '',
  ),
  'css-escapes': perCharacter((char) => `\\${hexOf(char)} `),
  'perl-escapes': perCharacter((char) => `\\x{${hexOf(char)}}`),
  'es6-escapes': perCharacter((char) => `\\u{${hexOf(char)}}`),
  'code-points': listed((char) => `U+00${hexOf(char).toUpperCase()}`, ' '),
  'percent-u': perCharacter((char) => `%u00${hexOf(char)}`),
  'colon-hex': listed(hexOf, ':'),
  'spaced-hex': listed(hexOf, ' '),
  'decimal-lines': listed((char) => String(code(char)), '\n'),
  bits: listed((char) => code(char).toString(2).padStart(8, '0'), ' '),
  'openssl-base64': chain(base64, inLines(64)),
  'mime-word': around('=?UTF-8?B?', base64, '?='),
  'data-uri': around('data:text/plain;base64,', base64, ''),
  uuencode: around('begin 644 token\n', uuencode, '`\nend\n'),
}
