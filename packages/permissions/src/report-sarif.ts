/** Lint findings in SARIF 2.1.0, the format of code hosts and editors. */

import { createHash } from 'node:crypto'
import { sep } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { JsonObject } from '@contextd/shared/json/value'
import {
  identityKey,
  sarifArtifact,
  sarifLog,
  type SarifResult,
  type SarifRule,
} from '@contextd/shared/sarif'
import { relativeWithin } from '@contextd/shared/files/within'
import { isVariable } from './files/client-files.ts'
import type { LintFinding } from './findings/finding.ts'
import { docsOf } from './rule-page.ts'
import { listedRules, type ListedLintRule } from './rules.ts'

/**
 * The findings in SARIF 2.1.0. Paths are relative to `root`, the repository; files outside of it have absolute paths.
 *
 * @example
 * import { lintPermissions } from '@contextd/permissions'
 * import { permissionsSarif } from '@contextd/permissions/sarif'
 *
 * const findings = await lintPermissions({ env: process.env, cwd: process.cwd() })
 * console.log(permissionsSarif(findings, process.cwd()).version)
 * // → 2.1.0
 */
export function permissionsSarif(findings: readonly LintFinding[], root: string): JsonObject {
  const ids = new Set(findings.map(({ rule }) => rule))
  const identityOf = identities(root)
  return sarifLog({
    root,
    rules: listedRules.filter(({ id }) => ids.has(id)).map(describeRule),
    results: findings.map((finding) => describeResult(finding, root, identityOf(finding))),
    notifications: [],
  })
}

function describeRule({ id, severity, title, why, client }: ListedLintRule): SarifRule {
  return {
    id,
    shortDescription: { text: title },
    help: { text: `${why}\n\nSee ${docsOf(id)}.`, markdown: `${why}\n\nSee \`${docsOf(id)}\`.` },
    defaultConfiguration: { level: severity },
    properties: { tags: ['security', 'permissions', client] },
  }
}

function describeResult(finding: LintFinding, root: string, identity: string): SarifResult {
  const { rule, severity, file, line, column, message, fix } = finding
  const inside = insideOf(root, file)
  const fileUri = inside === undefined && !isVariable(file) ? pathToFileURL(file).href : undefined
  const artifactLocation = fileUri === undefined ? sarifArtifact(inside ?? file) : { uri: fileUri }
  return {
    ruleId: rule,
    level: severity,
    message: { text: `${message}\nFix: ${fix}` },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } } }],
    partialFingerprints: { [identityKey]: identity },
    properties: { fix },
  }
}

/** The identity of a finding does not change when it moves within its file; equal findings are numbered. */
function identities(root: string): (finding: LintFinding) => string {
  const seen = new Map<string, number>()
  return ({ rule, file, message }) => {
    const text = message.replaceAll(root, '').replaceAll(/:\d+/g, '')
    const key = JSON.stringify([rule, insideOf(root, file) ?? file, text])
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return createHash('sha256').update(`${key}${count}`).digest('hex').slice(0, 32)
  }
}

function insideOf(root: string, file: string): string | undefined {
  return isVariable(file) ? undefined : relativeWithin(root, file)?.split(sep).join('/')
}
