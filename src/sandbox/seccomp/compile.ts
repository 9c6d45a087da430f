/**
 * Compiles a profile into the program that the kernel runs before every system call: classic BPF, 8 bytes per
 * instruction.
 */

import type { SeccompCondition, SeccompRule } from './profile.ts'
import { type Arch, callNumber, errorNumbers } from './syscalls.ts'

interface Instruction {
  readonly opcode: number
  /** How many instructions to skip if a comparison is true, and if it is false. */
  readonly ifTrue: number
  readonly ifFalse: number
  readonly operand: number
}

const opcodes = {
  /** Loads 32 bits of the call's description into the register. */
  load: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  jumpIfAnyBit: 0x45,
  answer: 0x06,
}

/** Offsets in the description of a call. The low half of an argument comes first on both architectures. */
const offsets = { number: 0, arch: 4, arguments: 16, argumentSize: 8 }

const answers = { allow: 0x7fff0000, error: 0x00050000, killProcess: 0x80000000 }

const archTokens: Record<Arch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** Numbers from here on are x32 calls, a second ABI of an x64 kernel. */
const firstX32Call = 0x40000000

const maxJump = 0xff

export function compileProfile(rules: readonly SeccompRule[], arch: Arch): Buffer {
  return encode([
    ...onlyNativeCalls(arch),
    ...rules.flatMap((rule) => {
      const number = callNumber(rule.call, arch)
      return number === undefined ? [] : refuse(number, rule)
    }),
    answer(answers.allow),
  ])
}

/** Leaves the call number in the register, as every rule expects. */
function onlyNativeCalls(arch: Arch): Instruction[] {
  return [
    load(offsets.arch),
    jump(opcodes.jumpIfEqual, archTokens[arch], { ifTrue: 1 }),
    answer(answers.killProcess),
    load(offsets.number),
    ...(arch === 'x64'
      ? [jump(opcodes.jumpIfAtLeast, firstX32Call, { ifFalse: 1 }), answer(answers.killProcess)]
      : []),
  ]
}

function refuse(number: number, rule: SeccompRule): Instruction[] {
  const refusal = answer(answers.error | errorNumbers[rule.answer])
  const body = rule.when === undefined ? [refusal] : [...passUnless(rule.when), refusal, load(offsets.number)]
  return [jump(opcodes.jumpIfEqual, number, { ifFalse: body.length }), ...body]
}

/** Skips the next instruction unless the condition is true. */
function passUnless({ argument, mask, is }: SeccompCondition): Instruction[] {
  const value = [
    load(offsets.arguments + argument * offsets.argumentSize),
    ...(mask === undefined ? [] : [instruction(opcodes.and, mask)]),
  ]
  if ('anyBitOf' in is) return [...value, jump(opcodes.jumpIfAnyBit, is.anyBitOf, { ifFalse: 1 })]
  if ('noneOf' in is) {
    const count = is.noneOf.length
    return [
      ...value,
      ...is.noneOf.map((wanted, index) => jump(opcodes.jumpIfEqual, wanted, { ifTrue: count - index })),
    ]
  }
  const last = is.oneOf.length - 1
  return [
    ...value,
    ...is.oneOf.map((wanted, index) =>
      jump(opcodes.jumpIfEqual, wanted, { ifTrue: last - index, ifFalse: index === last ? 1 : 0 }),
    ),
  ]
}

function instruction(opcode: number, operand: number): Instruction {
  return { opcode, operand, ifTrue: 0, ifFalse: 0 }
}

function load(offset: number): Instruction {
  return instruction(opcodes.load, offset)
}

function answer(value: number): Instruction {
  return instruction(opcodes.answer, value)
}

function jump(opcode: number, operand: number, to: { ifTrue?: number; ifFalse?: number }): Instruction {
  const { ifTrue = 0, ifFalse = 0 } = to
  if (Math.max(ifTrue, ifFalse) > maxJump) throw new Error('a rule is too long for one jump')
  return { opcode, operand, ifTrue, ifFalse }
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, { opcode, ifTrue, ifFalse, operand }] of program.entries()) {
    const at = index * 8
    bytes.writeUInt16LE(opcode, at)
    bytes.writeUInt8(ifTrue, at + 2)
    bytes.writeUInt8(ifFalse, at + 3)
    bytes.writeUInt32LE(operand >>> 0, at + 4)
  }
  return bytes
}
