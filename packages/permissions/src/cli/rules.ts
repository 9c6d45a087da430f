/** The command `rules`: the lint rules. */

import { docsOf } from '../rule-page.ts'
import { listedRules, type ListedLintRule } from '../rules.ts'
import { CommonError } from '@contextd/shared/errors/common-error'
import { nearest } from '@contextd/shared/text/nearest'
import {
  paint,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import type { PermissionsHost } from './host.ts'

export function showRules(
  id: string | undefined,
  options: JsonOption,
  host: PermissionsHost,
  io: CliIo,
): void {
  if (id !== undefined) return showRule(id, options, host, io)
  if (options.json) {
    const rules = listedRules.map((rule) => ({ ...rule, docs: docsOf(rule.id) }))
    return printJson({ rules }, io)
  }
  const rows = listedRules.map((rule) => [rule.id, rule.client, rule.severity, rule.title])
  printTable(['RULE', 'CLIENT', 'SEVERITY', 'WHAT IT FINDS'], rows, io)
}

export function knownRule(id: string, program: string): ListedLintRule {
  const rule = listedRules.find((one) => one.id === id)
  if (rule !== undefined) return rule
  const near = nearest(
    id,
    listedRules.map((one) => one.id),
  )
  throw new CommonError('NOT_FOUND', {
    what: `rule ${id}`,
    hint: near === undefined ? `\`${program} rules\` lists them.` : `Did you mean ${near}?`,
  })
}

function showRule(id: string, { json }: JsonOption, host: PermissionsHost, io: CliIo): void {
  const rule = knownRule(id, host.program)
  if (json) return printJson({ ...rule, docs: docsOf(id) }, io)
  io.stdout.write(`${paint(io, 'bold', rule.title)}\n`)
  printLine(`${rule.id}, ${rule.severity}, ${rule.client}`, io)
  io.stdout.write('\n')
  for (const line of rule.why.trim().split('\n')) printLine(line, io)
  const page = host.rulePage?.(id)
  if (page === undefined) return
  io.stdout.write('\n')
  printLine(`Examples: ${page}`, io)
}
