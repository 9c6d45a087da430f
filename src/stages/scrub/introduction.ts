/**
 * Explains tokens to an agent in the first answer that contains one; otherwise it would take a token for the user's
 * mistake.
 */

import { introduction } from '../../core/introduction.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { Answer, Result } from '../../core/result.ts'

/** Errors have their own texts, and lists and resources have no room for ours. */
export function isIntroducible(result: Result): result is Answer {
  return result.kind === 'answer' && result.isError !== true
}

export function introduceTokens(answer: Answer): Answer {
  return addNote(answer, introduction)
}

/**
 * Adds a note where clients show it: to our own structured data, else as a separate text. Other servers' structured
 * content stays valid against its schema.
 */
export function addNote(answer: Answer, note: string): Answer {
  const { structured, content } = answer
  if (!answer.own || !isJsonObject(structured))
    return { ...answer, content: [...content, { type: 'text', text: note }] }
  const allNotes = typeof structured.note === 'string' ? `${structured.note} ${note}` : note
  return { ...answer, structured: { ...structured, note: allNotes } }
}
