/**
 * A program that writes the text of pages of the PDF on its standard input, as JSON. It runs in a sandbox: parsers of
 * PDF can be made to use any amount of time and memory.
 */

import { pathToFileURL } from 'node:url'

import type { PdfAnswer, PdfOrder, PdfPages } from './pdf-order.ts'
import { firstPart } from './sections.ts'

/** The part of the package that we use. */
interface PdfDocument {
  readonly numPages: number
  getPage(number: number): Promise<{
    streamTextContent(): ReadableStream<{ items: readonly { str?: string; hasEOL?: boolean }[] }>
    cleanup(): void
  }>
}

interface PdfPackage {
  getDocumentProxy(data: Uint8Array, options: object): Promise<PdfDocument>
}

const options = {
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  stopAtErrors: false,
  // Its warnings would be written next to the answer.
  verbosity: 0,
}

async function readPages(data: Uint8Array, order: PdfOrder): Promise<PdfPages> {
  const { getDocumentProxy } = (await import(pathToFileURL(order.library).href)) as PdfPackage
  const document = await getDocumentProxy(data, options)
  const total = document.numPages
  const { offset, limit, maxLength, beyond, maxMs } = order
  const first = firstPart(offset, total)
  const end = performance.now() + maxMs
  const pageText = async (number: number): Promise<string> =>
    number < 1 || number > total ? '' : textOf(document, number, maxLength + beyond)
  const pages: string[] = []
  let length = 0
  let after: string | undefined
  for (let number = first; number <= total && pages.length < limit; number++) {
    const isLate = performance.now() > end
    if (pages.length > 0 && isLate) break
    const text = await pageText(number)
    length += text.length
    if (pages.length > 0 && length > maxLength) {
      after = text
      break
    }
    pages.push(text)
    if (length > maxLength) break
  }
  after ??= await pageText(first + pages.length)
  const before = await pageText(Math.min(first, total + 1) - 1)
  return { total, first, pages, before: before.slice(-beyond), after: after.slice(0, beyond) }
}

async function textOf(document: PdfDocument, number: number, maxLength: number): Promise<string> {
  const page = await document.getPage(number)
  const reader = page.streamTextContent().getReader()
  let text = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const { str = '', hasEOL = false } of read.value.items) text += hasEOL ? `${str}\n` : str
    if (text.length > maxLength) {
      await reader.cancel(new Error('enough text'))
      break
    }
  }
  page.cleanup()
  return text.slice(0, maxLength)
}

async function main(): Promise<PdfAnswer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  // A copy: the package takes the memory of what it is given.
  const data = new Uint8Array(Buffer.concat(chunks))
  try {
    return await readPages(data, JSON.parse(process.argv[2]!) as PdfOrder)
  } catch (error) {
    return { problem: (error as Error).name === 'PasswordException' ? 'encrypted' : 'damaged' }
  }
}

process.stdout.write(JSON.stringify(await main()), () => process.exit(0))
