import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { pdfOf, pdfPages, pdfStream } from '../../../../test/support/document-files.ts'
import { fileSpace, type RunOptions } from '../../../../test/support/file-space.ts'
import { openPdfReaders } from '../../../../test/support/pdf-reader.ts'
import { runTool } from '../../../../test/support/run-tool.ts'
import { sandboxHere } from '../../../../test/support/sandbox-here.ts'
import { roomyLimits } from '../../../../test/sandbox/confined-to.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import type { JsonObject } from '@contextd/shared/json/value'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { ContextdError } from '../../../core/errors/errors.ts'
import type { ToolHost } from '../../../core/ports.ts'
import { ownFolder } from '../../../platform/own-program.ts'
import { safeRead } from '../../builtin/safe-read.ts'
import { pdfPackage, type PdfReaderOptions } from './pdf.ts'

let readers: Awaited<ReturnType<typeof openPdfReaders>>
beforeAll(async () => {
  readers = await openPdfReaders()
})
afterAll(() => readers.close())

async function read(
  bytes: Buffer,
  args: JsonObject = {},
  { scrub, ...options }: Partial<PdfReaderOptions> & Pick<RunOptions, 'scrub'> = {},
): Promise<JsonObject> {
  const space = fileSpace()
  space.put('file', bytes)
  const tool = safeRead(space.files, readers.readerWith(options))
  return (await space.run(tool, { path: 'file', ...args }, scrub && { scrub })) as JsonObject
}

/** The message and hint of the refusal. */
async function refusal(bytes: Buffer, options: Partial<PdfReaderOptions> = {}): Promise<string> {
  const space = fileSpace()
  space.put('file', bytes)
  const host = { call: space.call(), scrub: async (text: string) => text } as ToolHost
  const tool = safeRead(space.files, readers.readerWith(options))
  const error: unknown = await runTool(tool, { path: 'file' }, host).catch((thrown: unknown) => thrown)
  if (!(error instanceof ContextdError)) return 'no refusal'
  const { message, hint } = error.toObject()
  return `${message}. ${hint}`
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `text of page ${n + 1}`)

test('a package that is not installed is named, with the command for the version that we use', async () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ownFolder(), 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  expect(pdfPackage).toBe(`unpdf@${optionalDependencies.unpdf}`)
  expect(await refusal(pdfPages(['x']), { findPackage: () => undefined })).toContain(
    `npm install --ignore-scripts ${pdfPackage}`,
  )
})

describe.skipIf(!sandboxHere)('in a sandbox', () => {
  test('text by page, under headings; the header says which pages', async () => {
    const bytes = pdfPages(['Title (draft)\nsecond line', 'page two', ''])
    expect(await read(bytes)).toEqual({
      pages: '1-3 of 3',
      bytes: bytes.length,
      hash: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      text: '--- page 1 ---\nTitle (draft)\nsecond line\n--- page 2 ---\npage two\n--- page 3 ---\n[no text]\n',
    })
  })

  test.each([
    [{ offset: 4, limit: 2 }, '4-5 of 30', 4, 5],
    [{ offset: -2 }, '29-30 of 30', 29, 30],
    [{ offset: -99, limit: 1 }, '1-1 of 30', 1, 1],
    [{ offset: 0, limit: 1 }, '1-1 of 30', 1, 1],
  ])('pages by %j', async (range, pages, first, last) => {
    const found = await read(pdfPages(numbered(30)), range)
    expect(found.pages).toBe(pages)
    expect((found.text as string).match(/text of page \d+/g)).toEqual(numbered(30).slice(first - 1, last))
  })

  test('behind the last page there are none', async () => {
    expect(await read(pdfPages(['x']), { offset: 5 })).toMatchObject({ pages: 'none of 1', text: '' })
  })

  test('one call shows as many pages as fit, at most 100', async () => {
    const page = `${'some words of a page '.repeat(4)}\n`.repeat(100)
    const found = await read(pdfPages(Array.from({ length: 12 }, () => page)))
    expect(found.pages).toBe('1-7 of 12')
    expect((found.text as string).length).toBeLessThan(66_000)
    expect(await read(pdfPages(numbered(120)), { limit: 120 })).toMatchObject({ pages: '1-100 of 120' })
  })

  test('a page that is too long shows its beginning, and says so', async () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join('\n')
    const found = await read(pdfPages([words, 'next']))
    expect(found).toMatchObject({
      pages: '1-1 of 2',
      note: 'Page 1 is too long to read at once: this is its beginning.',
    })
    const text = found.text as string
    expect(text).toContain('word0\nword1\n')
    expect(text.length).toBeGreaterThan(40_000)
    expect(text.length).toBeLessThan(66_000)
  })

  test('pages without any text are probably scanned', async () => {
    expect(await read(pdfPages(['', '']))).toMatchObject({
      note: expect.stringContaining('scanned') as string,
    })
  })

  test('secrets are masked, also those that continue on the next page', async () => {
    const scrubber = createScrubber()
    const scrub = async (text: string): Promise<string> =>
      scrubber.scrub(text, { tenant: 'local', session: 's' }).text
    const random = seededRandom(12)
    const secret = makeSample('ghp_{alnum:36}', random).text
    const lines = Array.from({ length: 20 }, () => makeSample('{base64:64}', random).text)
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} RSA PRIVATE KEY-----`)
    const bytes = pdfPages([
      `token ${secret}\n${begin}\n${lines.slice(0, 10).join('\n')}`,
      `${lines.slice(10).join('\n')}\n${end}\nafter the key`,
    ])
    for (const args of [{}, { offset: 2 }]) {
      const text = (await read(bytes, args, { scrub })).text as string
      expect(text).toContain('--- page 2 ---\n')
      expect(text).toContain('after the key')
      for (const part of [secret, ...lines]) expect(text).not.toContain(part.slice(-20))
    }
    // The probe would notice.
    expect((await read(bytes, { offset: 2 })).text).toContain(lines[12])
  })

  test('encrypted and damaged PDFs say so', async () => {
    const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'1f'.repeat(32)}> /U <${'2e'.repeat(32)}> >> /ID [<00> <00>] `
    const encrypted = pdfOf(
      ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 0 /Kids [] >>'],
      locked,
    )
    expect(await refusal(encrypted)).toMatch(/is an encrypted PDF\. Ask the user/)
    expect(await refusal(Buffer.from('%PDF-1.7\nand nothing else'))).toMatch(/is a damaged PDF/)
    expect(await refusal(pdfPages(['x']).subarray(0, 300))).toMatch(/is a damaged PDF/)
  })

  test('a PDF of more than 32 MB is not read', async () => {
    expect(await refusal(Buffer.concat([pdfPages(['x']), Buffer.alloc(33 << 20)]))).toContain(
      'more than 32 MB',
    )
  })

  test('what the program prints is not trusted', async () => {
    const run = async (stdout: string, exitCode = 0) =>
      refusal(pdfPages(['x']), {
        sandbox: {
          run: async () => ({
            exitCode,
            stdout: Buffer.from(stdout),
            stderr: Buffer.alloc(0),
            durationMs: 1,
            movedAside: [],
            refusedRequests: [],
          }),
        },
      })
    const answer = { total: 1, first: 1, pages: ['x'], before: '', after: '' }
    for (const wrong of ['', 'null', '[]', '{"total":1}', JSON.stringify({ ...answer, pages: [{}] })]) {
      expect(await run(wrong), wrong).toContain('takes too much to read')
    }
    expect(await run(JSON.stringify(answer), 134)).toContain('the parser ended with 134')
    expect(await run(JSON.stringify(answer))).toBe('no refusal')
  })
})

