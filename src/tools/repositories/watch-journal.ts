/** The state of repositories when a command started, on disk while it runs, because the process can be killed. */

import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as z from 'zod'

import { namesIn } from '@contextd/shared/files/names-in'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { processFileName, readProcessFileName } from '../../platform/process-start.ts'

export interface RepositoryState {
  /** The folders the command can write to. */
  readonly roots: readonly string[]
  /** Folders whose settings and hooks it may change. */
  readonly allowed: readonly string[]
  /** Ids of the existing risks. */
  readonly risks: ReadonlySet<string>
  /** The paths that were read-only for the command, with their identity. */
  readonly held: ReadonlyMap<string, string>
  /** Settings files with their content. */
  readonly saved: ReadonlyMap<string, Buffer>
}

export interface JournalEntry {
  /** The command still runs, and is checked until then (epoch milliseconds). */
  extend(untilMs: number): void
  remove(): void
}

/** A command whose process has ended. It cannot have caused changes after `untilMs`. */
export interface OrphanedWatch {
  readonly state: RepositoryState
  readonly untilMs: number
  remove(): void
}

const paths = z.array(z.string())
const stored = z.object({
  roots: paths,
  allowed: paths,
  risks: paths,
  held: z.array(z.tuple([z.string(), z.string()])),
  saved: z.array(z.tuple([z.string(), z.string()])),
})
const maxBytes = 64 << 20

export function recordState(folder: string, state: RepositoryState): JournalEntry {
  const { roots, allowed, risks, held, saved } = state
  const name = processFileName()
  const file = join(folder, `${name}.json`)
  const text = JSON.stringify({
    roots,
    allowed,
    risks: [...risks],
    held: [...held],
    saved: [...saved].map(([path, bytes]) => [path, bytes.toString('base64')]),
  })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, name), text, { mode: 0o600 })
  renameSync(join(folder, name), file)
  return {
    extend(untilMs) {
      try {
        utimesSync(file, untilMs / 1000, untilMs / 1000)
      } catch {
        // The folder was deleted; the command is checked all the same.
      }
    },
    remove: () => rmSync(file, { force: true }),
  }
}

export function* orphanedWatches(folder: string): Generator<OrphanedWatch> {
  for (const { file, isRunning } of entriesIn(folder)) {
    if (isRunning) continue
    const remove = (): void => rmSync(file, { force: true })
    const state = readState(file)
    // Incomplete: its command had not started.
    if (state === undefined) remove()
    else yield { state, untilMs: statSync(file).mtimeMs, remove }
  }
}

/** The states of commands that run in other processes. */
export function* statesOfOtherProcesses(folder: string): Generator<RepositoryState> {
  for (const { file, pid, isRunning } of entriesIn(folder)) {
    const state = isRunning && pid !== process.pid ? readState(file) : undefined
    if (state !== undefined) yield state
  }
}

function* entriesIn(folder: string): Generator<{ file: string; pid: number; isRunning: boolean }> {
  for (const name of namesIn(folder)) {
    const named = readProcessFileName(name)
    if (named !== undefined) yield { file: join(folder, name), ...named }
  }
}

function readState(file: string): RepositoryState | undefined {
  try {
    const read = readSmallFile(file, maxBytes)
    const { roots, allowed, risks, held, saved } = stored.parse(
      JSON.parse(read.kind === 'bytes' ? read.bytes.toString() : ''),
    )
    return {
      roots,
      allowed,
      risks: new Set(risks),
      held: new Map(held),
      saved: new Map(saved.map(([path, text]) => [path, Buffer.from(text, 'base64')])),
    }
  } catch {
    return undefined
  }
}
