/** A report in SARIF 2.1.0, as code hosts and editors read it. */

import { pathToFileURL } from 'node:url'

import type { Json, JsonObject } from '../../../core/json.ts'
import { VERSION } from '../../../platform/version.ts'
import type { ScanFinding } from './finding.ts'
import type { ScanReport } from './report.ts'

/** Under which the identity of a finding stands in a result. */
export const identityKey = 'contextdIdentity/v1'

const rootId = '%SRCROOT%'

export function sarifReport({ root, findings, warnings }: ScanReport): JsonObject {
  const rules = [...new Map(findings.map((finding) => [finding.rule, finding])).values()].sort((a, b) =>
    a.rule < b.rule ? -1 : 1,
  )
  const indexes = new Map(rules.map(({ rule }, index) => [rule, index]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'contextd', version: VERSION, rules: rules.map(describeRule) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [rootId]: { uri: pathToFileURL(root.endsWith('/') ? root : `${root}/`).href } },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: warnings.map(({ file, message }) => ({
              level: 'warning',
              message: { text: message },
              ...(file !== undefined && {
                locations: [{ physicalLocation: { artifactLocation: artifact(file) } }],
              }),
            })),
          },
        ],
        results: findings.map((finding) => describeResult(finding, indexes.get(finding.rule) ?? -1)),
      },
    ],
  }
}

function describeRule({ rule, description, tags = [] }: ScanFinding): JsonObject {
  return {
    id: rule,
    shortDescription: { text: description },
    help: {
      text: 'Whoever can read the file has the secret. Revoke it where it was issued, issue a new one, and keep that out of the repository.',
    },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['security', ...tags] },
  }
}

function describeResult(finding: ScanFinding, ruleIndex: number): JsonObject {
  const { rule, description, file, commit, cell, entropy, secretLength, fingerprint, identity } = finding
  const region = describeRegion(finding)
  return {
    ruleId: rule,
    ruleIndex,
    level: 'error',
    message: { text: `${description}${cell === undefined ? '' : ` in cell ${cell}`}` },
    locations: [{ physicalLocation: { artifactLocation: artifact(file), ...(region && { region }) } }],
    partialFingerprints: {
      [identityKey]: identity,
      'gitleaksFingerprint/v1': fingerprint,
      ...(commit !== undefined && { commitSha: commit }),
    },
    properties: { entropy, secretLength, ...(cell !== undefined && { cell }) },
  }
}

/** None for a finding that is the file itself. */
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

function artifact(file: string): JsonObject {
  return { uri: uriOfFile(file), uriBaseId: rootId }
}

function uriOfFile(file: string): string {
  // A first name with a colon would be read as a scheme; encoded it is not.
  return file.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

export function fileOfUri(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ''))
  } catch {
    return uri
  }
}
