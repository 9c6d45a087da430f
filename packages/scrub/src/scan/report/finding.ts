/** What a report contains about a secret: its location and kind, never its value. */

import { createHash } from 'node:crypto'

import { findingFingerprint } from '../../gitleaks/ignore-file.ts'
import { shannonEntropy } from '../../text/randomness.ts'
import type { RuleDescription } from '../rules/scan-rules.ts'
import type { LocatedSecret } from '../content/text-scan.ts'

/**
 * Lines and columns start at 1; columns and offsets count UTF-16 units. A finding for the file itself has line 0.
 *
 * @example
 * import { scan, type ScanFinding } from '@contextd/scrub/scan'
 *
 * const where = ({ file, line, column }: ScanFinding) => `${file}:${line}:${column}`
 * const { findings } = await scan({ env: process.env, cwd: process.cwd(), paths: ['app.log'] })
 * console.log(findings.map(where).join())
 * // → app.log:1:14
 */
export interface ScanFinding {
  readonly rule: string
  readonly description: string
  readonly tags?: readonly string[]
  /** Relative to the root of the scan, with `/`. Entries of an archive follow a `!`. Secrets in names are masked. */
  readonly file: string
  readonly commit?: string
  /** Cell of a notebook, from 1. */
  readonly cell?: number
  /** Found in a binary: all of it is line 1, and columns and offsets count bytes. */
  readonly binary?: true
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  /** Offsets in the file; missing for findings in commits. */
  readonly start?: number
  readonly end?: number
  readonly secretLength: number
  readonly entropy: number
  /** The line with all secrets masked. */
  readonly match: string
  /** In the format of gitleaks. */
  readonly fingerprint: string
  /** Stays the same if the line moves within the file. */
  readonly identity: string
}

export interface FindingPlace {
  readonly file: string
  readonly commit?: string
  readonly cell?: number
  readonly binary?: true
  /** Whether offsets count from the start of the file. */
  readonly wholeFile: boolean
}

export function secretFinding(
  found: LocatedSecret,
  { wholeFile, ...place }: FindingPlace,
  { description, tags }: RuleDescription,
): ScanFinding {
  const { rule, line, column, endLine, endColumn, start, end, secret, shown } = found
  return {
    rule,
    description,
    ...(tags.length > 0 && { tags }),
    ...place,
    line,
    column,
    endLine,
    endColumn,
    ...(wholeFile && { start, end }),
    secretLength: secret.length,
    entropy: Math.round(shannonEntropy(secret) * 100) / 100,
    match: shown,
    fingerprint: fingerprint(place, rule, found.matchLine),
    identity: identityOf(rule, shown, secret),
  }
}

/** A finding for a file that is a secret itself. */
export function fileFinding(rule: string, place: FindingPlace, described: RuleDescription): ScanFinding {
  const nowhere = {
    start: 0,
    end: 0,
    line: 0,
    column: 0,
    endLine: 0,
    endColumn: 0,
    matchStart: 0,
    matchLine: 0,
  }
  return secretFinding({ rule, ...nowhere, secret: '', shown: '' }, { ...place, wholeFile: false }, described)
}

function fingerprint({ file, commit }: Omit<FindingPlace, 'wholeFile'>, rule: string, line: number): string {
  return findingFingerprint({ path: file, rule, line, ...(commit !== undefined && { commit }) })
}

/**
 * Contains only 12 bits of a hash of the secret: enough to notice that it was replaced, too few to recover it from a
 * report.
 */
function identityOf(rule: string, shown: string, secret: string): string {
  const check = createHash('sha256').update(`contextd scan\0${secret}`).digest('hex').slice(0, 3)
  return createHash('sha256').update(`${rule}\0${shown}\0${check}`).digest('hex').slice(0, 32)
}
