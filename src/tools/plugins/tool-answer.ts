import { describeError } from '../../core/errors/errors.ts'
import { isWithinDepth, type Json } from '@contextd/shared/json/value'
import { answer, failure, type Answer } from '../../core/result.ts'
import type { Executed } from './executor.ts'

/** What follows walks through answers, and every level costs stack. */
const deepest = 64

/** What a tool wrote: JSON where it is JSON, else text. What is nested too deep to be handled stays text. */
export function answerOf({ stdout }: Executed): Answer {
  const text = stdout.toString()
  let value: Json = text
  try {
    value = JSON.parse(text) as Json
  } catch {
    // Then it is text.
  }
  return answer(isWithinDepth(value, deepest) ? value : text)
}

/** Characters of its last words: where programs say what is wrong. */
const tailLength = 2000

/**
 * A tool that did not succeed, with its last words. They are scrubbed before they are cut: half a secret is not
 * recognised. `hit` says in words which limit it hit, if any.
 */
export async function toolFailure(
  { exitCode, limit, stderr }: Executed,
  scrub: (text: string) => Promise<string>,
  hit?: string,
): Promise<Answer> {
  const said = (await scrub(stderr.toString())).trim()
  const tail = said.length > tailLength ? `…${said.slice(-tailLength)}` : said
  const cause = hit ?? `It ended with code ${exitCode}`
  const error = describeError('TOOL_FAILED', {
    exit_code: exitCode,
    limit,
    hint: tail === '' ? `${cause}, without a word on standard error.` : `${cause}. It said:\n${tail}`,
  })
  return failure(error)
}
