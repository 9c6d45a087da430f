import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, test } from 'vitest'

import { fixturesFolder, openFixture, type Fixture } from '../test/permission-fixture.ts'
import type { LintFinding } from './findings/finding.ts'
import { repair } from './findings/repair.ts'
import { listedRules } from './rules.ts'

let fixture: Fixture | undefined
afterEach(() => {
  fixture?.remove()
  fixture = undefined
})

test('every rule has its examples, and every example a rule', () => {
  const ids = listedRules.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(readdirSync(fixturesFolder).sort()).toEqual(ids.toSorted())
})

describe.each(listedRules)('$id', ({ id, title, why }) => {
  const found = (opened: Fixture): LintFinding[] => opened.lint().filter(({ rule }) => rule === id)

  test('is told in words', () => {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/)
    expect(title).toMatch(/^\S.{9,99}$/)
    expect(why.trim().length).toBeGreaterThan(40)
  })

  test('finds what is wrong, where it stands', async () => {
    fixture = await openFixture(id, 'bad')
    const { placeOf } = fixture
    const lines = found(fixture).map((finding) => `${finding.severity} ${placeOf(finding)}`)
    const expected = readFileSync(join(fixturesFolder, id, 'bad', 'expected.txt'), 'utf8')
      .trim()
      .split('\n')
    expect(lines.sort()).toEqual(expected.sort())
  })

  test('says what happens today and what to do', async () => {
    fixture = await openFixture(id, 'bad')
    for (const { message, fix } of found(fixture)) {
      expect(message).toMatch(/^[^\n]{10,}$/)
      expect(fix).toMatch(/^[^\n]{5,}/)
    }
  })

  test('is silent where that was corrected', async () => {
    expect(existsSync(join(fixturesFolder, id, 'ok'))).toBe(true)
    fixture = await openFixture(id, 'ok')
    expect(found(fixture)).toEqual([])
  })

  test('is silent after its own repairs, which make nothing worse', async () => {
    fixture = await openFixture(id, 'bad')
    const before = fixture.lint()
    const forPeople = found(fixture).filter(({ repairs }) => repairs === undefined)
    for (let run = 0; run < 5 && mend(found(fixture)); run++) continue
    expect(found(fixture).map(({ message }) => message)).toEqual(forPeople.map(({ message }) => message))
    const errors = (all: readonly LintFinding[]): Set<string> =>
      new Set(all.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))
    expect([...errors(fixture.lint())].filter((rule) => !errors(before).has(rule))).toEqual([])
  })
})

/** Whether there was something to repair. */
function mend(findings: readonly LintFinding[]): boolean {
  const { texts } = repair(findings, (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined))
  for (const [file, text] of texts) writeFileSync(file, text)
  return texts.size > 0
}
