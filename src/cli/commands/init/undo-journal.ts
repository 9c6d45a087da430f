/** What files were before `contextd init` changed them: the backup, and what `--undo` goes by. */

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Remembered } from '../../../clients/init/client-file.ts'
import { ContextdError } from '../../../core/errors.ts'
import { ensurePrivateFolder } from '../../../platform/private-folder.ts'
import { replaceFile } from '../../../platform/small-file.ts'

export interface UndoJournal {
  /** Where it is kept. */
  readonly file: string
  readonly files: readonly Remembered[]
}

/** One for each project, and one for the person's own files. Files may hold credentials, so only the person can read it. */
export function readUndoJournal(state: string, root: string): UndoJournal {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const file = join(state, 'init', `${name}.json`)
  if (!existsSync(file)) return { file, files: [] }
  try {
    // Each file stands in it twice, so it may be larger than any of them may be.
    const { files } = JSON.parse(readFileSync(file, 'utf8')) as { files: Remembered[] }
    if (!files.every(({ path, after }) => typeof path === 'string' && typeof after === 'string'))
      throw new Error()
    return { file, files }
  } catch {
    throw new ContextdError('STORE_UNAVAILABLE', {
      cause: `${file} cannot be read`,
      hint: 'Nothing was written. The file says what to restore; without it only our own parts can be taken out. Move it aside to go on so.',
    })
  }
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
