/** Images as MCP content blocks, if models accept them. */

import type { JsonObject } from '@contextd/shared/json/value'
import { answer, type Answer, type Block } from '../../../core/result.ts'
import { fileKind, type FileKind } from '../../../platform/files/file-kind.ts'
import type { ReadableFile } from '../confined-file.ts'

export type ImageKind = Extract<FileKind, { kind: 'image' }>

/**
 * What the Anthropic API accepts: 5 MB of base64 and 8,000 pixels per side. An image that the provider refuses stays in
 * the conversation, which then cannot continue.
 */
export const maxImageBytes = (5_242_880 / 4) * 3
export const maxImageSide = 8000

const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** `bytes` is the whole file if that was read already. */
export async function showImage(
  file: ReadableFile,
  kind: ImageKind,
  about: JsonObject,
  bytes?: Buffer,
): Promise<Answer> {
  const { size } = file.stat
  const all = bytes ?? (size > maxImageBytes ? undefined : await file.read(0, size))
  const found = all === undefined ? kind : fileKind(all, true)
  const image = found.kind === 'image' ? found : kind
  const problem = all === undefined ? tooLarge : imageProblem(image, all)
  return answer(
    {
      type: image.type,
      ...(image.width !== undefined && { size: pixelSize(image) }),
      ...about,
      ...(problem !== undefined && { note: problem }),
    },
    all === undefined || problem !== undefined ? {} : { blocks: [imageBlock(image, all)] },
  )
}

export function imageBlock({ type }: ImageKind, bytes: Buffer): Block {
  return { type: 'image', data: bytes.toString('base64'), mimeType: type }
}

/** `640 x 480` */
export function pixelSize({ width, height }: ImageKind): string {
  return `${width} x ${height}`
}

const tooLarge = `Not shown: models accept up to ${maxImageSide} x ${maxImageSide} pixels and 3.75 MB. Make a smaller copy in safe_bash, for example \`magick IN -resize 2000x2000 OUT\`, and read that.`

/** Why a model would refuse it; undefined if it would not. */
export function imageProblem({ type, width, height }: ImageKind, bytes: Buffer): string | undefined {
  if (!shownTypes.has(type)) {
    return 'Not shown: models accept PNG, JPEG, GIF and WebP. Convert it in safe_bash, for example with `magick IN OUT.png`.'
  }
  if (width === undefined || height === undefined || !isComplete(type, bytes)) {
    return 'Not shown: the file is damaged or incomplete.'
  }
  const isLarge = bytes.length > maxImageBytes || Math.max(width, height) > maxImageSide
  return isLarge ? tooLarge : undefined
}

function isComplete(type: string, bytes: Buffer): boolean {
  switch (type) {
    case 'image/png':
      return hasPngEnd(bytes)
    case 'image/jpeg':
      return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > 0
    case 'image/gif':
      // Some programs append zeros.
      return bytes.findLast((byte) => byte !== 0) === 0x3b
    default:
      return bytes.length >= 12 && bytes.readUInt32LE(4) + 8 <= bytes.length
  }
}

/** Skips from chunk to chunk. */
function hasPngEnd(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true
  }
  return false
}
