/** The command `explain`: the decision about one tool, and everything that contributed to it. */

import { realpathSync } from 'node:fs'

import type {
  PermissionExplanation,
  ExplainedHook,
  RuntimeName,
  RuntimeNames,
} from '../findings/explanation.ts'
import { masked } from '../findings/masked.ts'
import { CommonError } from '@contextd/shared/errors/common-error'
import { mapStrings, type Json } from '@contextd/shared/json/value'
import { nearest } from '@contextd/shared/text/nearest'
import { printJson, type CliIo } from '@contextd/shared/cli/output'
import { ofClaudeCode, ofOpenCode, type Explainer, type ExplainCommandOptions } from './explainers.ts'
import type { PermissionsHost } from './host.ts'
import { printAnswer, type PrintedAnswer, type AskedHook } from './print-answer.ts'

export async function explainTool(
  asked: string,
  options: ExplainCommandOptions,
  host: PermissionsHost,
  io: CliIo,
): Promise<void> {
  const { agent, client } = options
  const cwd = realpathSync(io.cwd)
  const secretsIn = await host.secretsIn(io.env, cwd)
  const reading = { env: io.env, cwd, secretsIn }
  const explainer = client === 'opencode' ? ofOpenCode(reading, options) : ofClaudeCode(reading, options)
  if (agent !== undefined) checkAgent(agent, explainer.agents)
  const { names, suggestions } = namesOf(asked, explainer)
  const answers = names.map(
    (meant) =>
      mapStrings(toAnswer(meant, explainer.explain(meant.name), explainer.broken), (text) =>
        masked(text, secretsIn),
      ) as unknown as PrintedAnswer,
  )
  const [first, ...others] = answers
  if (options.json) return printJson({ ...first, asked, others }, io)
  for (const [index, answer] of answers.entries()) {
    if (index > 0) io.stdout.write('\n')
    printAnswer(answer, { asked, suggestions, unattended: explainer.unattended }, io)
  }
}

function checkAgent(name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  const near = nearest(name, known)
  // Plugin agents are named `<plugin>:<agent>`, and users omit the first part.
  const suggestion = known.find((one) => one.endsWith(`:${name}`)) ?? near
  throw new CommonError('NOT_FOUND', {
    what: `agent ${name}`,
    hint: suggestion === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${suggestion}?`,
  })
}

function namesOf(asked: string, explainer: Explainer): RuntimeNames {
  const { names, suggestions } = explainer.names(asked)
  if (names.length > 0) return { names, suggestions }
  throw new CommonError('NOT_FOUND', {
    what: `tool ${asked} in the files that ${explainer.client} reads here`,
    hint:
      suggestions.length === 0
        ? `Use the client's tool names: ${explainer.forms}.${serversHere(explainer)}`
        : `Did you mean ${suggestions.join(' or ')}?`,
  })
}

function serversHere({ servers, unknown }: Explainer): string {
  const names = [...new Set(servers)].join(', ')
  return names === '' && unknown === '' ? '' : ` Servers here: ${names || 'none'}${unknown}.`
}

function toAnswer(
  { because }: RuntimeName,
  explained: PermissionExplanation,
  broken: Explainer['broken'],
): Json {
  const { tool, decision, isListed, decidedBy, lost, partial, granted, hooks } = explained
  const answer: PrintedAnswer = {
    tool,
    named: because,
    decision,
    is_listed: isListed,
    decided_by: decidedBy,
    lost,
    partial,
    granted,
    hooks: hooks.map(toHook),
    broken: broken.map(({ file, line, column, message }) => ({ file, line, column, message })),
  }
  return JSON.parse(JSON.stringify(answer)) as Json
}

function toHook({ event, matcher, source, owner, file, line, column, hook }: ExplainedHook): AskedHook {
  return {
    event,
    matcher: matcher ?? null,
    runs: describeHook(hook),
    source,
    owner: owner ?? null,
    file,
    line,
    column,
  }
}

function describeHook({ type, command, args, url, server, tool, prompt }: ExplainedHook['hook']): string {
  const words = [command, ...(Array.isArray(args) ? args : []), url, server, tool, prompt]
  const text = words.filter((word) => typeof word === 'string').join(' ')
  return text === '' && typeof type === 'string' ? type : text
}
