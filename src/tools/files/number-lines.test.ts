import { expect, test } from 'vitest'

import { numberLines } from './number-lines.ts'

/** A secret of one line is `pass`, one of several is from `<` to `>`. */
const scrub = async (text: string): Promise<string> =>
  text.replaceAll('pass', '[SECRET_1]').replaceAll(/<[^>]*>/g, '[SECRET_2]')

const numbered = async (text: string, first = 1): Promise<string> =>
  numberLines(text, await scrub(text), first, scrub)

test('each line has its number, with or without a line end at the end', async () => {
  expect(await numbered('a\nb\n', 9)).toBe('9\ta\n10\tb\n')
  expect(await numbered('a\n\nb')).toBe('1\ta\n2\t\n3\tb')
  expect(await numbered('\n')).toBe('1\t\n')
  expect(await numbered('a pass\r\nb\r\n')).toBe('1\ta [SECRET_1]\r\n2\tb\r\n')
})

test('lines after a secret of several lines have the numbers they have in the file', async () => {
  expect(await numbered('a pass\n<1\n2\n\n4>\nb\npass\n')).toBe(
    '1\ta [SECRET_1]\n2\t[SECRET_2]\n6\tb\n7\t[SECRET_1]\n',
  )
  expect(await numbered('<1\n2>')).toBe('1\t[SECRET_2]')
})

test('between two such secrets, no number is better than a wrong one', async () => {
  expect(await numbered('a\n<1\n2>\nb\n<3\n4>\nc\n')).toBe('1\ta\n2\t[SECRET_2]\n?\tb\n?\t[SECRET_2]\n7\tc\n')
})
