/** Files as they were before `ctxd init` changed them: the backup that `--undo` restores. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Remembered } from '../../../clients/init/client-file.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { replaceFile } from '@contextd/shared/files/small-file'
import type { Paths } from '../../../platform/files/paths.ts'

export interface UndoJournal {
  /** Path of the journal. */
  readonly file: string
  readonly files: readonly Remembered[]
}

/** One per project, and one for the user's own files. May contain credentials, so only the user can read it. */
export function readUndoJournal(state: string, root: string): UndoJournal {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const file = join(state, 'init', `${name}.json`)
  if (!existsSync(file)) return { file, files: [] }
  try {
    // Contains each file twice, so its limit is larger.
    const { files } = JSON.parse(readFileSync(file, 'utf8')) as { files: Remembered[] }
    if (!files.every(({ path, after }) => typeof path === 'string' && typeof after === 'string'))
      throw new Error()
    return { file, files }
  } catch {
    throw new ContextdError('STORE_UNAVAILABLE', {
      cause: `${file} cannot be read`,
      hint: 'Nothing was written. The file says what to restore; without it, only our own parts can be removed. Move it aside to do that.',
    })
  }
}

/** Of other projects, and of the user's own files. */
export function otherJournals({ state }: Pick<Paths, 'state'>, journal: string): string[] {
  const folder = join(state, 'init')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).map((name) => join(folder, name))
  return files.filter((file) => file !== journal && file.endsWith('.json'))
}

export function writeUndoJournal(
  state: string,
  file: string,
  root: string,
  files: readonly Remembered[],
): void {
  if (files.length === 0) return rmSync(file, { force: true })
  ensurePrivateFolder(state)
  ensurePrivateFolder(join(state, 'init'))
  replaceFile(file, `${JSON.stringify({ root, files }, null, 2)}\n`)
}
