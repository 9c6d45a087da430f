import { expect, test } from 'vitest'

import { addEdit, emptyEdits } from './edits.ts'

test('merges adjacent edits of the same width', () => {
  const edits = emptyEdits()
  addEdit(edits, 0, 3, 'g', false)
  addEdit(edits, 3, 6, 'h', true)
  addEdit(edits, 6, 8, '"', true)
  addEdit(edits, 9, 12, 'p', true)
  expect(edits).toEqual({
    starts: [0, 6, 9],
    ends: [6, 8, 12],
    texts: ['gh', '"', 'p'],
    strides: [3, 2, 3],
    significant: [true, true, true],
  })
})

test('merges adjacent removals', () => {
  const edits = emptyEdits()
  addEdit(edits, 0, 4, '', true)
  addEdit(edits, 4, 5, '', true)
  expect([edits.starts, edits.ends, edits.strides]).toEqual([[0], [5], [0]])
})

test('truncates an edit that overlaps the previous one, and skips one inside it', () => {
  const edits = emptyEdits()
  addEdit(edits, 0, 4, '', true)
  addEdit(edits, 2, 6, 'x', true)
  addEdit(edits, 3, 6, 'y', true)
  expect([edits.starts, edits.ends, edits.texts]).toEqual([
    [0, 4],
    [4, 6],
    ['', 'x'],
  ])
})
