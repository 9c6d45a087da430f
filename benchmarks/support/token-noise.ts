import { sampleChars, samplesEach, seeded, type SampleCategory } from './token-samples.ts'

/** First and last code point of each script. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  'Control characters': [0x00, 0x1f],
  'Latin letters of Europe': [0xc0, 0x17f],
  'Greek small letters': [0x3b1, 0x3c9],
  'Cyrillic small letters': [0x430, 0x44f],
  'Hebrew letters': [0x5d0, 0x5ea],
  'Arabic letters': [0x621, 0x64a],
  Devanagari: [0x900, 0x97f],
  Thai: [0xe01, 0xe3a],
  Georgian: [0x10d0, 0x10f0],
  Cherokee: [0x13a0, 0x13ff],
  'Latin Extended Additional': [0x1e00, 0x1eff],
  Kana: [0x3041, 0x30ff],
  Han: [0x4e00, 0x9fff],
  Hangul: [0xac00, 0xd7a3],
  'Private use': [0xe000, 0xf8ff],
  'Variation selectors': [0xfe00, 0xfe0f],
  'Rare planes': [0x20000, 0x2ffff],
}

/** Random characters of one script per sample: what an attacker would send to be undercounted. */
export function noiseSamples(): SampleCategory[] {
  return Object.entries(ranges).map(([name, [first, last]], index) => {
    const random = seeded(index + 1)
    const character = (): string => String.fromCodePoint(first + Math.floor(random() * (last - first + 1)))
    const sample = (): string => Array.from({ length: sampleChars }, character).join('')
    return { name, samples: Array.from({ length: samplesEach }, sample) }
  })
}
