import { setImmediate } from 'node:timers/promises'

import { batches } from '../../core/batches.ts'
import { invalidFile, type JsonProblem } from '../../platform/config/json-problem.ts'
import type { Bank, ImportResult } from './bank.ts'
import { exportedToken } from './export.ts'
import type { ParsedLine, PortableMemory } from './jsonl.ts'
import type { Memory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'

/** A parsed memory and its position, for error messages. */
export interface ReadMemory {
  readonly file: string
  readonly line: number
  readonly parsed: ParsedLine
}

export interface ImportParts {
  readonly bank: Pick<Bank, 'importBatch'>
  /** The user with the tokens of an export from this store; undefined if the export is from another store. */
  userOfExport(session: string): MemoryUser | undefined
  /** For memories without tokens of a known export. */
  readonly user: MemoryUser
  /** Whether a memory with this id exists. */
  exists(id: string): boolean
}

export interface ImportMemoriesOptions {
  /** Overwrites existing memories that differ. */
  readonly replace?: boolean
  /** Only reports what would happen. */
  readonly dryRun?: boolean
  readonly onProgress?: (done: number) => void
  /** Stops between two batches; finished batches stay, and the next import continues from there. */
  readonly signal?: AbortSignal
}

/** Small enough not to block other writers for long, large enough not to be limited by the disk. */
const batchSize = 100

/**
 * All memories, or an error with everything that is wrong with them. Unlike texts, names and paths are stored
 * unscrubbed, so they must not contain secrets.
 */
export function validMemories(
  read: readonly ReadMemory[],
  containsSecret: (name: string) => boolean,
): PortableMemory[] {
  const problems: JsonProblem[] = []
  const places = new Map<string, string>()
  const isSecret = memoized(containsSecret)
  const valid: PortableMemory[] = []
  for (const { file, line, parsed } of read) {
    if (!parsed.ok) {
      problems.push(...parsed.problems)
      continue
    }
    const wrong = (path: string, message: string): void => {
      problems.push({ file, line, column: 1, path, message })
    }
    const { memory } = parsed.value
    for (const [field, name] of namesIn(memory)) if (isSecret(name)) wrong(field, 'contains a secret')
    const before = places.get(memory.id)
    if (before === undefined) places.set(memory.id, `${file}:${line}`)
    else wrong('id', `duplicate of ${before}`)
    valid.push(parsed.value)
  }
  if (problems.length > 0) throw invalidFile('MEMORY_FILE_INVALID', problems)
  return valid
}

function namesIn({ id, project, agent, session, branch, mergedInto, sources }: Memory): [string, string][] {
  const names = { id, project, agent, session, branch, merged_into: mergedInto }
  const given = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return [...given, ...sources.map((source): [string, string] => ['sources', source])]
}

/** Thousands of memories come from a few projects and sessions. */
function memoized(check: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>()
  return (name) => {
    const known = answers.get(name) ?? check(name)
    answers.set(name, known)
    return known
  }
}

/**
 * Imports memories in batches: each memory is written completely or not at all, and existing ones are skipped, so an
 * interrupted import can simply be repeated.
 */
export async function importMemories(
  { bank, userOfExport, user, exists }: ImportParts,
  portables: readonly PortableMemory[],
  { replace = false, dryRun = false, onProgress, signal }: ImportMemoriesOptions = {},
): Promise<ImportResult> {
  const sum = {
    added: [] as string[],
    replaced: [] as string[],
    same: [] as string[],
    different: [] as string[],
  }
  let note: string | undefined
  let done = 0
  // Lists are ordered by storage time, so import in the order of creation.
  const inOrder = portables.toSorted((a, b) => a.memory.created - b.memory.created)
  for (const [session, group] of bySession(withoutBrokenLinks(inOrder, exists))) {
    const known = session === undefined ? undefined : userOfExport(session)
    const prepared = known === undefined ? group.map(withoutTokens) : group
    for (const batch of batches(prepared, batchSize)) {
      if (signal?.aborted === true) break
      const answer = await bank.importBatch(known ?? user, batch, { replace, dryRun })
      for (const key of ['added', 'replaced', 'same', 'different'] as const) sum[key].push(...answer[key])
      note ??= answer.note
      done += batch.length
      onProgress?.(done)
      // Lets signals be handled.
      await setImmediate()
    }
  }
  return { ...sum, ...(note !== undefined && { note }) }
}

/** A memory merged into a missing one, or into a cycle, would never be found again. */
function withoutBrokenLinks(
  portables: readonly PortableMemory[],
  exists: (id: string) => boolean,
): PortableMemory[] {
  const links = new Map(portables.map(({ memory }) => [memory.id, memory.mergedInto]))
  const cycles = idsInCycles(links)
  return portables.map((portable) => {
    const { mergedInto, ...memory } = portable.memory
    const isBroken = mergedInto !== undefined && !links.has(mergedInto) && !exists(mergedInto)
    return isBroken || cycles.has(memory.id) ? { ...portable, memory } : portable
  })
}

/** The ids that are part of a cycle. */
function idsInCycles(next: ReadonlyMap<string, string | undefined>): Set<string> {
  const cycles = new Set<string>()
  const seen = new Set<string>()
  for (const start of next.keys()) {
    const path = new Set<string>()
    let at: string | undefined = start
    for (; at !== undefined && !seen.has(at); at = next.get(at)) {
      seen.add(at)
      path.add(at)
    }
    // Back on the current path: every id from here on is part of a cycle.
    for (; at !== undefined && path.delete(at); at = next.get(at)) cycles.add(at)
  }
  return cycles
}

function bySession(memories: readonly PortableMemory[]): Map<string | undefined, Memory[]> {
  const groups = new Map<string | undefined, Memory[]>()
  for (const { memory, tokensOf } of memories) {
    const group = groups.get(tokensOf)
    if (group === undefined) groups.set(tokensOf, [memory])
    else group.push(memory)
  }
  return groups
}

/**
 * A token of another store is meaningless here. Left unchanged, it would be mistaken for the reader's own token of
 * that number.
 */
function withoutTokens(memory: Memory): Memory {
  const clean = (text: string): string => text.replaceAll(exportedToken, '[SECRET_FORGOTTEN]')
  const { title, description, content, task, tags } = memory
  return {
    ...memory,
    title: clean(title),
    description: clean(description),
    content: clean(content),
    task: clean(task),
    tags: tags.map(clean),
  }
}
