import type { Stretch } from './case.ts'

/** A text with one or more ranges that contain the secret, after any number of encodings. */
export interface Hidden {
  readonly text: string
  readonly stretches: readonly Stretch[]
}

export type Encoder = (hidden: Hidden) => Hidden

export const chain =
  (...encoders: readonly Encoder[]): Encoder =>
  (hidden) =>
    encoders.reduce((text, encode) => encode(text), hidden)

/** Encodes character by character (all texts here are ASCII); results may have any length. */
export function perCharacter(encode: (char: string, index: number) => string): Encoder {
  return ({ text, stretches }) => {
    const starts: number[] = []
    let output = ''
    for (let at = 0; at < text.length; at += 1) {
      starts.push(output.length)
      output += encode(text[at]!, at)
    }
    starts.push(output.length)
    return {
      text: output,
      stretches: stretches.map(({ start, end }) => ({ start: starts[start]!, end: starts[end]! })),
    }
  }
}

/** Encodes bits in groups: a range becomes the digits that consist only of its bits. */
export function inDigits(encode: (bytes: Buffer) => string, bitsPerDigit: number): Encoder {
  return ({ text, stretches }) => ({
    text: encode(Buffer.from(text, 'latin1')),
    stretches: stretches.map(({ start, end }) => ({
      start: Math.ceil((start * 8) / bitsPerDigit),
      end: Math.floor((end * 8) / bitsPerDigit),
    })),
  })
}

/** Breaks a text into lines; a range becomes one range per line. */
export function inLines(width: number, between = '\n'): Encoder {
  return ({ text, stretches }) => {
    const place = (at: number): number => at + Math.floor(at / width) * between.length
    return {
      text: (text.match(new RegExp(`[\\s\\S]{1,${width}}`, 'g')) ?? []).join(between),
      stretches: stretches.flatMap(({ start, end }) => {
        const lines: Stretch[] = []
        for (let from = start; from < end;) {
          const to = Math.min(end, (Math.floor(from / width) + 1) * width)
          lines.push({ start: place(from), end: place(from) + to - from })
          from = to
        }
        return lines
      }),
    }
  }
}

/** For encodings whose parts cannot be distinguished: all of the text is the secret. */
export function asAWhole(encode: (bytes: Buffer) => string): Encoder {
  return ({ text }) => {
    const output = encode(Buffer.from(text, 'latin1'))
    return { text: output, stretches: [{ start: 0, end: output.length }] }
  }
}

export function between(prefix: string, { text, stretches }: Hidden, suffix: string): Hidden {
  return {
    text: prefix + text + suffix,
    stretches: stretches.map(({ start, end }) => ({
      start: start + prefix.length,
      end: end + prefix.length,
    })),
  }
}

const code = (char: string): number => char.charCodeAt(0)
export const hexOf = (char: string): string => code(char).toString(16).padStart(2, '0')

export const base64: Encoder = inDigits((bytes) => bytes.toString('base64'), 6)
export const base64Url: Encoder = inDigits((bytes) => bytes.toString('base64url'), 6)
export const base64Unpadded: Encoder = inDigits((bytes) => bytes.toString('base64').replace(/=+$/, ''), 6)
export const hex: Encoder = perCharacter(hexOf)
export const hexUpper: Encoder = perCharacter((char) => hexOf(char).toUpperCase())
export const percent: Encoder = perCharacter((char) => `%${hexOf(char).toUpperCase()}`)
export const percentReserved: Encoder = perCharacter((char) =>
  /[A-Za-z0-9.~]/.test(char) ? char : `%${hexOf(char).toUpperCase()}`,
)
export const percentEveryThird: Encoder = perCharacter((char, index) =>
  index % 3 === 0 || !/[\w.-]/.test(char) ? `%${hexOf(char)}` : char,
)
export const unicodeEscapes: Encoder = perCharacter((char) => `\\u00${hexOf(char)}`)
export const unicodeEscapesOfSome: Encoder = perCharacter((char, index) =>
  index % 4 === 1 || /[^\w ]/.test(char) ? `\\u00${hexOf(char)}` : char,
)
export const hexEscapes: Encoder = perCharacter((char) => `\\x${hexOf(char)}`)
export const entitiesDecimal: Encoder = perCharacter((char) => `&#${code(char)};`)
export const entitiesHex: Encoder = perCharacter((char) => `&#x${hexOf(char)};`)
export const entitiesOfSigns: Encoder = perCharacter((char) =>
  /[A-Za-z0-9 ]/.test(char) ? char : `&#${code(char)};`,
)
export const jsonText: Encoder = (hidden) =>
  between('"', perCharacter((char) => JSON.stringify(char).slice(1, -1))(hidden), '"')
