/** Validates a tool's input against its schema.json. The schema is untrusted, so its time is limited. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { FieldIssue } from '../../core/tool.ts'
import { inTime } from '../in-time.ts'
import { loadMakeLinear } from '../linear-schema.ts'

export interface InputSchema {
  /** The problems of the input; never its values. */
  check(input: JsonObject): readonly FieldIssue[]
}

export type CompiledSchema =
  | { readonly ok: true; readonly schema: InputSchema }
  | { readonly ok: false; readonly problem: string }

/** Far more than a valid schema needs, even on a busy machine; a malicious one can keep a compiler busy forever. */
const compileMs = 10_000
const checkMs = 2000
const maxIssues = 20
/** Names come from the caller. A longer one may be a secret. */
const maxNameLength = 32

/** The keywords of draft-07, and `$defs`. An unknown keyword is a problem: it would look as if it were checked. */
export async function compileSchema(schema: JsonObject): Promise<CompiledSchema> {
  // Already loaded by the MCP server; commands that validate nothing never load it.
  const { Ajv, addFormats } = await import('@modelcontextprotocol/server/validators/ajv')
  const engine = new Ajv({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allErrors: true,
    logger: false,
  })
  addFormats(engine)
  const makeLinear = await loadMakeLinear()
  makeLinear(engine, (_, problem) => {
    throw problem
  })
  const compiled = inTime(() => {
    try {
      return engine.compile(schema)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }, compileMs)
  if (compiled === undefined) return { ok: false, problem: 'is too complex to compile' }
  if (typeof compiled !== 'string' && '$async' in compiled)
    return { ok: false, problem: 'contains "$async", which is not a keyword of draft-07' }
  if (typeof compiled === 'string')
    return { ok: false, problem: compiled.replace(/^(?:schema is invalid|strict mode): /, '') }
  return {
    ok: true,
    schema: {
      check(input) {
        const isValid = inTime(() => compiled(input), checkMs)
        if (isValid === true) return []
        if (isValid === undefined) return [{ field: '', expected: 'an input that can be checked in time' }]
        return (compiled.errors ?? []).slice(0, maxIssues).map(toIssue)
      },
    },
  }
}

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Record<string, unknown>
  readonly message?: string
}

function toIssue({ instancePath, keyword, params, message = 'another value' }: SchemaError): FieldIssue {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required')
    return { field: fieldName([...path, String(params.missingProperty)]), expected: 'required' }
  if (keyword === 'additionalProperties') {
    return { field: fieldName([...path, String(params.additionalProperty)]), expected: 'no such field' }
  }
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    const values = params.allowedValues.slice(0, maxIssues).map((value) => JSON.stringify(value))
    return { field: fieldName(path), expected: `one of ${values.join(', ')}` }
  }
  return { field: fieldName(path), expected: message.replace(/^must (?:be )?/, '') }
}

/** `env.PATH`, `lines[2]`. */
function fieldName(path: readonly string[]): string {
  return path.reduce((start, step) => {
    if (/^\d+$/.test(step)) return `${start}[${step}]`
    return `${start}${start && '.'}${step.length > maxNameLength ? '(unknown)' : step}`
  }, '')
}
