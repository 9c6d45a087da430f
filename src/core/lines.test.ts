import { expect, test } from 'vitest'

import { marked } from './lines.ts'

test.each(['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
  'every line gets the prefix after the line end %j',
  (end) => {
    expect(marked(`one${end}two`, '> ')).toBe('> one\n> two')
  },
)
