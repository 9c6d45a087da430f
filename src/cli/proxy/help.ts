import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolSchema } from './flags.ts'

/** The `--help` text of a tool. */
export function helpOf(
  tool: string,
  { properties, required }: ToolSchema,
  about: string | undefined,
): string {
  const needed = new Set(required)
  const rows = Object.entries(properties).map(([name, schema]): [string, string] => [
    `--${name}${placeholder(schema)}`,
    needed.has(name) ? 'required' : '',
  ])
  const own: [string, string][] = [
    ['--json', 'print the structured answer'],
    ['--help', 'print this'],
  ]
  const all = [...rows, ...own]
  const width = Math.max(...all.map(([flag]) => flag.length)) + 2
  const lines = all.map(([flag, meaning]) => `  ${flag.padEnd(width)}${meaning}`.trimEnd())
  const head = about === undefined ? [] : [about.trimEnd(), '']
  const usage = `Usage: ${tool} [flags], or the arguments as a JSON object on stdin`
  return [...head, usage, '', ...lines].join('\n')
}

function placeholder({ type, items, enum: choices }: JsonObject): string {
  if (Array.isArray(choices)) return ` ${choices.filter((choice) => typeof choice === 'string').join('|')}`
  if (type === 'boolean') return ''
  if (type === 'array') return `${placeholder((items ?? {}) as JsonObject)} (repeatable)`
  if (type === 'integer' || type === 'number') return ' <number>'
  return type === 'object' ? ' <json>' : ' <text>'
}

export const programHelp = `Usage: contextd-proxy <tool> [flags]

Calls one tool of contextd: with flags from its schema, or with its arguments as a JSON object on stdin. A link to this
program calls the tool it is named after; \`ctxd init --tools\` writes links.

  --json   print the structured answer
  --help   after a tool name: list its flags

Example:
  contextd-proxy safe_bash --command 'git status'`
