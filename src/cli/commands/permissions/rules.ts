/** `ctxd permissions rules`: the lint rules. */

import { existsSync } from 'node:fs'

import { docsOf, listedRules, type ListedLintRule } from '../../../clients/permissions/rules.ts'
import { ContextdError } from '../../../core/errors.ts'
import { nearest } from '../../../platform/nearest.ts'
import { paint, printJson, printLine, printTable, type CliIo, type JsonOption } from '../../ui/output.ts'
import { shippedFile } from '../init/program.ts'

export function showRules(id: string | undefined, options: JsonOption, io: CliIo): void {
  if (id !== undefined) return showRule(id, options, io)
  if (options.json) {
    const rules = listedRules.map((rule) => ({ ...rule, docs: docsOf(rule.id) }))
    return printJson({ rules }, io)
  }
  const rows = listedRules.map((rule) => [rule.id, rule.client, rule.severity, rule.title])
  printTable(['RULE', 'CLIENT', 'SEVERITY', 'WHAT IT FINDS'], rows, io)
}

export function knownRule(id: string): ListedLintRule {
  const rule = listedRules.find((one) => one.id === id)
  if (rule !== undefined) return rule
  const near = nearest(
    id,
    listedRules.map((one) => one.id),
  )
  throw new ContextdError('NOT_FOUND', {
    what: `rule ${id}`,
    hint: near === undefined ? '`ctxd permissions rules` lists them.' : `Did you mean ${near}?`,
  })
}

function showRule(id: string, { json }: JsonOption, io: CliIo): void {
  const rule = knownRule(id)
  if (json) return printJson({ ...rule, docs: docsOf(id) }, io)
  io.stdout.write(`${paint(io, 'bold', rule.title)}\n`)
  printLine(`${rule.id}, ${rule.severity}, ${rule.client}`, io)
  io.stdout.write('\n')
  for (const line of rule.why.trim().split('\n')) printLine(line, io)
  const page = shippedFile(docsOf(id))
  // The plugin ships without the pages.
  if (!existsSync(page)) return
  io.stdout.write('\n')
  printLine(`Examples: ${page}`, io)
}
