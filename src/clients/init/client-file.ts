/** A file of a client that holds something of ours: how it gets there, and how it leaves again. */

import { ContextdError } from '../../core/errors/errors.ts'
import { takeBackJson } from './json-file.ts'
import { takeBackLines } from './line-file.ts'
import { takeBackProvider } from './provider-setting.ts'
import { withoutSection } from './section.ts'

/**
 * `json` is plain JSON, `jsonc` may have comments, `section` is Markdown with a part of ours, `own` is ours as a whole,
 * `link` is a symbolic link: its text is where it leads, `toml` is our own configuration, `lines` a list with a line of ours.
 */
export type ClientFileKind = 'json' | 'jsonc' | 'section' | 'own' | 'link' | 'toml' | 'lines'

export interface ClientFile {
  readonly path: string
  readonly kind: ClientFileKind
  /** It holds a key: nobody else may read it. */
  readonly isPrivate?: true
  /** The text with what is ours. Throws CONFIG_INVALID where that cannot be put into it. */
  readonly extend: (text: string | undefined) => string
  /** The text without it, for a file of which nobody knows any more what it was before; undefined = no file is left. */
  readonly clear: (text: string) => string | undefined
}

/** What a file was before we changed it, and what we made of it. */
export interface Remembered {
  readonly path: string
  readonly kind: ClientFileKind
  /** Null where there was no file. */
  readonly before: string | null
  readonly after: string
}

/**
 * What the file would be now had we never written to it: exactly what it was, or, where it was changed since, the text
 * of today without our part. Undefined = no file.
 */
export function takeBack({ path, kind, before, after }: Remembered, now: string): string | undefined {
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
  if (kind === 'lines') return takeBackLines(now, before, after)
  if (kind === 'toml') return takeBackProvider(now, before ?? '', after)
  return takeBackJson(path, kind, now, before, after)
}

/** A file that is ours as a whole. `mark` is in every version of it and in nobody else's. */
export function ownFile(path: string, text: () => string, mark: string): ClientFile {
  return {
    path,
    kind: 'own',
    extend: text,
    clear: (now) => (now.includes(mark) ? undefined : now),
  }
}

/** A link of ours. */
export function linkFile(path: string, target: string, isOurs: (target: string) => boolean): ClientFile {
  return {
    path,
    kind: 'link',
    extend: () => target,
    clear: (now) => (isOurs(now) ? undefined : now),
  }
}
