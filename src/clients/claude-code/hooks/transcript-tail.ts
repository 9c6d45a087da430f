/** What the end of a transcript tells of where a session stands. The client writes one JSON object a line. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

import { ContextdError } from '../../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

export interface TranscriptNotes {
  /** What the person asked for and what the main thread said, the oldest first. */
  readonly requests: readonly string[]
  readonly said: readonly string[]
  /** `[done] write the test` */
  readonly todo: readonly string[]
  /** The latest first. */
  readonly files: { readonly written: readonly string[]; readonly read: readonly string[] }
  /** What the client itself had made of the conversation when it compacted it before. */
  readonly earlier?: string
}

/** Snapshots of prompts and outputs of tools stand between what is looked for. */
const tailBytes = 8 << 20

/** The last lines that are whole. */
export function readTail(path: string, most = tailBytes): string[] {
  // Whoever answers this hook may serve others too: nothing to wait for must be waited for.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new ContextdError('INVALID_REQUEST', { what: 'the transcript is no file' })
    const { size } = stats
    const from = Math.max(0, size - most)
    const bytes = Buffer.alloc(size - from)
    const length = readSync(file, bytes, 0, bytes.length, from)
    const lines = bytes.toString('utf8', 0, length).split('\n')
    return from === 0 ? lines : lines.slice(1)
  } finally {
    closeSync(file)
  }
}

/** Lines that are no entry of the main thread count for nothing: the client adds kinds of entries as it likes. */
export function notesIn(lines: readonly string[]): TranscriptNotes {
  const entries = lines.map(parsed).filter((entry) => entry !== undefined)
  const uses = entries.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_use'))
  const results = entries.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'tool_result'))
  const failed = new Set(results.filter((block) => block.is_error === true).map((block) => block.tool_use_id))
  const earlier = entries.findLast(({ isSummary }) => isSummary)?.text
  return {
    requests: textsOf(entries, 'user').filter((text) => !isMachineText(text)),
    said: textsOf(entries, 'assistant'),
    todo: todoIn(uses, results),
    files: filesIn(uses.filter(({ id }) => !failed.has(id ?? null))),
    ...(earlier !== undefined && { earlier }),
  }
}

interface Entry {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly blocks: readonly JsonObject[]
  readonly isSummary: boolean
}

function parsed(line: string): Entry | undefined {
  // Most lines are something else, and some of them are long.
  if (!/"role":"(?:user|assistant)"/.test(line)) return undefined
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isJsonObject(entry) || entry.isSidechain === true || entry.isMeta === true) return undefined
  const { type, message } = entry
  if ((type !== 'user' && type !== 'assistant') || !isJsonObject(message)) return undefined
  const { content = null } = message
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  const isSummary = entry.isCompactSummary === true
  return { role: type, blocks, isSummary, text: typeof content === 'string' ? content : textIn(blocks) }
}

function textIn(blocks: readonly JsonObject[]): string {
  return blocks
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .filter((text) => text !== '')
    .join('\n')
}

function textsOf(entries: readonly Entry[], role: Entry['role']): string[] {
  return entries
    .filter((entry) => entry.role === role && !entry.isSummary)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
}

/** What the client says in the person's place: commands and their output, news of agents. */
function isMachineText(text: string): boolean {
  return /^(?:<(?:command-|local-command-|task-notification|system-reminder|bash-)|\[Request interrupted)/.test(
    text,
  )
}

const readers = /^(?:Read|NotebookRead)$|__safe_read$/
const writers = /^(?:Write|Edit|MultiEdit|NotebookEdit)$|__safe_write$/

function filesIn(uses: readonly JsonObject[]): TranscriptNotes['files'] {
  const named = (pattern: RegExp): string[] => {
    const paths = uses
      .filter(({ name }) => typeof name === 'string' && pattern.test(name))
      .map(({ input }) =>
        isJsonObject(input) ? (input.file_path ?? input.notebook_path ?? input.path) : null,
      )
      .filter((path) => typeof path === 'string')
    return [...new Set(paths.toReversed())]
  }
  return { written: named(writers), read: named(readers) }
}

/** The client keeps a list as a whole, or tasks one by one under numbers that it gives out. */
function todoIn(uses: readonly JsonObject[], results: readonly JsonObject[]): string[] {
  const list = uses.findLast(({ name }) => name === 'TodoWrite')
  if (isJsonObject(list?.input) && Array.isArray(list.input.todos)) {
    return list.input.todos.filter(isJsonObject).map(({ status, content }) => itemOf(status, content))
  }
  const tasks = new Map<Json | undefined, { subject: Json | undefined; status: Json | undefined }>()
  for (const { name, id, input } of uses) {
    if (!isJsonObject(input)) continue
    if (name === 'TaskCreate') {
      const result = results.find((block) => block.tool_use_id === id)
      const number = /^Task #(\S+) created/.exec(resultText(result?.content))?.[1]
      if (number !== undefined) tasks.set(number, { subject: input.subject, status: 'pending' })
    } else if (name === 'TaskUpdate') {
      const known = tasks.get(input.taskId)
      if (known !== undefined)
        Object.assign(known, typeof input.status === 'string' && { status: input.status })
    }
  }
  return [...tasks.values()].map(({ subject, status }) => itemOf(status, subject))
}

function itemOf(status: Json | undefined, text: Json | undefined): string {
  return `[${typeof status === 'string' ? status : 'open'}] ${typeof text === 'string' ? text : ''}`
}

function resultText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? textIn(content.filter(isJsonObject)) : ''
}
