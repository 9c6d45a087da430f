import { BlockList, isIPv4, isIPv6 } from 'node:net'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { embeddedFour, isInBlock, parseAddress, parseBlock, specialKindOf } from './addresses.ts'

const kindOf = (text: string): string | undefined => specialKindOf(parseAddress(text)!)

/** Strings that are addresses, or nearly. */
const nearAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.ipV4Extended(),
  fc.stringMatching(/^[0-9a-f:.]{1,24}$/),
  fc.stringMatching(/^[0-9]{1,3}(\.[0-9]{1,4}){2,4}$/),
  fc.stringMatching(/^([0-9a-f]{0,5}:){1,8}[0-9a-f.]{0,8}$/),
)

describe('reading', () => {
  test('takes exactly what the system takes for an address', () => {
    fc.assert(
      fc.property(nearAddress, (text) => {
        expect([text, parseAddress(text)?.family]).toEqual([
          text,
          isIPv4(text) ? 4 : isIPv6(text) ? 6 : undefined,
        ])
      }),
      { numRuns: 3000 },
    )
  })

  test.each(['', ':::', '1::2::3', '::1%lo', '[::1]', '127.1', '0x7f.0.0.1', '010.0.0.1', '1.2.3.4:80'])(
    '%j is none',
    (text) => expect(parseAddress(text)).toBeUndefined(),
  )

  test('two spellings of one address are the same number', () => {
    expect(parseAddress('2001:DB8:0:0::1')).toEqual(parseAddress('2001:db8::1'))
    expect(parseAddress('::ffff:127.0.0.1')).toEqual(parseAddress('::ffff:7f00:1'))
    expect(parseAddress('1.2.3.4')).toEqual({ family: 4, value: 0x01020304n })
  })
})

describe('blocks', () => {
  test('hold what the system’s own block list holds', () => {
    const four = fc.tuple(fc.ipV4(), fc.ipV4(), fc.nat(32))
    const six = fc.tuple(fc.ipV6(), fc.ipV6(), fc.nat(128))
    fc.assert(
      fc.property(fc.oneof(four, six), ([start, other, bits]) => {
        const family = isIPv4(start) ? 'ipv4' : 'ipv6'
        const list = new BlockList()
        list.addSubnet(start, bits, family)
        const address = parseAddress(start)!
        const width = family === 'ipv4' ? 32 : 128
        const shift = BigInt(width - bits)
        const block = { ...address, value: (address.value >> shift) << shift, bits }
        expect(isInBlock(parseAddress(other)!, block)).toBe(list.check(other, family))
        expect(isInBlock(address, block)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('an address of the other family is in no block', () => {
    expect(isInBlock(parseAddress('::1')!, parseBlock('0.0.0.0/0')!)).toBe(false)
    expect(isInBlock(parseAddress('127.0.0.1')!, parseBlock('::/0')!)).toBe(false)
  })

  test.each([
    '10.0.0.0/33',
    '10.0.0.1/8',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '::/129',
    'host/8',
    '/8',
  ])('%j is none', (text) => expect(parseBlock(text)).toBeUndefined())
})

describe('special addresses', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['169.254.169.254', 'link-local'],
    ['10.1.2.3', 'private'],
    ['172.31.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'shared (carrier-grade NAT)'],
    ['224.0.0.251', 'multicast'],
    ['255.255.255.255', 'reserved for protocols'],
    ['203.0.113.5', 'documentation'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::a00:1', 'NAT64'],
    ['2002:7f00:1::1', '6to4'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'],
    ['fe80::1', 'link-local'],
    ['fd00::1', 'private'],
    ['ff02::1', 'multicast'],
    ['2001:db8::1', 'documentation'],
    ['4000::1', 'reserved'],
  ])('%s is %s', (text, kind) => expect(kindOf(text)).toBe(kind))

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('%s is public', (text) => expect(kindOf(text)).toBeUndefined())

  test('however an IPv4 address is wrapped, what it is wrapped into is special, and it is found inside', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        const { value } = parseAddress(text)!
        const hex = (part: bigint): string => part.toString(16)
        const groups = `${hex(value >> 16n)}:${hex(value & 0xffffn)}`
        const flipped = value ^ 0xffff_ffffn
        const wrapped = [
          `::ffff:${text}`,
          `::ffff:0:${text}`,
          `64:ff9b::${text}`,
          `64:ff9b:1::${text}`,
          `2002:${groups}::1`,
          `2001:0:1:2:3:4:${hex(flipped >> 16n)}:${hex(flipped & 0xffffn)}`,
        ].map((one) => parseAddress(one)!)
        expect(wrapped.map(specialKindOf)).not.toContain(undefined)
        expect(wrapped.map(embeddedFour)).toEqual(wrapped.map(() => ({ family: 4, value })))
      }),
    )
  })

  test('an ordinary address carries no other', () => {
    expect(embeddedFour(parseAddress('2606:4700::1')!)).toBeUndefined()
    expect(embeddedFour(parseAddress('127.0.0.1')!)).toBeUndefined()
  })
})
