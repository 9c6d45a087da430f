/**
 * `ctxd rules suggest`: for each of the last refusals, the smallest change of the rules that allows it, and what else
 * that opens; or what to do instead. It prints commands and changes nothing: a number to apply could mean another
 * refusal by the time it is typed, and agents cause refusals.
 */

import {
  describeFileChanges,
  printChanges,
  type DescribedChange,
} from '@contextd/shared/changes/show-changes'
import {
  paint,
  printJson,
  printLine,
  secondOf,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { refuseInsideAgent } from '@contextd/shared/operator'
import { counted } from '@contextd/shared/text/counted'
import { quotedCommand } from '@contextd/shared/text/quoted-command'
import { visibleText } from '@contextd/shared/text/visible-text'
import type { RuleChange, RulesText } from '../../../../stages/policy/edit/change-rules.ts'
import type { RulePlace } from '../../../../stages/policy/rule-path.ts'
import { readRulesForEdit } from '../user-rules/user-rules.ts'
import { findChange, type FoundChange } from './find-change.ts'
import { describeOpened } from './opened.ts'
import { readRefusals, type RefusalGroup } from './refusals.ts'
import { withSuggestTerms, type SuggestTerms } from './suggest-terms.ts'
import { describeWant } from './wants.ts'

export interface SuggestOptions extends JsonOption {
  readonly agent?: string
  /** ISO 8601. */
  readonly since?: string
  readonly limit: number
}

/** A refusal with its change, or with what to do instead. */
interface Suggestion {
  readonly refusal: RefusalGroup
  readonly place?: RulePlace
  readonly instead?: string
  readonly proposal?: Proposal
}

interface Proposal extends FoundChange {
  readonly commands: readonly string[]
  readonly changed: readonly DescribedChange[]
  readonly opens: readonly string[]
}

const dayMs = 86_400_000

export async function suggestRules({ agent, since, limit, json }: SuggestOptions, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  const before = readRulesForEdit(io)
  const from = since === undefined ? Date.now() - dayMs : Date.parse(since)
  const { shown, hidden } = await withSuggestTerms(before, io, (terms) => {
    const refusals = readRefusals(terms.source, { since: from, ...(agent !== undefined && { agent }) })
    return {
      shown: refusals.slice(0, limit).map((refusal) => suggestFor(refusal, before, terms)),
      hidden: Math.max(0, refusals.length - limit),
    }
  })
  if (json) return printJson({ file: before.file, refusals: shown.map(asJson) }, io)
  print(shown, hidden, io)
}

function suggestFor(
  refusal: RefusalGroup,
  { file, text: from }: RulesText,
  { terms, tools, compileOwn }: SuggestTerms,
): Suggestion {
  const { found, ...verdict } = findChange(refusal, terms)
  if (found === undefined) return { refusal, ...verdict }
  const { changes, text } = found
  const proposal: Proposal = {
    ...found,
    commands: changes.map((change) => commandFor(refusal.agent, change)),
    changed: describeFileChanges([{ path: file, from, to: text }], (shown) => shown),
    opens: describeOpened(refusal, { before: compileOwn(from), after: compileOwn(text), tools }),
  }
  return { refusal, ...verdict, proposal }
}

function commandFor(agent: string, change: RuleChange): string {
  const words = (): readonly string[] => {
    switch (change.kind) {
      case 'allow':
      case 'deny':
        return [change.tool === undefined ? change.server : `${change.server}.${change.tool}`]
      case 'grant':
        return [change.capability]
      case 'reveal': {
        const { tool, argument, host } = change.reveal
        return [
          tool,
          ...(argument === undefined ? [] : ['--argument', argument]),
          ...(host === undefined ? [] : ['--host', host]),
        ]
      }
    }
  }
  return quotedCommand(['ctxd', 'rules', change.kind, agent, ...words()])
}

function asJson({ refusal, place, instead, proposal }: Suggestion): object {
  const { agent, claimed, level, server, tool, code, wants, answer, project, time, call, count } = refusal
  return {
    agent,
    ...(claimed !== undefined && { claimed }),
    level,
    server,
    tool,
    error: code,
    message: answer,
    wanted: wants.map(describeWant),
    count,
    last: time,
    project,
    call: call ?? null,
    rule: place?.path ?? null,
    file: place?.file ?? null,
    line: place?.line ?? null,
    ...(instead !== undefined && { instead }),
    ...(proposal !== undefined && {
      commands: proposal.commands,
      removes: proposal.removes,
      diff: proposal.changed.flatMap(({ diff }) => diff),
      opens: proposal.opens,
    }),
  }
}

function print(shown: readonly Suggestion[], hidden: number, io: CliIo): void {
  if (shown.length === 0) return printLine('No refusals in this period; --since sets an earlier start.', io)
  for (const { proposal, ...rest } of shown.filter((one) => one.proposal !== undefined)) {
    printRefusal(rest, io)
    printProposal(proposal!, io)
  }
  const others = shown.filter((one) => one.proposal === undefined)
  if (others.length > 0) printLine('Not proposed:', io)
  for (const other of others) {
    printRefusal(other, io)
    printLine(`  instead: ${other.instead}`, io)
  }
  if (hidden > 0) printLine(`${hidden} more: --limit ${shown.length + hidden}`, io)
  if (others.length < shown.length)
    printLine('Nothing was changed. Each command shows its change and effect again, and asks.', io)
}

function printRefusal({ refusal, place }: Omit<Suggestion, 'proposal'>, io: CliIo): void {
  const { agent, claimed, server, tool, code, wants, answer, time, count } = refusal
  const caller = agent || (claimed === undefined ? '(no agent)' : `(calls itself ${claimed})`)
  const wanted = wants.filter(({ kind }) => kind !== 'working-folder').map(describeWant)
  const what = `${caller} ${server}.${tool}${wanted.length === 0 ? '' : `: ${wanted.join(', ')}`}`
  io.stdout.write(`${paint(io, 'bold', visibleText(what))}\n`)
  printLine(
    `  refused ${counted(count, 'time')}, last ${secondOf(time)}: ${code}${answer === '' ? '' : ` ${answer}`}`,
    io,
  )
  if (place === undefined) return
  printLine(`  by ${place.path}${place.file === undefined ? '' : ` (${place.file}:${place.line})`}`, io)
}

function printProposal({ commands, changed, opens, removes }: Proposal, io: CliIo): void {
  for (const { rule, justification } of removes) {
    const why =
      justification === undefined ? 'It has no justification.' : `Its justification: "${justification}".`
    io.stdout.write(
      `  ${paint(io, 'yellow', visibleText(`This removes a deny that you wrote: ${rule}. ${why}`))}\n`,
    )
  }
  printLine('  to allow it:', io)
  for (const command of commands) printLine(`    ${command}`, io)
  printChanges(changed, io)
  printLine('  this opens:', io)
  for (const one of opens) printLine(`    ${one}`, io)
}
