import { describe, expect, test } from 'vitest'

import { destinationsIn, isDestination } from './destinations.ts'

const hostsIn = (text: string): string[] => [
  ...new Set(destinationsIn(text).map(({ host, port }) => (port === undefined ? host : `${host}:${port}`))),
]

describe('a destination is seen', () => {
  test.each([
    ['https://a.example/x', ['a.example']],
    ['HTTPS://A.Example./x', ['a.example']],
    ['https://me:word@a.example:8443/x', ['a.example:8443']],
    ['https://a.example@evil/', ['a.example', 'evil']],
    ['ssh me@host', ['host']],
    ['a.b.c:22', ['a.b.c:22']],
    ['to 10.0.0.1', ['10.0.0.1']],
    ['to 127.1', ['127.1']],
    ['to 2130706433', ['2130706433']],
    ['to 0x7f000001', ['0x7f000001']],
    ['localhost:8080', ['localhost:8080']],
    ['file.txt', ['file.txt']],
    ['.env', ['.env']],
    ['evil。example', ['evil。example']],
    ['evil%2Eexample', ['evil%2eexample']],
    ["ev'il.ex'ample", ['il.ex', 'evil.example']],
    ['//evil/x', ['evil']],
  ])('in %s', (text, expected) => {
    expect(hostsIn(text).sort()).toEqual(expected.sort())
  })

  test.each(['http://[::1]/', 'fe80::1', 'https:evil', 'https:/evil', 'https:\\evil', '// nothing'])(
    'and cannot be told in %s',
    (text) => {
      expect(hostsIn(text).some((host) => !/^[a-z]/.test(host))).toBe(true)
    },
  )
})

test.each([
  'echo done',
  'Bearer x',
  'text/html',
  'application/vnd.x+json',
  'a/b.json',
  '{"n":5}',
  'at 10 o’clock',
])('nothing is seen in %s', (text) => {
  expect(hostsIn(text)).toEqual([])
})

test('it is the wanted one by name and port', () => {
  const isOne = (address: string, wanted: string): boolean =>
    destinationsIn(address).every((found) => isDestination(found, wanted))
  expect(isOne('https://a.example/', 'A.example')).toBe(true)
  expect(isOne('https://a.example:443/', 'a.example')).toBe(true)
  expect(isOne('https://a.example:444/', 'a.example')).toBe(false)
  expect(isOne('https://a.example:444/', 'a.example:444')).toBe(true)
  expect(isOne('https://a.example/', 'a.example:443')).toBe(true)
  expect(isOne('https://a.example/', 'a.example:444')).toBe(false)
  expect(isOne('https://b.a.example/', 'a.example')).toBe(false)
})

test('no text makes it read the same part over and over', () => {
  // Quadratic work on this much would not end within the time a test has.
  for (const piece of ['a', '.', 'a.', '@', '//', ':', '1', 'a:', '%2e', '\\', "'", '0x', '::', 'https:'])
    destinationsIn(`${piece.repeat(500_000)}!`)
})
