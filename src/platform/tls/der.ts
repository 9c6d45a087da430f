/** The subset of DER that certificates use: each element is a tag, a length and a value. */

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(value.length), value])
}

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size)
  const hex = size.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts)
export const octets = (...parts: readonly Uint8Array[]): Buffer => der(0x04, ...parts)
export const text = (value: string): Buffer => der(0x0c, Buffer.from(value))
export const yes: Buffer = der(0x01, Buffer.of(0xff))

/** A nonnegative integer from its bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? Buffer.of(0) : bytes.subarray(first)
  // A leading 1 bit would make it negative.
  return ((digits[0] ?? 0) & 0x80) === 0 ? der(0x02, digits) : der(0x02, Buffer.of(0), digits)
}

export function bits(bytes: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.of(unused), bytes)
}

/** From dotted notation, such as `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift((rest & 0x7f) | 0x80)
  }
  return digits
}

/** Whole seconds. Years before 2050 have two digits, as certificates require. */
export function time(at: number): Buffer {
  const date = new Date(at)
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits))
}
