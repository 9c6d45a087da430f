/** Checks arguments against the schema an upstream server gave, before they leave. A stranger wrote that schema. */

import { isJsonObject, valueAt, type Json, type JsonObject } from '../../core/json.ts'
import type { FieldIssue, ToolDefinition } from '../../core/tool.ts'
import { inTime } from '../in-time.ts'

export type CheckArguments = (args: JsonObject) => readonly FieldIssue[]

const compileMs = 2000
const checkMs = 1000
const mostIssues = 20
/** Of what the checker says of them. */
const mostChars = 10_000
/** Arguments with more values than this are checked against the clock. */
const mostValues = 1000
/** Names come from the caller. A longer one may be a secret. */
const longestName = 32

const known = new WeakMap<ToolDefinition, CheckArguments | Promise<CheckArguments>>()

/**
 * At once where it is prepared. A schema that cannot be used checks nothing: the server itself will say what is wrong.
 */
export function argumentCheck(definition: ToolDefinition): CheckArguments | Promise<CheckArguments> {
  const there = known.get(definition)
  if (there !== undefined) return there
  const prepared = prepare(definition.inputSchema).then((check) => {
    known.set(definition, check)
    return check
  })
  known.set(definition, prepared)
  return prepared
}

async function prepare(schema: JsonObject): Promise<CheckArguments> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv')
  const compiled = inTime(() => {
    try {
      return new AjvJsonSchemaValidator().getValidator(schema)
    } catch {
      return null
    }
  }, compileMs)
  if (compiled === undefined || compiled === null) return () => []
  const isTame = !hasWildKeyword(schema)
  const check: CheckArguments = (args) => {
    const checked = compiled(args)
    return checked.valid ? [] : issuesIn((checked.errorMessage ?? '').slice(0, mostChars), schema, args)
  }
  return (args) =>
    isTame && isSmall(args)
      ? check(args)
      : (inTime(() => check(args), checkMs) ?? [
          { field: '', expected: 'arguments that can be checked in time' },
        ])
}

/** Every value that is wrong gives an error of its own, and more than one where there are choices. */
function isSmall(args: JsonObject): boolean {
  let left = mostValues
  const walk = (value: Json): boolean =>
    (left -= 1) >= 0 && (typeof value !== 'object' || value === null || Object.values(value).every(walk))
  return walk(args)
}

/** Whatever can take much longer than the arguments are long. Watching over the check costs more than the check. */
const wild = new Set([
  'pattern',
  'patternProperties',
  'format',
  'uniqueItems',
  'contains',
  '$ref',
  '$dynamicRef',
])

function hasWildKeyword(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hasWildKeyword)
  if (!isJsonObject(schema)) return false
  return Object.entries(schema).some(([key, value]) => wild.has(key) || hasWildKeyword(value))
}

/** Reads `data/lines/2 must be string, data must have required property 'path'`. */
function issuesIn(message: string, schema: JsonObject, args: JsonObject): FieldIssue[] {
  const issues = message.split(/, (?=data[/ ])/).flatMap((problem): FieldIssue[] => {
    const [, path = '', what = 'another value'] = /^data(\S*) (?:must )?(?:be )?(.*)$/s.exec(problem) ?? []
    const missing = /^have required property '(.*)'$/.exec(what)?.[1]
    const steps = path.split('/').slice(1)
    if (missing !== undefined) return [{ field: fieldName([...steps, missing]), expected: 'required' }]
    const there = schemaAt(schema, steps)
    if (what === 'NOT have additional properties') return unknownFields(there, valueAt(args, steps), steps)
    return [{ field: fieldName(steps), expected: choiceIn(what, there) ?? what }]
  })
  return issues.slice(0, mostIssues)
}

/** The checker says that there is a field too many, but not which one. */
function unknownFields(schema: Json | undefined, value: Json | undefined, steps: string[]): FieldIssue[] {
  const known = isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const expected = `no such field; known are ${known.join(', ') || 'none'}`
  const unknown = isJsonObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : []
  return unknown.map((name) => ({ field: fieldName([...steps, name]), expected }))
}

const mostChoices = 20

function choiceIn(what: string, schema: Json | undefined): string | undefined {
  const choices = isJsonObject(schema) ? schema.enum : undefined
  if (what !== 'equal to one of the allowed values' || !Array.isArray(choices)) return undefined
  const more = choices.length > mostChoices ? ', …' : ''
  return `one of ${choices.slice(0, mostChoices).map(asText).join(', ')}${more}`
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What the schema says of a place, where that is plain. */
function schemaAt(schema: Json | undefined, steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>((at, step) => {
    if (!isJsonObject(at)) return undefined
    if (isJsonObject(at.properties) && Object.hasOwn(at.properties, step)) return at.properties[step]
    return /^\d+$/.test(step) ? at.items : undefined
  }, schema)
}

function fieldName(steps: readonly string[]): string {
  return steps.map((step) => (step.length > longestName ? '(unknown)' : step)).join('.')
}
