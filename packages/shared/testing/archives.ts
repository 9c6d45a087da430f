/** Builds archives byte by byte, so that they can also be malformed. */

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly content: Uint8Array | string
  readonly method?: 'store' | 'deflate' | number
  readonly encrypted?: true
  /** Unix file type and permissions, such as `0o100755`. */
  readonly mode?: number
  /** Declared size, independent of the content. */
  readonly size?: number
  /** The name in the local header, if it differs from the directory. */
  readonly localName?: string
  /** Points to the data of the first entry instead of its own. */
  readonly sharesFirst?: true
}

/** `before`: bytes prepended without adjusting offsets; `large`: uses the zip64 fields. */
export function makeZip(
  entries: readonly ZipEntry[],
  { before = '', comment = '', large = false } = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { name, content, method = 'deflate', encrypted, mode, size, localName = name, sharesFirst } = entry
    const plain = Buffer.from(content)
    const data = method === 'deflate' ? deflateRawSync(plain) : plain
    const code = method === 'deflate' ? 8 : method === 'store' ? 0 : method
    const bytes = Buffer.from(name)
    const flags = 0x800 | (encrypted ? 1 : 0)
    const common = Buffer.alloc(22)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(code, 4)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size ?? plain.length, 18)
    const localBytes = Buffer.from(localName)
    const local = sharesFirst
      ? Buffer.alloc(0)
      : Buffer.concat([u32(0x04034b50), common, u16(localBytes.length), u16(0), localBytes, data])
    const extra = large ? Buffer.concat([u16(1), u16(16), u64(data.length), u64(offset)]) : Buffer.alloc(0)
    if (large) common.writeUInt32LE(0xffffffff, 14)
    directory.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(mode === undefined ? 20 : (3 << 8) | 20),
        common,
        u16(bytes.length),
        u16(extra.length),
        u16(0),
        u16(0),
        u16(0),
        u32(((mode ?? 0) << 16) >>> 0),
        u32(large ? 0xffffffff : sharesFirst ? 0 : offset),
        bytes,
        extra,
      ]),
    )
    parts.push(local)
    offset += local.length
  }
  const list = Buffer.concat(directory)
  const count = entries.length
  const end64 = Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    u32(0),
    u32(0),
    u64(count),
    u64(count),
    u64(list.length),
    u64(offset),
    u32(0x07064b50),
    u32(0),
    u64(offset + list.length),
    u32(1),
  ])
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0),
    u16(0),
    u16(large ? 0xffff : count),
    u16(large ? 0xffff : count),
    u32(large ? 0xffffffff : list.length),
    u32(large ? 0xffffffff : offset),
    u16(Buffer.byteLength(comment)),
    Buffer.from(comment),
  ])
  return Buffer.concat([Buffer.from(before), ...parts, list, ...(large ? [end64] : []), end])
}

export interface TarEntry {
  readonly name: string
  readonly content?: Uint8Array | string
  /** `0` a file, `5` a folder, `2` a link, `L` a long name for the next, `x` pax attributes of the next. */
  readonly type?: string
  readonly prefix?: string
  /** Declared size, independent of the content. */
  readonly size?: number
  readonly base256?: true
  readonly mode?: number
  /** The target of a link. */
  readonly link?: string
}

export function makeTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const { name, content = '', type = '0', prefix = '', size, base256, mode = 0o644, link = '' } = entry
    const data = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
    const length = size ?? data.length
    if (base256) {
      header.writeUInt8(0x80, 124)
      header.writeUIntBE(length, 130, 6)
    } else header.write(`${length.toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(link, 157, 100)
    header.write('ustar\x0000', 257)
    header.write(prefix, 345)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  for (let length = rest.length; ; length++) {
    if (Buffer.byteLength(`${length}${rest}`) === length) return `${length}${rest}`
  }
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
