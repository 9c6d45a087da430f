import type { ContextdError } from '../../core/errors/errors.ts'
import { invalidFile, type JsonProblem } from '../../platform/config/json-problem.ts'

export { fileProblem, formatProblem, placeProblem } from '../../platform/config/json-problem.ts'

/** One thing that is wrong with a rules file, and where. */
export type RulesProblem = JsonProblem

export function rulesInvalid(problems: readonly RulesProblem[]): ContextdError {
  return invalidFile('RULES_INVALID', problems)
}
