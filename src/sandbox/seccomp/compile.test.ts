import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { runFilter, type Verdict } from '../../../test/support/bpf-simulator.ts'
import { compileProfile } from './compile.ts'
import { profile, type ProfileOptions, type SeccompRule } from './profile.ts'
import { type Arch, callNumber, errorNumbers, refusedGroups, unseenMemoryGroup } from './syscalls.ts'

const tokens: Record<Arch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }
const i386 = 0x40000003
const arm = 0x40000028
const archs: Arch[] = ['x64', 'arm64']
const strict: ProfileOptions = { unixSockets: false }
const loose: ProfileOptions = { unixSockets: true, unseenMemory: true }

/** The high bits, which int arguments ignore. */
const junk = 0xdead_beef_0000_0000n

function filter(arch: Arch, options: ProfileOptions = strict): (name: string, ...args: bigint[]) => Verdict {
  const program = compileProfile(profile(options), arch)
  return (name, ...args) =>
    runFilter(program, { arch: tokens[arch], number: callNumber(name, arch) ?? -1, arguments: args })
}

const EPERM = { errno: 1 }
const EPROTONOSUPPORT = { errno: 93 }
const EAFNOSUPPORT = { errno: 97 }

describe.each(archs)('the program for %s', (arch) => {
  const call = filter(arch)

  test('refuses every listed call with its error, whatever the arguments', () => {
    for (const { calls, answer } of [...refusedGroups, unseenMemoryGroup]) {
      for (const name of Object.keys(calls).filter((name) => callNumber(name, arch) !== undefined)) {
        expect(call(name), name).toEqual({ errno: errorNumbers[answer] })
        expect(call(name, -1n, junk, -1n), name).toEqual({ errno: errorNumbers[answer] })
      }
    }
  })

  test.each([
    ['mount', 0x00020000n],
    ['cgroup', 0x02000000n],
    ['uts', 0x04000000n],
    ['ipc', 0x08000000n],
    ['user', 0x10000000n],
    ['pid', 0x20000000n],
    ['net', 0x40000000n],
  ])('refuses clone into a new %s namespace, alone and among other flags', (_, flag) => {
    expect(call('clone', flag)).toEqual(EPERM)
    expect(call('clone', flag | 17n)).toEqual(EPERM)
    expect(call('clone', flag | 0x003d0f00n | junk)).toEqual(EPERM)
  })

  test('lets programs fork and start threads', () => {
    expect(call('clone', 17n)).toBe('allow')
    expect(call('clone', 0x01200011n)).toBe('allow')
    expect(call('clone', 0x003d0f00n)).toBe('allow')
    expect(call('clone', 0x003d0f00n | junk)).toBe('allow')
  })

  test.each([
    ['TIOCSTI', 0x5412n],
    ['TIOCLINUX', 0x541cn],
    ['TIOCSETD', 0x5423n],
  ])('refuses %s, even with junk in the high bits', (_, request) => {
    expect(call('ioctl', 0n, request)).toEqual(EPERM)
    expect(call('ioctl', 0n, request | junk)).toEqual(EPERM)
    expect(call('ioctl', request, 0n), 'the number in another argument').toBe('allow')
  })

  test('allows ordinary terminal requests', () => {
    expect(call('ioctl', 1n, 0x5401n)).toBe('allow')
    expect(call('ioctl', 1n, 0x5413n)).toBe('allow')
  })

  test('allows sockets for IPv4 and IPv6 only', () => {
    for (let family = 0; family < 64; family++) {
      const expected = family === 2 || family === 10 ? 'allow' : EAFNOSUPPORT
      expect(call('socket', BigInt(family), 1n, 0n), `family ${family}`).toEqual(expected)
      expect(call('socket', BigInt(family) | junk, 1n, 0n), `family ${family}, junk`).toEqual(expected)
    }
  })

  test('allows stream and datagram sockets only, with the usual flags', () => {
    const flags = 0x80800n
    for (let type = 0; type < 16; type++) {
      const expected = type === 1 || type === 2 ? 'allow' : EPERM
      expect(call('socket', 2n, BigInt(type), 0n), `type ${type}`).toEqual(expected)
      expect(call('socket', 2n, BigInt(type) | flags | junk, 0n), `type ${type}, flags`).toEqual(expected)
    }
  })

  test('allows sockets for TCP, UDP and ICMP only', () => {
    const allowed = new Set([0, 1, 6, 17, 58])
    for (let protocol = 0; protocol < 300; protocol++) {
      const expected = allowed.has(protocol) ? 'allow' : EPROTONOSUPPORT
      expect(call('socket', 2n, 1n, BigInt(protocol) | junk), `protocol ${protocol}`).toEqual(expected)
    }
  })

  test('allows pairs of Unix sockets only', () => {
    expect(call('socketpair', 1n, 1n, 0n)).toBe('allow')
    expect(call('socketpair', 30n, 1n, 0n)).toEqual(EAFNOSUPPORT)
  })

  test('lets a program read its personality but not change it', () => {
    expect(call('personality', 0xffff_ffffn)).toBe('allow')
    expect(call('personality', 0n)).toBe('allow')
    expect(call('personality', 0x0040000n)).toEqual(EPERM)
    expect(call('personality', 0x0040000n | junk)).toEqual(EPERM)
  })

  test('kills calls of a foreign ABI', () => {
    const program = compileProfile(profile(strict), arch)
    for (const foreign of [i386, arm, tokens[arch === 'x64' ? 'arm64' : 'x64'], 0, 0xffffffff]) {
      for (const number of [0, 20, 101, 450, 0x40000000]) {
        expect(runFilter(program, { arch: foreign, number })).toBe('kill')
      }
    }
  })

  test('allows every call that is not in the table', () => {
    const program = compileProfile(profile(strict), arch)
    const listed = new Set(profile(strict).map((rule) => callNumber(rule.call, arch)))
    const number = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 0x3fffffff }))
    fc.assert(
      fc.property(
        number,
        fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 6 }),
        (number, args) => {
          fc.pre(!listed.has(number))
          expect(runFilter(program, { arch: tokens[arch], number, arguments: args })).toBe('allow')
        },
      ),
      { numRuns: 500 },
    )
  })

  test("stays within the kernel's limits", () => {
    for (const options of [strict, loose]) {
      const program = compileProfile(profile(options), arch)
      expect(program.length % 8).toBe(0)
      expect(program.length / 8).toBeLessThan(4096)
      expectJumpsInside(program)
    }
  })
})

