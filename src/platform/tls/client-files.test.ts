import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { makeTlsPlace, type TlsPlaceHere } from '../../../test/support/tls-place.ts'
import { day } from './authority.ts'
import { certifyCaller } from './changes.ts'
import { readClientTls, writeClientTls } from './client-files.ts'

function written(place: TlsPlaceHere, name = 'out'): string {
  const out = join(place.root, name)
  const made = certifyCaller(place, { kind: 'agent', id: 'main' }, day)
  writeClientTls(out, made, made.authority.certificate)
  return out
}

test('written files can be read back', () => {
  const out = written(makeTlsPlace())
  expect([out, join(out, 'key.pem')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
  const { ca, cert, key } = readClientTls(out)
  expect([ca[0], cert, key]).toEqual(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFileSync(join(out, name), 'utf8')),
  )
})

test('replaces a key file that others could read, and a link itself rather than its target', () => {
  const place = makeTlsPlace()
  const key = join(written(place), 'key.pem')
  chmodSync(key, 0o644)
  written(place)
  expect(statSync(key).mode & 0o777).toBe(0o600)
  rmSync(key)
  const target = join(place.root, 'target')
  symlinkSync(target, key)
  written(place)
  expect([lstatSync(key).isFile(), existsSync(target)]).toEqual([true, false])
})

test.each([
  ['a file is missing', (out: string) => rmSync(join(out, 'ca.pem')), 'ca.pem is missing'],
  ['others can read the key', (out: string) => chmodSync(join(out, 'key.pem'), 0o640), 'open to other users'],
  [
    'a file is truncated',
    (out: string) => writeFileSync(join(out, 'cert.pem'), '-----BEGIN'),
    'are not what',
  ],
])('it is not used if %s', (_, spoil, words) => {
  const out = written(makeTlsPlace())
  expect(() => readClientTls(out)).not.toThrow()
  spoil(out)
  expect(() => readClientTls(out)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_UNUSABLE' }))
  expect(() => readClientTls(out)).toThrow(words)
})

test('files of different certificates or authorities do not match', () => {
  const place = makeTlsPlace()
  const [out, second, foreign] = [written(place), written(place, 'second'), written(makeTlsPlace())]
  const swap = (name: string, from: string): void =>
    writeFileSync(join(out, name), readFileSync(join(from, name)), { mode: 0o600 })
  const own = readFileSync(join(out, 'key.pem'))
  swap('key.pem', second)
  expect(() => readClientTls(out)).toThrow('does not match the key next to it')
  writeFileSync(join(out, 'key.pem'), own)
  swap('ca.pem', foreign)
  expect(() => readClientTls(out)).toThrow('was not issued by the ca.pem next to it')
  swap('ca.pem', second)
  expect(() => readClientTls(out)).not.toThrow()
})

test.each([
  ['no longer', 2 * day, 'was valid until'],
  ['not yet', -day, 'is valid from'],
])('one that is %s valid reports the clock', (_, shift, words) => {
  const out = written(makeTlsPlace())
  const read = () => readClientTls(out, () => Date.now() + shift)
  expect(read).toThrow(words)
  expect(read).toThrow("this machine's clock says")
})
