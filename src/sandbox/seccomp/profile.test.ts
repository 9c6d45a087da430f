import { expect, test } from 'vitest'

import { describeProfile, profile } from './profile.ts'
import { callNumber, refusedGroups, unseenMemoryGroup } from './syscalls.ts'

test('no number is used for two calls', () => {
  for (const arch of ['x64', 'arm64'] as const) {
    const names = [...new Set(profile({ unixSockets: false }).map((rule) => rule.call))]
    const numbers = names.map((name) => callNumber(name, arch)).filter((number) => number !== undefined)
    expect(new Set(numbers).size).toBe(numbers.length)
  }
})

test('no call is listed twice, or both refused and filtered', () => {
  const refused = [...refusedGroups, unseenMemoryGroup].flatMap((group) => Object.keys(group.calls))
  const filtered = profile({ unixSockets: false }).filter((rule) => rule.when !== undefined)
  expect(new Set(refused).size).toBe(refused.length)
  expect(filtered.filter((rule) => refused.includes(rule.call))).toEqual([])
})

test('the description contains every rule with its error and reason', () => {
  const rows = describeProfile()
  expect(rows.every((row) => row.names.length > 0 && row.why.length > 0)).toBe(true)
  for (const rule of profile({ unixSockets: false })) {
    const named = rows.filter((row) => row.names.some((name) => name.split(' ')[0] === rule.call))
    expect(
      named.map((row) => row.answer),
      rule.call,
    ).toContain(rule.answer)
  }
})
