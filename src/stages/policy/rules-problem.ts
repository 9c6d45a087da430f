import { ContextdError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import type { JsonDocument } from '../../platform/config/json-source.ts'
import type { SchemaIssue } from '../../platform/config/schema-issues.ts'
import { formatRulePath } from './rule-path.ts'

/** One thing that is wrong with a rules file, and where. */
export interface RulesProblem {
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

const shownProblems = 20

/** A missing key has no place of its own: then the object that lacks it is named. */
export function placeProblem(issue: SchemaIssue, source: JsonDocument, file?: string): RulesProblem {
  let path = issue.path
  let position = source.locate(path, issue.part)
  while (position === undefined) {
    path = path.slice(0, -1)
    position = source.locate(path, issue.part)
  }
  return {
    ...(file !== undefined && { file }),
    ...position,
    path: formatRulePath(issue.path),
    message: issue.message,
  }
}

export function rulesInvalid(problems: readonly RulesProblem[]): ContextdError {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new ContextdError('RULES_INVALID', {
    problem: first === undefined ? 'the rules are not valid' : `${formatProblem(first)}${more}`,
    ...(first?.file !== undefined && { file: first.file }),
    line: first?.line,
    column: first?.column,
    problems: problems.slice(0, shownProblems) as unknown as Json,
  })
}

/** `rules.json:12:7: agents.frontend.alow: unknown key "alow"; did you mean "allow"?` */
export function formatProblem({ file, line, column, path, message }: RulesProblem): string {
  return `${file ?? 'rules'}:${line}:${column}: ${path === '$' ? '' : `${path}: `}${message}`
}
