import { expect, test } from 'vitest'

import { adversarialTexts, firstLine } from './adversarial.ts'
import { madeLockFiles, madeTexts } from './benign-made.ts'
import { asOneSecret, caseClasses, halfOf, labelledCase, readMarks } from './case.ts'
import { corpus } from './corpus.ts'
import { base64, hex } from './encoders.ts'
import { toolEncoders } from './encoders-tools.ts'
import { newer } from './kinds-newer.ts'
import { wellKnown } from './kinds.ts'
import { measureRecall } from './recall.ts'
import { scoreCase } from './score.ts'
import { toolOutputs } from './tool-outputs.ts'

const cases = corpus()
const slices = (text: string, stretches: readonly { start: number; end: number }[]): string[] =>
  stretches.map(({ start, end }) => text.slice(start, end))

test('two runs create the same texts', () => {
  expect(corpus()).toEqual(cases)
})

test('every case has a unique name', () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
})

test('there are enough kinds, outputs and classes', () => {
  expect(wellKnown.length).toBeGreaterThanOrEqual(120)
  expect(newer.length).toBeGreaterThanOrEqual(100)
  expect(Object.keys(toolOutputs).length).toBeGreaterThanOrEqual(30)
  expect(new Set([...wellKnown, ...newer].map(([id]) => id)).size).toBe(wellKnown.length + newer.length)
  expect(new Set(cases.map((one) => one.class))).toEqual(new Set(caseClasses))
})

test('every secret and look-alike is in its text, without overlaps', () => {
  for (const { id, text, planted, kept } of cases) {
    const places = [...planted.flat(), ...kept].sort((a, b) => a.start - b.start)
    expect(places.length, id).toBeGreaterThan(0)
    let from = 0
    for (const { start, end } of places) {
      expect(start, id).toBeGreaterThanOrEqual(from)
      expect(end, id).toBeGreaterThan(start)
      from = end
    }
    expect(from, id).toBeLessThanOrEqual(text.length)
  }
})

test('no recipe, mark or placeholder is left in a text', () => {
  for (const { id, text, before } of cases) {
    for (const one of [text, ...before]) {
      expect(one, id).not.toMatch(
        /[«»‹›§]|\{(?:alnum|hex|word|base64|uuid|password|weak|jwt|provider|NAME|name)\b/,
      )
    }
  }
})

test('the halves of each class are about equal', () => {
  for (const name of caseClasses) {
    const units = new Set(cases.filter((one) => one.class === name).map(({ unit }) => unit))
    const seen = [...units].filter((unit) => halfOf(unit) === 'seen').length
    expect(seen / units.size, name).toBeGreaterThan(0.3)
    expect(seen / units.size, name).toBeLessThan(0.7)
  }
})

test('all variants of a tested property are in one half', () => {
  for (const { id, unit } of cases) expect(id.startsWith(`${unit}/`)).toBe(true)
})

test('a text is scored by the remains of its secrets', () => {
  const marked = readMarks('key «abcdefghijklmnopqrst» and ‹0123456789ab›')
  const one = labelledCase({ class: 'well-known', unit: 'x', variant: '0' }, marked)
  expect(scoreCase(one, 'key [SECRET_1] and 0123456789ab')).toEqual({ gone: [true], kept: [true] })
  expect(scoreCase(one, one.text)).toEqual({ gone: [false], kept: [true] })
  expect(scoreCase(one, 'key [SECRET_1]ijklmnopqrst and 0123456789ab').gone).toEqual([false])
  expect(scoreCase(one, 'key [SECRET_1]jklmnopqrst and 0123456789ab').gone).toEqual([true])
  expect(scoreCase(one, 'key [SECRET_1] and [SECRET_2]')).toEqual({ gone: [true], kept: [false] })
})

test('a short secret that is also an ordinary word is scored only where it was planted', () => {
  const one = labelledCase({ class: 'weak', unit: 'x', variant: '0' }, readMarks('user=toor password=«toor»'))
  expect(scoreCase(one, 'user=toor password=[SECRET_1]').gone).toEqual([true])
  expect(scoreCase(one, one.text).gone).toEqual([false])
})

test('all parts of one secret must be removed', () => {
  const marked = asOneSecret(readMarks('«abcdefghijklmnop»\n«qrstuvwxyz012345»'))
  const one = labelledCase({ class: 'keys-whole', unit: 'x', variant: '0' }, marked)
  expect(scoreCase(one, '[SECRET_1]\nqrstuvwxyz012345').gone).toEqual([false])
  expect(scoreCase(one, '[SECRET_1]').gone).toEqual([true])
})

test('an encoder follows the secret through the encoding', () => {
  const hidden = { text: 'a=SECRETS;', stretches: [{ start: 2, end: 9 }] }
  const coded = base64(hidden)
  expect(coded.text).toBe(Buffer.from(hidden.text).toString('base64'))
  expect(slices(coded.text, coded.stretches)).toEqual(['TRUNSRVRT'])
  const bytes = hex(hidden)
  expect(slices(bytes.text, bytes.stretches)).toEqual([Buffer.from('SECRETS').toString('hex')])
})

test('a dump has the secret in both of its columns', () => {
  const dumped = toolEncoders['xxd']!({ text: 'token=SECRET\n', stretches: [{ start: 6, end: 12 }] })
  expect(dumped.text).toBe('00000000: 746f 6b65 6e3d 5345 4352 4554 0a         token=SECRET.\n')
  expect(slices(dumped.text, dumped.stretches)).toEqual(['5345 4352 4554 ', 'SECRET'])
})

test('generated texts have no recipe left, and adversarial texts have the requested size', () => {
  for (const { name, text } of [...madeLockFiles(), ...madeTexts()]) {
    expect(text, name).not.toMatch(/\{(?:alnum|hex|lower|base64|digits):/)
  }
  const texts = [...adversarialTexts(['ghp_'], 1000)]
  expect(texts.length).toBeGreaterThan(100)
  for (const { name, text } of texts) {
    expect(text.startsWith(firstLine), name).toBe(true)
    expect(text.length, name).toBeGreaterThanOrEqual(1000 + firstLine.length)
  }
})

test('only misses of the seen half are reported', () => {
  const units = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const ordinary = units.map((unit) =>
    labelledCase({ class: 'newer', unit, variant: '0' }, readMarks('«the quick brown fox jumps»')),
  )
  const { gone, misses } = measureRecall(ordinary)
  const seen = ordinary.filter(({ unit }) => halfOf(unit) === 'seen')
  expect(gone.newer.seen).toEqual({ hit: 0, of: seen.length })
  expect(gone.newer.unseen).toEqual({ hit: 0, of: units.length - seen.length })
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.length).toBeLessThan(units.length)
  expect(misses.map((miss) => miss.case)).toEqual(seen)
})
