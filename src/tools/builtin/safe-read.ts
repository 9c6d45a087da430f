import * as z from 'zod'

import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import { answer, type Answer } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { alwaysLoad, defineTool } from '../define-tool.ts'
import { openForRead, type ReadableFile } from '../files/confined-file.ts'
import {
  decodeText,
  fileKind,
  headBytes,
  pdfType,
  type FileKind,
  type TextEncoding,
} from '../../platform/files/file-kind.ts'
import type { FileTools } from '../files/file-tools.ts'
import { readFileVersion } from '../files/file-version.ts'
import { countLines, sliceLines, type LineSlice, type LineSource } from '../files/line-slice.ts'
import { numberLines } from '../files/number-lines.ts'
import { showImage } from '../files/read/image.ts'
import { maxNotebookBytes, showNotebook } from '../files/read/notebook.ts'
import { showPdf, type PdfRange, type ReadPdf } from '../files/read/pdf.ts'
import { surroundingBytes, withoutLookahead, withoutSecretParts } from '../files/secret-parts.ts'
import { filePath, readerOf } from '../files/tool-arguments.ts'
import { readText } from './answer-texts.ts'

/** Max bytes read per call. */
const maxBytes = 131_072
/** Of pages and cells: so few that the answer is not shortened, which would hide some in its middle. */
const maxDocumentLength = 65_536
/** Without a limit in the call. */
const defaultLines = 2000
/** For the most text that a call reads; a client may cut longer answers itself. */
const maxTokens = 25_000

export function safeRead(files: FileTools, pdf: ReadPdf): Tool {
  return defineTool({
    name: 'safe_read',
    description:
      'Reads text as numbered lines, PDFs by page, notebooks by cell, images; secrets masked. A negative offset counts from the end.',
    input: z.object({
      path: filePath,
      offset: z.int().optional(),
      limit: z.int().min(1).optional(),
      raw: z.boolean().optional(),
    }),
    needs: ['fs:read'],
    maxTokens,
    renderText: readText,
    annotations: { readOnlyHint: true },
    _meta: alwaysLoad,
    async run({ path, offset: from = 1, limit = defaultLines, raw = false }, host) {
      const access = files.accessFor(host.call)
      const file = await openForRead(files.pathOf(path, access), access)
      try {
        const { hash, bytes } = await readFileVersion(file, files.hashKey)
        files.seen.note(readerOf(host.call), file.path, hash)
        const kind = fileKind(bytes ?? (await file.read(0, headBytes)), bytes !== undefined)
        const about = { bytes: file.stat.size, hash }
        const offset = from === 0 ? 1 : from
        const document = raw
          ? undefined
          : await readDocument(
              file,
              { kind, bytes },
              { offset, limit, maxLength: maxDocumentLength },
              about,
              host,
              pdf,
            )
        if (document !== undefined) return document
        const text = textSource(file, kind, bytes)
        if (text === undefined) return answer({ ...describe(kind), ...about })
        const range = { offset, limit, maxBytes }
        const slice = await sliceLines(text, range, () => host.call.signal.throwIfAborted())
        const first = firstNumber(text, slice)
        return answer({
          ...placeIn(text, slice, first, range.offset),
          ...about,
          ...(await shownText(text, slice, first, host)),
        })
      } finally {
        file.close()
      }
    },
  })
}

/** Undefined if it is to be read as text, or described. */
async function readDocument(
  file: ReadableFile,
  { kind, bytes }: { kind: FileKind; bytes: Buffer | undefined },
  range: PdfRange,
  about: JsonObject,
  host: ToolHost,
  pdf: ReadPdf,
): Promise<Answer | undefined> {
  if (kind.kind === 'image') return showImage(file, kind, about, bytes)
  if (kind.kind === 'binary') {
    return kind.type === pdfType ? showPdf(file, range, about, host, pdf) : undefined
  }
  const { size } = file.stat
  if (!file.path.toLowerCase().endsWith('.ipynb') || size > maxNotebookBytes) return undefined
  return showNotebook(decodeText(bytes ?? (await file.read(0, size)), kind.encoding), range, about, host)
}

