/** The SARIF 2.1.0 schema for the parts that our reports use, to detect reports that consumers would reject. */

import * as z from 'zod'

const count = z.int().min(0)
const place = z.int().min(1)
const message = z.strictObject({ text: z.string().min(1) })
/** Relative, without characters that are invalid in a URI. */
const uri = z.string().regex(/^(?:[A-Za-z0-9\-._~!$&'()*+,;=@/]|%[0-9A-F]{2})+$/)
const level = z.enum(['none', 'note', 'warning', 'error'])

const region = z
  .strictObject({
    startLine: place.optional(),
    startColumn: place.optional(),
    endLine: place.optional(),
    endColumn: place.optional(),
    charOffset: count.optional(),
    charLength: count.optional(),
    byteOffset: count.optional(),
    byteLength: count.optional(),
    snippet: z.strictObject({ text: z.string() }).optional(),
  })
  .refine(({ startLine, byteOffset }) => startLine !== undefined || byteOffset !== undefined)

const location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.union([
      z.strictObject({ uri, uriBaseId: z.string() }),
      // Outside the root.
      z.strictObject({ uri: z.url({ protocol: /^file$/ }) }),
    ]),
    region: region.optional(),
  }),
})

const rule = z.strictObject({
  id: z.string().min(1),
  shortDescription: message,
  help: message.extend({ markdown: z.string().min(1).optional() }),
  defaultConfiguration: z.strictObject({ level }),
  properties: z.strictObject({ tags: z.array(z.string()) }),
})

const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().min(-1),
  level,
  message,
  locations: z.array(location),
  partialFingerprints: z.record(z.string(), z.string()),
  properties: z.record(z.string(), z.unknown()),
})

const run = z
  .strictObject({
    tool: z.strictObject({
      driver: z.strictObject({ name: z.literal('contextd'), version: z.string(), rules: z.array(rule) }),
    }),
    columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
    originalUriBaseIds: z.record(z.string(), z.strictObject({ uri: z.url().endsWith('/') })),
    invocations: z.array(
      z.strictObject({
        executionSuccessful: z.boolean(),
        toolExecutionNotifications: z.array(
          z.strictObject({ level, message, locations: z.array(location).optional() }),
        ),
      }),
    ),
    results: z.array(result),
  })
  .refine(({ tool, results }) =>
    results.every(({ ruleId, ruleIndex }) => tool.driver.rules[ruleIndex]?.id === ruleId),
  )
  .refine(({ tool }) => new Set(tool.driver.rules.map(({ id }) => id)).size === tool.driver.rules.length)

const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.array(run).length(1),
})

/** The problems of a report; empty if it is valid. */
export function sarifProblems(report: unknown): string[] {
  return (sarif.safeParse(report).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )
}
