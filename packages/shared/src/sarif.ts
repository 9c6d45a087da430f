/** The parts of a report in SARIF 2.1.0 that are the same whatever is reported. */

import { pathToFileURL } from 'node:url'

import type { JsonObject } from './json/value.ts'
import { VERSION } from './version.ts'

/** Under which the identity of a finding stands in a result. */
export const identityKey = 'contextdIdentity/v1'

const rootId = '%SRCROOT%'

export type SarifRule = JsonObject & { readonly id: string }
/** Without the index of its rule, which follows from the list of rules. */
export type SarifResult = JsonObject & { readonly ruleId: string }

export interface SarifParts {
  /** The folder that relative paths start from. */
  readonly root: string
  readonly rules: readonly SarifRule[]
  readonly results: readonly SarifResult[]
  /** What went wrong while looking. */
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

/** `file` from the root of the report. */
export function sarifArtifact(file: string): JsonObject {
  return { uri: uriOfFile(file), uriBaseId: rootId }
}

function uriOfFile(file: string): string {
  // A first name with a colon would be read as a scheme; encoded it is not.
  return file.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
