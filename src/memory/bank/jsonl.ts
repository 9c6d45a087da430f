/** Memories on their way to another store and back: one JSON object a line, with everything there is to a memory. */

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

/** A memory as files have it. */
export interface PortableMemory {
  readonly memory: Memory
  /** Who numbered the `[SECRET_n]` in its texts; absent where there are none. */
  readonly tokensOf?: string
}

/** For what a file written by hand does not say. */
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

/** What stands in a file for a memory. Its confidence is not written: it follows from `helped` and `misled`. */
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

/** One line without its end. */
export function toJsonLine(portable: PortableMemory): string {
  return visibleJson(toFields(portable))
}

/** What nobody would see, or would take for the end of a line, is escaped; to a program it is the same JSON. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** One line of a file; `line` counts from 1. */
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

/** Everything that is wrong with what a file says of a memory. */
export function portableIssues(fields: unknown): SchemaIssue[] {
  const issues = schemaIssues(portableSchema, fields)
  return issues.length > 0 ? issues : unfitIssues(fields as PortableFields)
}

/** What the bank would not keep. */
function unfitIssues(fields: PortableFields): SchemaIssue[] {
  try {
    refuseUnfit(fields)
    return []
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'INVALID_ARGUMENTS') throw error
    const unfit = error.details.fields as { readonly field: string; readonly expected: string }[]
    return unfit.map(({ field, expected }) => {
      const [, key = field, index] = /^(\w+)\[(\d+)\]$/.exec(field) ?? []
      const path = index === undefined ? [key === 'from' ? 'sources' : key] : [key, Number(index)]
      return { path, part: 'value', message: `expected ${expected}` }
    })
  }
}

/** Of fields without issues. */
export function fromFields(fields: unknown, defaults: PortableDefaults): PortableMemory {
  const said = portableSchema.parse(fields)
  const prior = priorEvidence(said.confidence)
  const counts = { helped: said.helped ?? prior.helped, misled: said.misled ?? prior.misled }
  const created = said.created ?? defaults.now
  const project = said.project ?? defaults.project
  return {
    memory: {
      id: said.id ?? idOfWords([said.scope, project, said.title, said.description, said.content]),
      title: said.title,
      description: said.description,
      content: said.content,
      outcome: said.outcome,
      task: said.task,
      tags: said.tags,
      scope: said.scope,
      project,
      agent: said.agent ?? defaults.agent,
      session: said.session ?? defaults.session,
      ...(said.branch !== undefined && { branch: said.branch }),
      sources: said.sources,
      evidence: counts,
      confidence: confidenceOf(counts),
      created,
      changed: said.changed ?? created,
      ...(said.used !== undefined && { used: said.used }),
      ...(said.merged_into !== undefined && { mergedInto: said.merged_into }),
    },
    ...(said.tokens_of !== undefined && { tokensOf: said.tokens_of }),
  }
}

/** The same for the same words, so that a file without ids can be imported again and adds nothing. */
function idOfWords(words: readonly string[]): string {
  return `mem_${createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 24)}`
}

function isoTime(time: number): string {
  return new Date(time).toISOString()
}
