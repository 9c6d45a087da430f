/** Limits and validation of a memory's fields. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { FieldIssue } from '../../core/tool.ts'
import { hiddenIn, withoutHidden } from '../../platform/hidden-characters.ts'
import { outcomes } from './memory.ts'

/** Max characters of texts, and max number of list items. */
export const memoryLimits = {
  title: 200,
  description: 1000,
  content: 50_000,
  task: 4000,
  comment: 2000,
  tag: 50,
  tags: 20,
  sources: 10,
} as const

export interface MemoryFields {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly content?: string | undefined
  readonly outcome?: string | undefined
  readonly task?: string | undefined
  readonly comment?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly confidence?: number | undefined
  readonly scope?: string | undefined
  readonly sources?: readonly string[] | undefined
}

/** A memory requires them. */
const requiredFields = ['title', 'description', 'content'] as const
const optionalFields = ['task', 'comment'] as const

/** Throws INVALID_ARGUMENTS listing everything wrong with the fields that are present. */
export function refuseUnfit(fields: MemoryFields): void {
  const issues: FieldIssue[] = []
  const add = (field: string, expected: string | undefined): void => {
    if (expected !== undefined) issues.push({ field, expected })
  }
  for (const name of requiredFields) add(name, textProblem(fields[name], memoryLimits[name], true))
  for (const name of optionalFields) add(name, textProblem(fields[name], memoryLimits[name], false))
  const { outcome, scope, confidence, tags = [], sources = [] } = fields
  if (outcome !== undefined && !outcomes.some((one) => one === outcome))
    add('outcome', `one of ${outcomes.join(', ')}`)
  if (scope !== undefined && scope !== 'project' && scope !== 'user') add('scope', 'one of project, user')
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) add('confidence', 'from 0 to 1')
  if (tags.length > memoryLimits.tags) add('tags', `at most ${memoryLimits.tags} items`)
  for (const [at, tag] of tags.slice(0, memoryLimits.tags).entries())
    add(`tags[${at}]`, textProblem(tag, memoryLimits.tag, true))
  if (sources.length > memoryLimits.sources) add('from', `at most ${memoryLimits.sources} items`)
  throwIssues(issues)
}

/** Whether this is a valid id of contextd. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text)
}

/** Whether a text can be stored unscrubbed as a path or an external id. */
export function isName(text: string): boolean {
  return text.length <= 4096 && hiddenIn(text).length === 0 && !/[\t\n\r]/.test(text) && text.isWellFormed()
}

/** Throws INVALID_ARGUMENTS if there are any. */
export function throwIssues(issues: readonly FieldIssue[]): void {
  if (issues.length === 0) return
  throw new ContextdError('INVALID_ARGUMENTS', {
    fields: issues.map(({ field, expected }) => ({ field, expected })),
  })
}

/** Characters that no written text contains, and that may break a terminal or a store. */
// oxlint-disable-next-line no-control-regex
const binary = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

function textProblem(text: string | undefined, maxLength: number, isRequired: boolean): string | undefined {
  if (text === undefined) return undefined
  if (isRequired && withoutHidden(text).trim() === '') return 'text that is not empty'
  if (text.length > maxLength) return `at most ${maxLength} characters`
  if (binary.test(text) || !text.isWellFormed()) return 'text without binary or control characters'
  return undefined
}
