/** Runs a seccomp program like the kernel, so that programs for one architecture can be tested on another. */

export interface SystemCall {
  readonly arch: number
  readonly number: number
  /** 64 bits each; missing ones are 0. */
  readonly arguments?: readonly bigint[]
}

export type Verdict = 'allow' | 'kill' | { readonly errno: number }

export function runFilter(program: Buffer, call: SystemCall): Verdict {
  const description = describe(call)
  let register = 0
  for (let at = 0; at < program.length; at += 8) {
    const opcode = program.readUInt16LE(at)
    const operand = program.readUInt32LE(at + 4)
    const jumpBy = (holds: boolean): void => {
      at += 8 * program.readUInt8(at + (holds ? 2 : 3))
    }
    switch (opcode) {
      case 0x20:
        register = description.readUInt32LE(operand)
        break
      case 0x54:
        register = (register & operand) >>> 0
        break
      case 0x15:
        jumpBy(register === operand)
        break
      case 0x35:
        jumpBy(register >= operand)
        break
      case 0x45:
        jumpBy((register & operand) !== 0)
        break
      case 0x06:
        return verdict(operand)
      default:
        throw new Error(`unknown instruction ${opcode.toString(16)}`)
    }
  }
  throw new Error('ran past the end of the program')
}

/** Kernel's `struct seccomp_data`: number, arch, instruction pointer, six arguments. */
function describe({ arch, number, arguments: given = [] }: SystemCall): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.writeUInt32LE(number >>> 0, 0)
  bytes.writeUInt32LE(arch, 4)
  for (const [index, value] of given.entries())
    bytes.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + index * 8)
  return bytes
}

function verdict(operand: number): Verdict {
  if (operand === 0x7fff0000) return 'allow'
  if (operand === 0x80000000) return 'kill'
  if (operand >>> 16 === 5) return { errno: operand & 0xffff }
  throw new Error(`unknown answer ${operand.toString(16)}`)
}
