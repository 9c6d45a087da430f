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

test('every rule has examples, and all examples belong to a rule', () => {
  const ids = listedRules.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(readdirSync(fixturesFolder).sort()).toEqual(ids.toSorted())
})

describe.each(listedRules)('$id', ({ id, title, why }) => {
  const found = (opened: Fixture): LintFinding[] => opened.lint().filter(({ rule }) => rule === id)

  test('has an id, a title and an explanation', () => {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/)
    expect(title).toMatch(/^\S.{9,99}$/)
    expect(why.trim().length).toBeGreaterThan(40)
  })

  test('finds the mistakes in their places', async () => {
    fixture = await openFixture(id, 'bad')
    const { placeOf } = fixture
    const lines = found(fixture).map((finding) => `${finding.severity} ${placeOf(finding)}`)
    const expected = readFileSync(join(fixturesFolder, id, 'bad', 'expected.txt'), 'utf8')
      .trim()
      .split('\n')
    expect(lines.sort()).toEqual(expected.sort())
  })

  test('has a message and a fix', async () => {
    fixture = await openFixture(id, 'bad')
    for (const { message, fix } of found(fixture)) {
      expect(message).toMatch(/^[^\n]{10,}$/)
      expect(fix).toMatch(/^[^\n]{5,}/)
    }
  })

  test('finds nothing in the corrected files', async () => {
    expect(existsSync(join(fixturesFolder, id, 'ok'))).toBe(true)
    fixture = await openFixture(id, 'ok')
    expect(found(fixture)).toEqual([])
  })

  test('finds nothing after its repairs, which cause no new errors', async () => {
    fixture = await openFixture(id, 'bad')
    const before = fixture.lint()
    const unrepairable = found(fixture).filter(({ repairs }) => repairs === undefined)
    for (let run = 0; run < 5 && applyRepairs(found(fixture)); run++) continue
    expect(found(fixture).map(({ message }) => message)).toEqual(unrepairable.map(({ message }) => message))
    const errors = (all: readonly LintFinding[]): Set<string> =>
      new Set(all.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))
    expect([...errors(fixture.lint())].filter((rule) => !errors(before).has(rule))).toEqual([])
  })
})

/** Returns whether a file was changed. */
function applyRepairs(findings: readonly LintFinding[]): boolean {
  const { texts } = repair(findings, (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined))
  for (const [file, text] of texts) writeFileSync(file, text)
  return texts.size > 0
}
