import { readSmallFile } from '@contextd/shared/files/small-file'
import { checkRules, type CheckedRules } from './compile-rules.ts'
import { fileProblem } from './rules-problem.ts'

/**
 * Checks the content of a rules file. Bytes that are not valid UTF-8 are rejected: a replacement character could
 * change the meaning of a rule.
 */
export function checkRulesBytes(bytes: Uint8Array, file: string): CheckedRules {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { examples: [], problems: [fileProblem(file, 'is not UTF-8 text')] }
  }
  return checkRules({ text, file })
}

/** Everything that is wrong with a rules file, and the result of each of its examples. */
export function testRulesFile(path: string): CheckedRules {
  const read = readSmallFile(path)
  if (read.kind === 'bytes') return checkRulesBytes(read.bytes, path)
  return {
    examples: [],
    problems: [fileProblem(path, read.kind === 'missing' ? 'does not exist' : read.why)],
  }
}
