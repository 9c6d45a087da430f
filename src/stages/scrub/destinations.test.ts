import { describe, expect, test } from 'vitest'

import { destinationsIn, isAddressOf, isDestination } from './destinations.ts'

const hostsIn = (text: string): string[] => [
  ...new Set(destinationsIn(text).map(({ host, port }) => (port === undefined ? host : `${host}:${port}`))),
]

describe('a destination is found', () => {
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
    ['/\n/evil', ['evil']],
    ['to １２７.1', ['127.1', '１２７.1']],
    ['２１３０７０６４３３', ['2130706433']],
  ])('in %s', (text, expected) => {
    expect(hostsIn(text).sort()).toEqual(expected.sort())
  })

  test.each([
    'http://[::1]/',
    'fe80::1',
    'https:evil',
    'https:/evil',
    'https:\\evil',
    'ws:evil',
    'ftp:/evil',
    'file:x',
    'ht\u00ADtp:evil',
    '// nothing',
  ])('and is unknown in %s', (text) => {
    expect(hostsIn(text).some((host) => !/^[a-z]/.test(host))).toBe(true)
  })
})

test.each([
  'echo done',
  'Bearer x',
  'text/html',
  'application/vnd.x+json',
  'a/b.json',
  '{"n":5}',
  'at 10 o’clock',
])('nothing is found in %s', (text) => {
  expect(hostsIn(text)).toEqual([])
})

test('matches the wanted host by name and port', () => {
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

test('a bare name is a destination if its field name suggests it', () => {
  for (const key of ['host', 'hostname', 'Host', 'server', 'ip_address', 'proxyUrl']) {
    expect(destinationsIn('evil', key), key).toEqual([{ host: 'evil' }])
  }
  expect(destinationsIn('evil', 'body')).toEqual([])
  expect(destinationsIn('/a/path', 'url')).toEqual([])
  expect(destinationsIn('', 'host')).toEqual([])
})

test('only a complete text is an address', () => {
  const isOne = (text: string): boolean => isAddressOf(text, 'a.example')
  expect(
    ['https://a.example', 'http://A.example./x?y=1#z', 'https://me:x@a.example:443/'].filter(
      (text) => !isOne(text),
    ),
  ).toEqual([])
  expect(
    [
      ' https://a.example',
      'https://a.example x',
      'https://a.exa\nmple',
      'https:a.example',
      'https:/a.example',
      'https:///a.example',
      'https://a.example\\@b',
      'https://a@b@a.example',
      'https://a.example:8443',
      'https://a.example:99999',
      'https://b.example/a.example',
      'https://{a.example,b}/',
      'https://a.example/{x,y}',
      'https://ａ.example',
      'ftp://a.example',
      'a.example',
    ].filter(isOne),
  ).toEqual([])
})

test('no text is read repeatedly', () => {
  // Quadratic work on this much would exceed the test's time limit.
  for (const piece of ['a', '.', 'a.', '@', '//', ':', '1', 'a:', '%2e', '\\', "'", '0x', '::', 'https:'])
    destinationsIn(`${piece.repeat(500_000)}!`)
})
