/** Prepares a file for the index: reads it, removes secrets, splits it into chunks and words. */

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'

import { ContextdError } from '../../core/errors/errors.ts'
import { decodeText, fileKind } from '../../platform/files/file-kind.ts'
import type { ChunkWords } from '../../platform/storage/chunk-words.ts'
import { openFile } from '@contextd/shared/files/open-file'
import { indexedWords } from '../search/words.ts'
import { chunkFile } from './chunk-file.ts'
import type { Grammars } from './grammars.ts'
import { isGenerated, languageOf } from './languages.ts'
import { maskSpans, type TextSpan } from './masked-text.ts'

export interface ReadFile {
  readonly bytes: Buffer
  readonly size: number
  readonly changedMs: number
}

/** Undefined for anything but a readable regular file of at most `maxBytes` bytes. */
export type FileReader = (path: string, maxBytes: number) => ReadFile | undefined

export const readWholeFile: FileReader = (path, maxBytes) => {
  let file
  try {
    file = openFile(path)
    if (file === undefined || file.size > maxBytes) return undefined
    // One extra byte shows whether it has grown.
    const bytes = file.read(0, file.size + 1)
    // If a parent folder was replaced by a link, the path now leads to another file.
    if (realpathSync(path) !== path) return undefined
    return bytes.length === file.size ? { bytes, size: file.size, changedMs: file.changedMs } : undefined
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}

export interface FileWords {
  /** Empty if there is nothing to index. */
  readonly language: string
  readonly chunks: readonly ChunkWords[]
  /** The texts to embed, one per chunk. */
  readonly texts: readonly string[]
}

export interface FileWordsOptions {
  /** The positions of secrets. Throws if the text cannot be checked. */
  readonly secretsIn: (text: string) => readonly TextSpan[] | Promise<readonly TextSpan[]>
  readonly grammars?: Grammars | undefined
}

const noWords: FileWords = { language: '', chunks: [], texts: [] }
/** A vector describes what a text is about, for which its start is enough. */
const maxEmbeddedLength = 1500
/** The rest of a longer line is data. */
const maxLineLength = 2000

export async function fileWordsOf(
  path: string,
  bytes: Buffer,
  reading: FileWordsOptions,
): Promise<FileWords> {
  const text = decodedText(bytes)
  if (text === undefined) return noWords
  const lines = textLines(maskSpans(text, await checkedSecrets(text, reading), ' '))
  if (isGenerated(text, lines)) return noWords
  const language = languageOf(path)
  const pathWords = indexedWords(path)
  const texts: string[] = []
  const chunks = (await chunkFile(language, lines, reading.grammars)).map(({ name, firstLine, lastLine }) => {
    const chunkLines = lines.slice(firstLine - 1, lastLine)
    const body = chunkLines.map((line) => line.slice(0, maxLineLength)).join('\n')
    texts.push(`${path}\n${name}\n${body.slice(0, maxEmbeddedLength)}`)
    const words = { path: pathWords, name: indexedWords(name), body: indexedWords(body) }
    return { name, firstLine, lastLine, words }
  })
  return { language, chunks, texts }
}

/** Throws SCRUB_FAILED if the text cannot be checked, whatever the reason. */
export async function checkedSecrets(
  text: string,
  { secretsIn }: Pick<FileWordsOptions, 'secretsIn'>,
): Promise<readonly TextSpan[]> {
  try {
    return await secretsIn(text)
  } catch (cause) {
    throw new ContextdError('SCRUB_FAILED', {}, { cause })
  }
}

/** Undefined if it is not text. */
export function decodedText(bytes: Buffer): string | undefined {
  const kind = fileKind(bytes, true)
  if (kind.kind !== 'text') return undefined
  const text = decodeText(bytes, kind.encoding)
  return text.includes('\0') ? undefined : text
}

export function textLines(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  // A final line end does not start another line.
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Covers the index format as well as the content: if either changes, the file is indexed again. */
export function fingerprint(format: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(format).update('\0').update(bytes).digest()
}
