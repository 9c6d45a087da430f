/** What is wrong with a JSON file that people edit, and where. */

import { ContextdError, type ErrorCode } from '../../core/errors/errors.ts'
import type { Json } from '@contextd/shared/json/value'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import type { JsonDocument } from '@contextd/shared/json/json-source'

export interface JsonProblem {
  /** Absent for a text that is in no file. */
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** What a schema found wrong with a value, before it is known where in the file that is. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[]
  /** What is wrong: the key itself, or the value behind it. */
  readonly part: 'key' | 'value'
  readonly message: string
}

const shownProblems = 20

/** For what is wrong with the whole file. */
export function fileProblem(file: string, message: string): JsonProblem {
  return { file, line: 1, column: 1, path: '$', message }
}

/** A missing key has no place of its own: then the object that lacks it is named. */
export function placeProblem(issue: SchemaIssue, source: JsonDocument, file?: string): JsonProblem {
  let path = issue.path
  let position = source.locate(path, issue.part)
  while (position === undefined) {
    path = path.slice(0, -1)
    position = source.locate(path, issue.part)
  }
  return {
    ...(file !== undefined && { file }),
    ...position,
    path: formatJsonPath(issue.path),
    message: issue.message,
  }
}

/** Everything that is wrong, as one error that says the first of it. */
export function invalidFile(code: ErrorCode, problems: readonly JsonProblem[]): ContextdError {
  const [first] = problems
  if (first === undefined) return new ContextdError(code, { problem: 'the file is not valid' })
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new ContextdError(code, {
    problem: `${formatProblem(first)}${more}`,
    ...(first.file !== undefined && { file: first.file }),
    line: first.line,
    column: first.column,
    problems: problems.slice(0, shownProblems) as unknown as Json,
  })
}

/** `servers.json:12:7: mcpServers.db.arg: unknown key "arg"; did you mean "args"?` */
export function formatProblem({ file, line, column, path, message }: JsonProblem): string {
  return `${file ?? 'text'}:${line}:${column}: ${path === '$' ? '' : `${path}: `}${message}`
}
