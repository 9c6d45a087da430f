/** RPCs that call an agent's tool: the same tools and rules as over MCP, with the API's messages. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Answer } from '../../core/result.ts'
import type { Rpc } from './rpc.ts'
import { toolRpcs } from './tool-rpcs.ts'

export const agentRpcs: readonly Rpc[] = [
  ...toolRpcs,
  tool('SafeExec/Bash', 'safe_bash'),
  tool('SafeExec/Read', 'safe_read'),
  tool('SafeExec/Write', 'safe_write'),
  tool('Memory/Search', 'memory_search'),
  tool('Memory/Get', 'memory_get', toMemories),
  tool('Memory/Store', 'memory_store'),
  tool('Memory/Feedback', 'memory_feedback'),
  tool('Checkpoint/Save', 'checkpoint_save'),
  tool('Checkpoint/List', 'checkpoint_list', toCheckpoints),
  tool('Checkpoint/Restore', 'checkpoint_restore', (data, { level = 'context' }) =>
    typeof data === 'string' ? { level, text: data } : { level, ...asObject(data) },
  ),
  tool('Branch/Open', 'branch'),
  tool('Branch/Return', 'return'),
  tool('Refs/GetContent', 'read_more', (data) => ({
    text: typeof data === 'string' ? data : JSON.stringify(data),
  })),
  tool('Index/Query', 'repo_search', toMatches),
]

/** Converts an answer's data to the message; undefined if that is impossible. */
type ToMessage = (data: Json, request: JsonObject) => JsonObject | undefined

function tool(name: string, called: string, toMessage: ToMessage = asObject): Rpc {
  return {
    name,
    toCall: (request) => ({ method: 'tool', tool: called, arguments: request }),
    respond(result, request) {
      const { data, book } = result.kind === 'answer' ? splitAnswer(result) : { data: null, book: {} }
      const message = toMessage(data, request)
      if (message !== undefined) return { ...message, answer: book }
      // The answer was truncated so far that only the beginning of its text is left.
      return { answer: { ...book, text: typeof data === 'string' ? data : JSON.stringify(data) } }
    },
  }
}

function asObject(data: Json): JsonObject | undefined {
  return isJsonObject(data) ? data : undefined
}

/** Splits a tool's answer into its data and its token counts. */
function splitAnswer({ structured, content }: Answer): { data: Json; book: JsonObject } {
  if (!isJsonObject(structured)) return { data: textOf(content), book: {} }
  const { data = null, ...book } = structured
  return { data, book }
}

/** A private answer, such as a slice of a loaded context, has no structured content. */
function textOf(content: Answer['content']): string {
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('')
}

/** Converts the items of a list in the data to messages. */
function withItems(
  data: Json,
  name: string,
  toItem: (item: JsonObject) => JsonObject,
): JsonObject | undefined {
  const items = isJsonObject(data) ? data[name] : undefined
  if (!isJsonObject(data) || !Array.isArray(items)) return undefined
  return { ...data, [name]: items.filter(isJsonObject).map(toItem) }
}

function toMemories(data: Json): JsonObject | undefined {
  return withItems(data, 'memories', ({ from, ...memory }) => ({
    ...memory,
    ...(from !== undefined && { sources: from }),
  }))
}

/** Models read the next cursor and the token counts as text; the message has a field for each. */
function toCheckpoints(data: Json): JsonObject | undefined {
  const message = withItems(data, 'checkpoints', ({ tokens = 0, ...one }) => ({
    ...one,
    tokens: { full: tokens },
  }))
  const next = message?.next
  return typeof next === 'string' ? { ...message, next: next.replace(/^before: /, '') } : message
}

function toMatches(data: Json): JsonObject | undefined {
  return withItems(data, 'matches', toMatch)
}

/** Models read `"lines": "3-8"` and numbered text; programs need numbers. */
function toMatch({ lines, text, ...match }: JsonObject): JsonObject {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(typeof lines === 'string' ? lines : '') ?? []
  return {
    ...match,
    first_line: Number(first ?? 0),
    last_line: Number(last ?? 0),
    lines: typeof text === 'string' ? numberedLines(text) : [],
  }
}

function numberedLines(text: string): JsonObject[] {
  const lines: { line: number; text: string }[] = []
  for (const one of text.split('\n')) {
    const [, number, lineText] = /^(\d+): (.*)$/s.exec(one) ?? []
    const before = lines.at(-1)
    if (number !== undefined && lineText !== undefined) lines.push({ line: Number(number), text: lineText })
    // Masking may have removed line numbers, so a line without one continues the line before.
    else if (before !== undefined) before.text += `\n${one}`
  }
  return lines
}
