/** `capabilities.toml`: the name, capabilities and limits of a tool. */

import * as z from 'zod'

import { capabilityKinds, parseCapability, type Capability } from '../../core/capability.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { decodeConfig, parseToml } from '../../platform/config/load-config.ts'
import type { SchemaIssue } from '../../platform/config/json-problem.ts'
import { schemaIssues } from '../../platform/config/schema-issues.ts'
import { positionAt } from '@contextd/shared/json/text-position'
import { scanToml, type TomlEntry } from '@contextd/shared/toml/toml-source'
import { capabilityProblem } from './capability-words.ts'
import { parseBytes, millisecondsOf, sizePattern, timePattern } from './quantities.ts'

export const MANIFEST = 'capabilities.toml'

/** Names that are valid in every client and every rule. */
export const toolNamePattern = /^[a-z][a-z0-9_-]{0,31}$/

/** The limits the package asks for; absent ones get a default. */
export interface DeclaredLimits {
  readonly timeMs?: number
  readonly memoryBytes?: number
  readonly outputBytes?: number
}

export interface ToolManifest {
  readonly name: string
  readonly version?: string
  /** For users; the agent reads TOOL.md. */
  readonly description?: string
  readonly executable?: string
  readonly required: readonly Capability[]
  readonly optional: readonly Capability[]
  readonly limits: DeclaredLimits
}

const line = (maxLength: number) => z.string().min(1).max(maxLength)

const capability = z
  .string()
  .regex(new RegExp(`^(?:${capabilityKinds.join('|')})(?::.+)?$`, 's'), {
    abort: true,
    error: `expected a capability: ${capabilityKinds.join(', ')}, with a scope such as fs:read:src/**`,
  })
  .refine((text) => capabilityProblem(text) === undefined, {
    error: ({ input }) => capabilityProblem(input as string),
  })

let made: ReturnType<typeof makeSchema> | undefined

/** Created on first use: most sessions have no package to read. */
function manifestSchema(): ReturnType<typeof makeSchema> {
  return (made ??= makeSchema())
}

function makeSchema() {
  const timeWords = { error: 'expected a time such as "10s" or "500ms", or seconds' }
  const time = z.union([z.number().positive().max(3600), z.string().regex(timePattern, timeWords)], timeWords)
  const sizeWords = { error: 'expected a size such as "64MB", or bytes' }
  const size = z.union([z.int().positive(), z.string().regex(sizePattern, sizeWords)], sizeWords)

  return z
    .strictObject({
      component: z.strictObject({
        name: z
          .string()
          .regex(toolNamePattern, {
            error: 'expected 1 to 32 lower-case letters, digits, "_" and "-", starting with a letter',
          })
          .describe('The tool name; same as the folder.'),
        version: line(64).optional().describe('For users.'),
        description: line(300).optional().describe('For users; agents read TOOL.md.'),
        executable: line(200)
          .optional()
          .describe('The file to run; by default the one named run or run.*, or the only executable one.'),
      }),
      capabilities: z
        .strictObject({
          required: z.array(capability).max(32).default([]).describe('Capabilities the tool requires.'),
          optional: z
            .array(capability)
            .max(32)
            .default([])
            .describe('Capabilities it may request at run time; the user decides then.'),
        })
        .optional(),
      limits: z
        .strictObject({
          max_execution_time: time.optional().describe('Wall-clock limit of one call.'),
          max_memory: size.optional().describe('Memory of the tool and its child processes; default 64MB.'),
          max_output_size: size.optional().describe('Combined standard output and standard error.'),
        })
        .optional(),
    })
    .meta({ title: 'contextd tool package: capabilities.toml' })
}

export function manifestJsonSchema(): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(manifestSchema(), { io: 'input' })
}

export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] }

/** The manifest, or all its problems, each with its position. */
export function parseManifest(bytes: Uint8Array): ParseResult<ToolManifest> {
  let text: string
  let document: Record<string, unknown>
  try {
    text = decodeConfig(bytes, MANIFEST).replace(/^\uFEFF/, '')
    document = parseToml(text, MANIFEST)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { ok: false, problems: [error.message] }
  }
  const entries = scanToml(text)
  const issues = schemaIssues(manifestSchema(), document)
  if (issues.length > 0) return { ok: false, problems: issues.map((issue) => placed(issue, entries, text)) }
  const value = manifestOf(manifestSchema().parse(document))
  const twice = value.optional.findIndex((one) => value.required.some((other) => isSame(one, other)))
  if (twice === -1) return { ok: true, value }
  const issue = {
    path: ['capabilities', 'optional', twice],
    part: 'value',
    message: 'is required already',
  } as const
  return { ok: false, problems: [placed(issue, entries, text)] }
}

function manifestOf({
  component,
  capabilities = { required: [], optional: [] },
  limits = {},
}: z.output<ReturnType<typeof makeSchema>>): ToolManifest {
  const { name, version, description, executable } = component
  const { max_execution_time: timeLimit, max_memory: memory, max_output_size: output } = limits
  const read = (texts: readonly string[]): Capability[] =>
    texts.flatMap((text) => parseCapability(text) ?? [])
  return {
    name,
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    ...(executable !== undefined && { executable }),
    required: read(capabilities.required),
    optional: read(capabilities.optional),
    limits: {
      ...(timeLimit !== undefined && { timeMs: millisecondsOf(timeLimit) }),
      ...(memory !== undefined && { memoryBytes: parseBytes(memory) }),
      ...(output !== undefined && { outputBytes: parseBytes(output) }),
    },
  }
}

function isSame(one: Capability, other: Capability): boolean {
  return one.kind === other.kind && one.scope === other.scope
}

/** `capabilities.toml:3:1: component.nmae: unknown key "nmae"; did you mean "name"?` */
function placed({ path, message }: SchemaIssue, entries: readonly TomlEntry[], text: string): string {
  const name = path.join('.')
  // A missing key has no position: the table that lacks it is reported.
  for (let depth = path.length; depth > 0; depth--) {
    const found = entries.find((entry) => samePath(entry.path, path.slice(0, depth)))
    if (found === undefined) continue
    const { line: row, column } = positionAt(text, found.start)
    return `${MANIFEST}:${row}:${column}: ${name}: ${message}`
  }
  return `${MANIFEST}: ${name}: ${message}`
}

function samePath(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
}
