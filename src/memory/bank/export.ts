import type { Bank, ListOptions } from './bank.ts'
import type { PortableMemory } from './jsonl.ts'
import { keptToday } from './memory-row.ts'
import type { Memory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'

/** So many are in memory at a time. */
const pageSize = 200

/**
 * Every memory that fits, also those that were merged into others, the newest first. `session` is whose tokens stand in
 * their texts: whoever imports them into the same store can tell which secrets were meant.
 */
export function* exportMemories(
  bank: Pick<Bank, 'list'>,
  { reach, keeping }: MemoryUser,
  session: string,
  filter: Omit<ListOptions, 'merged' | 'limit' | 'after'> = {},
): Generator<PortableMemory & { readonly total: number }, void> {
  const recall = (text: string): string => keeping.recall(keptToday(text, keeping))
  const user = { reach, keeping: { ...keeping, recall } }
  let after: number | undefined
  do {
    const { memories, total, next } = bank.list(user, { ...filter, merged: true, limit: pageSize, after })
    for (const memory of memories) {
      yield { memory, total, ...(holdsTokens(memory) && { tokensOf: session }) }
    }
    after = next
  } while (after !== undefined)
}

export const exportedToken = /\[SECRET_\d+\]/g

function holdsTokens({ title, description, content, task, tags }: Memory): boolean {
  return [title, description, content, task, ...tags].some((text) => text.search(exportedToken) !== -1)
}

/** `wait-for-the-port-mem_3f0c2a5e6f3b.md`: what it is about, for whoever looks into the folder, and which one it is. */
export function markdownFileName({ title, id }: Pick<Memory, 'title' | 'id'>): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const start = Array.from(slug).slice(0, 48).join('').replace(/-$/, '')
  return start === '' ? `${id}.md` : `${start}-${id}.md`
}
