import * as z from 'zod'

import { OWN_SERVER } from '../core/call.ts'
import type { CapabilityKind } from '../core/capability.ts'
import { valueAt, type JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../core/ports.ts'
import type { Result } from '../core/result.ts'
import type { FieldIssue, ParsedArguments, Tool } from '../core/tool.ts'
import { counted } from '@contextd/shared/text/counted'

export interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string
  /** Part of every model's context in every session: keep it short. */
  readonly description: string
  readonly input: Input
  readonly needs?: readonly CapabilityKind[]
  readonly open?: boolean
  readonly free?: Tool['free']
  readonly maxTokens?: number
  readonly keep?: Tool['keep']
  readonly renderText?: (data: JsonObject) => string
  readonly forRecord?: Tool['forRecord']
  readonly written?: Tool['written']
  readonly keepsTokens?: boolean
  readonly commandTime?: Tool['commandTime']
  readonly annotations?: JsonObject
  readonly _meta?: JsonObject
  readonly run: (args: z.output<Input>, host: ToolHost) => Promise<Result>
}

export interface DefinedTool extends Tool {
  parse(args: JsonObject): ParsedArguments
}

/**
 * For tools that are used all the time. Claude Code hides other tools until they are searched for, and a model with a
 * shell of the client, or with a truncated answer, would not know to search.
 */
export const alwaysLoad: JsonObject = { 'anthropic/alwaysLoad': true }

/**
 * Claude Code would otherwise store an answer of more than 50,000 characters in a file, and show its first 2 KB. Ours
 * are already limited, in tokens, which may be more: `safe_read`, `load_context`, or a larger `budget.answer_tokens`.
 */
const shownWhole: JsonObject = { 'anthropic/maxResultSizeChars': 500_000 }

/**
 * Defines a built-in tool: a zod object describes its arguments, which are validated before it runs.
 *
 *     defineTool({
 *       name: 'word_count',
 *       description: 'Counts words.',
 *       input: z.object({ text: z.string() }),
 *       run: async ({ text }) => answer({ words: text.split(/\s+/).length }),
 *     })
 */
export function defineTool<Input extends z.ZodObject>(spec: ToolSpec<Input>): DefinedTool {
  const {
    name,
    description,
    input,
    needs = [],
    open,
    free,
    maxTokens,
    keep,
    renderText,
    annotations,
    _meta,
    forRecord,
    written,
    keepsTokens,
    commandTime,
    run,
  } = spec
  const schema = input.strict()
  let shown: JsonObject | undefined
  return {
    definition: {
      name,
      description,
      // Computed when listed: the client waits for our start, and not every tool is listed.
      get inputSchema() {
        return (shown ??= inputSchemaOf(schema))
      },
      ...(annotations !== undefined && { annotations }),
      _meta: { ...shownWhole, ..._meta },
    },
    server: OWN_SERVER,
    needs,
    ...(open !== undefined && { open }),
    ...(free !== undefined && { free }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(keep !== undefined && { keep }),
    ...(renderText !== undefined && { renderText }),
    ...(forRecord !== undefined && { forRecord }),
    ...(written !== undefined && { written }),
    ...(keepsTokens !== undefined && { keepsTokens }),
    ...(commandTime !== undefined && { commandTime }),
    parse(args) {
      const { success, data, error } = schema.safeParse(args)
      return success
        ? { ok: true, value: data as JsonObject }
        : { ok: false, issues: fieldIssues(error.issues, args, schema) }
    },
    run: (args, host) => run(args as z.output<Input>, host),
  }
}

/**
 * As models see it: without parts that carry no information. That other arguments are refused is not said either: it
 * would cost every tool 6 tokens, and is not true of `agent_id` and `branch_id`.
 */
function inputSchemaOf(schema: z.ZodObject): JsonObject {
  const {
    $schema: _,
    additionalProperties: __,
    ...rest
  } = z.toJSONSchema(schema, { io: 'input', override: dropNoise })
  return rest as JsonObject
}

/** Limits are named by the error of a call that exceeds them, which is rare. */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.maximum
  delete jsonSchema.minimum
  delete jsonSchema.maxLength
  // Additional properties are allowed by default.
  if (JSON.stringify(jsonSchema.additionalProperties) === '{}') delete jsonSchema.additionalProperties
  // Property names are always strings.
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames
}

/** More would not help to correct a call. */
const maxIssues = 20
/** Names come from the caller. A longer one may be a secret, and a truncated secret would pass every later check. */
const maxNameLength = 32

function fieldIssues(
  issues: readonly z.core.$ZodIssue[],
  args: JsonObject,
  schema: z.ZodObject,
): FieldIssue[] {
  return issues
    .slice(0, maxIssues)
    .flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') {
        const isMissing = issue.code === 'invalid_type' && valueAt(args, issue.path) === undefined
        const expected = expectation(issue)
        return [{ field: fieldName(issue.path), expected: isMissing ? `required, ${expected}` : expected }]
      }
      const expected = `no such field; known are ${Object.keys(schema.shape).join(', ')}`
      return issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), expected }))
    })
    .slice(0, maxIssues)
}

/** `env.PATH`, `lines[2]`, `env.(unknown)`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((start, key) => {
    if (typeof key === 'number') return `${start}[${key}]`
    const name = String(key)
    return `${start}${start && '.'}${name.length > maxNameLength ? '(unknown)' : name}`
  }, '')
}

const expectedTypes: Readonly<Record<string, string>> = { int: 'a whole number', record: 'object' }
const units: Readonly<Record<string, string>> = { string: 'character', array: 'item' }

function withUnit(limit: number | bigint, origin: string): string {
  const unit = units[origin]
  return unit === undefined ? String(limit) : counted(Number(limit), unit)
}

/** Says what was expected, never what was received. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return expectedTypes[issue.expected] ?? issue.expected
    case 'too_small':
      return `at least ${withUnit(issue.minimum, issue.origin)}`
    case 'too_big':
      return `at most ${withUnit(issue.maximum, issue.origin)}`
    case 'invalid_format':
      return issue.pattern === undefined ? issue.format : `text that matches ${issue.pattern}`
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'custom':
      return issue.message
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
      return 'another value'
  }
}
