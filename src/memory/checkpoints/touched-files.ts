import { isAbsolute } from 'node:path'

import { OWN_SERVER, type Scope } from '../../core/call.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { SqlValue } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { relativeWithin } from '@contextd/shared/files/within'
import type { TouchedFiles } from './checkpoint.ts'

/** How many records are searched, and how many calls of each tool are used. */
const maxRecords = 20_000
const maxCalls = 300

/**
 * What our own file tools did in a session according to the audit log, which is scrubbed and contains no private
 * context.
 */
export function filesInRecords(
  store: Store,
  { tenant, project, session }: Omit<Scope, 'agent'>,
): TouchedFiles {
  const newest = store.rows('audit', { tenant }).first({}, { orderBy: 'seq', descending: true })
  const records = store.rows('audit', { tenant, project, session })
  const seq = { atLeast: Number(newest?.seq ?? 0) - maxRecords }
  const pathsOf = (tool: string): string[] =>
    records
      .all(
        { kind: 'outcome', method: 'tool', server: OWN_SERVER, tool, error: null, seq },
        { orderBy: 'seq', descending: true, limit: maxCalls },
      )
      // The arguments are in the intent record, which was written before the call.
      .map(({ intent }) => pathIn(records.first({ seq: intent ?? null })?.arguments))
      .filter((path) => path !== undefined)
  const written = ['safe_write', 'safe_edit'].flatMap(pathsOf)
  return mergedFiles(project, { written, read: pathsOf('safe_read') })
}

/** Merges several sources: each path once, relative to the project if inside it. */
export function mergedFiles(project: string, ...sources: readonly TouchedFiles[]): TouchedFiles {
  const short = (path: string): string => {
    const within = isAbsolute(path) ? relativeWithin(project, path) : path
    return within || path
  }
  const written = new Set(sources.flatMap((files) => files.written.map(short)))
  const read = new Set(sources.flatMap((files) => files.read.map(short)))
  return { written: [...written], read: [...read].filter((path) => !written.has(path)) }
}

/** Long arguments were recorded truncated. */
function pathIn(recorded: SqlValue | undefined): string | undefined {
  if (typeof recorded !== 'string') return undefined
  const args: unknown = JSON.parse(recorded)
  if (isJsonObject(args)) return typeof args.path === 'string' ? args.path : undefined
  const quoted = /"path":("(?:[^"\\]|\\.)*")/.exec(String(args))?.[1]
  return quoted === undefined ? undefined : (JSON.parse(quoted) as string)
}
