/** The user's rules file: found, compared, and replaced with what the user approved. */

import { existsSync } from 'node:fs'

import {
  describeFileChanges,
  printChanges,
  type DescribedChange,
} from '@contextd/shared/changes/show-changes'
import { readFileText } from '@contextd/shared/changes/change'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { replaceFile } from '@contextd/shared/files/small-file'
import { note, paint, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { ContextdError } from '../../../../core/errors/errors.ts'
import { resolvePaths } from '../../../../platform/files/paths.ts'
import { checkRules, compileBuiltinRules, compilePolicy } from '../../../../stages/policy/compile-rules.ts'
import { discoverRules } from '../../../../stages/policy/discover-rules.ts'
import type { RulesText } from '../../../../stages/policy/edit/change-rules.ts'
import {
  compareRules,
  type ComparedTool,
  type RulesComparison,
} from '../../../../stages/policy/edit/compare-rules.ts'
import { explainRules, type RuleExplanation } from '../../../../stages/policy/explain.ts'
import type { RuleSet } from '../../../../stages/policy/rule-set.ts'
import { withRecords, withRuntime } from '../../../support/with-runtime.ts'

export interface RulesEditOptions extends JsonOption {
  readonly yes?: true
}

/** What the user wants to know the decision about, before and after. */
export interface AskedTool {
  readonly agent: string
  readonly server: string
  readonly tool: string
}

export interface InstallRequest {
  readonly before: RulesText
  readonly text: string
  readonly asked?: AskedTool
}

/** The file that contextd loads, or would load. */
export function readRulesForEdit({ env, cwd }: Pick<CliIo, 'env' | 'cwd'>): RulesText {
  const { user } = discoverRules(env, resolvePaths(env), cwd)
  const file = user.find((path) => existsSync(path)) ?? user[0]!
  return { file, text: readFileText(file) }
}

/** Shows the change and its effect, asks, and installs the text. It must be valid. */
export async function installRules(
  { before, text, asked }: InstallRequest,
  { yes, json }: RulesEditOptions,
  io: CliIo,
): Promise<void> {
  const { file } = before
  if (text === before.text) {
    if (json) return printJson({ file, changed: false }, io)
    return printLine(`${file} already says so; nothing was changed.`, io)
  }
  const changes = describeFileChanges([{ path: file, from: before.text, to: text }], (shown) => shown)
  const effect = await effectOf({ before, text, ...(asked !== undefined && { asked }) }, io)
  if (!json) printChanges(changes, io)
  if (effect === undefined) note('the current file is invalid, so the effect cannot be shown', io)
  else if (!json) printEffect(effect, io)
  if (yes) refuseInsideAgent(io.env)
  else await requireOperator({ ...io, details: detailsOf(changes, json), question: `Write ${file}` })
  await withRecords(io, ({ event }) => {
    if (readRulesForEdit(io).text !== before.text) {
      throw new ContextdError('USAGE', { problem: `${file} changed in the meantime; nothing was written` })
    }
    event('rules-changed', { file })
    replaceFile(file, text)
  })
  if (json) printJson({ file, changed: true, diff: changes.flatMap(({ diff }) => diff), ...effect }, io)
  else printLine(`Written: ${file}. A running contextd uses it within a second.`, io)
}

/** With `--json`, the output is a result, so the terminal shows the change. */
function detailsOf(changes: readonly DescribedChange[], json: true | undefined): readonly string[] {
  return json ? changes.flatMap(({ diff }) => diff) : []
}

interface ShownEffect extends RulesComparison {
  readonly before?: RuleExplanation
  readonly after?: RuleExplanation
}

/** Undefined if the current file is invalid: then nothing can be compared. */
async function effectOf(
  { before, text, asked }: InstallRequest,
  io: CliIo,
): Promise<ShownEffect | undefined> {
  const { file } = before
  if (before.text !== undefined && checkRules({ text: before.text, file }).problems.length > 0)
    return undefined
  const old = before.text === undefined ? compileBuiltinRules() : compilePolicy({ text: before.text, file })
  const next = compilePolicy({ text, file })
  const known = await toolsInRules(io)
  const needed = known.find(({ server, tool }) => server === asked?.server && tool === asked.tool)
  const tools = asked && !needed ? [...known, { server: asked.server, tool: asked.tool }] : known
  const explain = (rules: RuleSet): RuleExplanation | undefined =>
    asked && explainRules(rules, { ...needed, ...asked })
  const [was, is] = [explain(old), explain(next)]
  return { ...(was && is && { before: was, after: is }), ...compareRules(old, next, tools) }
}

/** contextd's own tools, and the pinned tools of other servers. */
export async function toolsInRules(io: CliIo): Promise<ComparedTool[]> {
  const { ruleSurroundings } = await import('./surroundings.ts')
  const { servers, toolsOf } = await ruleSurroundings(io)
  return withRuntime(io, ({ catalogue }) => [
    ...catalogue.tools().map(({ server, definition, open, needs }) => ({
      server,
      tool: definition.name,
      needs,
      open: open === true,
    })),
    ...servers
      .filter((server) => catalogue.tools().every((tool) => tool.server !== server))
      .flatMap((server) => (toolsOf(server) ?? []).map((tool) => ({ server, tool }))),
  ])
}

const maxShown = 20

function printEffect({ before, after, decisions, terms }: ShownEffect, io: CliIo): void {
  if (before !== undefined && after !== undefined) {
    printExplanation('before', before, io)
    printExplanation('after', after, io)
  }
  if (decisions.length + terms.length === 0) return note('this changes no decision about the known tools', io)
  printLine('Effect:', io)
  for (const { agent, server, tool, from, to } of decisions.slice(0, maxShown)) {
    printLine(`  ${agent} ${server}.${tool}: ${from} → ${to}`, io)
  }
  if (decisions.length > maxShown) printLine(`  and ${decisions.length - maxShown} more decisions`, io)
  for (const { agent, added, removed } of terms) {
    for (const term of added) printLine(`  ${agent} gets ${term}`, io)
    for (const term of removed) printLine(`  ${agent} loses ${term}`, io)
  }
}

function printExplanation(label: string, { decision, reason, rule }: RuleExplanation, io: CliIo): void {
  const colour = decision === 'allow' ? 'green' : 'red'
  io.stdout.write(`${label.padEnd(6)} ${paint(io, colour, decision)}: ${reason}\n`)
  printLine(`       by ${rule}`, io)
}
