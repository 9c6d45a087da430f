/** Text output of `explain`. */

import type { PermissionDecision, Ground } from '../findings/explanation.ts'
import type { Place } from '../findings/finding.ts'
import { paint, printLine, printParagraph, type CliIo } from '@contextd/shared/cli/output'
import { displayPath } from '@contextd/shared/cli/report'

/** The JSON output. */
export interface PrintedAnswer {
  readonly tool: string
  /** How the name was resolved. */
  readonly named: string
  readonly decision: PermissionDecision
  /** False if the model does not even see it. */
  readonly is_listed: boolean
  readonly decided_by: Ground
  readonly lost: readonly Ground[]
  readonly partial: readonly Ground[]
  readonly granted: readonly Ground[]
  readonly hooks: readonly AskedHook[]
  /** Files that the client cannot use: their contents may not apply. */
  readonly broken: readonly BrokenFile[]
}

export interface BrokenFile extends Place {
  readonly message: string
}

export interface AskedHook {
  readonly event: string
  readonly matcher: string | null
  readonly runs: string
  readonly source: string
  readonly owner: string | null
  readonly file: string
  readonly line: number
  readonly column: number
}

const colours = { allow: 'green', ask: 'yellow', deny: 'red', absent: 'red' } as const

/** The user's input, and the client's non-interactive command. */
export interface AskedQuestion {
  readonly asked: string
  readonly suggestions: readonly string[]
  readonly unattended: string
}

export function printAnswer(
  answer: PrintedAnswer,
  { asked, suggestions, unattended }: AskedQuestion,
  io: CliIo,
): void {
  const { tool, named, decision, is_listed: isListed } = answer
  io.stdout.write(`${paint(io, colours[decision], decision)}: `)
  printLine(tool, io)
  if (tool !== asked) printParagraph(`${asked}: ${named}`, 2, io)
  if (suggestions.length > 0) printParagraph(`Did you mean ${suggestions.join(' or ')}?`, 2, io)
  // If the mode asks a classifier instead of the user, the ground explains that.
  if (decision === 'ask' && answer.decided_by.source !== 'mode')
    printParagraph(`Prompts the user; denied when non-interactive (${unattended}).`, 2, io)
  if (decision === 'deny' && !isListed) printParagraph('The model does not even see the tool.', 2, io)
  printGrounds('by', [answer.decided_by], io)
  printGrounds('overridden', answer.lost, io)
  printGrounds('for some calls', answer.partial, io)
  printGrounds('granted by a skill:', answer.granted, io)
  printHooks(answer.hooks, io)
  for (const { message, ...place } of answer.broken) {
    printLine(`  broken ${placeText(place, io)}`, io)
    printParagraph(message, 6, io)
  }
}

/** Consecutive entries with the same reason print it once, after the last. */
function printGrounds(part: string, grounds: readonly Ground[], io: CliIo): void {
  for (const [index, ground] of grounds.entries()) {
    printGround(part, ground, io)
    if (grounds[index + 1]?.why !== ground.why) printParagraph(ground.why, 6, io)
  }
}

/** Origin of grounds that are not in a file. */
const originTexts: Partial<Record<Ground['source'], string>> = {
  cli: ' (client flag)',
  client: ' (the client itself)',
  mode: ' (permission mode)',
}

function printGround(part: string, { file, line, rule, list, source }: Ground, io: CliIo): void {
  const place = file === null ? (originTexts[source] ?? '') : ` (${placeText({ file, line }, io)})`
  printLine(`  ${part} ${list === undefined ? '' : `${list} `}${rule}${place}`, io)
}

function placeText(
  { file, line }: { readonly file: string; readonly line: number | null },
  io: CliIo,
): string {
  return `${displayPath(io.cwd, file)}${line === null ? '' : `:${line}`}`
}

function printHooks(hooks: readonly AskedHook[], io: CliIo): void {
  for (const { event, runs, owner, source, ...place } of hooks) {
    const whose = owner === null ? '' : ` of ${owner}`
    const when = source === 'skill' ? `, once the skill ${owner} has run` : ''
    printLine(`  ${event} hook${whose} runs first${when}: ${runs} (${placeText(place, io)})`, io)
  }
  if (hooks.length > 0)
    printParagraph('The answer of a hook is not known in advance: it may deny or allow.', 2, io)
}
