/**
 * Temporary files of writes that are under way are noted, each as a link in a folder of contextd's own, so that those of
 * a process that was killed in the middle are found and removed by the next.
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

/** A name that nobody else has. */
export function newTemporaryName(): string {
  return `.contextd-${randomBytes(8).toString('hex')}.tmp`
}

/** Notes a temporary file before it is made; answers how to strike it off. */
export function noteUnfinished(notes: string, temporary: string): () => void {
  const note = join(notes, `${process.pid}-${basename(temporary)}`)
  mkdirSync(notes, { recursive: true, mode: 0o700 })
  symlinkSync(temporary, note)
  return () => rmSync(note, { force: true })
}

/** Removes what processes that are gone left behind. */
export async function sweepUnfinished(notes: string): Promise<void> {
  for (const name of notesIn(notes)) {
    const [, pid = ''] = /^(\d+)-/.exec(name) ?? []
    if (pid === '' || isRunning(Number(pid))) continue
    const note = join(notes, name)
    await removeTemporary(readlinkSync(note))
    rmSync(note, { force: true })
  }
}

/** Only what has our name, and only in the very folder where it was made: its path may lead elsewhere by now. */
async function removeTemporary(path: string): Promise<void> {
  const name = basename(path)
  const folder = await find(dirname(path), constants.O_DIRECTORY | constants.O_NOFOLLOW)
  if (folder === undefined) return
  try {
    if (folder.path === dirname(path) && temporaryName.test(name))
      unlinkSync(descriptorPath(folder.descriptor, name))
  } catch {
    // It was never made, or is gone already.
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
