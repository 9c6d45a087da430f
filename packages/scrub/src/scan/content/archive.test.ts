import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'

import { makeTar, makeZip, paxRecord } from '@contextd/shared/testing/archives'
import type { OpenFile } from '@contextd/shared/files/open-file'
import { sniffArchive, visitArchive, type ArchiveKind } from './archive.ts'

function inMemory(bytes: Buffer, chunkSize = 1000): OpenFile {
  return {
    size: bytes.length,
    changedMs: 0,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    *chunks(from = 0, to = bytes.length) {
      const end = Math.min(to, bytes.length)
      for (let at = from; at < end; at += chunkSize) yield bytes.subarray(at, Math.min(end, at + chunkSize))
    },
    close: () => {},
  }
}

interface Visited {
  entries: Record<string, string>
  skipped: string[]
  incomplete: string[]
}

async function visit(bytes: Buffer, name = 'a.bin', read = true): Promise<Visited> {
  const visited: Visited = { entries: {}, skipped: [], incomplete: [] }
  const kind = sniffArchive(bytes.subarray(0, 8192))
  expect(typeof kind).toBe('string')
  await visitArchive(kind as ArchiveKind, inMemory(bytes), name, {
    async entry({ name, chunks }) {
      const parts: Uint8Array[] = []
      if (read) for await (const chunk of chunks) parts.push(chunk)
      visited.entries[name] = Buffer.concat(parts).toString()
    },
    skip: (entry, why) => visited.skipped.push(`${entry} ${why}`),
    incomplete: (why) => visited.incomplete.push(why),
  })
  return visited
}

const long = 'some text that repeats. '.repeat(500)

describe('zip', () => {
  const entries = [
    { name: 'folder/', content: '' },
    { name: 'folder/a.txt', content: long },
    { name: 'ä.txt', content: 'stored', method: 'store' as const },
    { name: 'empty', content: '' },
  ]
  const expected = { 'folder/a.txt': long, 'ä.txt': 'stored', empty: '' }

  test.each([
    ['as usual', {}],
    ['with a comment', { comment: 'PK\u0005\u0006 and more' }],
    ['with large numbers', { large: true }],
  ])('%s', async (_, options) => {
    expect(await visit(makeZip(entries, options))).toEqual({ entries: expected, skipped: [], incomplete: [] })
  })

  test('after a prefix that is not part of the archive', async () => {
    const zip = makeZip(entries, { before: '#!/bin/sh\nexec java -jar "$0"\n' })
    const visited: string[] = []
    await visitArchive('zip', inMemory(zip), 'a', {
      entry: async ({ name }) => void visited.push(name),
      skip: () => {},
      incomplete: (why) => visited.push(why),
    })
    expect(visited).toEqual(Object.keys(expected))
  })

  test('entries that are not read are skipped', async () => {
    expect(Object.keys((await visit(makeZip(entries), 'a', false)).entries)).toEqual(Object.keys(expected))
  })

  test('unreadable entries are reported, the rest is read', async () => {
    const zip = makeZip([
      { name: 'locked', content: 'x', encrypted: true },
      { name: 'odd', content: 'x', method: 93 },
      { name: 'fine', content: 'fine' },
    ])
    expect(await visit(zip)).toEqual({
      entries: { fine: 'fine' },
      skipped: ['locked is encrypted', 'odd uses an unsupported compression method (93)'],
      incomplete: [],
    })
  })

  test.each([
    ['its end is truncated', (zip: Buffer) => zip.subarray(0, -30), 'its directory is missing'],
    [
      'its directory is overwritten',
      (zip: Buffer) => {
        zip.fill(1, zip.length - 22 - 51, zip.length - 22)
        return zip
      },
      'its directory is corrupt',
    ],
  ])('%s', async (_, spoil, why) => {
    expect((await visit(spoil(makeZip(entries)))).incomplete).toEqual([why])
  })

  test('names that point elsewhere are only names', async () => {
    const zip = makeZip([{ name: '../../etc/passwd', content: 'x' }])
    expect((await visit(zip)).entries).toEqual({ '../../etc/passwd': 'x' })
  })

  test('more entries than the limit', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({ name: String(index), content: '' }))
    const { entries, incomplete } = await visit(makeZip(many))
    expect(Object.keys(entries)).toHaveLength(10_000)
    expect(incomplete).toEqual(['it contains more than 10,000 entries'])
  })
})

