/** `ctxd memory list`, `search` and `get`. */

import { basename, resolve } from 'node:path'

import type { ListOptions, Memory, MemoryHit, Outcome } from '../../../compose/memory-files.ts'
import type { MemoryScope } from '../../../core/memory-scope.ts'
import { note, printJson, printLine, printTable, type CliIo, type JsonOption } from '../../ui/output.ts'
import { fullMemoryJson, memories, memoryJson, percent, printMemory, rounded } from './shown.ts'
import { withMemory } from './with-memory.ts'

/** Which memories are meant. */
export interface Filter {
  readonly scope?: MemoryScope
  readonly project?: string
  readonly outcome?: Outcome
  readonly tag?: string
}

export interface ListArguments extends Filter, JsonOption {
  readonly merged?: true
  readonly limit: number
  readonly after?: number
}

export interface SearchArguments extends Omit<Filter, 'project'>, JsonOption {
  readonly minConfidence?: number
  readonly limit: number
}

/** A project may be named by a path that starts where the person is. */
export function listFilter({ scope = 'all', project, outcome, tag }: Filter, io: CliIo): ListOptions {
  return { scope, ...(project !== undefined && { project: resolve(io.cwd, project) }), outcome, tag }
}

export function list({ merged, limit, after, json, ...filter }: ListArguments, io: CliIo): Promise<void> {
  return withMemory(io, ({ bank, user }) => {
    const page = bank.list(user, { ...listFilter(filter, io), merged, limit, after })
    const { total, next } = page
    if (json) {
      return printJson(
        { memories: page.memories.map(memoryJson), total, ...(next !== undefined && { next }) },
        io,
      )
    }
    if (total === 0) return printLine('There are no memories, or none that fits.', io)
    const rows = page.memories.map((memory) => [
      memory.id,
      memory.outcome,
      percent(memory.confidence),
      new Date(memory.created).toISOString().slice(0, dateLength),
      place(memory),
      memory.title,
    ])
    printTable(['ID', 'OUTCOME', 'CONFIDENCE', 'CREATED', 'PROJECT', 'TITLE'], rows, io)
    if (next !== undefined) note(`of ${memories(total)}; go on with --after ${next}`, io)
  })
}

/** `2026-11-15` */
const dateLength = 10

function place({ scope, project, mergedInto }: Memory): string {
  const where = scope === 'user' ? '(all)' : basename(project)
  return mergedInto === undefined ? where : `${where} → ${mergedInto}`
}

export function search(words: readonly string[], options: SearchArguments, io: CliIo): Promise<void> {
  const { scope = 'all', outcome, tag, minConfidence, limit, json } = options
  return withMemory(io, async ({ bank, user }) => {
    const found = await bank.search(user, {
      text: words.join(' '),
      scope,
      outcome,
      tags: tag === undefined ? undefined : [tag],
      minConfidence,
      limit,
    })
    const { hits, considered, filtered, leftOver, empty, note: trouble } = found
    if (json) {
      return printJson(
        {
          memories: hits.map(hitJson),
          considered,
          filtered,
          left_over: leftOver,
          ...(empty !== undefined && { why_empty: empty }),
          ...(trouble !== undefined && { note: trouble }),
        },
        io,
      )
    }
    if (hits.length === 0) printLine(empty ?? 'Nothing matches.', io)
    else {
      const rows = hits.map(({ memory, score }) => [
        score.toFixed(2),
        memory.id,
        memory.outcome,
        percent(memory.confidence),
        place(memory),
        memory.title,
      ])
      printTable(['SCORE', 'ID', 'OUTCOME', 'CONFIDENCE', 'PROJECT', 'TITLE'], rows, io)
    }
    const without = Object.entries(filtered).map(([why, count]) => `${count} left out by ${why}`)
    const more = leftOver > 0 ? [`${leftOver} more further off`] : []
    note([`${memories(considered)} considered`, ...without, ...more].join(', '), io)
    if (trouble !== undefined) note(trouble, io)
  })
}

function hitJson({ memory, score, lexical, similarity }: MemoryHit) {
  return {
    ...memoryJson(memory),
    score: rounded(score),
    ...(lexical !== undefined && { lexical: rounded(lexical) }),
    ...(similarity !== undefined && { similarity: rounded(similarity) }),
  }
}

export function get(ids: readonly string[], { json }: JsonOption, io: CliIo): Promise<void> {
  return withMemory(io, ({ bank, user }) => {
    const found = bank.get(user, ids, { looksOnly: true })
    if (json) return printJson({ memories: found.map(fullMemoryJson) }, io)
    for (const [index, memory] of found.entries()) {
      if (index > 0) printLine('', io)
      printMemory(memory, io)
    }
  })
}
