/** Tells an agent, with the first answer that has one, what a token is: else it takes it for a mistake of the person. */

import { introduction } from '../../core/introduction.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { Answer, Result } from '../../core/result.ts'

/** Errors have their own words, and lists and resources no room for ours. */
export function isIntroducible(result: Result): result is Answer {
  return result.kind === 'answer' && result.isError !== true
}

export function introduceTokens(answer: Answer): Answer {
  return addNote(answer, introduction)
}

/** Where a client shows it: beside our own data, else as a text of its own. What others promise of their structure holds. */
export function addNote(answer: Answer, note: string): Answer {
  const { structured, content } = answer
  if (!answer.own || !isJsonObject(structured))
    return { ...answer, content: [...content, { type: 'text', text: note }] }
  const said = typeof structured.note === 'string' ? `${structured.note} ${note}` : note
  return { ...answer, structured: { ...structured, note: said } }
}
