import { setImmediate } from 'node:timers/promises'

import { batches } from '../../core/batches.ts'
import { invalidFile, type JsonProblem } from '../../platform/config/json-problem.ts'
import type { Bank, TakenIn } from './bank.ts'
import { exportedToken } from './export.ts'
import type { ParsedLine, PortableMemory } from './jsonl.ts'
import type { Memory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'

/** What stands somewhere, for whoever is told what is wrong with it. */
export interface ReadMemory {
  readonly file: string
  readonly line: number
  readonly parsed: ParsedLine
}

export interface ImportParts {
  readonly bank: Pick<Bank, 'takeIn'>
  /** Whoever imports, with the tokens of an export of this store; undefined for an export that it does not know. */
  userOfExport(session: string): MemoryUser | undefined
  /** For all else. */
  readonly user: MemoryUser
  /** Whether there is a memory of that id. */
  isThere(id: string): boolean
}

export interface ImportMemoriesOptions {
  /** What is here already in other words is overwritten. */
  readonly replace?: boolean
  /** Only says what would happen. */
  readonly dryRun?: boolean
  readonly onProgress?: (done: number) => void
  /** Stops between two steps; what is done by then stays, and the next import goes on from there. */
  readonly signal?: AbortSignal
}

/** Few enough that other writers do not wait long, many enough that the disk is not the limit. */
const stepSize = 100

/**
 * Everything that was read, or what is wrong with any of it. Names and paths are stored as they are, unlike texts, so
 * that none of them may hold a secret.
 */
export function validMemories(
  read: readonly ReadMemory[],
  holdsSecret: (name: string) => boolean,
): PortableMemory[] {
  const problems: JsonProblem[] = []
  const places = new Map<string, string>()
  const isSecret = remembered(holdsSecret)
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
    for (const [field, name] of namesIn(memory)) if (isSecret(name)) wrong(field, 'holds a secret')
    const before = places.get(memory.id)
    if (before === undefined) places.set(memory.id, `${file}:${line}`)
    else wrong('id', `the same as at ${before}`)
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
function remembered(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>()
  return (name) => {
    const known = answers.get(name) ?? ask(name)
    answers.set(name, known)
    return known
  }
}

/**
 * Takes memories into the bank in steps: each is written whole or not at all, and what is there already is left alone, so
 * that an import that was cut off is simply made again.
 */
export async function importMemories(
  { bank, userOfExport, user, isThere }: ImportParts,
  portables: readonly PortableMemory[],
  { replace = false, dryRun = false, onProgress, signal }: ImportMemoriesOptions = {},
): Promise<TakenIn> {
  const sum = {
    added: [] as string[],
    replaced: [] as string[],
    same: [] as string[],
    different: [] as string[],
  }
  let note: string | undefined
  let done = 0
  // Lists go by when memories came in: here as where they were written.
  const inOrder = portables.toSorted((a, b) => a.memory.created - b.memory.created)
  for (const [session, group] of bySession(withoutLostLinks(inOrder, isThere))) {
    const known = session === undefined ? undefined : userOfExport(session)
    const taken = known === undefined ? group.map(withoutTokens) : group
    for (const step of batches(taken, stepSize)) {
      if (signal?.aborted === true) break
      const answer = await bank.takeIn(known ?? user, step, { replace, dryRun })
      for (const key of ['added', 'replaced', 'same', 'different'] as const) sum[key].push(...answer[key])
      note ??= answer.note
      done += step.length
      onProgress?.(done)
      // Lets a signal through.
      await setImmediate()
    }
  }
  return { ...sum, ...(note !== undefined && { note }) }
}

/** What was merged into a memory that nobody has, or in a circle, would never be found again. */
function withoutLostLinks(
  portables: readonly PortableMemory[],
  isThere: (id: string) => boolean,
): PortableMemory[] {
  const coming = new Map(portables.map(({ memory }) => [memory.id, memory.mergedInto]))
  const circles = idsInCircles(coming)
  return portables.map((portable) => {
    const { mergedInto, ...memory } = portable.memory
    const isLost = mergedInto !== undefined && !coming.has(mergedInto) && !isThere(mergedInto)
    return isLost || circles.has(memory.id) ? { ...portable, memory } : portable
  })
}

/** Of ids that lead to others, those that lead back to themselves. */
function idsInCircles(next: ReadonlyMap<string, string | undefined>): Set<string> {
  const circles = new Set<string>()
  const seen = new Set<string>()
  for (const start of next.keys()) {
    const way = new Set<string>()
    let at: string | undefined = start
    for (; at !== undefined && !seen.has(at); at = next.get(at)) {
      seen.add(at)
      way.add(at)
    }
    // Back on this very way: once round, all of them are of the circle.
    for (; at !== undefined && way.delete(at); at = next.get(at)) circles.add(at)
  }
  return circles
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
 * A token that another store gave says nothing here. Left as it is, it would be taken for the one of the same number of
 * whoever reads the memory.
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