interface TextSource extends LineSource {
  readonly encoding: TextEncoding
  /** The whole text, if it was small enough to read at once. */
  readonly whole?: Buffer
}

/** Undefined if it is not text, or if its lines cannot be found without reading all of it. */
function textSource(file: ReadableFile, kind: FileKind, bytes: Buffer | undefined): TextSource | undefined {
  if (kind.kind !== 'text') return undefined
  const { encoding } = kind
  if (bytes === undefined) {
    return encoding.startsWith('utf-16')
      ? undefined
      : { encoding, size: file.stat.size, read: (offset, length) => file.read(offset, length) }
  }
  const whole = encoding === 'utf-8' ? withoutMark(bytes) : Buffer.from(decodeText(bytes, encoding))
  return {
    encoding,
    whole,
    size: whole.length,
    read: async (offset, length) => whole.subarray(offset, offset + length),
  }
}

function describe(kind: FileKind): JsonObject {
  switch (kind.kind) {
    case 'text':
      return {
        type: 'UTF-16 text',
        note: 'Too large to read directly: convert it with iconv in safe_bash.',
      }
    case 'image':
      return { type: kind.type }
    case 'binary':
      return { type: kind.type === 'unknown' ? 'binary' : `binary: ${kind.type}` }
  }
}

/** Undefined if only known from the end of a large file. */
function firstNumber({ whole }: TextSource, { first, start }: LineSlice): number | undefined {
  return first ?? (whole && 1 + countLines(whole.subarray(0, start)))
}

/** `lines: 21-40 of 310` */
function placeIn(
  { whole, size, encoding }: TextSource,
  slice: LineSlice,
  first: number | undefined,
  offset: number,
): JsonObject {
  const total = slice.total ?? (whole && countLines(whole))
  const ofAll = total === undefined ? (slice.end < size ? ', more follow' : '') : ` of ${total}`
  const lines =
    slice.lines === 0
      ? `none${ofAll}`
      : first === undefined
        ? `${slice.lines} from line ${offset}${ofAll}`
        : `${first}-${first + slice.lines - 1}${ofAll}`
  return { lines, ...(encoding !== 'utf-8' && { encoding }) }
}

/**
 * A part of a text may contain a part of a secret that no rule matches, such as a line from the middle of a key, so it
 * is checked with its surroundings.
 */
async function shownText(
  text: TextSource,
  slice: LineSlice,
  first: number | undefined,
  { scrub }: ToolHost,
): Promise<JsonObject> {
  const decode = async (from: number, to: number): Promise<string> =>
    textOf(text, await text.read(from, Math.min(to, text.size) - from))
  const { start, end } = slice
  if (!slice.isCut) {
    const part = await decode(start, end)
    const isWhole = start === 0 && end >= text.size
    const shown = isWhole
      ? part
      : await withoutSecretParts(
          part,
          await decode(Math.max(0, start - surroundingBytes), end + surroundingBytes),
          scrub,
        )
    // Masked before it is numbered: a key is recognized by its lines.
    const masked = await scrub(shown)
    return { text: first === undefined ? masked : await numberLines(shown, masked, first, scrub) }
  }
  const beyond = await scrub(await decode(start, end + surroundingBytes))
  const shown = withoutLookahead(beyond)
  return {
    note: `Line ${first ?? 'here'} is too long to read at once: this is its beginning. Use safe_bash for the rest.`,
    text: first === undefined ? shown : `${first}\t${shown}`,
  }
}

function textOf({ whole, encoding }: TextSource, bytes: Buffer): string {
  return whole === undefined && encoding === 'latin1' ? bytes.toString('latin1') : bytes.toString()
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xef_bb_bf ? bytes.subarray(3) : bytes
}
