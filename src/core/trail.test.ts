import { expect, test } from 'vitest'

import { addNotes, newTrail, noteFinding } from './trail.ts'

test('findings are counted by layer, rule and place', () => {
  const trail = newTrail()
  const found = { layer: 'C2', rule: 'jwt', place: 'content[0].text' } as const
  noteFinding(trail, found)
  noteFinding(trail, { ...found, layer: 'C1' })
  noteFinding(trail, found)
  noteFinding(trail, { ...found, place: 'content[1].text' })
  expect(trail.findings).toEqual([
    { ...found, count: 2 },
    { ...found, layer: 'C1', count: 1 },
    { ...found, place: 'content[1].text', count: 1 },
  ])
})

test('findings in very many places are counted by rule only, and none is lost', () => {
  const trail = newTrail()
  for (let n = 0; n < 1000; n++) noteFinding(trail, { layer: 'C2', rule: 'jwt', place: `content[${n}].text` })
  expect(trail.findings.length).toBeLessThan(60)
  expect(trail.findings.at(-1)).not.toHaveProperty('place')
  expect(trail.findings.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
})

test('notes are stored once each, up to a limit', () => {
  const trail = newTrail()
  for (let n = 0; n < 1000; n++) addNotes(trail, ['the same', `note ${n}`])
  expect(trail.notes.slice(0, 3)).toEqual(['the same', 'note 0', 'note 1'])
  expect(trail.notes).toHaveLength(100)
})
