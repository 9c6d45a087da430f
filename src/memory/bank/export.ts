import type { Bank, ListOptions } from './bank.ts'
import type { PortableMemory } from './jsonl.ts'
import { rearchived } from './memory-row.ts'
import type { Memory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'

/** Memories loaded at a time. */
const pageSize = 200

/**
 * All matching memories, including merged ones, newest first. `session` is the session whose tokens their texts
 * contain: an import into the same store can restore which secrets they refer to.
 */
export function* exportMemories(
  bank: Pick<Bank, 'list'>,
  { reach, archiver }: MemoryUser,
  session: string,
  filter: Omit<ListOptions, 'merged' | 'limit' | 'after'> = {},
): Generator<PortableMemory & { readonly total: number }, void> {
  const recall = (text: string): string => archiver.recall(rearchived(text, archiver))
  const user = { reach, archiver: { ...archiver, recall } }
  let after: number | undefined
  do {
    const { memories, total, next } = bank.list(user, { ...filter, merged: true, limit: pageSize, after })
    for (const memory of memories) {
      yield { memory, total, ...(containsTokens(memory) && { tokensOf: session }) }
    }
    after = next
  } while (after !== undefined)
}

export const exportedToken = /\[SECRET_\d+\]/g

function containsTokens({ title, description, content, task, tags }: Memory): boolean {
  return [title, description, content, task, ...tags].some((text) => text.search(exportedToken) !== -1)
}

/** Readable title plus id: `wait-for-the-port-mem_3f0c2a5e6f3b.md` */
export function markdownFileName({ title, id }: Pick<Memory, 'title' | 'id'>): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const start = Array.from(slug).slice(0, 48).join('').replace(/-$/, '')
  return start === '' ? `${id}.md` : `${start}-${id}.md`
}
