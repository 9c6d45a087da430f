/** Tools in few words: enough to choose one, within a number of tokens. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { CountTokens } from '../../../core/ports.ts'
import type { ServedTool } from './tool-index.ts'

export type ToolSummary = {
  readonly server: string
  readonly tool: string
  readonly description: string
  /** `path, head?`: what must be given, then what may be. */
  readonly args: string
}

const maxDescriptionLength = 120
/** Of a description, and more than a summary shows by any secret. */
const maxSearchedLength = 8192
const maxArguments = 10
const maxArgumentLength = 40

/** The first of them, as many as fit; the best one always has a place if it can have one at all. */
export async function describeWithin(
  most: number,
  tools: readonly ServedTool[],
  count: CountTokens,
  scrub: (text: string) => Promise<string> = async (text) => text,
): Promise<readonly ToolSummary[]> {
  const summaries: ToolSummary[] = []
  for (const tool of tools) {
    const summary = await toolSummary(tool, scrub)
    if (count(JSON.stringify([...summaries, summary])) > most) break
    summaries.push(summary)
  }
  return summaries
}

/** Half a secret is one that nobody knows: it is looked for before anything is cut. */
export async function toolSummary(
  { server, definition }: ServedTool,
  scrub: (text: string) => Promise<string> = async (text) => text,
): Promise<ToolSummary> {
  return {
    server,
    tool: definition.name,
    description: firstSentence(await scrub(definition.description.slice(0, maxSearchedLength))),
    args: argumentList(definition.inputSchema),
  }
}

function firstSentence(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  const [sentence = line] = /^.+?(?:[.!?](?= \p{Lu}|$)|。)/u.exec(line.slice(0, 1000)) ?? []
  if (sentence.length <= maxDescriptionLength) return sentence
  const cut = sentence.slice(0, maxDescriptionLength)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxDescriptionLength / 2))}…`
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
