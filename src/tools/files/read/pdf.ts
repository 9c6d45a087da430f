/** Text of PDFs, page by page. */

import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Call } from '../../../core/call.ts'
import type { ToolHost } from '../../../core/ports.ts'
import { answer, type Answer } from '../../../core/result.ts'
import { ownFolder } from '../../../platform/own-program.ts'
import type { Ended, Sandbox, SandboxLimits } from '../../../sandbox/sandbox.ts'
import { timeLeft } from '../../time-left.ts'
import { unsuitable, type ReadableFile } from '../confined-file.ts'
import { surroundingBytes } from '../secret-parts.ts'
import type { PdfAnswer, PdfOrder, PdfPages } from './pdf-order.ts'
import { partsShown, showSections } from './sections.ts'

export interface PdfReaderOptions {
  readonly sandbox: Pick<Sandbox, 'run'>
  readonly limits: SandboxLimits
  /** The program that extracts the text; ours by default. */
  readonly program?: string
  /** The folder of the package; undefined if it is not installed. */
  readonly findPackage?: () => string | undefined
}

export type PdfRange = Pick<PdfOrder, 'offset' | 'limit' | 'maxLength'>

/** Throws FILE_UNSUITABLE for a PDF that cannot be read, and SANDBOX_UNAVAILABLE. */
export type ReadPdf = (bytes: Buffer, range: PdfRange, call: Call) => Promise<PdfPages>

export const pdfPackage = 'unpdf@1.7.0'

/** The package holds several copies of the file in memory. */
const maxPdfBytes = 32 * 1_048_576
/** The most pages of one call: pages without text cost time, too. */
const maxPages = 100
const maxMs = 20_000
/** For starting no further page, so that those read by then are returned. */
const softMs = 8_000
const maxOutputBytes = 4 * 1_048_576
const heapMegabytes = 256

export function createPdfReader({
  sandbox,
  limits,
  program = join(ownFolder(), 'dist', 'pdf-text.js'),
  findPackage = findPdfPackage,
}: PdfReaderOptions): ReadPdf {
  return async (bytes, range, call) => {
    const folder = findPackage()
    if (folder === undefined) {
      throw unsuitable(
        'is a PDF, and the package that reads PDFs is not installed',
        `Run \`npm install --ignore-scripts ${pdfPackage}\` next to contextd.`,
      )
    }
    const order: PdfOrder = {
      ...range,
      limit: Math.min(range.limit, maxPages),
      library: join(folder, 'dist', 'index.mjs'),
      beyond: surroundingBytes,
      maxMs: softMs,
    }
    const node = realpathSync(process.execPath)
    const ended = await sandbox.run(
      {
        run: [node, `--max-old-space-size=${heapMegabytes}`, program, JSON.stringify(order)],
        cwd: dirname(program),
        env: {},
        stdin: bytes,
      },
      {
        folders: [node, program, folder].map((path) => ({ path, access: 'read' as const })),
        hidden: [],
        guarded: [],
        programs: [],
        limits: {
          ...limits,
          timeMs: Math.max(1, Math.min(maxMs, limits.timeMs, timeLeft(call, Date.now()))),
          outputBytes: maxOutputBytes,
        },
      },
      { signal: call.signal },
    )
    return pagesOf(ended)
  }
}

function findPdfPackage(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve('unpdf')
    return realpathSync(dirname(dirname(main)))
  } catch {
    return undefined
  }
}

const otherTools = 'If safe_bash has pdftotext, use that, with `-f` and `-l` for the pages.'

function pagesOf({ exitCode, limit, stdout }: Ended): PdfPages {
  const found = limit === undefined && exitCode === 0 ? answerIn(stdout) : undefined
  if (found === undefined) {
    const why = limit === undefined ? `the parser ended with ${exitCode}` : `limit on ${limit}`
    throw unsuitable(`is a PDF that takes too much to read (${why})`, otherTools)
  }
  if (!('problem' in found)) return found
  throw found.problem === 'encrypted'
    ? unsuitable('is an encrypted PDF', 'Ask the user for a copy without a password.')
    : unsuitable('is a damaged PDF, or none', otherTools)
}

/** What the program says is not trusted: the PDF may have taken control of it. */
function answerIn(stdout: Buffer): PdfAnswer | undefined {
  let value: Json
  try {
    value = JSON.parse(stdout.toString()) as Json
  } catch {
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const { problem, total, first, pages, before, after } = value
  if (problem !== undefined) return { problem: problem === 'encrypted' ? problem : 'damaged' }
  const isPages =
    Number.isSafeInteger(total) &&
    Number.isSafeInteger(first) &&
    Array.isArray(pages) &&
    [...pages, before, after].every((text) => typeof text === 'string')
  return isPages ? (value as unknown as PdfPages) : undefined
}

export async function showPdf(
  file: ReadableFile,
  range: PdfRange,
  about: JsonObject,
  { call, scrub }: Pick<ToolHost, 'call' | 'scrub'>,
  read: ReadPdf,
): Promise<Answer> {
  const { size } = file.stat
  if (size > maxPdfBytes) throw unsuitable(`is a PDF of more than ${maxPdfBytes >> 20} MB`, otherTools)
  const { total, first, pages, before, after } = await read(await file.read(0, size), range, call)
  const isCut = pages.length === 1 && pages[0]!.length > range.maxLength
  const sections = pages.map((text, index) => ({
    heading: `page ${first + index}`,
    text: text.trim() === '' ? '[no text]' : text,
    isCut,
  }))
  const note = isCut
    ? `Page ${first} is too long to read at once: this is its beginning.`
    : pages.length > 0 && pages.every((text) => text.trim() === '')
      ? 'These pages have no text, and may be scanned. To see them, convert them to images in safe_bash, for example with pdftoppm.'
      : undefined
  return answer({
    pages: partsShown(first, pages.length, total),
    ...about,
    ...(note !== undefined && { note }),
    text: await showSections(sections, { before, after }, scrub),
  })
}
