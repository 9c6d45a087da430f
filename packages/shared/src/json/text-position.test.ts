import { expect, it } from 'vitest'

import { positionAt } from './text-position.ts'

it('counts lines and columns from 1, with any line ending', () => {
  const text = 'ab\ncd\r\n\nx'
  const at = (part: string): unknown => positionAt(text, text.indexOf(part))
  expect(at('a')).toEqual({ line: 1, column: 1 })
  expect(at('b')).toEqual({ line: 1, column: 2 })
  expect(at('\n')).toEqual({ line: 1, column: 3 })
  expect(at('d')).toEqual({ line: 2, column: 2 })
  expect(at('x')).toEqual({ line: 4, column: 1 })
  expect(positionAt(text, text.length)).toEqual({ line: 4, column: 2 })
  expect(positionAt('', 0)).toEqual({ line: 1, column: 1 })
})
