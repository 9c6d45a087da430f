/** A client's file with our entries: how it is added and removed. */

import { ContextdError } from '../../core/errors/errors.ts'
import { withoutAgentTools } from './agent-tools.ts'
import { revertJsonFile } from './json-file.ts'
import { revertLines } from './line-file.ts'
import { revertConfig } from './provider-setting.ts'
import { withoutSection } from './section.ts'

/**
 * `json` is plain JSON, `jsonc` may have comments, `section` is Markdown with our section, `own` is a file only we write,
 * `link` is a symbolic link whose text is its target, `toml` is our own configuration, `lines` is a list that
 * contains our lines, `agent` an agent's file whose list of tools names ours.
 */
export type ClientFileKind = 'json' | 'jsonc' | 'section' | 'own' | 'link' | 'toml' | 'lines' | 'agent'

export interface ClientFile {
  readonly path: string
  readonly kind: ClientFileKind
  /** Not to be committed: git ignores this path, the file or a folder that contains it. */
  readonly ignored?: string
  /** Contains a key, so only the user may read it. */
  readonly isPrivate?: true
  /** Returns the text with our part added. Throws CONFIG_INVALID if that is impossible. */
  readonly extend: (text: string | undefined) => string
  /** Returns the text without our part, for a file whose original is unknown; undefined deletes the file. */
  readonly clear: (text: string) => string | undefined
}

/** A file before and after our change. */
export interface Remembered {
  readonly path: string
  readonly kind: ClientFileKind
  /** Null if the file did not exist. */
  readonly before: string | null
  readonly after: string
  /** Only our part was in it, and the file is gone. */
  readonly isRemoved?: true
}

/**
 * What the file would be if we had never written it: the original, or, if it was changed since, the current text
 * without our part. Undefined means no file.
 */
export function revertFile({ path, kind, before, after }: Remembered, now: string): string | undefined {
  if (now === after) return before ?? undefined
  if (now === before) return now
  if (kind === 'own' || kind === 'link') {
    throw new ContextdError('USAGE', {
      problem: `${path} has changed since contextd wrote it`,
      hint: 'Nothing was written. Move the file away to keep it, then run the command again.',
    })
  }
  if (kind === 'section') {
    const left = withoutSection(now, path)
    return before === null && left.trim() === '' ? undefined : left
  }
  if (kind === 'agent') return withoutAgentTools(now, before ?? '')
  if (kind === 'lines') return revertLines(now, before, after)
  if (kind === 'toml') return revertConfig(now, before ?? '', after)
  return revertJsonFile(path, kind, now, before, after)
}

/** A file of a project for this user alone; `folder` if everything in it is. */
export function personal(file: ClientFile, folder: string = file.path): ClientFile {
  return { ...file, ignored: folder }
}

/** A file that is entirely ours. `mark` occurs in every version of it and in no other file. */
export function ownFile(path: string, text: () => string, mark: string): ClientFile {
  return {
    path,
    kind: 'own',
    extend: text,
    clear: (now) => (now.includes(mark) ? undefined : now),
  }
}

/** A symbolic link to our program. */
export function linkFile(path: string, target: string, isOurs: (target: string) => boolean): ClientFile {
  return {
    path,
    kind: 'link',
    extend: () => target,
    clear: (now) => (isOurs(now) ? undefined : now),
  }
}
