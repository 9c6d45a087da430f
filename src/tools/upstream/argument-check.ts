/** Checks arguments against the schema of an upstream server before they are sent. The schema is untrusted. */

import { createHash } from 'node:crypto'

import { isJsonObject, valueAt, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { FieldIssue, ToolDefinition } from '../../core/tool.ts'
import { inTime } from '../in-time.ts'
import { loadMakeLinear, type SchemaEngine } from '../linear-schema.ts'

export type CheckArguments = (args: JsonObject) => readonly FieldIssue[]

const compileMs = 2000
/** Few arguments take this long only if the schema is malicious. */
const checkMs = 250
const maxIssues = 20
/** Of the validator's message. */
const maxChars = 10_000
/** For arguments with more values, only the first mistake is reported. */
const maxValues = 1000
/** Field names come from the caller. A longer one may be a secret. */
const maxNameLength = 32

/**
 * When a schema that was too slow may be used again, by the hash of its text, because a server can send the same one twice.
 * Every use blocks all other callers. Large arguments have their own entry, so that they do not block small ones.
 */
const tooSlowUntil = new Map<string, number>()
const pauseMs = 60_000
const maxRemembered = 1000

function rememberSlow(digest: string): void {
  const [oldest] = tooSlowUntil.keys()
  if (tooSlowUntil.size >= maxRemembered && oldest !== undefined) tooSlowUntil.delete(oldest)
  tooSlowUntil.set(digest, performance.now() + pauseMs)
}

function isTooSlow(digest: string): boolean {
  return (tooSlowUntil.get(digest) ?? 0) > performance.now()
}

const notInTime: readonly FieldIssue[] = [{ field: '', expected: 'arguments that can be checked in time' }]

const known = new WeakMap<ToolDefinition, CheckArguments | Promise<CheckArguments>>()

/** Synchronous once prepared. An unusable schema checks nothing: the server itself reports what is wrong. */
export function argumentCheck(definition: ToolDefinition): CheckArguments | Promise<CheckArguments> {
  const existing = known.get(definition)
  if (existing !== undefined) return existing
  const prepared = prepare(definition.inputSchema).then((check) => {
    known.set(definition, check)
    return check
  })
  known.set(definition, prepared)
  return prepared
}

async function prepare(schema: JsonObject): Promise<CheckArguments> {
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
  const compile = await loadCompile()
  const findAll = isTooSlow(digest) ? undefined : compile(schema, true)
  if (findAll === undefined) rememberSlow(digest)
  if (findAll === undefined || findAll === null) return () => []
  let findFirst: Validate | undefined
  const isFast = !hasSlowKeyword(schema)
  const check = (validate: Validate, args: JsonObject): readonly FieldIssue[] => {
    const checked = validate(args)
    return checked.valid ? [] : issuesIn((checked.errorMessage ?? '').slice(0, maxChars), schema, args)
  }
  return (args) => {
    const isLarge = !isSmall(args)
    if (isFast && !isLarge) return check(findAll, args)
    const key = isLarge ? `${digest} large` : digest
    if (isTooSlow(key)) return notInTime
    if (isLarge) findFirst ??= compile(schema, false) ?? findAll
    const validate = isLarge ? findFirst! : findAll
    const issues = inTime(() => check(validate, args), checkMs)
    if (issues === undefined) rememberSlow(key)
    return issues ?? notInTime
  }
}

type Validate = (args: JsonObject) => { readonly valid: boolean; readonly errorMessage?: string | undefined }
/** Returns null for an unusable schema, undefined for one that takes too long to prepare. */
type Compile = (schema: JsonObject, allErrors: boolean) => Validate | null | undefined

async function loadCompile(): Promise<Compile> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv')
  const makeLinear = await loadMakeLinear()
  return (schema, allErrors) => {
    const names = patternNamesIn(schema)
    return inTime(() => {
      try {
        const validator = new AjvJsonSchemaValidator()
        // The SDK offers no other access to the engines for the newer drafts.
        const engine = validator['_engineFor'](schema) as SchemaEngine
        engine.opts.allErrors = allErrors
        makeLinear(engine, (source, problem) => {
          // The server checks skipped patterns itself. A skipped `patternProperties` name would change what other keywords apply to.
          if (names.has(source)) throw problem
          return { test: () => true }
        })
        return validator.getValidator(schema)
      } catch {
        return null
      }
    }, compileMs)
  }
}

