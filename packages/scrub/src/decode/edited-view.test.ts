import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { editedView } from './edited-view.ts'
import { addEdit, emptyEdits, type Edits } from './text/edits.ts'
import { fixedRuns } from '../../test/decode-probe.ts'
import { sourceOf } from './text/source.ts'

const significantEdits = (...parts: readonly (readonly [number, number, string])[]): Edits => {
  const edits = emptyEdits()
  for (const [start, end, text] of parts) addEdit(edits, start, end, text, true)
  return edits
}

const located = (text: string, edits: Edits, part: string): string => {
  const view = editedView(sourceOf(text), edits)!
  const at = view.text.indexOf(part)
  const { start, end } = view.locate(at, at + part.length)
  return text.slice(start, end)
}

describe('the view covers', () => {
  test('the lines with an edit, each with the previous line', () => {
    const text = 'one\ntwo\nthr%65e\nfour\nfive\n'
    expect(editedView(sourceOf(text), significantEdits([11, 14, 'e']))?.text).toBe('two\nthree')
  })

  test('nothing if no edit is significant', () => {
    const edits = emptyEdits()
    addEdit(edits, 0, 2, '\n', false)
    expect(editedView(sourceOf('\\nabc'), edits)).toBeUndefined()
    addEdit(edits, 3, 4, 'B', true)
    expect(editedView(sourceOf('\\nabc'), edits)?.text).toBe('\naBc')
  })

  test('only the surroundings of an edit in a long line, cut at a boundary', () => {
    const text = `${'word '.repeat(1000)}%41${' more'.repeat(1000)}`
    const at = text.indexOf('%')
    const view = editedView(sourceOf(text), significantEdits([at, at + 3, 'A']))!
    expect(view.text.length).toBeLessThan(1600)
    expect(view.text).toMatch(/^word .*word A more.* more$/)
  })

  test('separate regions, with an empty line between them that no secret spans', () => {
    const far = '\nplain text that holds nothing'.repeat(3)
    const text = `a%41${far}\nb%42`
    const second = text.lastIndexOf('%')
    const view = editedView(sourceOf(text), significantEdits([1, 4, 'A'], [second, second + 3, 'B']))!
    expect(view.text).toBe('aA\n\nplain text that holds nothing\nbB')
  })

  test('at most the text and a separator for each region', () => {
    const text = `${'%41'.repeat(3)}${'\n'.repeat(20)}`.repeat(200)
    const edits = emptyEdits()
    for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1))
      addEdit(edits, at, at + 3, 'A', true)
    expect(editedView(sourceOf(text), edits)!.text.length).toBeLessThan(text.length)
  })
})

describe('the view locates', () => {
  const text = 'key=%67%68%70_abc&quot;def'
  const edits = significantEdits([4, 7, 'g'], [7, 10, 'h'], [10, 13, 'p'], [17, 23, '"'])

  test('unedited text exactly', () => {
    expect(located(text, edits, 'key')).toBe('key')
    expect(located(text, edits, '_ab')).toBe('_ab')
    expect(located(text, edits, 'def')).toBe('def')
  })

  test('one of several merged edits exactly', () => {
    expect(located(text, edits, 'h')).toBe('%68')
    expect(located(text, edits, 'hp_')).toBe('%68%70_')
  })

  test('an escape completely', () => {
    expect(located(text, edits, '"')).toBe('&quot;')
    expect(located(text, edits, 'c"d')).toBe('c&quot;d')
  })

  test('removed text inside a range, but not next to it', () => {
    expect(
      located('ab[c]d[e]f', significantEdits([2, 3, ''], [4, 5, ''], [6, 7, ''], [8, 9, '']), 'bcd'),
    ).toBe('b[c]d')
    expect(located('ab[c]d[e]f', significantEdits([2, 3, ''], [4, 5, '']), 'cd')).toBe('c]d')
  })

  test('an empty range', () => {
    expect(editedView(sourceOf(text), edits)!.locate(5, 5)).toEqual({ start: 7, end: 7 })
  })

  test('every character at its origin, for any edits', () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'bc', ' ', '_-').map((same) => ({ source: same, replacement: same })),
      fc.constantFrom('A', '', 'quot').map((replacement) => ({ source: '<<>>', replacement })),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(), fc.nat(), (parts, from, length) => {
        const text = parts.map(({ source }) => source).join('')
        const edits = emptyEdits()
        const origins: { start: number; end: number }[] = []
        let at = 0
        for (const { source, replacement } of parts) {
          const end = at + source.length
          if (source === '<<>>') addEdit(edits, at, end, replacement, true)
          for (let i = 0; i < replacement.length; i++) {
            origins.push(source === '<<>>' ? { start: at, end } : { start: at + i, end: at + i + 1 })
          }
          at = end
        }
        const view = editedView(sourceOf(text), edits)
        if (view === undefined || view.text === '') return
        const start = from % view.text.length
        const last = Math.min(view.text.length - 1, start + (length % 20))
        expect(view.text).toBe(parts.map(({ replacement }) => replacement).join(''))
        expect(view.locate(start, last + 1)).toEqual({
          start: origins[start]!.start,
          end: origins[last]!.end,
        })
      }),
      fixedRuns,
    )
  })
})
