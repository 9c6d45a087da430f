import { describe, expect, test } from 'vitest'

import { createGivenValues } from './given-values.ts'

const value = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const given = createGivenValues()
given.add([value, 'pw/7+x'])

const percent = (text: string): string => Buffer.from(text).toString('hex').replace(/../g, '%$&')

describe('a revealed value is recognized', () => {
  test.each<[string, string]>([
    ['as it is', value],
    ['in a host name', value.toLowerCase()],
    ['percent-encoded', percent(value)],
    ['percent-encoded twice', percent(percent(value))],
    ['in base64', Buffer.from(value).toString('base64')],
    ['in base64 for addresses', Buffer.from(`k=${value}`).toString('base64url')],
    ['in hex', Buffer.from(value).toString('hex')],
    ['backwards', Array.from(value).toReversed().join('')],
    ['too short to be hunted elsewhere', 'pw/7+x'],
    ['the same, encoded', encodeURIComponent('pw/7+x')],
  ])('%s', (_, form) => {
    expect(given.isIn(`https://b.example/?k=${form}&more=1`)).toBe(true)
    expect(createGivenValues().isIn(`https://b.example/?k=${form}&more=1`)).toBe(false)
  })
})

test('a similar but different value passes', () => {
  expect(given.isIn(`https://b.example/?k=ghp_${'Z9y8X7w6V5u4'.repeat(3)}`)).toBe(false)
  expect(given.isIn('https://b.example/%')).toBe(false)
})
