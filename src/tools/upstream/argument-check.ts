/** Checks arguments against the schema an upstream server gave, before they leave. A stranger wrote that schema. */

import { createHash } from 'node:crypto'

import { isJsonObject, valueAt, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { FieldIssue, ToolDefinition } from '../../core/tool.ts'
import { inTime } from '../in-time.ts'
import { loadMakeLinear, type SchemaEngine } from '../linear-schema.ts'

export type CheckArguments = (args: JsonObject) => readonly FieldIssue[]

const compileMs = 2000
/** Few arguments take this long only where the schema is made for it. */
const checkMs = 250
const maxIssues = 20
/** Of what the checker says of them. */
const maxChars = 10_000
/** Of arguments with more values than this only the first mistake is looked for. */
const maxValues = 1000
/** Names come from the caller. A longer one may be a secret. */
const maxNameLength = 32

/**
 * When a schema that took too long is asked again, by the hash of its text, as a server can send the same one twice.
 * Each time it is asked, every other caller waits. Large arguments have their own entry, so that they do not block small ones.
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
  const digest = createHash('sha256').update(JSON.stringify(schema)).digest('base64')
  const compile = await loadCompile()
  const findAll = isTooSlow(digest) ? undefined : compile(schema, true)
  if (findAll === undefined) rememberSlow(digest)
  if (findAll === undefined || findAll === null) return () => []
  let findFirst: Validate | undefined
  const isTame = !hasWildKeyword(schema)
  const check = (validate: Validate, args: JsonObject): readonly FieldIssue[] => {
    const checked = validate(args)
    return checked.valid ? [] : issuesIn((checked.errorMessage ?? '').slice(0, maxChars), schema, args)
  }
  return (args) => {
    const isLarge = !isSmall(args)
    if (isTame && !isLarge) return check(findAll, args)
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
/** Null for a schema that cannot be used, undefined for one that takes too long to prepare. */
type Compile = (schema: JsonObject, allErrors: boolean) => Validate | null | undefined

async function loadCompile(): Promise<Compile> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv')
  const makeLinear = await loadMakeLinear()
  return (schema, allErrors) => {
    const names = patternNamesIn(schema)
    return inTime(() => {
      try {
        const validator = new AjvJsonSchemaValidator()
        // The SDK gives no other way to the engines of the newer drafts.
        const engine = validator['_engineFor'](schema) as SchemaEngine
        engine.opts.allErrors = allErrors
        makeLinear(engine, (source, problem) => {
          // The server checks it. A name that may or may not fit would change what the fields around it mean.
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

/** The patterns that choose fields. */
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

/** Every value that is wrong gives an error of its own, and more than one where there are choices. */
function isSmall(args: JsonObject): boolean {
  let left = maxValues
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
  return issues.slice(0, maxIssues)
}

/** The checker says that there is a field too many, but not which one. */
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

/** What the schema says of a place, where that is plain. */
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
