/** What the command for memories works with, beside the bank itself. */

export type {
  Bank,
  FoundMemories,
  ListOptions,
  MemoryChanges,
  MemoryHit,
  TakenIn,
} from '../memory/bank/bank.ts'
export { exportMemories, markdownFileName } from '../memory/bank/export.ts'
export { importMemories, validMemories, type ReadMemory } from '../memory/bank/import.ts'
export {
  fromJsonLine,
  toFields,
  toJsonLine,
  type PortableDefaults,
  type PortableMemory,
} from '../memory/bank/jsonl.ts'
export { fromMarkdown, readMemoryMarkdown, toMarkdown, writeMarkdown } from '../memory/bank/markdown.ts'
export { outcomes, type Memory, type MemoryUser, type MemoryOutcome } from '../memory/bank/memory.ts'
export { reembed, type Reembedded } from '../memory/bank/reembed.ts'
export type { Embedder } from '../memory/search/embedder.ts'
