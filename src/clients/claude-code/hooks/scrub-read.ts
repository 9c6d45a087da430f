/**
 * The client counts the tokens of a long text before any hook sees it, by sending the text to the model's provider.
 * What it reads from a file with secrets must therefore be too short to be counted.
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { extname, resolve } from 'node:path'

import type { JsonObject } from '@contextd/shared/json/value'
import { createTextReader } from '@contextd/shared/text/lossless-text'

/** What to do about a Read call. */
export type ReadAdvice =
  | { readonly kind: 'as-it-is' }
  /** Read only this many lines; `next` is the offset of the next part. */
  | { readonly kind: 'in-parts'; readonly limit: number; readonly next: number }
  | { readonly kind: 'not-at-all'; readonly why: string }

const asItIs: ReadAdvice = { kind: 'as-it-is' }

/** Number of lines the client reads by default. */
const defaultLimit = 2000
/** More than the client reads of a file at once. */
const maxFileBytes = 16 * 1_048_576
/**
 * The client's default token limit per file. It starts counting at a quarter of the limit, at two characters per
 * token.
 */
const defaultMaxTokens = 25_000

export function maxUncountedChars(env: NodeJS.ProcessEnv): number {
  const given = Number(env.CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS)
  return Math.floor((given > 0 ? Math.min(given, defaultMaxTokens) : defaultMaxTokens) / 2)
}

/** Sent as binary or refused by the client, so there is no text to count. */
const notText = /^\.(?:png|jpe?g|gif|webp|pdf)$/i

export async function adviseRead(
  input: JsonObject,
  place: { readonly cwd: string; readonly maxChars: number },
  hasSecrets: (text: string) => Promise<boolean>,
): Promise<ReadAdvice> {
  const { file_path } = input
  if (typeof file_path !== 'string' || notText.test(extname(file_path))) return asItIs
  const read = longText(resolve(place.cwd, file_path), place.maxChars)
  if (read === undefined) return asItIs
  const { text } = read
  if (text === undefined) return { kind: 'not-at-all', why: 'is too large to be checked for secrets' }
  if (extname(file_path).toLowerCase() === '.ipynb') {
    return (await hasSecrets(text))
      ? { kind: 'not-at-all', why: 'is a long notebook with secrets, which cannot be read in parts' }
      : asItIs
  }
  const offset = Math.max(1, numberOr(input.offset, 1))
  const lines = text.split('\n').slice(offset - 1, offset - 1 + numberOr(input.limit, defaultLimit))
  const asked = lines.join('\n')
  if (asked.length <= place.maxChars || !(await hasSecrets(asked))) return asItIs
  let limit = 0
  for (let length = 0; limit < lines.length; limit++) {
    length += lines[limit]!.length + 1
    if (length > place.maxChars) break
  }
  return limit === 0
    ? { kind: 'not-at-all', why: `has a line (${offset}) with secrets that is too long` }
    : { kind: 'in-parts', limit, next: offset + limit }
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : otherwise
}

/** Undefined if there is no long file to read; the client reports errors itself. Without `text` if it is too large. */
function longText(path: string, maxChars: number): { readonly text?: string } | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(file)
    const { size } = stats
    if (!stats.isFile() || size <= maxChars) return undefined
    if (size > maxFileBytes) return {}
    const bytes = Buffer.alloc(size)
    let read = 0
    for (let got = -1; got !== 0 && read < size; read += got)
      got = readSync(file, bytes, read, size - read, null)
    const reader = createTextReader()
    return { text: reader.read(bytes.subarray(0, read)) + reader.end() }
  } finally {
    closeSync(file)
  }
}