const catalogue = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>']
const page = (entries: string): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] ${entries} >>`

/** Each form draws the next one ten times. */
function laughs(depth: number): Buffer {
  const forms = Array.from({ length: depth }, (_, n) =>
    pdfStream(
      Buffer.from(n === depth - 1 ? 'BT (x) Tj ET' : '/X Do '.repeat(10)),
      `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X ${6 + n} 0 R >> >> `,
    ),
  )
  const resources = '/Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >>'
  return pdfOf([...catalogue, page(resources), pdfStream(Buffer.from('/X Do '.repeat(10))), ...forms])
}

const hostile: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ['spaces without end', () => pdfPages([Buffer.alloc(2 ** 28, ' ')])],
  ['a text without end', () => pdfPages([Buffer.alloc(2 ** 28, 'BT /F1 8 Tf (words) Tj ET ')])],
  ['an array without end', () => pdfPages([Buffer.alloc(2 ** 28, '[1 1 1 1 1 1 1 ')])],
  [
    'compressed twice',
    () =>
      pdfOf([
        ...catalogue,
        page('/Contents 4 0 R'),
        pdfStream(
          deflateSync(deflateSync(Buffer.alloc(2 ** 28, ' '))),
          '/Filter [/FlateDecode /FlateDecode] ',
        ),
      ]),
  ],
  ['deep arrays in a page', () => pdfPages([Buffer.alloc(5_000_000, '[')])],
  [
    'deep arrays in the catalogue',
    () => pdfOf([`<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(3_000_000)} >>`, ...catalogue.slice(1)]),
  ],
  [
    'a page tree that contains itself',
    () => pdfOf([catalogue[0]!, '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>']),
  ],
  [
    'a deep page tree',
    () =>
      pdfOf([
        catalogue[0]!,
        ...Array.from({ length: 50_000 }, (_, n) => `<< /Type /Pages /Count 1 /Kids [${n + 3} 0 R] >>`),
        page(''),
      ]),
  ],
  [
    'two billion pages, it says',
    () => pdfOf([catalogue[0]!, '<< /Type /Pages /Count 2000000000 /Kids [3 0 R] >>', page('')]),
  ],
  ['forms in forms', () => laughs(12)],
  [
    'a form that draws itself',
    () =>
      pdfOf([
        ...catalogue,
        page('/Contents 4 0 R /Resources << /XObject << /X 4 0 R >> >>'),
        pdfStream(
          Buffer.from('/X Do '.repeat(1000)),
          '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 4 0 R >> >> ',
        ),
      ]),
  ],
]

/** Less time than by default, so that the test ends soon. */
const limits = { ...roomyLimits, timeMs: 4000, memoryBytes: 512 << 20 }

test.skipIf(!sandboxHere).each(hostile)(
  'hostile: %s ends, bounded, and the next PDF is read',
  async (_, bytes) => {
    const space = fileSpace()
    space.put('hostile.pdf', bytes())
    space.put('ordinary.pdf', pdfPages(['words']))
    const tool = (options: Partial<PdfReaderOptions>) => safeRead(space.files, readers.readerWith(options))
    const found = await space.run(tool({ limits }), { path: 'hostile.pdf' })
    if (typeof found === 'string') expect(found).toBe('FILE_UNSUITABLE')
    else expect((found.text as string).length).toBeLessThan(100_000)
    expect(await space.run(tool({}), { path: 'ordinary.pdf' })).toMatchObject({ pages: '1-1 of 1' })
  },
)
