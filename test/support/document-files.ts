/** Small images and PDFs, written by code. */

import { crc32, deflateSync } from 'node:zlib'

/** A picture in one colour. `texts` are stored as its metadata. */
export function pngOf(width: number, height: number, texts: readonly string[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0xc0)])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...texts.map((text) => chunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1'))),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

/** The objects of a PDF, the first of which is its catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let at = parts[0]!.length
  for (const [index, object] of objects.entries()) {
    offsets.push(at)
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(part)
    at += part.length
  }
  const size = objects.length + 1
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(end)])
}

export function pdfStream(data: Buffer, entries = ''): Buffer {
  const head = Buffer.from(`<< /Length ${data.length} ${entries}>>\nstream\n`)
  return Buffer.concat([head, data, Buffer.from('\nendstream')])
}

/** A page for each text, or for the operators that draw one; high enough, as text outside of a page is not part of it. */
export function pdfPages(pages: readonly (string | Buffer)[]): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 ${heightOf(page)}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      pdfStream(deflateSync(typeof page === 'string' ? textOperators(page) : page), '/Filter /FlateDecode '),
    ]),
  ])
}

function heightOf(page: string | Buffer): number {
  return typeof page === 'string' ? 20 + 10 * page.split('\n').length : 800
}

function textOperators(text: string): Buffer {
  const lines = text.split('\n').map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
  return Buffer.from(`BT /F1 8 Tf 10 TL 20 ${heightOf(text) - 10} Td ${lines.join(' ')} ET`, 'latin1')
}
