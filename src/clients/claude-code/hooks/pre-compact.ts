/** Saves a checkpoint before the client compacts a conversation. */

import { CodedError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { isMain, type Hook, type HookPorts, type SessionNotes } from './hook.ts'
import { notesIn, readTail, type TranscriptNotes } from './transcript-tail.ts'

/**
 * Not a guard: the client continues if this fails. It returns no output, because the client would take it as
 * instructions for its summary.
 */
export const preCompact: Hook = async (payload, ports) => {
  // The transcript is the main thread's, even if a subagent compacts its conversation.
  if (payload.transcript_path === undefined || !isMain(payload)) return undefined
  try {
    await saveNotes(payload.transcript_path, ports)
  } catch (error) {
    const session = await ports.session()
    session.event('checkpoint-not-saved', {
      problem: error instanceof CodedError ? error.code : 'INTERNAL',
    })
    throw error
  }
  return undefined
}

async function saveNotes(transcript: string, ports: HookPorts): Promise<void> {
  const memory = await ports.memory()
  if (!memory.maySave) return
  const notes = notesIn(readTail(transcript))
  if (notes.requests.length === 0 && notes.said.length === 0) return
  await memory.save(sessionNotes(cleaned(notes, memory.clean)))
}

/** Before truncation, because a truncated secret would not be recognized. */
function cleaned(notes: TranscriptNotes, clean: (text: string) => string): TranscriptNotes {
  // Stored text must not contain NUL, and one in a message must not prevent the checkpoint.
  const cleanText = (text: string): string => clean(text).replaceAll('\0', '\ufffd')
  return {
    requests: notes.requests.slice(-maxRequests).map(cleanText),
    said: notes.said.slice(-maxMessages).map(cleanText),
    todo: notes.todo.slice(0, maxTodos).map(cleanText),
    files: notes.files,
    ...(notes.earlier !== undefined && { earlier: cleanText(notes.earlier) }),
  }
}

/** How much is stored, and how much of it is shown initially. */
const maxRequests = 40
const maxMessages = 40
const maxTodos = 50
/** Per text, and in total as JSON: a pasted log must not prevent the checkpoint. */
const maxChars = 65_536
const maxBytes = 3 << 20
const shownRequests = 4
const shownSaid = 3

function sessionNotes({ requests, said, todo, files, earlier = '' }: TranscriptNotes): SessionNotes {
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}\n${lines.join('\n\n')}`]
  const [request = '', answer = ''] = [requests.at(-1), said.at(-1)]
  const summary = [
    request === '' ? '' : `Asked last: ${start(request, 300)}`,
    answer === '' ? '' : `Said last: ${start(answer, 300)}`,
  ]
  return {
    summary: summary.filter(Boolean).join('\n'),
    context: [
      ...part(
        'Asked, the latest last',
        requests.slice(-shownRequests).map((text) => start(text, 1200)),
      ),
      ...part(
        'Said, the latest last',
        said.slice(-shownSaid).map((text) => start(text, 1500)),
      ),
      ...part('To do', todo.length === 0 ? [] : [todo.map((item) => start(item, 200)).join('\n')]),
      ...part(
        'What the client had kept of the conversation before',
        earlier === '' ? [] : [start(earlier, 2000)],
      ),
    ].join('\n\n'),
    state: stateWithin({ requests, said, todo, earlier: [earlier] }),
    files,
  }
}

/** All texts, with long ones truncated until they fit. */
function stateWithin(texts: Readonly<Record<string, readonly string[]>>): JsonObject {
  for (let limit = maxChars; ; limit = Math.floor(limit / 2)) {
    const cut = Object.entries(texts).map(([name, list]) => [name, list.map((text) => start(text, limit))])
    const state = Object.fromEntries(cut) as JsonObject
    if (limit < 1 || Buffer.byteLength(JSON.stringify(state)) <= maxBytes) return state
  }
}

/** Truncates at a word boundary, with an ellipsis. */
function start(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = Math.max(text.lastIndexOf(' ', maxLength), text.lastIndexOf('\n', maxLength))
  return `${text.slice(0, end > maxLength / 2 ? end : maxLength).toWellFormed()} …`
}