describe('tar', () => {
  const file = { name: 'a.txt', content: long }

  test('files with every kind of header, and nothing else', async () => {
    const name = `deep/${'folder/'.repeat(30)}name.txt`
    const tar = makeTar([
      { name: 'folder/', type: '5' },
      file,
      { name: 'link', type: '2' },
      { name: 'b.txt', content: 'b', prefix: 'some/folder' },
      { name: '././@LongLink', type: 'L', content: `${name}\0` },
      { name: 'cut', content: 'long' },
      { name: 'pax', type: 'x', content: paxRecord('mtime', '1.5') + paxRecord('path', 'ünï/code') },
      { name: 'cut', content: 'unicode' },
      { name: 'big', content: 'numbers', base256: true },
    ])
    expect(await visit(tar)).toEqual({
      entries: {
        'a.txt': long,
        'some/folder/b.txt': 'b',
        [name]: 'long',
        'ünï/code': 'unicode',
        big: 'numbers',
      },
      skipped: [],
      incomplete: [],
    })
  })

  test('compressed, and with entries that are not read', async () => {
    const tar = gzipSync(makeTar([file, { name: 'b', content: 'b' }]))
    expect((await visit(tar)).entries).toEqual({ 'a.txt': long, b: 'b' })
    expect(Object.keys((await visit(tar, 'a', false)).entries)).toEqual(['a.txt', 'b'])
  })

  test('truncated in the middle of a file', async () => {
    const tar = makeTar([file]).subarray(0, 3000)
    await expect(visit(tar)).resolves.toMatchObject({ incomplete: ['it is truncated or corrupt'] })
  })

  test('invalid header', async () => {
    const tar = makeTar([file, file])
    const spoiled = Buffer.concat([tar.subarray(0, tar.length - 1024), Buffer.alloc(512, 7)])
    expect(await visit(spoiled)).toMatchObject({
      entries: { 'a.txt': long },
      incomplete: ['it is truncated or corrupt'],
    })
  })

  test('an invalid size ends it', async () => {
    const tar = makeTar([{ name: 'a', content: 'x', size: 8 ** 11 - 1 }])
    expect((await visit(tar, 'a', false)).incomplete).toEqual([])
    expect((await visit(tar)).incomplete).toEqual(['it is truncated or corrupt'])
  })
})

describe('gzip', () => {
  test('one file, named after the archive', async () => {
    expect((await visit(gzipSync(long), 'logs/app.log.gz')).entries).toEqual({ 'app.log': long })
    expect((await visit(gzipSync(''), 'x.gz')).entries).toEqual({ x: '' })
  })

  test('truncated', async () => {
    await expect(visit(gzipSync(long).subarray(0, 60))).resolves.toMatchObject({
      incomplete: ['its compressed data is corrupt'],
    })
  })
})

describe('bombs', () => {
  const zeros = Buffer.alloc(16 * 1_048_576)

  test.each([
    ['zip', () => makeZip([{ name: 'zeros', content: zeros }])],
    ['gzip', () => gzipSync(zeros)],
    ['tar', () => gzipSync(makeTar([{ name: 'zeros', content: zeros }]))],
  ])('a %s is abandoned when it inflates too far', async (_, make) => {
    let read = 0
    const incomplete: string[] = []
    const bytes = make()
    await visitArchive(sniffArchive(bytes) as ArchiveKind, inMemory(bytes), 'bomb', {
      async entry({ chunks }) {
        for await (const chunk of chunks) read += chunk.length
      },
      skip: () => {},
      incomplete: (why) => incomplete.push(why),
    }).catch(() => {})
    expect(incomplete).toEqual(['it inflates to more than 200 times its size'])
    expect(read).toBeLessThan(zeros.length / 2)
  })

  test('a skipped part is not inflated without limit either', async () => {
    const tar = makeTar([{ name: 'folder/', type: '5', content: zeros, size: zeros.length }])
    expect((await visit(gzipSync(tar))).incomplete).toEqual(['it inflates to more than 200 times its size'])
  })

  test('entries that overlap', async () => {
    const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 2_654_435_761) >>> 24))
    const zip = makeZip([{ name: 'a', content: noise, method: 'store' }])
    // The directory lists the same entry many times.
    const end = zip.subarray(zip.length - 22)
    const directory = zip.subarray(zip.length - 22 - 47, zip.length - 22)
    const many = Buffer.concat([
      zip.subarray(0, zip.length - 69),
      ...Array<Buffer>(1000).fill(directory),
      end,
    ])
    many.writeUInt32LE(1000 * 47, many.length - 10)
    const { incomplete } = await visit(many)
    expect(incomplete).toEqual(['it contains more than 64 MB'])
  })

  test('text that compresses well is not a bomb', async () => {
    const text = 'GET /index.html 200\n'.repeat(20_000)
    expect(await visit(gzipSync(text), 'access.log.gz')).toEqual({
      entries: { 'access.log': text },
      skipped: [],
      incomplete: [],
    })
  })
})

test('archives are recognised by their signature', () => {
  const sniffBytes = (...bytes: number[]): unknown => sniffArchive(Buffer.from(bytes))
  expect(sniffBytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0)).toEqual({ closed: 'xz' })
  expect(sniffBytes(0x28, 0xb5, 0x2f, 0xfd)).toEqual({ closed: 'zstd' })
  expect(sniffArchive(Buffer.from('plain text'.repeat(100)))).toBeUndefined()
  expect(sniffArchive(Buffer.alloc(1024))).toBeUndefined()
  expect(sniffArchive(Buffer.alloc(0))).toBeUndefined()
})
