/** Problems in JSON files that users edit, with their positions. */

import { ContextdError, type ErrorCode } from '../../core/errors/errors.ts'
import type { Json } from '@contextd/shared/json/value'
import { formatJsonPath } from '@contextd/shared/json/json-path'
import type { JsonDocument } from '@contextd/shared/json/json-source'

export interface JsonProblem {
  /** Absent for text that is not from a file. */
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly message: string
}

/** A problem that a schema found, before its position in the file is known. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[]
  /** Whether the key itself or its value is wrong. */
  readonly part: 'key' | 'value'
  readonly message: string
}

const maxProblems = 20

/** For a problem of the whole file. */
export function fileProblem(file: string, message: string): JsonProblem {
  return { file, line: 1, column: 1, path: '$', message }
}

/** A missing key has no position, so the containing object is reported. */
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

/** All problems as one error, whose message is the first one. */
export function invalidFile(code: ErrorCode, problems: readonly JsonProblem[]): ContextdError {
  const [first] = problems
  if (first === undefined) return new ContextdError(code, { problem: 'the file is not valid' })
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new ContextdError(code, {
    problem: `${formatProblem(first)}${more}`,
    ...(first.file !== undefined && { file: first.file }),
    line: first.line,
    column: first.column,
    problems: problems.slice(0, maxProblems) as unknown as Json,
  })
}

/** `servers.json:12:7: mcpServers.db.arg: unknown key "arg"; did you mean "args"?` */
export function formatProblem({ file, line, column, path, message }: JsonProblem): string {
  return `${file ?? 'text'}:${line}:${column}: ${path === '$' ? '' : `${path}: `}${message}`
}
