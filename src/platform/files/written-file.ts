/** Reads a file that a client's tool is about to change. */

import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { extname, isAbsolute, resolve } from 'node:path'

import { maxSearchedBytes } from '../../core/tokens/secret-forms.ts'
import { decodeText, fileKind } from './file-kind.ts'

/**
 * Returns the text of a regular file, following links like the client does, or undefined for anything else: missing,
 * unreadable, over 16 MiB, binary, a pipe or a device. Never throws. Relative paths are relative to `project`. Line
 * ends are normalized to line feeds, because clients compare and write files that way.
 */
export function createFileReader(project: string | undefined): (path: string) => Promise<string | undefined> {
  return async (path) => {
    if (!isAbsolute(path) && project === undefined) return undefined
    const file = resolve(project ?? '/', path)
    try {
      // Must be checked before opening: opening a pipe unblocks its writer, and opening a device may have side
      // effects.
      if (!(await stat(file)).isFile()) return undefined
      const bytes = await readBytes(file)
      return bytes && textIn(bytes, file)
    } catch {
      return undefined
    }
  }
}

/** Undefined if the file was replaced in the meantime, or is too large, even if its reported size is wrong. */
async function readBytes(path: string): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
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

function textIn(bytes: Buffer, path: string): string | undefined {
  const kind = fileKind(bytes, true)
  if (kind.kind !== 'text') return undefined
  const text = decodeText(bytes, kind.encoding).replaceAll('\r\n', '\n')
  return extname(path) === '.ipynb' ? `${text}\n${notebookText(text)}` : text
}

/** The text of a notebook's cells as models see it: the file is JSON with one string per line. */
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
    // Not a notebook, or nested too deeply.
  }
  return texts.join('\n')
}
