/** Reads a file that a tool of a client is about to change. */

import { stat } from 'node:fs/promises'
import { extname, isAbsolute, resolve } from 'node:path'

import { maxSearchedBytes } from '../core/secret-forms.ts'
import { decodeText, fileKind } from '../platform/file-kind.ts'
import { readSmallFile } from '../platform/small-file.ts'
import { notebookText } from './written-text.ts'

/**
 * Answers the text of a regular file, through links as the client would write it, and undefined for anything else: missing,
 * not readable, over 16 MiB, binary, a pipe or a device. Never throws. Relative paths are below `project`.
 */
export function createFileReader(project: string | undefined): (path: string) => Promise<string | undefined> {
  return async (path) => {
    if (!isAbsolute(path) && project === undefined) return undefined
    const place = resolve(project ?? '/', path)
    try {
      // Before it is opened: opening a pipe lets its writer go on, and opening a device may do anything.
      if (!(await stat(place)).isFile()) return undefined
      return textIn(place)
    } catch {
      return undefined
    }
  }
}

function textIn(place: string): string | undefined {
  const file = readSmallFile(place, maxSearchedBytes)
  if (file.kind !== 'bytes') return undefined
  const kind = fileKind(file.bytes, true)
  if (kind.kind !== 'text') return undefined
  const text = decodeText(file.bytes, kind.encoding)
  return extname(place) === '.ipynb' ? `${text}\n${notebookText(text)}` : text
}
