import { describe, expect, test } from 'vitest'

import { patchSections } from './patch-sections.ts'

const sectionsOf = (text: string) =>
  patchSections(text).map(({ path, start, end }) => [path, text.slice(start, end)])

describe('sections of a patch', () => {
  test('belong to the preceding file name', () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+one',
      '*** Update File: src/a b.ts',
      '*** Move to: src/c.ts',
      '@@ function x()',
      ' same',
      '-old',
      '+new',
      '*** End of File',
      '*** Delete File: gone.txt',
      '*** End Patch',
      'rest',
    ].join('\n')
    expect(sectionsOf(patch)).toEqual([
      ['new.txt', '+one\n'],
      ['src/a b.ts', '@@ function x()\n same\n-old\n+new\n'],
    ])
  })

  test('may have Windows line ends', () => {
    expect(sectionsOf('*** Update File: a.txt\r\n+x\r\n')).toEqual([['a.txt', '+x\r\n']])
  })

  test('require an unambiguous file', () => {
    const after = (line: string) => sectionsOf(`*** Update File: a.env\n${line}\n+x`).map(([path]) => path)
    expect(after(' same')).toEqual(['a.env'])
    expect(after('+*** Add File: b.txt')).toEqual(['a.env'])
    expect(after('*** Move to: b.txt')).toEqual(['a.env'])
    for (const line of [
      '*** Add File:',
      '*** Something',
      '***',
      ' *** Add File: b.txt',
      '\t*** Update File: a.env',
      '\u0085*** Delete File: b',
    ])
      expect(after(line)).toEqual([])
    expect(after('*** Add File:b.txt')).toEqual(['b.txt'])
  })

  test('do not exist in other text', () => {
    expect(sectionsOf('')).toEqual([])
    expect(sectionsOf('--- a/x\n+++ b/x\n+text')).toEqual([])
  })
})
