/** Conversion between memories and their rows. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { MemoryWords } from '../../platform/storage/memory-words.ts'
import { indexedWords } from '../search/words.ts'
import { confidenceOf } from './confidence.ts'
import type { Memory, NewMemory, MemoryOutcome } from './memory.ts'
import type { Archiver } from '../memory-access.ts'

/** The texts of a memory as stored: scrubbed, and with ids in place of tokens. */
export interface ArchivedTexts {
  readonly title: string
  readonly description: string
  readonly content: string
  readonly task: string
  /** A JSON list. */
  readonly tags: string
}

type Texts = Pick<NewMemory, 'title' | 'description' | 'content' | 'task' | 'tags'>

type SomeTexts = { readonly [Field in keyof Texts]?: Texts[Field] | undefined }

/** Archives all texts, or only those present. */
export function archiveTexts(texts: Required<Texts>, archiver: Archiver): ArchivedTexts
export function archiveTexts(texts: SomeTexts, archiver: Archiver): Partial<ArchivedTexts>
export function archiveTexts(
  { title, description, content, task, tags }: SomeTexts,
  { archive }: Archiver,
): Partial<ArchivedTexts> {
  return {
    ...(title !== undefined && { title: archive(title) }),
    ...(description !== undefined && { description: archive(description) }),
    ...(content !== undefined && { content: archive(content) }),
    ...(task !== undefined && { task: archive(task) }),
    ...(tags !== undefined && { tags: JSON.stringify([...new Set(tags)].map((tag) => archive(tag))) }),
  }
}

/** How much of a long content its vector is computed from: models read no more, and the rest is found by words. */
const maxEmbeddedContent = 1200

/** The text that the vector of a memory is computed from. */
export function textToEmbed({ title, description, task, content }: Omit<ArchivedTexts, 'tags'>): string {
  return [title, description, task, content.slice(0, maxEmbeddedContent)]
    .filter((text) => text !== '')
    .join('\n')
}

/** Input of the word index. */
export function memoryWordsOf({ title, description, content, task, tags }: ArchivedTexts): MemoryWords {
  return {
    title: indexedWords(title),
    description: indexedWords(description),
    task: indexedWords(task),
    tags: indexedWords((JSON.parse(tags) as string[]).join(' ')),
    content: indexedWords(content),
  }
}

export function rowTexts(row: SqlRow): ArchivedTexts {
  return {
    title: row.title as string,
    description: row.description as string,
    content: row.content as string,
    task: row.task as string,
    tags: row.tags as string,
  }
}

export interface Owned {
  readonly scope: string
  readonly project: string
}

/** The project its vector belongs to; empty if it is user-wide. */
export function projectOf({ scope, project }: Owned): string {
  return scope === 'user' ? '' : project
}

export function ownerIn(row: SqlRow): Owned {
  return { scope: row.scope as string, project: row.project as string }
}

/** The same sources give the same text, regardless of their order. */
export function sourcesText(sources: readonly string[] = []): string {
  return JSON.stringify([...new Set(sources)].sort())
}

/** Archives stored text again, because values may have become known as secrets since. */
export function rearchived(text: string, { archive, recall }: Archiver): string {
  return archive(recall(text))
}

export function readMemory(row: SqlRow, { recall }: Archiver): Memory {
  const evidence = { helped: Number(row.helped), misled: Number(row.misled) }
  return {
    id: row.id as string,
    title: recall(row.title as string),
    description: recall(row.description as string),
    content: recall(row.content as string),
    outcome: row.outcome as MemoryOutcome,
    task: recall(row.task as string),
    tags: (JSON.parse(row.tags as string) as string[]).map((tag) => recall(tag)),
    sources: JSON.parse(row.sources as string) as string[],
    scope: row.scope as Memory['scope'],
    confidence: confidenceOf(evidence),
    evidence,
    project: row.project as string,
    agent: row.agent as string,
    session: row.session as string,
    ...(row.branch !== null && { branch: row.branch as string }),
    created: Number(row.created_at),
    changed: Number(row.changed_at),
    ...(row.used_at !== null && { used: Number(row.used_at) }),
    ...(row.merged_into !== null && { mergedInto: row.merged_into as string }),
  }
}
