/** `ctxd memory add`: stores a memory of the user, scrubbed like those of agents. */

import { ContextdError } from '../../../core/errors/errors.ts'
import type { NewMemory } from '../../../memory/bank/memory.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { readInputText } from './input.ts'
import { summaryOf } from './notes.ts'
import { scrubbedText, withMemory } from './with-memory.ts'

export interface AddArguments
  extends JsonOption, Partial<Pick<NewMemory, 'title' | 'description' | 'task' | 'tags' | 'scope'>> {
  readonly outcome: NewMemory['outcome']
  readonly file?: string
}

export function add(words: readonly string[], options: AddArguments, io: CliIo): Promise<void> {
  const { json, file, ...fields } = options
  return withMemory(io, async ({ bank, user, event }) => {
    const content = await contentOf(words, file, io)
    // Scrubbed before it is cut: half a secret is not recognized.
    const start = summaryOf(scrubbedText(content, user))
    const { memory, note: warning } = await bank.store(user, {
      title: start,
      description: start,
      ...fields,
      content,
    })
    const { id } = memory
    event('memory-added', { id })
    const similar = await bank.similar(user, id)
    if (json) {
      const others = similar.map((other) => ({ id: other.id, title: other.title }))
      return printJson({ id, similar: others, ...(warning !== undefined && { note: warning }) }, io)
    }
    printLine(`Stored: ${id}.`, io)
    for (const other of similar)
      note(`similar to ${other.id}, ${other.title}; to merge them: ctxd memory merge ${id} ${other.id}`, io)
    if (warning !== undefined) note(warning, io)
  })
}

async function contentOf(words: readonly string[], file: string | undefined, io: CliIo): Promise<string> {
  const isStdin = words.length === 1 && words[0] === '-'
  if (words.length > 0 && file !== undefined) {
    throw new ContextdError('USAGE', { problem: 'give the text either as an argument or with --file' })
  }
  const content = file !== undefined || isStdin ? await readInputText(file ?? '-', io) : words.join(' ')
  if (content.trim() !== '') return content.trim()
  const problem = 'give the text of the memory: as an argument, with --file, or on stdin with -'
  throw new ContextdError('USAGE', { problem })
}
