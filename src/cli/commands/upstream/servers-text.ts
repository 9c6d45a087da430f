/** The text of a servers file, from reading to writing. */

import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Records } from '../../../compose.ts'
import { ContextdError } from '../../../core/errors/errors.ts'
import { fileProblem, invalidFile } from '../../../platform/config/json-problem.ts'
import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import type { FileRole } from '../../../platform/files/watched-files.ts'

export interface ServersText {
  readonly path: string
  readonly role: FileRole
  /** Undefined if there is no file yet. */
  readonly text: string | undefined
}

export function readServersText(path: string, role: FileRole): ServersText {
  if (role === 'project') refuseLinks(path)
  const read = readSmallFile(path)
  if (read.kind === 'missing') return { path, role, text: undefined }
  if (read.kind === 'unreadable') throw invalidFile('SERVERS_INVALID', [fileProblem(path, read.why)])
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.bytes)
    return { path, role, text }
  } catch {
    throw invalidFile('SERVERS_INVALID', [fileProblem(path, 'is not UTF-8 text')])
  }
}

/** Otherwise a project could redirect our writes into one of the user's own files. */
function refuseLinks(path: string): void {
  for (const place of [dirname(path), path]) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw invalidFile('SERVERS_INVALID', [fileProblem(place, 'is a link, and links are not written to')])
    }
  }
}

/**
 * Writes what the user approved. A project file that was trusted before, or is new, becomes trusted as it is now: the
 * user has seen its changes. Returns whether the file is trusted.
 */
export function writeServersText(
  before: ServersText,
  text: string,
  { trust, event }: Pick<Records, 'trust' | 'event'>,
): boolean {
  const { path, role } = before
  if (readServersText(path, role).text !== before.text) {
    throw new ContextdError('USAGE', { problem: `${path} changed in the meantime; nothing was written` })
  }
  const wasTrusted = before.text === undefined || trust.isTrusted(path, Buffer.from(before.text))
  replaceFile(path, text)
  if (role === 'user') return true
  if (!wasTrusted) return false
  event('trust-given', { path, sha256: createHash('sha256').update(text).digest('hex') })
  trust.trust(path, Buffer.from(text))
  return true
}
