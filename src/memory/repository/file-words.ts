/** One file on its way into the index: read, without secrets, in chunks, as words. */

import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'

import { ContextdError } from '../../core/errors/errors.ts'
import { decodeText, fileKind } from '../../platform/files/file-kind.ts'
import type { ChunkWords } from '../../platform/storage/chunk-words.ts'
import { openFile } from '@contextd/shared/files/open-file'
import { indexedWords } from '../search/words.ts'
import { cutFile } from './cut-file.ts'
import type { Grammars } from './grammars.ts'
import { isGenerated, languageOf } from './languages.ts'
import { maskSpans, type TextSpan } from './masked-text.ts'

export interface ReadFile {
  readonly bytes: Buffer
  readonly size: number
  readonly changedMs: number
}

/** Undefined for what is no regular file any more, cannot be opened, or is longer than `most` bytes. */
export type FileReader = (path: string, most: number) => ReadFile | undefined

export const readWhole: FileReader = (path, most) => {
  let file
  try {
    file = openFile(path)
    if (file === undefined || file.size > most) return undefined
    // One more shows whether it has grown since.
    const bytes = file.read(0, file.size + 1)
    // Behind a link in the place of a folder lies what this path does not stand for.
    if (realpathSync(path) !== path) return undefined
    return bytes.length === file.size ? { bytes, size: file.size, changedMs: file.changedMs } : undefined
  } catch {
    return undefined
  } finally {
    file?.close()
  }
}

export interface FileWords {
  /** Empty where there is nothing to be found in it. */
  readonly language: string
  readonly chunks: readonly ChunkWords[]
  /** What vectors are made of, one a chunk. */
  readonly texts: readonly string[]
}

export interface FileWordsOptions {
  /** Where the secrets of a text are. Throws where it cannot vouch for the text. */
  readonly secretsIn: (text: string) => readonly TextSpan[] | Promise<readonly TextSpan[]>
  readonly grammars?: Grammars | undefined
}

const nothing: FileWords = { language: '', chunks: [], texts: [] }
/** Vectors say what a text is about; its beginning does, too. */
const embeddedCharacters = 1500
/** Of a longer line the rest is data. */
const maxLineLength = 2000

export async function fileWordsOf(
  path: string,
  bytes: Buffer,
  reading: FileWordsOptions,
): Promise<FileWords> {
  const text = decodedText(bytes)
  if (text === undefined) return nothing
  const lines = textLines(maskSpans(text, await vouchedSecrets(text, reading), ' '))
  if (isGenerated(text, lines)) return nothing
  const language = languageOf(path)
  const pathWords = indexedWords(path)
  const texts: string[] = []
  const chunks = (await cutFile(language, lines, reading.grammars)).map(({ name, firstLine, lastLine }) => {
    const own = lines.slice(firstLine - 1, lastLine)
    const body = own.map((line) => line.slice(0, maxLineLength)).join('\n')
    texts.push(`${path}\n${name}\n${body.slice(0, embeddedCharacters)}`)
    const words = { path: pathWords, name: indexedWords(name), body: indexedWords(body) }
    return { name, firstLine, lastLine, words }
  })
  return { language, chunks, texts }
}

/** Throws SCRUB_FAILED where nobody can vouch for the text, whatever the reason. */
export async function vouchedSecrets(
  text: string,
  { secretsIn }: Pick<FileWordsOptions, 'secretsIn'>,
): Promise<readonly TextSpan[]> {
  try {
    return await secretsIn(text)
  } catch (cause) {
    throw new ContextdError('SCRUB_FAILED', {}, { cause })
  }
}

/** Undefined for what is no text. */
export function decodedText(bytes: Buffer): string | undefined {
  const kind = fileKind(bytes, true)
  if (kind.kind !== 'text') return undefined
  const text = decodeText(bytes, kind.encoding)
  return text.includes('\0') ? undefined : text
}

export function textLines(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  // The line end at the very end begins no line.
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Says what a file was made into as well as what was in it: either one changed, and it is made anew. */
export function fingerprint(how: string, bytes: Uint8Array): Buffer {
  return createHash('sha256').update(how).update('\0').update(bytes).digest()
}
