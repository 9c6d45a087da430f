import { describe, expect, test } from 'vitest'

import type { Json } from '@contextd/shared/json/value'
import { sarifProblems } from '@contextd/shared/testing/sarif-shape'
import { readBaseline } from './baseline.ts'
import type { ScanFinding } from './finding.ts'
import type { ScanReport } from './report.ts'
import { sarifReport } from './sarif.ts'

function finding(changes: Partial<ScanFinding> = {}): ScanFinding {
  return {
    rule: 'github-pat',
    description: 'GitHub personal access token',
    file: 'src/a b.ts',
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 45,
    start: 30,
    end: 70,
    secretLength: 40,
    entropy: 4.5,
    match: 'x [SECRET]',
    fingerprint: 'src/a b.ts:github-pat:3',
    identity: '0123456789abcdef',
    ...changes,
  }
}

function report(...findings: ScanFinding[]): ScanReport {
  return {
    root: '/work/a project',
    findings,
    files: 1,
    bytes: 100,
    allowed: 0,
    known: 0,
    skipped: [],
    warnings: [{ file: 'x', message: 'cannot be opened (EACCES)' }, { message: 'could not ask git' }],
  }
}

const odd = [
  finding(),
  finding({ rule: 'acme', description: 'Acme', tags: ['acme', 'key'], cell: 3 }),
  finding({ binary: true, line: 1, column: 31, endLine: 1, endColumn: 71 }),
  finding({ rule: 'pkcs12-file', line: 0, column: 0, endLine: 0, endColumn: 0 }),
  finding({ file: 'a.zip!../x:y%20\u{1F600}', commit: 'ab'.repeat(20) }),
]

test('is valid SARIF 2.1.0', () => {
  expect(sarifProblems(sarifReport(report(...odd)))).toEqual([])
  expect(sarifProblems(sarifReport(report()))).toEqual([])
})

test('the check notices invalid reports', () => {
  const broken = (change: (run: Record<string, Json>) => void): unknown => {
    const sarif = sarifReport(report(...odd)) as { runs: Record<string, Json>[] }
    change(sarif.runs[0]!)
    return sarifProblems(sarif)
  }
  const results = (run: Record<string, Json>): Record<string, Json>[] => run.results as Record<string, Json>[]
  expect(broken((run) => delete run.tool)).not.toEqual([])
  expect(broken((run) => (results(run)[0]!.ruleIndex = 7))).not.toEqual([])
  expect(broken((run) => (results(run)[0]!.level = 'bad'))).not.toEqual([])
  expect(broken((run) => delete results(run)[0]!.message)).not.toEqual([])
  expect(broken((run) => (run.columnKind = 'bytes'))).not.toEqual([])
})

describe('a result', () => {
  const results = (sarifReport(report(...odd)) as { runs: { results: Record<string, Json>[] }[] }).runs[0]!
    .results

  test('has a location, in the units of the report', () => {
    expect(results[0]).toMatchObject({
      ruleId: 'github-pat',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' },
            region: {
              startLine: 3,
              startColumn: 5,
              endLine: 3,
              endColumn: 45,
              charOffset: 30,
              charLength: 40,
              snippet: { text: 'x [SECRET]' },
            },
          },
        },
      ],
    })
  })

  test('of a binary counts bytes, of a file itself has no region', () => {
    expect(results[2]).toMatchObject({
      locations: [{ physicalLocation: { region: { byteOffset: 30, byteLength: 40 } } }],
    })
    expect(JSON.stringify(results[3])).not.toContain('region')
  })

  test('of a name that is not a valid URI has a URI', () => {
    expect(results[4]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a.zip!../x%3Ay%2520%F0%9F%98%80' } } }],
    })
  })
})

describe('a baseline', () => {
  const known = (text: string, found: ScanFinding, secret = 'unknown-secret'): boolean | undefined =>
    readBaseline(text)?.isKnown(found, secret)
  const moved = finding({ line: 9, fingerprint: 'src/a b.ts:github-pat:9' })

  test.each([
    ['JSON', JSON.stringify(report(...odd))],
    ['SARIF', JSON.stringify(sarifReport(report(...odd)))],
  ])('of ours in %s knows its findings, even if they moved', (_, text) => {
    for (const found of odd) expect(known(text, found)).toBe(true)
    expect(known(text, moved)).toBe(true)
    expect(known(text, finding({ file: 'src/other.ts' }))).toBe(false)
    expect(known(text, finding({ identity: 'another' }))).toBe(false)
  })

  const gitleaks = (Secret: string): string =>
    JSON.stringify([
      {
        RuleID: 'github-pat',
        File: 'src/a b.ts',
        StartLine: 3,
        Secret,
        Match: 'x',
        Commit: '',
        Fingerprint: '',
      },
    ])

  test('of gitleaks knows a secret by its value, or by its location if redacted', () => {
    expect(known(gitleaks('the-secret-itself'), moved, 'the-secret-itself')).toBe(true)
    expect(known(gitleaks('the-secret-itself'), moved, '"the-secret-itself')).toBe(true)
    expect(known(gitleaks('the-secret-itself'), moved, 'another-secret')).toBe(false)
    expect(known(gitleaks('REDACTED'), finding())).toBe(true)
    expect(known(gitleaks('REDACTED'), moved)).toBe(false)
  })

  test('of another tool in SARIF knows locations', () => {
    const result = {
      ruleId: 'github-pat',
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'src/a%20b.ts' }, region: { startLine: 3 } },
        },
      ],
    }
    const text = JSON.stringify({ version: '2.1.0', runs: [{ results: [result] }] })
    expect(known(text, finding({ identity: 'x' }))).toBe(true)
    expect(known(text, moved)).toBe(false)
  })

  test.each([
    ['', 'nothing'],
    ['{', 'no JSON'],
    ['{}', 'no report'],
    ['"text"', 'a text'],
    ['[1]', 'a list of something else'],
    ['{"findings": [{"file": 1}]}', 'a finding without a file'],
    ['{"runs": [{}]}', 'a run without results'],
  ])('%j is not a baseline', (text) => {
    expect(readBaseline(text)).toBeUndefined()
  })

  test('without findings knows no finding', () => {
    expect(known('[]', finding())).toBe(false)
    expect(known(JSON.stringify(report()), finding())).toBe(false)
  })
})
