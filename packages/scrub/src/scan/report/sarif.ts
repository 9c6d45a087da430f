import type { Json, JsonObject } from '@contextd/shared/json/value'
import {
  identityKey,
  sarifArtifact,
  sarifLog,
  type SarifResult,
  type SarifRule,
} from '@contextd/shared/sarif'
import type { ScanFinding } from './finding.ts'
import type { ScanReport } from './report.ts'

/**
 * The report in SARIF 2.1.0, which code hosts and editors read.
 *
 * @example
 * import { sarifReport, scan } from '@contextd/scrub/scan'
 *
 * const report = await scan({ env: process.env, cwd: process.cwd(), paths: ['app.log'] })
 * console.log(sarifReport(report).version)
 * // → 2.1.0
 */
export function sarifReport({ root, findings, warnings }: ScanReport): JsonObject {
  const rules = [...new Map(findings.map((finding) => [finding.rule, finding])).values()].sort((a, b) =>
    a.rule < b.rule ? -1 : 1,
  )
  return sarifLog({
    root,
    rules: rules.map(describeRule),
    results: findings.map(describeResult),
    notifications: warnings.map(({ file, message }) => ({
      level: 'warning',
      message: { text: message },
      ...(file !== undefined && {
        locations: [{ physicalLocation: { artifactLocation: sarifArtifact(file) } }],
      }),
    })),
  })
}

function describeRule({ rule, description, tags = [] }: ScanFinding): SarifRule {
  return {
    id: rule,
    shortDescription: { text: description },
    help: {
      text: 'Anyone who can read the file has the secret. Revoke it at its issuer, issue a new one, and keep that out of the repository.',
    },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['security', ...tags] },
  }
}

function describeResult(finding: ScanFinding): SarifResult {
  const { rule, description, file, commit, cell, entropy, secretLength, fingerprint, identity } = finding
  const region = describeRegion(finding)
  return {
    ruleId: rule,
    level: 'error',
    message: { text: `${description}${cell === undefined ? '' : ` in cell ${cell}`}` },
    locations: [{ physicalLocation: { artifactLocation: sarifArtifact(file), ...(region && { region }) } }],
    partialFingerprints: {
      [identityKey]: identity,
      'gitleaksFingerprint/v1': fingerprint,
      ...(commit !== undefined && { commitSha: commit }),
    },
    properties: { entropy, secretLength, ...(cell !== undefined && { cell }) },
  }
}

/** Undefined for a finding about the file itself. */
function describeRegion(finding: ScanFinding): JsonObject | undefined {
  const { line, column, endLine, endColumn, start, end, binary, match } = finding
  if (line === 0) return undefined
  const snippet: Json = { text: match }
  if (binary) return { byteOffset: start ?? column - 1, byteLength: endColumn - column, snippet }
  return {
    startLine: line,
    startColumn: column,
    endLine,
    endColumn,
    ...(start !== undefined && end !== undefined && { charOffset: start, charLength: end - start }),
    snippet,
  }
}

export function fileOfUri(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ''))
  } catch {
    return uri
  }
}
