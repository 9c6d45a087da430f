/** Portable format for memories: one JSON object per line with everything about a memory. */

import { createHash } from 'node:crypto'
import * as z from 'zod'

import { CodedError } from '../../core/errors/errors.ts'
import {
  fileProblem,
  placeProblem,
  type JsonProblem,
  type SchemaIssue,
} from '../../platform/config/json-problem.ts'
import { parseJson } from '@contextd/shared/json/json-source'
import { schemaIssues } from '../../platform/config/schema-issues.ts'
import { confidenceOf, priorEvidence } from './confidence.ts'
import { isId, isName, refuseUnfit } from './memory-fields.ts'
import { outcomes, type Memory } from './memory.ts'

/** A memory as it is written to files. */
export interface PortableMemory {
  readonly memory: Memory
  /** The session that numbered the `[SECRET_n]` tokens in its texts; absent without tokens. */
  readonly tokensOf?: string
}

/** Defaults for fields that a hand-written file omits. */
export interface PortableDefaults {
  readonly project: string
  readonly agent: string
  readonly session: string
  /** Epoch milliseconds. */
  readonly now: number
}

export type ParsedLine =
  | { readonly ok: true; readonly value: PortableMemory }
  | { readonly ok: false; readonly problems: readonly JsonProblem[] }

const text = z.string()
const name = z.string().refine(isName, 'expected at most 4096 characters, none of them a control character')
const id = z.string().refine(isId, 'expected at most 64 letters, digits, "_" or "-"')
const evidence = z.number().min(0).max(1e9)
const time = z.iso
  .datetime({ offset: true, error: 'expected a time such as 2026-11-15T09:30:00Z' })
  .transform((value) => Date.parse(value))
  .refine((value) => value >= 0, 'expected a time after 1970')

const portableSchema = z.strictObject({
  id: id.optional(),
  title: text,
  description: text,
  content: text,
  outcome: z.enum(outcomes),
  task: text.default(''),
  tags: z.array(text).default([]),
  scope: z.enum(['project', 'user']).default('project'),
  project: name.optional(),
  agent: name.optional(),
  session: name.optional(),
  branch: name.optional(),
  sources: z.array(name).default([]),
  confidence: z.number().min(0).max(1).optional(),
  helped: evidence.optional(),
  misled: evidence.optional(),
  created: time.optional(),
  changed: time.optional(),
  used: time.optional(),
  merged_into: id.optional(),
  tokens_of: name.optional(),
})

/** The keys of a memory in a file, in the order they are written. */
export type PortableField = keyof z.input<typeof portableSchema>
export type PortableFields = z.input<typeof portableSchema>

/** The fields written to a file. Confidence is omitted: it follows from `helped` and `misled`. */
export function toFields({ memory, tokensOf }: PortableMemory): PortableFields {
  const { branch, used, mergedInto } = memory
  return {
    id: memory.id,
    title: memory.title,
    description: memory.description,
    outcome: memory.outcome,
    task: memory.task,
    tags: [...memory.tags],
    scope: memory.scope,
    project: memory.project,
    agent: memory.agent,
    session: memory.session,
    ...(branch !== undefined && { branch }),
    sources: [...memory.sources],
    helped: memory.evidence.helped,
    misled: memory.evidence.misled,
    created: isoTime(memory.created),
    changed: isoTime(memory.changed),
    ...(used !== undefined && { used: isoTime(used) }),
    ...(mergedInto !== undefined && { merged_into: mergedInto }),
    ...(tokensOf !== undefined && { tokens_of: tokensOf }),
    content: memory.content,
  }
}

/** One line without the line end. */
export function toJsonLine(portable: PortableMemory): string {
  return visibleJson(toFields(portable))
}

/** Escapes invisible characters and anything that might be taken for a line end; the JSON value stays the same. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Parses one line of a file; `line` starts at 1. */
export function fromJsonLine(
  source: string,
  { file, line }: { readonly file: string; readonly line: number },
  defaults: PortableDefaults,
): ParsedLine {
  const onLine = (problem: JsonProblem): JsonProblem => ({ ...problem, line })
  let fields: unknown
  try {
    fields = JSON.parse(source)
  } catch {
    const fault = parseJson(source)
    const message = fault.ok ? 'is not JSON' : fault.message
    const column = fault.ok ? 1 : fault.column
    return { ok: false, problems: [{ ...fileProblem(file, message), line, column }] }
  }
  const issues = portableIssues(fields)
  if (issues.length === 0) return { ok: true, value: fromFields(fields, defaults) }
  const document = parseJson(source)
  const problems = document.ok
    ? issues.map((issue) => onLine(placeProblem(issue, document, file)))
    : [onLine(fileProblem(file, document.message))]
  return { ok: false, problems }
}

/** Everything that is wrong with the fields of a memory. */
export function portableIssues(fields: unknown): SchemaIssue[] {
  const issues = schemaIssues(portableSchema, fields)
  return issues.length > 0 ? issues : bankIssues(fields as PortableFields)
}

/** Issues that the bank itself would reject. */
function bankIssues(fields: PortableFields): SchemaIssue[] {
  try {
    refuseUnfit(fields)
    return []
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'INVALID_ARGUMENTS') throw error
    const rejected = error.details.fields as { readonly field: string; readonly expected: string }[]
    return rejected.map(({ field, expected }) => {
      const [, key = field, index] = /^(\w+)\[(\d+)\]$/.exec(field) ?? []
      const path = index === undefined ? [key === 'from' ? 'sources' : key] : [key, Number(index)]
      return { path, part: 'value', message: `expected ${expected}` }
    })
  }
}

/** Requires fields without issues. */
export function fromFields(fields: unknown, defaults: PortableDefaults): PortableMemory {
  const parsed = portableSchema.parse(fields)
  const prior = priorEvidence(parsed.confidence)
  const counts = { helped: parsed.helped ?? prior.helped, misled: parsed.misled ?? prior.misled }
  const created = parsed.created ?? defaults.now
  const project = parsed.project ?? defaults.project
  return {
    memory: {
      id: parsed.id ?? contentId([parsed.scope, project, parsed.title, parsed.description, parsed.content]),
      title: parsed.title,
      description: parsed.description,
      content: parsed.content,
      outcome: parsed.outcome,
      task: parsed.task,
      tags: parsed.tags,
      scope: parsed.scope,
      project,
      agent: parsed.agent ?? defaults.agent,
      session: parsed.session ?? defaults.session,
      ...(parsed.branch !== undefined && { branch: parsed.branch }),
      sources: parsed.sources,
      evidence: counts,
      confidence: confidenceOf(counts),
      created,
      changed: parsed.changed ?? created,
      ...(parsed.used !== undefined && { used: parsed.used }),
      ...(parsed.merged_into !== undefined && { mergedInto: parsed.merged_into }),
    },
    ...(parsed.tokens_of !== undefined && { tokensOf: parsed.tokens_of }),
  }
}

/** Derived from the content, so that importing a file without ids again adds nothing. */
function contentId(words: readonly string[]): string {
  return `mem_${createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 24)}`
}

function isoTime(time: number): string {
  return new Date(time).toISOString()
}
