/** The parts of a SARIF 2.1.0 report that do not depend on its content. */

import { pathToFileURL } from 'node:url'

import type { JsonObject } from './json/value.ts'
import { VERSION } from './version.ts'

/** The key of a finding's fingerprint in a result. */
export const identityKey = 'contextdIdentity/v1'

const rootId = '%SRCROOT%'

export type SarifRule = JsonObject & { readonly id: string }
/** Without `ruleIndex`, which is derived from the list of rules. */
export type SarifResult = JsonObject & { readonly ruleId: string }

export interface SarifParts {
  /** The base folder of relative paths. */
  readonly root: string
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  /** Problems during the check. */
  readonly notifications: JsonObject[]
}

export function sarifLog({ root, rules, results, notifications }: SarifParts): JsonObject {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'contextd', version: VERSION, rules: [...rules] } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [rootId]: { uri: pathToFileURL(root.endsWith('/') ? root : `${root}/`).href } },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: notifications }],
        results: results.map((result) => ({ ...result, ruleIndex: indexes.get(result.ruleId) ?? -1 })),
      },
    ],
  }
}

/** `file`: relative to the root of the report. */
export function sarifArtifact(file: string): JsonObject {
  return { uri: uriOfFile(file), uriBaseId: rootId }
}

function uriOfFile(file: string): string {
  // Encoded, because a colon in the first segment would be parsed as a URI scheme.
  return file.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
