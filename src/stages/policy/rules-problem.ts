import type { ContextdError } from '../../core/errors/errors.ts'
import { invalidFile, type JsonProblem } from '../../platform/config/json-problem.ts'

export { fileProblem, formatProblem, placeProblem } from '../../platform/config/json-problem.ts'

/** A problem in a rules file, with its position. */
export type RulesProblem = JsonProblem

export function rulesInvalid(problems: readonly RulesProblem[]): ContextdError {
  return invalidFile('RULES_INVALID', problems)
}
