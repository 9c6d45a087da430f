/**
 * How a model takes a step with each set of tools: one rule for each kind of step, the same in all tasks, and only
 * arguments that the tool requires or the step needs.
 */

import { join } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'
import { found } from '../../test/clients/scripted-model.ts'
import type { Step } from './task.ts'

export interface ToolCall {
  readonly tool: string
  readonly input: JsonObject
}

type Of<Kind extends Step['do']> = Extract<Step, { do: Kind }>

/** The calls for a step, in the answers of the model that make them: `folder` is the project. */
export type ToolSet = {
  readonly [Kind in Step['do']]: (step: Of<Kind>, folder: string) => ToolCall[][]
}

export function callsFor(set: ToolSet, step: Step, folder: string): ToolCall[][] {
  return (set[step.do] as (step: Step, folder: string) => ToolCall[][])(step, folder)
}

const once = (tool: string, input: JsonObject): ToolCall[][] => [[{ tool, input }]]
const inFolder = (path: string): JsonObject => (path === '.' ? {} : { path })
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const rangeOf = ({ offset, limit }: Of<'read'>): JsonObject => ({
  ...(offset !== undefined && { offset }),
  ...(limit !== undefined && { limit }),
})

/** Claude Code's own. Searching is a matter of its shell; tools that are not always listed are searched for first. */
export const claudeTools: ToolSet = {
  read: (step, folder) => once('Read', { file_path: join(folder, step.path), ...rangeOf(step) }),
  edit: ({ path, edits }, folder) => [
    edits.map(({ old, new: text, all }) => ({
      tool: 'Edit',
      input: {
        file_path: join(folder, path),
        old_string: old,
        new_string: text,
        ...(all === true && { replace_all: true }),
      },
    })),
  ],
  write: ({ path, content }, folder) => once('Write', { file_path: join(folder, path), content }),
  find: ({ glob }) => once('Bash', { command: `git ls-files ${quoted(glob)}` }),
  grep: ({ pattern, path, glob }) => {
    const files = glob === undefined ? '' : ` --include=${quoted(glob)}`
    return once('Bash', { command: `grep -rnE ${quoted(pattern)} ${path}${files}` })
  },
  run: ({ command }) => once('Bash', { command }),
  start: ({ command }) => [
    ...once('Bash', { command, run_in_background: true }),
    [searchTools(['TaskStop'])],
  ],
  output: () => once('Read', { file_path: found('written to: (\\S+\\.output)') }),
  stop: () => once('TaskStop', { task_id: found('background with ID: (\\w+)') }),
}

/** contextd's, under the names that a client gives them. */
export function ourTools(
  name: (tool: string) => string,
  load?: (tools: readonly string[]) => ToolCall,
): ToolSet {
  const use = (tool: string, input: JsonObject): ToolCall[][] => once(name(tool), input)
  const id = found('\\b(bg_\\w+)')
  return {
    read: (step) => use('safe_read', { path: step.path, ...rangeOf(step) }),
    edit: ({ path, edits }) => use('safe_edit', { path, edits: edits.map((edit) => ({ ...edit })) }),
    write: ({ path, content }) => use('safe_write', { path, content }),
    find: ({ glob }) => use('safe_glob', { pattern: glob }),
    grep: ({ pattern, path, glob }) =>
      use('safe_grep', { pattern, ...inFolder(path), ...(glob !== undefined && { glob }) }),
    run: ({ command }) => use('safe_bash', { command }),
    start: ({ command }) => [
      ...use('safe_bash', { command, background: true }),
      ...(load === undefined ? [] : [[load(['safe_output', 'safe_stop'].map(name))]]),
    ],
    output: () => use('safe_output', { id }),
    stop: () => use('safe_stop', { id }),
  }
}

/** What Claude Code does not list until it is searched for. */
export const searchTools = (tools: readonly string[]): ToolCall => ({
  tool: 'ToolSearch',
  input: { query: `select:${tools.join(',')}`, max_results: tools.length },
})

/** OpenCode's own. Its shell has no background: a log file and the id of the process stand in. */
export const opencodeTools: ToolSet = {
  read: (step, folder) => once('read', { filePath: join(folder, step.path), ...rangeOf(step) }),
  edit: ({ path, edits }, folder) => [
    edits.map(({ old, new: text, all }) => ({
      tool: 'edit',
      input: {
        filePath: join(folder, path),
        oldString: old,
        newString: text,
        ...(all === true && { replaceAll: true }),
      },
    })),
  ],
  write: ({ path, content }, folder) => once('write', { filePath: join(folder, path), content }),
  find: ({ glob }) => once('glob', { pattern: glob }),
  grep: ({ pattern, path, glob }) =>
    once('grep', { pattern, ...inFolder(path), ...(glob !== undefined && { include: glob }) }),
  run: ({ command }) => once('bash', { command }),
  start: ({ command }) => once('bash', { command: `${command} > /tmp/command.log 2>&1 & echo pid=$!` }),
  output: () => once('bash', { command: 'cat /tmp/command.log' }),
  stop: () => once('bash', { command: `kill ${found('pid=(\\d+)')}` }),
}
