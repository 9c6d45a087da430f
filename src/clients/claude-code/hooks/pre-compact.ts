/** Before the client compacts a conversation: where it stands is kept, so that it can be gone on from. */

import { CodedError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { isMain, type Hook, type HookPorts, type SessionNotes } from './hook.ts'
import { notesIn, readTail, type TranscriptNotes } from './transcript-tail.ts'

/**
 * No guard: whatever fails here, the client goes on. Never says anything either, because the client takes what this hook
 * prints as instructions for its summary.
 */
export const preCompact: Hook = async (payload, ports) => {
  // The transcript is that of the main thread, also where a subagent compacts its own conversation.
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

/** Before anything is cut: part of a secret would not be recognised. */
function cleaned(notes: TranscriptNotes, clean: (text: string) => string): TranscriptNotes {
  // No text that is kept has a NUL, and one in a message must not cost the checkpoint.
  const fit = (text: string): string => clean(text).replaceAll('\0', '\ufffd')
  return {
    requests: notes.requests.slice(-maxRequests).map(fit),
    said: notes.said.slice(-maxMessages).map(fit),
    todo: notes.todo.slice(0, maxTodos).map(fit),
    files: notes.files,
    ...(notes.earlier !== undefined && { earlier: fit(notes.earlier) }),
  }
}

/** What is kept, and how much of it is shown without being asked for. */
const maxRequests = 40
const maxMessages = 40
const maxTodos = 50
/** Of one text, and of all together as JSON: who pastes a whole log must not lose the checkpoint by it. */
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

/** All of the texts, and of the long ones no more than there is room for. */
function stateWithin(texts: Readonly<Record<string, readonly string[]>>): JsonObject {
  for (let most = maxChars; ; most = Math.floor(most / 2)) {
    const cut = Object.entries(texts).map(([name, list]) => [name, list.map((text) => start(text, most))])
    const state = Object.fromEntries(cut) as JsonObject
    if (most < 1 || Buffer.byteLength(JSON.stringify(state)) <= maxBytes) return state
  }
}

/** The beginning of a text, with whole words, and a sign where more follows. */
function start(text: string, most: number): string {
  if (text.length <= most) return text
  const end = Math.max(text.lastIndexOf(' ', most), text.lastIndexOf('\n', most))
  return `${text.slice(0, end > most / 2 ? end : most).toWellFormed()} …`
}
