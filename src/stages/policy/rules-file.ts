import { readSmallFile } from '@contextd/shared/files/small-file'
import { checkRules, type CheckedRules } from './compile-rules.ts'
import { fileProblem } from './rules-problem.ts'

/** Checks what a rules file holds. Bytes that are no UTF-8 are refused: a replaced character could turn one rule into another. */
export function checkRulesBytes(bytes: Uint8Array, file: string): CheckedRules {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { examples: [], problems: [fileProblem(file, 'is not UTF-8 text')] }
  }
  return checkRules({ text, file })
}

/** Everything that is wrong with a rules file, and how each of its examples came out. */
export function testRulesFile(path: string): CheckedRules {
  const read = readSmallFile(path)
  if (read.kind === 'bytes') return checkRulesBytes(read.bytes, path)
  return { examples: [], problems: [fileProblem(path, read.kind === 'missing' ? 'is not there' : read.why)] }
}
