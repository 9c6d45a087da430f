import { createHash } from 'node:crypto'

import { linkedTools } from '../../../clients/tool-links/tools.ts'
import type { Remembered } from '../../../clients/init/client-file.ts'
import type { Records } from '../../../compose.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { note, type CliIo } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { makeChanges, type FileChange } from '@contextd/shared/changes/change'
import { writeUndoJournal, readUndoJournal } from './undo-journal.ts'

/** Folders to remove if nothing else is in them. */
const emptied: ReadonlySet<string> = new Set([
  '.claude',
  '.contextd',
  'skills',
  'rules',
  'contextd',
  '.opencode',
  'plugin',
  'tools',
  ...linkedTools.map(({ name }) => name),
])

export interface Work {
  readonly changes: readonly FileChange[]
  readonly remembered: readonly Remembered[]
  readonly memory: string
  readonly root: string
  readonly project: string | undefined
  /** Whether the user saw and approved the changes. */
  readonly isApproved: boolean
  readonly event: string
}

/** Writes the undo journal first, so that any later failure can be undone. */
export async function carryOut(work: Work, io: CliIo): Promise<void> {
  const { changes, remembered, memory, root, project, isApproved, event } = work
  const { state } = resolvePaths(io.env)
  const earlier = readUndoJournal(state, root).files
  const trusted = await recorded(io, ({ trust }) => changes.filter((change) => isTrusted(change, trust)))
  const known = new Map([...earlier, ...remembered].map((one) => [one.path, one]))
  writeUndoJournal(state, memory, root, [...known.values()])
  try {
    makeChanges(changes, project, emptied)
  } catch (error) {
    writeUndoJournal(state, memory, root, earlier)
    throw error
  }
  writeUndoJournal(state, memory, root, remembered)
  await recorded(io, (records) => {
    // A project file that was trusted, or is new, is trusted as it is now: the user has seen its changes.
    for (const { path, to } of (isApproved && trusted) || []) {
      if (to === undefined) continue
      records.event('trust-given', { path, sha256: createHash('sha256').update(to).digest('hex') })
      records.trust.trust(path, Buffer.from(to))
    }
    records.event(event, { files: changes.map(({ path }) => path) })
  })
}

function isTrusted({ path, from }: FileChange, trust: Records['trust']): boolean {
  if (from !== undefined) return trust.isTrusted(path, Buffer.from(from))
  return path.endsWith('/.contextd/servers.json')
}

async function recorded<T>(io: CliIo, work: (records: Records) => T): Promise<T | undefined> {
  try {
    return await withRecords(io, work)
  } catch (error) {
    note(`the change was not audited: ${(error as Error).message}`, io)
    return undefined
  }
}
