import type { Random } from '@contextd/shared/testing/secret-samples'
import { labelledCase, readMarks, type Case, type CaseClass } from './case.ts'
import { toolEncoders } from './encoders-tools.ts'
import {
  base64,
  base64Unpadded,
  base64Url,
  between,
  chain,
  entitiesDecimal,
  entitiesHex,
  entitiesOfSigns,
  hex,
  hexEscapes,
  hexUpper,
  inLines,
  jsonText,
  perCharacter,
  percent,
  percentEveryThird,
  percentReserved,
  unicodeEscapes,
  unicodeEscapesOfSome,
  type Encoder,
  type Hidden,
} from './encoders.ts'
import { markedValue, selfDescribing } from './kinds.ts'
import { fill, pick, randomFor } from './recipes.ts'

export const commonEncoders: Readonly<Record<string, Encoder>> = {
  base64,
  'base64-url': base64Url,
  'base64-unpadded': base64Unpadded,
  'base64-folded-76': chain(base64, inLines(76)),
  'base64-folded-64': chain(base64, inLines(64)),
  'base64-folded-crlf': chain(base64, inLines(76, '\r\n')),
  'base64-folded-indented': chain(base64, inLines(60, '\n    ')),
  'base64-folded-escaped': chain(base64, inLines(76, '\\n')),
  hex,
  'hex-upper': hexUpper,
  'hex-folded': chain(hex, inLines(64)),
  percent,
  'percent-reserved': percentReserved,
  'percent-every-third': percentEveryThird,
  'unicode-escapes': unicodeEscapes,
  'unicode-escapes-of-some': unicodeEscapesOfSome,
  'hex-escapes': hexEscapes,
  'entities-decimal': entitiesDecimal,
  'entities-hex': entitiesHex,
  'entities-of-signs': entitiesOfSigns,
  'json-text': jsonText,
  'base64-of-base64': chain(base64, base64),
  'base64-of-hex': chain(hex, base64),
  'base64-of-json-text': chain(jsonText, base64),
  'base64-of-percent': chain(percent, base64),
  'base64-of-unicode-escapes': chain(unicodeEscapes, base64),
  'hex-of-base64': chain(base64, hex),
  'percent-of-base64': chain(base64, percentReserved),
  'percent-of-percent': chain(percent, percentReserved),
  'percent-of-json-text': chain(jsonText, percentReserved),
  'unicode-escapes-of-base64': chain(base64, unicodeEscapes),
  'entities-of-base64': chain(base64, entitiesDecimal),
  'json-text-of-unicode-escapes': chain(unicodeEscapes, jsonText),
}

const kindsPerEncoding = { common: 14, tools: 8 }

/** The text to encode: a token alone, or a text that contains one. */
const payloads = [
  '§',
  '§\n',
  'TOKEN=§',
  '{"user":"deploy","token":"§"}',
  'PORT=80\nTOKEN=§\nHOST=a.io\n',
  'x-access-token:§',
]

type Place = (hidden: Hidden) => Hidden

const escaped = perCharacter((char) => JSON.stringify(char).slice(1, -1))

/** The context of the encoded text; multi-line text starts on a new line. */
const linePlaces: readonly Place[] = [
  (hidden) => hidden,
  (hidden) => between('$ cat out\n', hidden, '\n$ '),
  (hidden) => between('{"stdout":"', escaped(hidden), '","code":0}'),
]
const places: readonly Place[] = [
  ...linePlaces,
  (hidden) => between('data: ', hidden, '\n'),
  (hidden) => between('{"payload":"', hidden, '","n":1}'),
  (hidden) => between('result = ', hidden, ';\n'),
  (hidden) => between('<td>', hidden, '</td>'),
]

export function encodingCases(): Case[] {
  return [
    ...casesOf('encodings-common', commonEncoders, kindsPerEncoding.common),
    ...casesOf('encodings-tools', toolEncoders, kindsPerEncoding.tools),
  ]
}

function casesOf(name: CaseClass, encoders: Readonly<Record<string, Encoder>>, amount: number): Case[] {
  return Object.entries(encoders).flatMap(([unit, encode]) => {
    const random = randomFor(`${name}/${unit}`)
    return Array.from({ length: amount }, (_, index) => {
      const [kind, recipe] = pick(selfDescribing, random)
      const hidden = encode(hiddenIn(pick(payloads, random), recipe, random))
      const { text, stretches } = pick(hidden.text.includes('\n') ? linePlaces : places, random)(hidden)
      return labelledCase(
        { class: name, unit, variant: `${index}-${kind}` },
        { text, planted: [stretches], kept: [] },
      )
    })
  })
}

export function hiddenIn(payload: string, recipe: string, random: Random): Hidden {
  const { text, planted } = readMarks(fill(payload, random).replace('§', () => markedValue(recipe, random)))
  return { text, stretches: planted.flat() }
}
