/** What a branch makes of an answer: how long it may be, what its worker is told beside it, and what it counts. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { BranchUsage, CountTokens } from '../../core/ports.ts'
import type { Answer, Fault } from '../../core/result.ts'
import type { FittedAnswer } from './fit-result.ts'
import { countUpTo } from './truncate.ts'

/**
 * Whoever works in a branch of its own reads every answer in the context that the branch is to spare. What is longer than
 * this comes as a preview; `read_more` gives as much as anywhere. Less than that has no room for a few lines beside what
 * says where the rest is.
 */
const foldedFrom = 500
const previewTokens = 250

/** The share of its budget at which a branch is told to come to an end. */
const warnedAt = 0.8

export interface BranchRoom {
  /** At most so many tokens, with room for what may have to be said beside them. */
  readonly limit: number
  /** What the answer would have had outside of any branch, once it is known what it has here. */
  produced(tokens: number): number
  /** The answer with what its reader must know of the branch. Says nothing where that has no room. */
  tell(fitted: FittedAnswer, left: number): FittedAnswer
}

export interface Answered {
  readonly result: Answer | Fault
  /** Tokens it may have outside of any branch. */
  readonly ordinary: number
  /** Its tool works at any budget, and is what is called at the end of one. */
  readonly isFree: boolean
  /** The caller came into the branch with this call. */
  readonly isNew: boolean
}

export function branchRoom(
  branch: BranchUsage,
  { result, ordinary, isFree, isNew }: Answered,
  count: CountTokens,
): BranchRoom {
  const whole = branch.isOwn ? sizeOf(result, ordinary, count) : undefined
  const limit = whole !== undefined && isFolded(result, whole, isFree) ? previewTokens : ordinary
  const welcome = isNew ? [welcomeTo(branch)] : []
  const warning = warningOf(branch)
  const mayWarn = !isWarned(branch, 0)
  const reserved = count([...welcome, ...(mayWarn ? [warning] : [])].join(' '))
  return {
    limit: limit - reserved,
    produced: (tokens) => Math.max(tokens, whole ?? 0),
    tell(fitted, left) {
      const warns = mayWarn && isWarned(branch, fitted.tokens + reserved)
      const note = [...welcome, ...(warns ? [warning] : [])].join(' ')
      const tokens = fitted.tokens + count(note)
      return note === '' || tokens > left
        ? fitted
        : { ...fitted, tokens, answer: withNote(fitted.answer, note, tokens) }
    },
  }
}

/** What is read on behind a ref was asked for. */
function isFolded(result: Answer | Fault, whole: number, isFree: boolean): boolean {
  if (whole <= foldedFrom || isFree) return false
  return result.kind === 'fault' || result.slice === undefined
}

function sizeOf(result: Answer | Fault, most: number, count: CountTokens): number {
  const tokens = (text: string): number => countUpTo(text, most, count)
  if (result.kind === 'fault') return Math.min(most, tokens(JSON.stringify(result.error)))
  const { structured, content, own } = result
  const texts = tokens(content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n'))
  const data = structured === undefined ? 0 : tokens(JSON.stringify(structured))
  // Of others' answers a client shows one or the other.
  return Math.min(most, own ? texts + data : Math.max(texts, data))
}

function isWarned({ used, budget }: BranchUsage, more: number): boolean {
  return used + more >= budget * warnedAt
}

function welcomeTo({ id, budget, used }: BranchUsage): string {
  return `You work in branch ${id} with ${budget - used} tokens: end it with \`return\`.`
}

function warningOf({ id, budget }: BranchUsage): string {
  return `Branch ${id} has used 80 % of its ${budget} tokens: \`return\` soon.`
}

/** Clients show either form of our own answers, so it stands in both; beside others' as a text of its own. */
function withNote(answer: Answer, note: string, tokens: number): Answer {
  const { structured, content } = answer
  if (!answer.own || !isJsonObject(structured)) {
    return { ...answer, content: [...content, { type: 'text', text: note }] }
  }
  const [first, ...others] = content
  const said = typeof structured.note === 'string' ? `${structured.note} ${note}` : note
  const { data = null, note: _, ...rest } = structured
  const shown: JsonObject = { data, note: said, ...rest, tokens_used: tokens }
  const text = typeof first?.text === 'string' ? first.text : ''
  return { ...answer, content: [{ type: 'text', text: `${text}\n${note}` }, ...others], structured: shown }
}