test('kills calls of the x32 ABI on x64, where the same calls have other numbers', () => {
  const program = compileProfile(profile(strict), 'x64')
  for (const number of [0x40000000, 0x40000000 + 521, 0x40000000 + 39, 0x7fffffff, 0xffffffff]) {
    expect(runFilter(program, { arch: tokens.x64, number })).toBe('kill')
  }
})

describe('options', () => {
  test('allow Unix sockets of all three types', () => {
    const call = filter('x64', { unixSockets: true })
    for (const type of [1n, 2n, 5n]) expect(call('socket', 1n, type, 0n)).toBe('allow')
    expect(call('socket', 1n, 3n, 0n)).toEqual(EPERM)
    expect(call('socket', 40n, 1n, 0n), 'VSOCK').toEqual(EAFNOSUPPORT)
    expect(call('memfd_create')).toEqual({ errno: 38 })
  })

  test('allow memory without an owner', () => {
    const call = filter('x64', { unixSockets: false, unseenMemory: true })
    expect(call('memfd_create')).toBe('allow')
    expect(call('shmget')).toBe('allow')
    expect(call('memfd_secret')).toEqual({ errno: 38 })
    expect(call('socket', 1n, 1n, 0n)).toEqual(EAFNOSUPPORT)
  })
})

describe('compiling', () => {
  const oneOf = (count: number): SeccompRule => ({
    call: 'ioctl',
    answer: 'EPERM',
    when: { argument: 1, is: { oneOf: Array.from({ length: count }, (_, index) => index) } },
  })

  test('rejects a rule whose jumps would not fit', () => {
    const widest = compileProfile([oneOf(250)], 'x64')
    expectJumpsInside(widest)
    const ioctl = (request: number): Verdict =>
      runFilter(widest, { arch: tokens.x64, number: 16, arguments: [0n, BigInt(request)] })
    expect(ioctl(0)).toEqual(EPERM)
    expect(ioctl(249)).toEqual(EPERM)
    expect(ioctl(250)).toBe('allow')
    expect(() => compileProfile([oneOf(300)], 'x64')).toThrow('too long for one jump')
  })

  test('rejects a call that is not in the table', () => {
    expect(() => compileProfile([{ call: 'nothing', answer: 'EPERM' }], 'x64')).toThrow('no such system call')
  })

  test('skips a call that the architecture lacks', () => {
    const only = [{ call: 'iopl', answer: 'EPERM' }] as const
    expect(compileProfile(only, 'arm64').length).toBe(compileProfile([], 'arm64').length)
    expect(compileProfile(only, 'x64').length).toBeGreaterThan(compileProfile([], 'x64').length)
  })
})

/** Offsets are one byte: a larger one would wrap around and jump into another rule. */
function expectJumpsInside(program: Buffer): void {
  const jumps = new Set([0x15, 0x35, 0x45])
  const count = program.length / 8
  for (let index = 0; index < count; index++) {
    if (!jumps.has(program.readUInt16LE(index * 8))) continue
    expect(index + 1 + program.readUInt8(index * 8 + 2)).toBeLessThan(count)
    expect(index + 1 + program.readUInt8(index * 8 + 3)).toBeLessThan(count)
  }
}
