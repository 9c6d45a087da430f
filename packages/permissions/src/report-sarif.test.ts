import { expect, test } from 'vitest'

import { sarifProblems } from '@contextd/shared/testing/sarif-shape'
import type { LintFinding } from './findings/finding.ts'
import { permissionsSarif } from './report-sarif.ts'
import { listedRules } from './rules.ts'

const root = '/work/a project'

function finding(changes: Partial<LintFinding> = {}): LintFinding {
  return {
    rule: listedRules[0]?.id ?? '',
    severity: 'error',
    file: `${root}/.claude/settings.json`,
    line: 4,
    column: 7,
    message: `Overridden by ${root}/.claude/settings.json:9.`,
    fix: 'Remove it.',
    ...changes,
  }
}

interface Result {
  readonly partialFingerprints: Record<string, string>
  readonly locations: readonly unknown[]
}

function resultsOf(findings: readonly LintFinding[], from = root): readonly Result[] {
  return (permissionsSarif(findings, from) as unknown as { runs: [{ results: Result[] }] }).runs[0].results
}

const identityOf = (one: LintFinding, from?: string): string | undefined =>
  resultsOf([one], from)[0]?.partialFingerprints['contextdIdentity/v1']

test('is valid SARIF 2.1.0 for every rule', () => {
  const all = listedRules.flatMap(({ id }) => [
    finding({ rule: id }),
    finding({ rule: id, severity: 'note' }),
  ])
  expect(sarifProblems(permissionsSarif(all, root))).toEqual([])
  expect(sarifProblems(permissionsSarif([], root))).toEqual([])
  expect(sarifProblems(permissionsSarif([finding({ rule: 'no-such-rule' })], root))).not.toEqual([])
})

test('paths are relative in the project, and absolute outside', () => {
  const [inside, outside] = resultsOf([
    finding({ file: `${root}/a b.md` }),
    finding({ file: '/home/a b.json' }),
  ])
  expect(inside).toMatchObject({
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a%20b.md', uriBaseId: '%SRCROOT%' } } }],
  })
  expect(outside?.locations).toEqual([
    {
      physicalLocation: {
        artifactLocation: { uri: 'file:///home/a%20b.json' },
        region: { startLine: 4, startColumn: 7 },
      },
    },
  ])
})

test('a finding that moves in its file, or is in another clone, keeps its identity', () => {
  const moved = { line: 40, message: `Overridden by ${root}/.claude/settings.json:45.` }
  expect(identityOf(finding(moved))).toBe(identityOf(finding()))
  const [clone] = ['/ci/clone']
  const there = {
    file: `${clone}/.claude/settings.json`,
    message: `Overridden by ${clone}/.claude/settings.json:9.`,
  }
  expect(identityOf(finding(there), clone)).toBe(identityOf(finding()))
})

test('equal findings in one file have different identities, and so have different findings', () => {
  const [one, two] = resultsOf([finding(), finding({ line: 5 })]).map((result) => result.partialFingerprints)
  expect(one).not.toEqual(two)
  expect(identityOf(finding({ message: 'Something else.' }))).not.toBe(identityOf(finding()))
  expect(identityOf(finding({ file: `${root}/.mcp.json` }))).not.toBe(identityOf(finding()))
})
