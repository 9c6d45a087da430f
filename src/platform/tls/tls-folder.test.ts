import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { makeTlsPlace, type TlsPlaceHere } from '../../../test/support/tls-place.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { certificateFingerprint } from './certificate.ts'
import { renewServer, rotationOf, setUpTls, startRotation, finishRotation } from './changes.ts'
import { readTlsFolder } from './tls-folder.ts'

const names = ['ca.pem', 'ca.key', 'server.pem', 'server.key'] as const

const contents = ({ folder }: TlsPlaceHere): Record<(typeof names)[number], string> =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])) as never

const put = ({ folder }: TlsPlaceHere, files: Partial<Record<(typeof names)[number], string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

function problemOf({ folder }: TlsPlaceHere): string | undefined {
  try {
    readTlsFolder(folder)
    return undefined
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'TLS_FOLDER_DAMAGED') throw error
    return error.message.replace(`${folder}/`, '')
  }
}

test('a new folder is complete and private', () => {
  const place = makeTlsPlace()
  expect(problemOf(place)).toBeUndefined()
  const modes = ['', ...names].map((name) => statSync(join(place.folder, name)).mode & 0o777)
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600, 0o600])
})

test('a missing and an empty folder mean that TLS was not set up', () => {
  const place = makeTlsPlace({ setUp: false })
  expect(readTlsFolder(place.folder)).toBeUndefined()
  mkdirSync(place.folder, { mode: 0o700 })
  expect(readTlsFolder(place.folder)).toBeUndefined()
  setUpTls(place, ['localhost'])
  expect(readTlsFolder(place.folder)).toBeDefined()
})

test.each(names)('without %s it is damaged', (name) => {
  const place = makeTlsPlace()
  rmSync(join(place.folder, name))
  expect(problemOf(place)).toBe(`The certificate folder cannot be used: ${name} is missing`)
})

test.each(names)('an empty or truncated %s is reported as damage', (name) => {
  const place = makeTlsPlace()
  const whole = contents(place)[name]
  put(place, { [name]: '' })
  expect(problemOf(place)).toContain(`${name} is empty`)
  put(place, { [name]: whole.slice(0, whole.length / 2) })
  expect(problemOf(place)).toMatch(/no readable (?:certificate|private key)$/)
  put(place, { [name]: whole.replace(/[A-Za-z]{8}/g, 'AAAAAAAA') })
  expect(problemOf(place)).toContain(name)
  put(place, { [name]: whole })
  expect(problemOf(place)).toBeUndefined()
})

test('files of two folders do not match', () => {
  const place = makeTlsPlace()
  const other = contents(makeTlsPlace())
  const own = contents(place)
  for (const [name, words] of [
    ['ca.pem', 'ca.key is not the key of an authority in ca.pem'],
    ['ca.key', 'ca.key is not the key of an authority in ca.pem'],
    ['server.pem', 'server.key is not the key of server.pem'],
    ['server.key', 'server.key is not the key of server.pem'],
  ] as const) {
    put(place, { ...own, [name]: other[name] })
    expect(problemOf(place)).toContain(words)
  }
  put(place, { ...own, 'server.pem': other['server.pem'], 'server.key': other['server.key'] })
  expect(problemOf(place)).toContain('server.pem was not issued by an authority in ca.pem')
  put(place, own)
  expect(problemOf(place)).toBeUndefined()
})

test.each([
  ['the folder', '', 0o755],
  ['the key of the authority', 'ca.key', 0o640],
  ['the key of the server', 'server.key', 0o604],
])('%s readable by others is refused, with a hint', (_, name, mode) => {
  const place = makeTlsPlace()
  const path = join(place.folder, name)
  const right = statSync(path).mode
  chmodSync(path, mode)
  expect(problemOf(place)).toContain(`is open to other users (mode ${mode.toString(8)})`)
  expect(() => readTlsFolder(place.folder)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({ hint: expect.stringContaining(`chmod go= ${path}`) }),
    }),
  )
  chmodSync(path, right)
  expect(problemOf(place)).toBeUndefined()
})

