import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { createKey, loadOrCreateKey, readKey } from './keys.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const keyPath = (): string => join(temporaryFolder(), 'keys', 'audit.key')

describe('a key', () => {
  test('is created once, readable by its owner only', () => {
    const path = keyPath()
    const key = loadOrCreateKey(path)
    expect(key).toHaveLength(32)
    expect(loadOrCreateKey(path)).toEqual(key)
    expect(readKey(path)).toEqual(key)
    expect([modeOf(dirname(path)), modeOf(path)]).toEqual(['700', '600'])
    expect(readdirSync(dirname(path))).toEqual(['audit.key'])
  })

  test('is unique', () => {
    expect(loadOrCreateKey(keyPath())).not.toEqual(loadOrCreateKey(keyPath()))
  })

  test('is not replaced by a slower process', () => {
    const path = keyPath()
    const first = createKey(path, Buffer.alloc(32, 1))
    expect(createKey(path, Buffer.alloc(32, 2))).toEqual(first)
    expect(readFileSync(path)).toEqual(Buffer.alloc(32, 1))
    expect(readdirSync(dirname(path))).toEqual(['audit.key'])
  })

  test('that is missing is undefined', () => expect(readKey(keyPath())).toBeUndefined())
})

describe('a key file is refused', () => {
  const refusal = (path: string): unknown => {
    try {
      return loadOrCreateKey(path)
    } catch (error) {
      return error
    }
  }
  const made = (): string => {
    const path = keyPath()
    loadOrCreateKey(path)
    return path
  }

  test.each([0o640, 0o604, 0o660])('with mode %o', (mode) => {
    const path = made()
    chmodSync(path, mode)
    expect(refusal(path)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('open to other users'),
    })
    chmodSync(path, 0o600)
    expect(refusal(path)).toHaveLength(32)
  })

  test('in a folder where others can create one', () => {
    const path = made()
    chmodSync(dirname(path), 0o777)
    expect(refusal(path)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('mode 777'),
    })
  })

  test.runIf(process.getuid?.() === 0)('of another owner', () => {
    const path = made()
    chownSync(path, 65534, 65534)
    expect(refusal(path)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('another user'),
    })
  })

  test.each([0, 31, 33])('with %i bytes', (bytes) => {
    const path = made()
    writeFileSync(path, Buffer.alloc(bytes))
    expect(refusal(path)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`${bytes} bytes`),
    })
  })

  test('that is not a file', () => {
    const path = keyPath()
    mkdirSync(path, { recursive: true, mode: 0o700 })
    expect(refusal(path)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  test('that cannot be created', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(refusal(join(file, 'audit.key'))).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  test('behind a dangling link', () => {
    const path = made()
    const link = join(dirname(path), 'link.key')
    symlinkSync(join(dirname(path), 'nowhere'), link)
    expect(refusal(link)).toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })
})
