/** `ctxd permissions explain`: the decision about one tool, and everything that had a part in it. */

import { realpathSync } from 'node:fs'

import type {
  Decision,
  Explanation,
  Ground,
  Hook,
  RuntimeName,
} from '../../../clients/permissions/explanation.ts'
import { masked } from '../../../clients/permissions/masked.ts'
import { ContextdError } from '../../../core/errors.ts'
import { mapStrings, type Json } from '../../../core/json.ts'
import { nearest } from '../../../platform/nearest.ts'
import { paint, printJson, printLine, type CliIo } from '../../ui/output.ts'
import { seenFrom } from '../../ui/report.ts'
import { ofClaudeCode, ofOpenCode, type Explainer, type ExplainOptions } from './explainers.ts'

export async function explainTool(asked: string, options: ExplainOptions, io: CliIo): Promise<void> {
  const { permissionPorts } = await import('../../../compose.ts')
  const { agent, client } = options
  const cwd = realpathSync(io.cwd)
  const { secretsIn } = await permissionPorts(io.env, cwd)
  const reading = { env: io.env, cwd, secretsIn }
  const explainer = client === 'opencode' ? ofOpenCode(reading, options) : ofClaudeCode(reading, options)
  if (agent !== undefined) checkAgent(agent, explainer.agents)
  const answers = namesOf(asked, explainer).map(
    (meant) =>
      mapStrings(toAnswer(meant, explainer.explain(meant.name)), (text) =>
        masked(text, secretsIn),
      ) as unknown as Answer,
  )
  const [first, ...others] = answers
  if (options.json) return printJson({ ...first, asked, others }, io)
  for (const [index, answer] of answers.entries()) {
    if (index > 0) io.stdout.write('\n')
    printAnswer(answer, asked, explainer, io)
  }
}

function checkAgent(name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const near = nearest(name, known)
  // Agents of plugins are called by both names, and people leave out the first.
  const whole = known.find((one) => one.endsWith(`:${name}`)) ?? near
  throw new ContextdError('NOT_FOUND', {
    what: `agent ${name}`,
    hint: whole === undefined ? `There is: ${known.join(', ')}.` : `Did you mean ${whole}?`,
  })
}

function namesOf(asked: string, explainer: Explainer): readonly RuntimeName[] {
  const { names, suggestions } = explainer.names(asked)
  if (names.length > 0) return names
  throw new ContextdError('NOT_FOUND', {
    what: `tool ${asked} in the files that ${explainer.client} reads here`,
    hint:
      suggestions.length === 0
        ? `Name it as the client does: ${explainer.forms}.${serversHere(explainer.servers)}`
        : `Did you mean ${suggestions.join(' or ')}?`,
  })
}

function serversHere(servers: readonly string[]): string {
  const names = new Set(servers)
  return names.size === 0 ? '' : ` Servers here: ${[...names].join(', ')}.`
}

/** As it is printed for programs. */
interface Answer {
  readonly tool: string
  /** How the name was found out. */
  readonly named: string
  readonly decision: Decision
  /** False where the model does not even see it. */
  readonly is_listed: boolean
  readonly decided_by: Ground
  readonly lost: readonly Ground[]
  readonly partial: readonly Ground[]
  readonly granted: readonly Ground[]
  readonly hooks: readonly AskedHook[]
}

interface AskedHook {
  readonly event: string
  readonly matcher: string | null
  readonly runs: string
  readonly source: string
  readonly owner: string | null
  readonly file: string
  readonly line: number
  readonly column: number
}

function toAnswer({ because }: RuntimeName, explained: Explanation): Json {
  const { tool, decision, isListed, decidedBy, lost, partial, granted, hooks } = explained
  const answer: Answer = {
    tool,
    named: because,
    decision,
    is_listed: isListed,
    decided_by: decidedBy,
    lost,
    partial,
    granted,
    hooks: hooks.map(toHook),
  }
  return JSON.parse(JSON.stringify(answer)) as Json
}

function toHook({ event, matcher, source, owner, file, line, column, hook }: Hook): AskedHook {
  return {
    event,
    matcher: matcher ?? null,
    runs: whatRuns(hook),
    source,
    owner: owner ?? null,
    file,
    line,
    column,
  }
}

function whatRuns({ type, command, args, url, server, tool, prompt }: Hook['hook']): string {
  const words = [command, ...(Array.isArray(args) ? args : []), url, server, tool, prompt]
  const said = words.filter((word) => typeof word === 'string').join(' ')
  return said === '' && typeof type === 'string' ? type : said
}

const colours = { allow: 'green', ask: 'yellow', deny: 'red', absent: 'red' } as const

function printAnswer(answer: Answer, asked: string, { unattended }: Explainer, io: CliIo): void {
  const { tool, named, decision, is_listed: isListed, decided_by: ground } = answer
  const { lost, partial, granted, hooks } = answer
  io.stdout.write(`${paint(io, colours[decision], decision)}: `)
  printLine(tool, io)
  if (tool !== asked) printLine(`  ${asked}: ${named}`, io)
  else if (decision === 'absent') printLine(`  ${named}`, io)
  if (decision === 'ask')
    printLine(`  The person is asked. Where nobody can be (${unattended}), it is refused.`, io)
  if (decision === 'deny' && !isListed) printLine('  The model does not even see the tool.', io)
  printGround('by', ground, io)
  for (const one of lost) printGround('lost', one, io)
  for (const one of partial) printGround('for other arguments', one, io)
  for (const one of granted) printGround('granted by a skill:', one, io)
  for (const { event, runs, owner, source, file, line } of hooks) {
    const whose = owner === null ? '' : ` of ${owner}`
    const when = source === 'skill' ? `, once the skill ${owner} has run` : ''
    printLine(
      `  ${event} hook${whose} is asked before${when}: ${runs} (${seenFrom(io.cwd, file)}:${line})`,
      io,
    )
  }
  if (hooks.length > 0)
    printLine('  What a hook answers is not known beforehand: it may refuse or allow.', io)
}

/** Where a ground stands that is in no file. */
const elsewhere: Partial<Record<Ground['source'], string>> = {
  cli: 'flag of the client',
  client: 'the client itself',
  mode: 'permission mode',
}

function printGround(part: string, { file, line, rule, list, source, why }: Ground, io: CliIo): void {
  const place =
    file === null
      ? (elsewhere[source] ?? source)
      : `${seenFrom(io.cwd, file)}${line === null ? '' : `:${line}`}`
  printLine(`  ${part} ${list === undefined ? '' : `${list} `}${rule} (${place})`, io)
  printLine(`      ${why}`, io)
}
