/** Detects a file's type by its first bytes. Pure. */

import { isUtf8 } from 'node:buffer'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1'

export type FileKind =
  | { readonly kind: 'text'; readonly encoding: TextEncoding }
  | { readonly kind: 'image'; readonly type: string; readonly width?: number; readonly height?: number }
  | { readonly kind: 'binary'; readonly type: string }

/** This many bytes are enough, except for the dimensions of some images. */
export const headBytes = 65_536

/** `isAll` if the bytes are the complete file rather than its start. */
export function fileKind(bytes: Buffer, isAll: boolean): FileKind {
  if (startsWith(bytes, [0xff, 0xfe])) return { kind: 'text', encoding: 'utf-16le' }
  if (startsWith(bytes, [0xfe, 0xff])) return { kind: 'text', encoding: 'utf-16be' }
  const hasZero = bytes.subarray(0, headBytes).includes(0)
  const isDocument = startsWith(bytes, [...Buffer.from('%PDF-')])
  if (!hasZero && !isDocument && isUtf8Text(bytes, isAll)) return { kind: 'text', encoding: 'utf-8' }
  const known = imageKind(bytes) ?? binaryKind(bytes)
  if (known !== undefined) return known
  const isOldText = !hasZero && !controlCharacter.test(bytes.toString('latin1', 0, headBytes))
  return isOldText ? { kind: 'text', encoding: 'latin1' } : { kind: 'binary', type: 'unknown' }
}

/** If there is more, the last character may be cut off. */
function isUtf8Text(bytes: Buffer, isAll: boolean): boolean {
  return isUtf8(bytes) || (!isAll && [1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, -cut))))
}

/** Except tabs, line ends and terminal escapes, which occur in logs. */
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\0-\x07\x0e-\x1a\x1c-\x1f]/

/** Strips the byte order mark. */
export function decodeText(bytes: Buffer, encoding: TextEncoding): string {
  switch (encoding) {
    case 'utf-8':
      return bytes.toString('utf8', startsWith(bytes, [0xef, 0xbb, 0xbf]) ? 3 : 0)
    case 'utf-16le':
      return bytes.toString('utf16le', 2)
    case 'utf-16be':
      return Buffer.from(bytes.subarray(2, bytes.length & ~1))
        .swap16()
        .toString('utf16le')
    case 'latin1':
      return bytes.toString('latin1')
  }
}

/** The inverse of `decodeText`. `like` is the file before: its byte order mark is preserved. */
export function encodeText(text: string, encoding: TextEncoding, like: Buffer): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(startsWith(like, [0xef, 0xbb, 0xbf]) ? `\uFEFF${text}` : text)
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le')
    case 'utf-16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()
    case 'latin1':
      return Buffer.from(text, 'latin1')
  }
}

function startsWith(bytes: Buffer, start: readonly number[], at = 0): boolean {
  return start.every((byte, index) => bytes[at + index] === byte)
}

function binaryKind(bytes: Buffer): FileKind | undefined {
  const signature = signatures.find(([at, start]) => startsWith(bytes, [...Buffer.from(start, 'latin1')], at))
  return signature && { kind: 'binary', type: signature[2] }
}

export const pdfType = 'PDF document'

const signatures: readonly (readonly [at: number, signature: string, type: string])[] = [
  [0, '\x7fELF', 'ELF program or library'],
  [0, 'MZ\x90\0', 'Windows program'],
  [0, '\xcf\xfa\xed\xfe', 'macOS program'],
  [0, '\xca\xfe\xba\xbe', 'Java class or macOS program'],
  [0, '\0asm', 'WebAssembly module'],
  [0, '%PDF-', pdfType],
  [0, 'PK\x03\x04', 'zip archive, or an office document'],
  [0, 'PK\x05\x06', 'zip archive'],
  [0, '\x1f\x8b', 'gzip data'],
  [0, 'BZh', 'bzip2 data'],
  [0, '\xfd7zXZ\0', 'xz data'],
  [0, '\x28\xb5\x2f\xfd', 'zstd data'],
  [0, '7z\xbc\xaf\x27\x1c', '7z archive'],
  [257, 'ustar', 'tar archive'],
  [0, '!<arch>\n', 'ar archive'],
  [0, 'SQLite format 3\0', 'SQLite database'],
  [0, 'wOFF', 'WOFF font'],
  [0, 'wOF2', 'WOFF2 font'],
  [0, '\0\x01\0\0', 'TrueType font'],
  [0, 'OggS', 'Ogg media'],
  [0, 'ID3', 'MP3 audio'],
  [0, 'fLaC', 'FLAC audio'],
  [8, 'WAVE', 'WAV audio'],
  [4, 'ftyp', 'MP4 media'],
  [0, '\x1a\x45\xdf\xa3', 'Matroska media'],
]

function imageKind(bytes: Buffer): FileKind | undefined {
  const image = (type: string, size: readonly [number, number] | undefined): FileKind => ({
    kind: 'image',
    type,
    ...(size !== undefined && { width: size[0], height: size[1] }),
  })
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
    return image(
      'image/png',
      bytes.length < 24 ? undefined : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
    )
  }
  if (startsWith(bytes, [...Buffer.from('GIF8')])) {
    return image('image/gif', bytes.length < 10 ? undefined : [bytes.readUInt16LE(6), bytes.readUInt16LE(8)])
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return image('image/jpeg', jpegSize(bytes))
  if (startsWith(bytes, [...Buffer.from('RIFF')]) && startsWith(bytes, [...Buffer.from('WEBP')], 8)) {
    return image('image/webp', webpSize(bytes))
  }
  if (startsWith(bytes, [0x42, 0x4d]) && bytes.length >= 26) {
    return image('image/bmp', [bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))])
  }
  if (startsWith(bytes, [0, 0, 1, 0]) && bytes.length >= 8) {
    return image('image/x-icon', [bytes[6]! || 256, bytes[7]! || 256])
  }
  if (startsWith(bytes, [0x49, 0x49, 0x2a, 0]) || startsWith(bytes, [0x4d, 0x4d, 0, 0x2a])) {
    return image('image/tiff', undefined)
  }
  if (startsWith(bytes, [...Buffer.from('ftypavif')], 4)) return image('image/avif', undefined)
  if (startsWith(bytes, [...Buffer.from('ftypheic')], 4)) return image('image/heic', undefined)
  return undefined
}

/** Skips from segment to segment to the frame header. */
function jpegSize(bytes: Buffer): [number, number] | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function webpSize(bytes: Buffer): [number, number] | undefined {
  if (bytes.length < 30) return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    default:
      return undefined
  }
}
