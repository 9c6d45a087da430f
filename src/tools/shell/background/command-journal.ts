/** The background commands of all processes, in a folder, so that `ctxd` can list them. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import { namesIn } from '@contextd/shared/files/names-in'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { processFileName, readProcessFileName } from '../../../platform/process-start.ts'

const schema = z.object({
  id: z.string(),
  agent: z.string(),
  project: z.string(),
  /** Scrubbed. */
  command: z.string(),
  started_at: z.iso.datetime(),
})

/** A background command that runs. */
export type ListedCommand = z.infer<typeof schema>

/** Returns a function that removes the entry. */
export function recordCommand(folder: string, command: ListedCommand): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${processFileName()}.json`)
  writeFileSync(file, JSON.stringify(command), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** Oldest first. Those of processes that were killed have ended with them. */
export function listCommands(folder: string): ListedCommand[] {
  const listed = namesIn(folder).flatMap((name) => {
    const isRunning = readProcessFileName(name)?.isRunning ?? false
    return isRunning ? (readEntry(join(folder, name)) ?? []) : []
  })
  return listed.toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
}

function readEntry(file: string): ListedCommand | undefined {
  try {
    const read = readSmallFile(file)
    return schema.parse(JSON.parse(read.kind === 'bytes' ? read.bytes.toString() : ''))
  } catch {
    // It ended meanwhile.
    return undefined
  }
}