/** Patterns that select fields. */
function patternNamesIn(schema: Json): ReadonlySet<string> {
  const names = new Set<string>()
  const walk = (value: Json): void => {
    if (isJsonObject(value) && isJsonObject(value.patternProperties))
      for (const name of Object.keys(value.patternProperties)) names.add(name)
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  walk(schema)
  return names
}

/** Each invalid value causes at least one error, so the number of values bounds the work. */
function isSmall(args: JsonObject): boolean {
  let left = maxValues
  const walk = (value: Json): boolean =>
    (left -= 1) >= 0 && (typeof value !== 'object' || value === null || Object.values(value).every(walk))
  return walk(args)
}

/** Keywords that can take more than linear time. Only these need a time limit, which costs more than the check. */
const slowKeywords = new Set([
  'pattern',
  'patternProperties',
  'format',
  'uniqueItems',
  'contains',
  '$ref',
  '$dynamicRef',
])

function hasSlowKeyword(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(hasSlowKeyword)
  if (!isJsonObject(schema)) return false
  return Object.entries(schema).some(([key, value]) => slowKeywords.has(key) || hasSlowKeyword(value))
}

/** Reads `data/lines/2 must be string, data must have required property 'path'`. */
function issuesIn(message: string, schema: JsonObject, args: JsonObject): FieldIssue[] {
  const issues = message.split(/, (?=data[/ ])/).flatMap((problem): FieldIssue[] => {
    const [, path = '', what = 'another value'] = /^data(\S*) (?:must )?(?:be )?(.*)$/s.exec(problem) ?? []
    const missing = /^have required property '(.*)'$/.exec(what)?.[1]
    const steps = path.split('/').slice(1)
    if (missing !== undefined) return [{ field: fieldName([...steps, missing]), expected: 'required' }]
    const subschema = schemaAt(schema, steps)
    if (what === 'NOT have additional properties')
      return unknownFields(subschema, valueAt(args, steps), steps)
    return [{ field: fieldName(steps), expected: choiceIn(what, subschema) ?? what }]
  })
  return issues.slice(0, maxIssues)
}

/** The validator reports that there is an unknown field, but not which one. */
function unknownFields(schema: Json | undefined, value: Json | undefined, steps: string[]): FieldIssue[] {
  const known = isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : []
  const expected = `no such field; known are ${known.join(', ') || 'none'}`
  const unknown = isJsonObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : []
  return unknown.map((name) => ({ field: fieldName([...steps, name]), expected }))
}

const maxChoices = 20

function choiceIn(what: string, schema: Json | undefined): string | undefined {
  const choices = isJsonObject(schema) ? schema.enum : undefined
  if (what !== 'equal to one of the allowed values' || !Array.isArray(choices)) return undefined
  const more = choices.length > maxChoices ? ', …' : ''
  return `one of ${choices.slice(0, maxChoices).map(asText).join(', ')}${more}`
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The subschema for a path, if `properties` and `items` lead to it. */
function schemaAt(schema: Json | undefined, steps: readonly string[]): Json | undefined {
  return steps.reduce<Json | undefined>((at, step) => {
    if (!isJsonObject(at)) return undefined
    if (isJsonObject(at.properties) && Object.hasOwn(at.properties, step)) return at.properties[step]
    return /^\d+$/.test(step) ? at.items : undefined
  }, schema)
}

function fieldName(steps: readonly string[]): string {
  return steps.map((step) => (step.length > maxNameLength ? '(unknown)' : step)).join('.')
}
