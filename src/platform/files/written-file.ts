/** Reads a file that a tool of a client is about to change. */

import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { extname, isAbsolute, resolve } from 'node:path'

import { maxSearchedBytes } from '../../core/tokens/secret-forms.ts'
import { decodeText, fileKind } from './file-kind.ts'

/**
 * Answers the text of a regular file, through links as the client would write it, and undefined for anything else: missing,
 * not readable, over 16 MiB, binary, a pipe or a device. Never throws. Relative paths are below `project`. Lines end with
 * line feeds alone, because clients compare and write files that way.
 */
export function createFileReader(project: string | undefined): (path: string) => Promise<string | undefined> {
  return async (path) => {
    if (!isAbsolute(path) && project === undefined) return undefined
    const place = resolve(project ?? '/', path)
    try {
      // Before it is opened: opening a pipe lets its writer go on, and opening a device may do anything.
      if (!(await stat(place)).isFile()) return undefined
      const bytes = await readBytes(place)
      return bytes && textIn(bytes, place)
    } catch {
      return undefined
    }
  }
}

/** Undefined for what became something else since, and for a file that is too large, whatever the system says of its size. */
async function readBytes(place: string): Promise<Buffer | undefined> {
  const file = await open(place, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > maxSearchedBytes) return undefined
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of file.createReadStream({ end: maxSearchedBytes, autoClose: false })) {
      pieces.push(piece as Buffer)
      length += (piece as Buffer).length
    }
    return length > maxSearchedBytes ? undefined : Buffer.concat(pieces, length)
  } finally {
    await file.close()
  }
}

function textIn(bytes: Buffer, place: string): string | undefined {
  const kind = fileKind(bytes, true)
  if (kind.kind !== 'text') return undefined
  const text = decodeText(bytes, kind.encoding).replaceAll('\r\n', '\n')
  return extname(place) === '.ipynb' ? `${text}\n${notebookText(text)}` : text
}

/** The text of a notebook's cells as models see it: in the file it is JSON, a string for each line. */
function notebookText(content: string): string {
  const texts: string[] = []
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      texts.push(value.join(''))
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  try {
    walk(JSON.parse(content))
  } catch {
    // Not a notebook, or nested too deep to be one.
  }
  return texts.join('\n')
}