test.skipIf(process.getuid?.() !== 0)('a folder of another user is refused (needs root)', () => {
  const place = makeTlsPlace()
  chownSync(place.folder, 12_345, 12_345)
  expect(problemOf(place)).toContain('belongs to another user (uid 12345)')
  chownSync(place.folder, 0, 0)
  expect(problemOf(place)).toBeUndefined()
})

test('a link or a folder in place of a file is reported as damage', () => {
  const place = makeTlsPlace()
  const key = join(place.folder, 'ca.key')
  const text = readFileSync(key)
  const elsewhere = join(place.root, 'elsewhere')
  writeFileSync(elsewhere, text, { mode: 0o600 })
  rmSync(key)
  symlinkSync(elsewhere, key)
  expect(problemOf(place)).toContain('ca.key is not a regular file')
  rmSync(key)
  mkdirSync(key)
  expect(problemOf(place)).toContain('ca.key is not a regular file')
})

test('existing content is never replaced without `aside`', () => {
  const place = makeTlsPlace()
  const before = contents(place)
  expect(() => setUpTls(place, ['localhost'])).toThrow()
  expect(contents(place)).toEqual(before)
  setUpTls(place, ['localhost'], `${place.folder}.old`)
  expect(contents(place)).not.toEqual(before)
  expect(contents({ ...place, folder: `${place.folder}.old` })).toEqual(before)
})

test('an interrupted setup leaves nothing in effect, and can be repeated', () => {
  const place = makeTlsPlace({ setUp: false })
  mkdirSync(`${place.folder}.new`, { mode: 0o700 })
  writeFileSync(join(`${place.folder}.new`, 'ca.key'), 'half')
  expect(readTlsFolder(place.folder)).toBeUndefined()
  setUpTls(place, ['localhost'])
  expect([problemOf(place), existsSync(`${place.folder}.new`)]).toEqual([undefined, false])
})

test('the folder is valid after each step of a renewal', () => {
  const place = makeTlsPlace()
  const before = contents(place)
  const served = (): string => certificateFingerprint(readTlsFolder(place.folder)!.server.certificate)
  const old = served()
  renewServer(place)
  const after = contents(place)
  const renewed = served()
  expect([after['server.pem'] === before['server.pem'], after['ca.pem']]).toEqual([false, before['ca.pem']])
  const both = after['server.key'] + before['server.key']
  put(place, { ...before, 'server.key': both })
  expect(served()).toBe(old)
  put(place, { ...after, 'server.key': both })
  expect(served()).toBe(renewed)
})

test('the folder is valid after each step of a rotation', () => {
  const place = makeTlsPlace()
  const before = contents(place)
  startRotation(place)
  const after = contents(place)
  const found = () => readTlsFolder(place.folder)!
  expect([rotationOf(found()), found().authorities.length, found().bridges.length]).toEqual(['open', 2, 1])
  put(place, { ...before, 'ca.pem': after['ca.pem'] })
  expect(rotationOf(found())).toBe('cut off')
  put(place, { ...before, 'ca.pem': after['ca.pem'], 'ca.key': after['ca.key'] })
  expect(rotationOf(found())).toBe('open')
  put(place, after)
  finishRotation(place)
  expect([rotationOf(found()), found().authorities.length, found().bridges.length]).toEqual(['none', 1, 0])
})

test('an interrupted rotation can be started again, and leaves no key behind', () => {
  const place = makeTlsPlace()
  const before = contents(place)
  startRotation(place)
  put(place, { ...before, 'ca.pem': contents(place)['ca.pem'] })
  writeFileSync(join(place.folder, 'ca.key.123.tmp'), 'half')
  startRotation(place)
  const found = readTlsFolder(place.folder)!
  expect([rotationOf(found), found.authorities.length]).toEqual(['open', 2])
  expect(existsSync(join(place.folder, 'ca.key.123.tmp'))).toBe(false)
})
