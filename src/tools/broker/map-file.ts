import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { readBounded } from './bounded-file.ts'
import { parseContextMap, type ParsedMap } from './context-map.ts'

export interface MapFile extends ParsedMap {
  readonly text: string
  readonly mode: number
}

const largest = 262_144

/**
 * The map decides what agents can read, so only the user may be able to change it. Throws CONTEXT_MAP_MISSING, and
 * CONTEXT_MAP_INVALID if the file cannot be used at all; problems of its content are in `problems`.
 */
export async function readMapFile(path: string, home: string): Promise<MapFile> {
  const read = await readBounded(path, largest)
  if (read.kind === 'missing') throw new ContextdError('CONTEXT_MAP_MISSING')
  if (read.kind !== 'file') throw invalid(read.why)
  refuseForeign(read)
  // Both the folder of the path and the real folder: another file could be placed in either.
  for (const folder of new Set([dirname(path), dirname(read.realPath)])) {
    refuseForeign(await stat(folder), 'is in a folder that ')
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)
  } catch {
    throw invalid('is not UTF-8 text')
  }
  return { ...parseContextMap(text, { home, folder: dirname(path) }), text, mode: read.mode }
}

/** For agents, which learn the position of a problem but nothing of the content. */
export function usableEntries({ entries, problems }: ParsedMap): ParsedMap['entries'] {
  const [first] = problems
  if (first === undefined) return entries
  throw invalid(`has a mistake in line ${first.line}`)
}

function refuseForeign({ uid, mode }: { uid: number; mode: number }, what = ''): void {
  // Windows has no owners or modes to check.
  const me = process.getuid?.()
  if (me === undefined) return
  if (uid !== me && uid !== 0) throw invalid(`${what}belongs to another user`)
  if ((mode & 0o022) !== 0) throw invalid(`${what}can be changed by other users (mode ${octal(mode)})`)
}

export function octal(mode: number): string {
  return (mode & 0o777).toString(8)
}

function invalid(problem: string): ContextdError {
  return new ContextdError('CONTEXT_MAP_INVALID', { problem })
}
