import { describeError } from '../../core/errors/errors.ts'
import { isWithinDepth, type Json } from '@contextd/shared/json/value'
import { answer, failure, type Answer } from '../../core/result.ts'
import type { ToolRunResult } from './executor.ts'

/** Later processing is recursive, and every level uses stack. */
const maxDepth = 64

/** The output of a tool: parsed if it is JSON, otherwise text. JSON that is nested too deeply stays text. */
export function parseOutput({ stdout }: ToolRunResult): Answer {
  const text = stdout.toString()
  let value: Json = text
  try {
    value = JSON.parse(text) as Json
  } catch {
    // Not JSON.
  }
  return answer(isWithinDepth(value, maxDepth) ? value : text)
}

/** Characters of the end of stderr, where programs report errors. */
const tailLength = 2000

/**
 * The error of a failed tool, with the end of its output. The output is scrubbed before it is cut: half a secret is not
 * recognised. `hit` describes the limit that was exceeded, if any.
 */
export async function toolFailure(
  { exitCode, limit, stderr }: ToolRunResult,
  scrub: (text: string) => Promise<string>,
  hit?: string,
): Promise<Answer> {
  const output = (await scrub(stderr.toString())).trim()
  const tail = output.length > tailLength ? `…${output.slice(-tailLength)}` : output
  const cause = hit ?? `It ended with code ${exitCode}`
  const error = describeError('TOOL_FAILED', {
    exit_code: exitCode,
    limit,
    hint: tail === '' ? `${cause}, and printed nothing to standard error.` : `${cause}. It printed:\n${tail}`,
  })
  return failure(error)
}
