/** Short summaries of tools, within a number of tokens. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { firstSentence } from '@contextd/shared/text/first-sentence'
import type { CountTokens } from '../../../core/ports.ts'
import { onLines, shownValue } from '../../text-parts.ts'
import type { ServedTool } from './tool-index.ts'

export type ToolSummary = {
  readonly server: string
  readonly tool: string
  readonly description: string
  /** `path, head?`: required arguments first, optional ones with `?`. */
  readonly args: string
}

/** Max length of a description that is scrubbed; longer than a summary plus any secret. */
const maxScrubbedLength = 8192
const maxArguments = 10
const maxArgumentLength = 40

/** Summaries of the first tools, as many as fit. */
export async function describeWithin(
  maxTokens: number,
  tools: readonly ServedTool[],
  count: CountTokens,
  scrub: (text: string) => Promise<string> = async (text) => text,
): Promise<readonly ToolSummary[]> {
  const summaries: ToolSummary[] = []
  for (const tool of tools) {
    const summary = await toolSummary(tool, scrub)
    if (count(JSON.stringify([...summaries, summary])) > maxTokens) break
    summaries.push(summary)
  }
  return summaries
}

/** Scrubbed before it is shortened, because a truncated secret is not recognized. */
export async function toolSummary(
  { server, definition }: ServedTool,
  scrub: (text: string) => Promise<string> = async (text) => text,
): Promise<ToolSummary> {
  return {
    server,
    tool: definition.name,
    description: firstSentence(await scrub(definition.description.slice(0, maxScrubbedLength))),
    args: argumentList(definition.inputSchema),
  }
}

function argumentList({ properties, required }: JsonObject): string {
  if (!isJsonObject(properties)) return ''
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name)
  const names = Object.keys(properties).filter((name) => name.length <= maxArgumentLength)
  const ordered = [
    ...names.filter(isRequired),
    ...names.filter((name) => !isRequired(name)).map((name) => `${name}?`),
  ]
  return [...ordered.slice(0, maxArguments), ...(ordered.length > maxArguments ? ['…'] : [])].join(', ')
}

/** The text of `get_server_tools`: each tool by name, with its schemas as JSON on a line below. */
export function toolsText({ tools, server, total_available: total, ...others }: JsonObject): string {
  const shown = Array.isArray(tools) ? tools.filter(isJsonObject) : []
  const named = (title: string, names: Json | undefined): string =>
    Array.isArray(names) ? `${title}: ${names.map(shownValue).join(', ')}` : ''
  return onLines([
    `${shown.length} of ${shownValue(total)} tools of ${shownValue(server)}`,
    ...shown.map(({ name, description, ...rest }) =>
      onLines([`${shownValue(name)}: ${shownValue(description)}`, JSON.stringify(rest)]),
    ),
    named('not shown', others.not_shown),
    named('held back', others.held_back),
    named('warnings', others.warnings),
  ])
}
