/** A client's file with our entries: how it is added and removed. */

import { ContextdError } from '../../core/errors/errors.ts'
import { revertJsonFile } from './json-file.ts'
import { revertLines } from './line-file.ts'
import { revertProvider } from './provider-setting.ts'
import { withoutSection } from './section.ts'

/**
 * `json` is plain JSON, `jsonc` may have comments, `section` is Markdown with our section, `own` is a file only we write,
 * `link` is a symbolic link whose text is its target, `toml` is our own configuration, `lines` is a list that
 * contains our line.
 */
export type ClientFileKind = 'json' | 'jsonc' | 'section' | 'own' | 'link' | 'toml' | 'lines'

export interface ClientFile {
  readonly path: string
  readonly kind: ClientFileKind
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
  if (kind === 'lines') return revertLines(now, before, after)
  if (kind === 'toml') return revertProvider(now, before ?? '', after)
  return revertJsonFile(path, kind, now, before, after)
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
