/** How a branch affects an answer: its max length, notes for its worker, and what is charged. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { BranchUsage } from '../../core/ports.ts'
import type { Answer, Fault } from '../../core/result.ts'
import { ownTokens, type FitOptions, type FittedAnswer } from './fit-own.ts'
import { countUpTo } from './truncate.ts'
import { counted } from '@contextd/shared/text/counted'

/**
 * The opener of a branch that works in it itself reads every answer in the context that the branch is meant to spare.
 * Longer answers are returned as previews; `read_more` returns as much as usual. A shorter preview would have no room
 * for content next to the reference to the rest.
 */
const foldThreshold = 500
const previewTokens = 250

/** The share of its budget at which a branch is asked to finish. */
const warningShare = 0.8

export interface BranchRoom {
  /** Max tokens of the answer, with room reserved for notes. */
  readonly limit: number
  /** The size of the answer without a branch, given its size here. */
  produced(tokens: number): number
  /** Adds notes about the branch to the answer, unless there is no room. */
  addBranchNotes(fitted: FittedAnswer, left: number): FittedAnswer
}

export interface Answered {
  readonly result: Answer | Fault
  /** Max tokens it may have without a branch. */
  readonly ordinary: number
  /** Its tool works at any budget, as needed at the end of one. */
  readonly isFree: boolean
  /** The caller joined the branch with this call. */
  readonly isNew: boolean
}

/** How answers are shown and counted. */
type AnswerForm = Pick<FitOptions, 'count' | 'textOnly' | 'renderText'>

export function branchRoom(
  branch: BranchUsage,
  { result, ordinary, isFree, isNew }: Answered,
  form: AnswerForm,
): BranchRoom {
  const { count } = form
  const fullTokens = branch.isOwn ? sizeOf(result, ordinary, form) : undefined
  const limit = fullTokens !== undefined && isFolded(result, fullTokens, isFree) ? previewTokens : ordinary
  const joinNotes = isNew ? [joinNote(branch)] : []
  const warning = warningOf(branch)
  const mayWarn = !isWarned(branch, 0)
  const reserved = count([...joinNotes, ...(mayWarn ? [warning] : [])].join(' '))
  return {
    limit: limit - reserved,
    produced: (tokens) => Math.max(tokens, fullTokens ?? 0),
    addBranchNotes(fitted, left) {
      const needsWarning = mayWarn && isWarned(branch, fitted.tokens + reserved)
      const note = [...joinNotes, ...(needsWarning ? [warning] : [])].join(' ')
      const tokens = fitted.tokens + count(note)
      return note === '' || tokens > left
        ? fitted
        : { ...fitted, tokens, answer: withNote(fitted.answer, note, tokens) }
    },
  }
}

/** Slices of a ref were requested explicitly. */
function isFolded(result: Answer | Fault, fullTokens: number, isFree: boolean): boolean {
  if (fullTokens <= foldThreshold || isFree) return false
  return result.kind === 'fault' || result.slice === undefined
}

function sizeOf(result: Answer | Fault, maxTokens: number, form: AnswerForm): number {
  const tokens = (text: string): number => countUpTo(text, maxTokens, form.count)
  if (result.kind === 'fault') return Math.min(maxTokens, tokens(JSON.stringify(result.error)))
  const { structured, content, own } = result
  if (own) return Math.min(maxTokens, ownTokens(result, maxTokens, form))
  const texts = tokens(content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n'))
  const data = structured === undefined ? 0 : tokens(JSON.stringify(structured))
  // A client shows either.
  return Math.min(maxTokens, Math.max(texts, data))
}

function isWarned({ used, budget }: BranchUsage, more: number): boolean {
  return used + more >= budget * warningShare
}

function joinNote({ id, budget, used }: BranchUsage): string {
  return `You work in branch ${id} with ${counted(budget - used, 'token')}: end it with \`return\`.`
}

function warningOf({ id, budget }: BranchUsage): string {
  return `Branch ${id} has used 80 % of its ${budget} tokens: \`return\` soon.`
}

/**
 * Clients show either form of our own answers, so both contain the note; other servers' answers get a separate text
 * block.
 */
function withNote(answer: Answer, note: string, tokens: number): Answer {
  const { structured, content } = answer
  if (!answer.own || !isJsonObject(structured)) {
    return { ...answer, content: [...content, { type: 'text', text: note }] }
  }
  const [first, ...others] = content
  const allNotes = typeof structured.note === 'string' ? `${structured.note} ${note}` : note
  const { data = null, note: _, ...rest } = structured
  const shown: JsonObject = { data, note: allNotes, ...rest, tokens_used: tokens }
  const text = typeof first?.text === 'string' ? first.text : ''
  return { ...answer, content: [{ type: 'text', text: `${text}\n${note}` }, ...others], structured: shown }
}
