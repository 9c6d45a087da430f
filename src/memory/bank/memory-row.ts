/** A memory as it lies in the store, and as it is read. */

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { MemoryWords } from '../../platform/storage/memory-words.ts'
import { indexedWords } from '../search/words.ts'
import { confidenceOf } from './confidence.ts'
import type { Memory, NewMemory, MemoryOutcome } from './memory.ts'
import type { Keeping } from '../memory-access.ts'

/** The texts of a memory as they are kept: scrubbed, and with ids in place of tokens. */
export interface KeptTexts {
  readonly title: string
  readonly description: string
  readonly content: string
  readonly task: string
  /** A JSON list. */
  readonly tags: string
}

type Texts = Pick<NewMemory, 'title' | 'description' | 'content' | 'task' | 'tags'>

type SomeTexts = { readonly [Field in keyof Texts]?: Texts[Field] | undefined }

/** Of all there are, or only of what is there. */
export function keepTexts(texts: Required<Texts>, keeping: Keeping): KeptTexts
export function keepTexts(texts: SomeTexts, keeping: Keeping): Partial<KeptTexts>
export function keepTexts(
  { title, description, content, task, tags }: SomeTexts,
  { archive }: Keeping,
): Partial<KeptTexts> {
  return {
    ...(title !== undefined && { title: archive(title) }),
    ...(description !== undefined && { description: archive(description) }),
    ...(content !== undefined && { content: archive(content) }),
    ...(task !== undefined && { task: archive(task) }),
    ...(tags !== undefined && { tags: JSON.stringify([...new Set(tags)].map((tag) => archive(tag))) }),
  }
}

/** How much of a long content its vector is made of: models read no more, and the rest is found by its words. */
const embeddedContent = 1200

/** What the vector of a memory is made of. */
export function textToEmbed({ title, description, task, content }: Omit<KeptTexts, 'tags'>): string {
  return [title, description, task, content.slice(0, embeddedContent)]
    .filter((text) => text !== '')
    .join('\n')
}

/** What the word index is given. */
export function memoryWordsOf({ title, description, content, task, tags }: KeptTexts): MemoryWords {
  return {
    title: indexedWords(title),
    description: indexedWords(description),
    task: indexedWords(task),
    tags: indexedWords((JSON.parse(tags) as string[]).join(' ')),
    content: indexedWords(content),
  }
}

export function rowTexts(row: SqlRow): KeptTexts {
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

/** Where its vector belongs: to no project, if it is for all of them. */
export function projectOf({ scope, project }: Owned): string {
  return scope === 'user' ? '' : project
}

export function ownerIn(row: SqlRow): Owned {
  return { scope: row.scope as string, project: row.project as string }
}

/** The same list of sources gives the same text, in whatever order it came. */
export function sourcesText(sources: readonly string[] = []): string {
  return JSON.stringify([...new Set(sources)].sort())
}

/** What was kept, as it would be kept now: what nobody took for a secret then may be known as one since. */
export function keptToday(text: string, { archive, recall }: Keeping): string {
  return archive(recall(text))
}

export function readMemory(row: SqlRow, { recall }: Keeping): Memory {
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
