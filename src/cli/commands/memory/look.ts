/** `ctxd memory list`, `search` and `get`. */

import { basename, resolve } from 'node:path'

import type { MemoryScope } from '../../../core/memory-scope.ts'
import type { ListOptions, MemoryHit } from '../../../memory/bank/bank.ts'
import type { MemoryOutcome } from '../../../memory/bank/memory.ts'
import { refuseInsideAgent } from '@contextd/shared/operator'
import type { MemoryListResponseJson } from '../../../servers/control/gen/contextd/v1/memory_pb.ts'
import { withControl } from '../../support/control.ts'
import { requestOf } from '../../support/request-of.ts'
import {
  note,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { fullMemoryJson, memories, memoryJson, percent, printMemory, rounded } from './shown.ts'
import { withMemory } from './with-memory.ts'

/** Which memories to select. */
export interface Filter {
  readonly scope?: MemoryScope
  readonly project?: string
  readonly outcome?: MemoryOutcome
  readonly tag?: string
}

export interface ListArguments extends Filter, JsonOption {
  readonly merged?: true
  readonly limit: number
  readonly after?: number
}

export interface SearchOptions extends Omit<Filter, 'project'>, JsonOption {
  readonly minConfidence?: number
  readonly limit: number
}

/** Project paths may be relative to the current directory. */
export function listFilter({ scope = 'all', project, outcome, tag }: Filter, io: CliIo): ListOptions {
  return { scope, ...(project !== undefined && { project: resolve(io.cwd, project) }), outcome, tag }
}

export async function list(options: ListArguments, io: CliIo): Promise<void> {
  // Agents have tools for this, limited by the rules.
  refuseInsideAgent(io.env)
  const { json, merged, limit, after, ...filter } = options
  const { project, scope, outcome, tag } = listFilter(filter, io)
  const request = { project, scope, outcome, tag, merged, limit, after }
  const answered = await withControl(io, (api) => api.call('Memory/List', requestOf(request)))
  if (json) return printJson(answered, io)
  const { memories: page = [], total = 0, next } = answered as MemoryListResponseJson
  if (total === 0) return printLine('No matching memories.', io)
  const rows = page.map((memory) => [
    memory.id ?? '',
    memory.outcome ?? '',
    percent(Number(memory.confidence ?? 0)),
    memory.created?.slice(0, dateLength) ?? '',
    place(memory),
    memory.title ?? '',
  ])
  printTable(['ID', 'OUTCOME', 'CONFIDENCE', 'CREATED', 'PROJECT', 'TITLE'], rows, io)
  if (next !== undefined) note(`of ${memories(total)}; continue with --after ${next}`, io)
}

type Placed = { readonly [field in 'scope' | 'project' | 'merged_into']?: string | undefined }

/** `2026-11-15` */
const dateLength = 10

function place({ scope, project = '', merged_into: into }: Placed): string {
  const where = scope === 'user' ? '(all)' : basename(project)
  return into === undefined ? where : `${where} → ${into}`
}

export function search(words: readonly string[], options: SearchOptions, io: CliIo): Promise<void> {
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
    const { hits, considered, filtered, leftOver, empty, note: warning } = found
    if (json) {
      return printJson(
        {
          memories: hits.map(hitJson),
          considered,
          filtered,
          left_over: leftOver,
          ...(empty !== undefined && { why_empty: empty }),
          ...(warning !== undefined && { note: warning }),
        },
        io,
      )
    }
    if (hits.length === 0) printLine(empty ?? 'No matches.', io)
    else {
      const rows = hits.map(({ memory, score }) => [
        score.toFixed(2),
        memory.id,
        memory.outcome,
        percent(memory.confidence),
        place(memoryJson(memory)),
        memory.title,
      ])
      printTable(['SCORE', 'ID', 'OUTCOME', 'CONFIDENCE', 'PROJECT', 'TITLE'], rows, io)
    }
    const without = Object.entries(filtered).map(([why, count]) => `${count} excluded by ${why}`)
    const more = leftOver > 0 ? [`${leftOver} more with lower scores`] : []
    note([`${memories(considered)} considered`, ...without, ...more].join(', '), io)
    if (warning !== undefined) note(warning, io)
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
    const found = bank.get(user, ids, { isPeek: true })
    if (json) return printJson({ memories: found.map(fullMemoryJson) }, io)
    for (const [index, memory] of found.entries()) {
      if (index > 0) printLine('', io)
      printMemory(memory, io)
    }
  })
}
