import { deflateRawSync, gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { makeTar, makeZip, paxRecord, type TarEntry, type ZipEntry } from '@contextd/shared/testing/archives'
import { readArchive } from './archive.ts'

const tgz = (entries: readonly TarEntry[]): Buffer => gzipSync(makeTar(entries))
const names = async (bytes: Buffer): Promise<string[]> => (await readArchive(bytes)).map(({ path }) => path)
const megabytes = (count: number): Buffer => Buffer.alloc(count * 1_048_576)

describe('a .tar.gz archive', () => {
  it('is read with its folders, bytes and permissions', async () => {
    const files = await readArchive(
      tgz([
        { name: './', type: '5' },
        { name: './run.sh', content: '#!/bin/sh\n', mode: 0o755 },
        { name: './lib/', type: '5', mode: 0o755 },
        { name: './lib/a.txt', content: 'a' },
        { name: 'empty' },
      ]),
    )
    expect(files.map(({ path, bytes, executable }) => [path, bytes.toString(), executable])).toEqual([
      ['empty', '', false],
      ['lib/a.txt', 'a', false],
      ['run.sh', '#!/bin/sh\n', true],
    ])
  })

  it('may have one top-level folder', async () => {
    expect(await names(tgz([{ name: 'weather-1.0/run.sh' }, { name: 'weather-1.0/lib/a' }]))).toEqual([
      'lib/a',
      'run.sh',
    ])
    expect(await names(tgz([{ name: 'one/run.sh' }, { name: 'two/a' }]))).toEqual(['one/run.sh', 'two/a'])
  })

  it('may have long names, in every format for them', async () => {
    const long = `${'d'.repeat(90)}/${'f'.repeat(120)}`
    expect(
      await names(
        tgz([{ name: '././@LongLink', type: 'L', content: `${long}\0` }, { name: 'cut' }, { name: 'b' }]),
      ),
    ).toEqual(['b', long])
    expect(
      await names(
        tgz([{ name: 'pax', type: 'x', content: paxRecord('path', long) }, { name: 'cut' }, { name: 'b' }]),
      ),
    ).toEqual(['b', long])
    expect(await names(tgz([{ name: 'f'.repeat(99), prefix: 'p' }, { name: 'b' }]))).toEqual([
      'b',
      `p/${'f'.repeat(99)}`,
    ])
    expect(
      await names(
        tgz([
          { name: 'g', type: 'g', content: paxRecord('comment', '0a1b') },
          { name: 'größe' },
          { name: 'b' },
        ]),
      ),
    ).toEqual(['b', 'größe'])
    expect(await names(tgz([{ name: 'a', content: 'x', base256: true }, { name: 'b' }]))).toEqual(['a', 'b'])
  })

  const marker = { name: 'marker', content: 'harmless' }

  it.each<[string, TarEntry[], RegExp]>([
    ['an absolute path', [{ name: '/tmp/marker' }], /not a path inside/],
    ['a path that leads out', [{ name: '../marker' }], /leads out/],
    ['one that leads out further down', [{ name: 'a/../../marker' }], /leads out/],
    ['one that leads out by its prefix', [{ name: 'marker', prefix: '..' }], /leads out/],
    ['a path with an empty part', [{ name: 'a//b' }], /leads out/],
    ['a path with a dot', [{ name: 'a/./b' }], /leads out/],
    ['a backslash', [{ name: 'a\\..\\b' }], /backslash/],
    ['a character that is not seen', [{ name: 'a\u0007b' }], /characters/],
    ['one that turns the direction of reading', [{ name: 'a\u202Egpj.sh' }], /characters/],
    ['a repository with a hidden character in its name', [{ name: '.g\u200Cit/config' }], /characters/],
    ['a name that is only a part', [{ name: '..' }], /leads out/],
    ['a name that is empty', [{ name: '' }], /not a path inside/],
    ['a file that ends like a folder', [{ name: 'run.sh/' }], /leads out/],
    ['a long name that leads out', [{ name: 'L', type: 'L', content: '../marker\0' }, marker], /leads out/],
    [
      'a pax name that leads out',
      [{ name: 'x', type: 'x', content: paxRecord('path', '/marker') }, marker],
      /not a path/,
    ],
    [
      'one pax name for all',
      [{ name: 'g', type: 'g', content: paxRecord('path', 'x') }, marker],
      /every file/,
    ],
    ['a symbolic link', [{ name: 'a', type: '2', link: '/etc/passwd' }], /is a link/],
    ['a link that stays inside', [{ name: 'a', type: '2', link: 'marker' }, marker], /is a link/],
    ['a hard link', [marker, { name: 'a', type: '1', link: 'marker' }], /is a link/],
    ['a long link', [{ name: 'K', type: 'K', content: 'x' }, marker], /is a link/],
    [
      'a pax link',
      [{ name: 'x', type: 'x', content: paxRecord('linkpath', '/etc') }, marker],
      /contains a link/,
    ],
    ['a character device', [{ name: 'a', type: '3' }], /is a device/],
    ['a block device', [{ name: 'a', type: '4' }], /is a device/],
    ['a pipe', [{ name: 'a', type: '6' }], /is a pipe/],
    ['a kind nobody knows', [{ name: 'a', type: 'Z' }], /neither a file/],
    ['a file with gaps', [{ name: 'a', type: 'S' }], /neither a file/],
    [
      'one with gaps by pax',
      [{ name: 'x', type: 'x', content: paxRecord('GNU.sparse.major', '1') }, marker],
      /sparse/,
    ],
    ['another user’s rights', [{ name: 'a', mode: 0o4755 }], /privileges of another/],
    ['another group’s rights', [{ name: 'a', mode: 0o2755 }], /privileges of another/],
    ['the same file twice', [marker, marker], /twice/],
    ['the same file in another case', [marker, { name: 'MARKER' }], /twice/],
    ['the same file in another spelling', [{ name: 'gr\u00F6' }, { name: 'gro\u0308' }], /twice/],
    ['a folder in another case', [{ name: 'a/x' }, { name: 'A/y' }], /twice/],
    ['a file below a file', [marker, { name: 'marker/x' }], /twice/],
    ['a file in place of a folder', [{ name: 'marker/x' }, marker], /twice/],
    ['the inside of a repository', [{ name: '.git/config' }], /git directory/],
    ['the same, disguised', [{ name: 'a/.GIT/hooks/x' }], /git directory/],
    ['folders too deep', [{ name: `${'a/'.repeat(20)}b` }], /deeper/],
    [
      'too long a name',
      [{ name: 'x', type: 'x', content: paxRecord('path', 'a'.repeat(300)) }, marker],
      /too long/,
    ],
    ['a name as long as a book', [{ name: 'L', type: 'L', content: 'a'.repeat(70_000) }, marker], /too long/],
    ['a folder with content', [{ name: 'a/', type: '5', content: 'x' }], /corrupt/],
    ['too many files', Array.from({ length: 300 }, (_, n) => ({ name: `f${n}` })), /more than 200/],
    [
      'too many folders',
      Array.from({ length: 300 }, (_, n) => ({ name: `d${n}/`, type: '5' })),
      /more than 200/,
    ],
    ['more bytes than fit', [{ name: 'a', size: 40 * 1_048_576 }], /larger than|truncated/],
    ['a size beyond all bounds', [{ name: 'a', size: 2 ** 40, base256: true }], /larger than/],
  ])('with %s is refused', async (_, entries, why) => {
    await expect(readArchive(tgz(entries))).rejects.toThrow(why)
    // The same archive without the problem is accepted.
    expect(await names(tgz([{ ...marker, name: 'good' }, marker]))).toEqual(['good', 'marker'])
  })

  it('that is a decompression bomb is refused, however small it is', async () => {
    const bomb = gzipSync(makeTar([{ name: 'a', content: megabytes(40) }]))
    expect(bomb.length).toBeLessThan(100_000)
    await expect(readArchive(bomb)).rejects.toThrow(/larger than/)
    const dense = gzipSync(makeTar([{ name: 'a', content: megabytes(20) }]))
    await expect(readArchive(dense)).rejects.toThrow(/times their archive/)
    expect(await names(gzipSync(makeTar([{ name: 'a', content: megabytes(1) }])))).toEqual(['a'])
  })

  it('that is truncated or modified anywhere is refused', async () => {
    const whole = tgz([{ name: 'a', content: 'x'.repeat(2000) }, { name: 'b' }])
    for (let length = 0; length < whole.length; length += 7)
      await expect(readArchive(whole.subarray(0, length))).rejects.toThrow(/truncated|neither/)
    const plain = makeTar([{ name: 'a', content: 'x'.repeat(2000) }])
    for (let length = 0; length < plain.length - 1024; length += 512)
      await expect(readArchive(gzipSync(plain.subarray(0, length)))).rejects.toThrow(/truncated/)
    const altered = Buffer.from(plain)
    altered.write('b', 0)
    await expect(readArchive(gzipSync(altered))).rejects.toThrow(/corrupt/)
    expect(await names(gzipSync(plain))).toEqual(['a'])
  })

  it('with another archive after its end is refused', async () => {
    const two = Buffer.concat([makeTar([{ name: 'a' }]), makeTar([{ name: 'b' }])])
    await expect(readArchive(gzipSync(two))).rejects.toThrow(/data after its end/)
  })

  it('with a name that is not UTF-8 is refused', async () => {
    await expect(
      readArchive(tgz([{ name: 'x', type: 'L', content: Buffer.of(0xff, 0xfe) }, marker])),
    ).rejects.toThrow(/UTF-8/)
  })
})

describe('a .zip archive', () => {
  it('is read with its folders, bytes and permissions', async () => {
    const files = await readArchive(
      makeZip([
        { name: 'weather/', content: '', mode: 0o040755, method: 'store' },
        { name: 'weather/run.sh', content: '#!/bin/sh\n', mode: 0o100755 },
        { name: 'weather/a.txt', content: 'a', method: 'store' },
        { name: 'weather/empty', content: '' },
      ]),
    )
    expect(files.map(({ path, bytes, executable }) => [path, bytes.toString(), executable])).toEqual([
      ['a.txt', 'a', false],
      ['empty', '', false],
      ['run.sh', '#!/bin/sh\n', true],
    ])
    expect(await names(makeZip([{ name: 'a', content: 'x' }], { comment: 'hello' }))).toEqual(['a'])
  })

  const marker = { name: 'marker', content: 'harmless' }

  it.each<[string, ZipEntry[], RegExp, object?]>([
    ['an absolute path', [{ ...marker, name: '/tmp/marker' }], /not a path inside/],
    ['a path that leads out', [{ ...marker, name: '../marker' }], /leads out/],
    ['a backslash', [{ ...marker, name: '..\\marker' }], /backslash/],
    ['a link', [{ ...marker, mode: 0o120777 }], /is a link/],
    ['a device', [{ ...marker, mode: 0o020666 }], /neither a file/],
    ['a pipe', [{ ...marker, mode: 0o010666 }], /neither a file/],
    ['another user’s rights', [{ ...marker, mode: 0o104755 }], /privileges of another/],
    ['a folder that is a file', [{ ...marker, name: 'a/', mode: 0o100644 }], /neither a file/],
    ['a folder with content', [{ ...marker, name: 'a/' }], /corrupt/],
    ['the same file twice', [marker, marker], /twice/],
    ['the same file in another case', [marker, { ...marker, name: 'Marker' }], /twice/],
    ['the inside of a repository', [{ ...marker, name: '.git/config' }], /git directory/],
    ['two names for one entry', [{ ...marker, localName: 'other' }], /corrupt/],
    ['entries that share their data', [marker, { ...marker, name: 'marker', sharesFirst: true }], /overlap/],
    ['something encrypted', [{ ...marker, encrypted: true }], /encrypted/],
    ['an unsupported compression method', [{ ...marker, method: 12 }], /unsupported/],
    ['less than it says', [{ ...marker, size: 100 }], /is corrupt/],
    ['more than it says', [{ ...marker, size: 2 }], /larger than declared/],
    ['stored data of another length', [{ ...marker, method: 'store', size: 2 }], /larger than declared/],
    ['more than may be', [{ ...marker, size: 40 * 1_048_576 }], /larger than/],
    ['64-bit fields', [marker], /zip64/, { large: true }],
    ['something in front of it', [marker], /neither|corrupt/, { before: 'PK\u0003\u0004' }],
    [
      'too many files',
      Array.from({ length: 300 }, (_, n) => ({ ...marker, name: `f${n}` })),
      /more than 200/,
    ],
  ])('with %s is refused', async (_, entries, why, options = {}) => {
    await expect(readArchive(makeZip(entries, options))).rejects.toThrow(why)
    expect(await names(makeZip([{ ...marker, name: 'good' }, marker]))).toEqual(['good', 'marker'])
  })

  it('that is a decompression bomb is refused, however small it is', async () => {
    const one = { content: megabytes(8) }
    const many = makeZip(Array.from({ length: 10 }, (_, n) => ({ ...one, name: `f${n}` })))
    expect(many.length).toBeLessThan(100_000)
    await expect(readArchive(many)).rejects.toThrow(/larger than/)
    // It says that it is small, and is not.
    const liar = makeZip([{ name: 'a', content: megabytes(40), size: 10 }])
    await expect(readArchive(liar)).rejects.toThrow(/larger than declared/)
    expect(deflateRawSync(megabytes(40)).length).toBeLessThan(liar.length)
  })

  it('that is truncated or modified is refused', async () => {
    const whole = makeZip([
      { name: 'a', content: 'x'.repeat(2000) },
      { name: 'b', content: 'y' },
    ])
    for (let length = 0; length < whole.length; length += 5)
      await expect(readArchive(whole.subarray(0, length))).rejects.toThrow(/corrupt|missing|neither/)
    const altered = Buffer.from(whole)
    altered[40]! ^= 0xff
    await expect(readArchive(altered)).rejects.toThrow()
    expect(await names(whole)).toEqual(['a', 'b'])
  })

  it('with a name in a legacy encoding is refused', async () => {
    const bytes = makeZip([{ name: 'größe', content: 'x' }])
    const old = Buffer.from(bytes)
    for (let at = old.indexOf('PK\u0003\u0004'); at !== -1; at = old.indexOf('PK\u0003\u0004', at + 1))
      old.writeUInt16LE(0, at + 6)
    const entry = old.indexOf('PK\u0001\u0002')
    old.writeUInt16LE(0, entry + 8)
    await expect(readArchive(old)).rejects.toThrow(/UTF-8/)
    expect(await names(bytes)).toEqual(['größe'])
  })
})

it('anything else is not an archive', async () => {
  for (const text of ['', 'x', 'hello, world', '#!/bin/sh\n'])
    await expect(readArchive(Buffer.from(text))).rejects.toThrow(/neither/)
})
