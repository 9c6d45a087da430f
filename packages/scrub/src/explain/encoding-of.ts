/** Guesses the encoding of a part of a text from its appearance. */

const encodings: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['UTF-16', /^(?:[^\0]\0|\0[^\0]){4,}/],
  ['percent-encoding', /%[0-9a-f]{2}/i],
  ['HTML entities', /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/i],
  ['unicode escapes', /\\u\{?[0-9a-f]{2,6}|U\+[0-9a-f]{4}/i],
  ['hexadecimal escapes', /\\x[0-9a-f]{2}/i],
  ['octal escapes', /\\[0-3][0-7]{2}/],
  ['quoted-printable', /=(?:[0-9A-F]{2}|\r?\n)/],
  ['terminal sequences', new RegExp(String.raw`\u{1b}\[`, 'u')],
  ['invisible characters', /[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/],
  ['escapes', /\\[nrt"'\\/]/],
  ['hexadecimal', /^(?:0x)?[0-9a-f\s:,]+$/i],
  ['base32', /^[A-Z2-7\s]+=*$/],
  ['base64', /^[A-Za-z0-9+/_\-\s]+={0,2}$/],
  ['line wraps', /[\r\n]/],
]

export function encodingOf(source: string): string {
  return encodings.find(([, pattern]) => pattern.test(source))?.[0] ?? 'unknown encoding'
}
