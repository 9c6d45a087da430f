/**
 * Temporary files of writes in progress are recorded as links in a folder of contextd, so that those of a killed
 * process are found and removed by the next one.
 */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { find, descriptorPath } from './confined-file.ts'

const temporaryName = /^\.contextd-[0-9a-f]{16}\.tmp$/

/** A unique name. */
export function newTemporaryName(): string {
  return `.contextd-${randomBytes(8).toString('hex')}.tmp`
}

/** Records a temporary file before it is created; the returned function removes the record. */
export function recordUnfinished(notes: string, temporary: string): () => void {
  const note = join(notes, `${process.pid}-${basename(temporary)}`)
  mkdirSync(notes, { recursive: true, mode: 0o700 })
  symlinkSync(temporary, note)
  return () => rmSync(note, { force: true })
}

/** Removes the files of ended processes. */
export async function sweepUnfinished(notes: string): Promise<void> {
  for (const name of notesIn(notes)) {
    const [, pid = ''] = /^(\d+)-/.exec(name) ?? []
    if (pid === '' || isRunning(Number(pid))) continue
    const note = join(notes, name)
    await removeTemporary(readlinkSync(note))
    rmSync(note, { force: true })
  }
}

/**
 * Only files with our name pattern, and only in the very folder where they were created: the path may refer to another
 * by now.
 */
async function removeTemporary(path: string): Promise<void> {
  const name = basename(path)
  const folder = await find(dirname(path), constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (folder === undefined) return
  try {
    if (folder.path === dirname(path) && temporaryName.test(name))
      unlinkSync(descriptorPath(folder.descriptor, name))
  } catch {
    // It was never created, or is already removed.
  } finally {
    closeSync(folder.descriptor)
  }
}

function notesIn(notes: string): string[] {
  try {
    return readdirSync(notes)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
