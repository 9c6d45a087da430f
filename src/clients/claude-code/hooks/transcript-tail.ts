/** Reads the state of a session from the end of its transcript, which has one JSON object per line. */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

import { ContextdError } from '../../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

export interface TranscriptNotes {
  /** The user's prompts and the main thread's messages, oldest first. */
  readonly requests: readonly string[]
  readonly said: readonly string[]
  /** `[done] write the test` */
  readonly todo: readonly string[]
  /** Newest first. */
  readonly files: { readonly written: readonly string[]; readonly read: readonly string[] }
  /** The client's own summary from the previous compaction. */
  readonly earlier?: string
}

/** Snapshots of prompts and tool outputs take maxBytes of the space. */
const tailBytes = 8 << 20

/** The last complete lines. */
export function readTail(path: string, maxBytes = tailBytes): string[] {
  // Non-blocking, because the process may be serving other hooks.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new ContextdError('INVALID_REQUEST', { what: 'the transcript is not a file' })
    const { size } = stats
    const from = Math.max(0, size - maxBytes)
    const bytes = Buffer.alloc(size - from)
    const length = readSync(file, bytes, 0, bytes.length, from)
    const lines = bytes.toString('utf8', 0, length).split('\n')
    return from === 0 ? lines : lines.slice(1)
  } finally {
    closeSync(file)
  }
}

/** Ignores lines that are not entries of the main thread: clients keep adding kinds of entries. */
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
  // Most lines are something else, and some are long.
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

/** Text that the client writes in the user's role: commands and their output, agent notifications. */
function isMachineText(text: string): boolean {
  return /^(?:<(?:command-|local-command-|task-notification|system-reminder|bash-)|\[Request interrupted)/.test(
    text,
  )
}

const readers = /^(?:Read|NotebookRead)$|__safe_read$/
const writers = /^(?:Write|Edit|MultiEdit|NotebookEdit)$|__safe_(?:write|edit)$/

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

/** The client stores either a complete list, or single tasks with numbers it assigns. */
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
