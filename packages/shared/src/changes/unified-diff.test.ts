import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { unifiedDiff } from './unified-diff.ts'

const numbers = Array.from({ length: 20 }, (_, index) => `${index}\n`)

describe('unifiedDiff', () => {
  it('shows what changed with three lines around it', () => {
    const changed = numbers.with(9, 'nine\n').toSpliced(18, 1)
    expect(unifiedDiff(numbers.join(''), changed.join(''), 'f')).toEqual([
      '--- f',
      '+++ f',
      '@@ -7,7 +7,7 @@',
      ' 6',
      ' 7',
      ' 8',
      '-9',
      '+nine',
      ' 10',
      ' 11',
      ' 12',
      '@@ -16,5 +16,4 @@',
      ' 15',
      ' 16',
      ' 17',
      '-18',
      ' 19',
    ])
  })

  it.each([
    [undefined, 'a\n', ['--- /dev/null', '+++ f', '@@ -0,0 +1 @@', '+a']],
    ['a\n', undefined, ['--- f', '+++ /dev/null', '@@ -1 +0,0 @@', '-a']],
    ['a', 'a\n', ['--- f', '+++ f', '@@ -1 +1 @@', '-a', '\\ No newline at end of file', '+a']],
    ['a\r\n', 'a\r\n', []],
    [undefined, '', []],
  ])('%j to %j', (before, after, lines) => {
    expect(unifiedDiff(before, after, 'f')).toEqual(lines)
  })

  it('holds both texts, for any two', () => {
    const texts = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n'), { maxLength: 30 })
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = unifiedDiff(before.join(''), after.join(''), 'f').slice(2)
        const side = (kinds: string): string[] =>
          lines.filter((line) => kinds.includes(line.charAt(0))).map((line) => `${line.slice(1)}\n`)
        if (lines.length === 0) expect(before).toEqual(after)
        for (const [all, shown] of [[before, side(' -')] as const, [after, side(' +')] as const]) {
          const hidden = all.length - shown.length
          expect(hidden).toBeGreaterThanOrEqual(0)
          if (hidden === 0) expect(shown).toEqual(all)
        }
        expect(before.length - side(' -').length).toBe(after.length - side(' +').length)
      }),
    )
  })
})
