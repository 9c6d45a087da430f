/**
 * Storage format of a vector: a header with the length of the quantized vector (float32, little-endian), then one
 * signed byte per dimension, scaled so that the largest is ±127. A cosine is the dot product of the bytes divided by
 * both lengths, within 0.01 of the exact value.
 */

const headerBytes = 4

export function packVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(headerBytes + vector.length)
  const packed = new Int8Array(bytes.buffer, headerBytes)
  const length = quantize(vector, packed, 127)
  new DataView(bytes.buffer).setFloat32(0, length, true)
  return bytes
}

export interface PackedVector {
  readonly length: number
  readonly numbers: Int8Array
}

export function unpackVector(bytes: Uint8Array): PackedVector {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    length: view.getFloat32(0, true),
    numbers: new Int8Array(bytes.buffer, bytes.byteOffset + headerBytes, bytes.byteLength - headerBytes),
  }
}

/** The dimension of a stored vector of that many bytes. */
export function dimensionOf(byteLength: number): number {
  return byteLength - headerBytes
}

/** Scales and rounds to integers of up to `largest`, and returns the length of the result; 0 for a zero vector. */
export function quantize(vector: Float32Array, into: Int8Array | Int16Array, largest: number): number {
  let peak = 0
  for (const value of vector) peak = Math.max(peak, Math.abs(value))
  if (!(peak > 0)) return 0
  let squares = 0
  for (let i = 0; i < vector.length; i++) {
    const rounded = Math.round(((vector[i] ?? 0) / peak) * largest)
    into[i] = rounded
    squares += rounded * rounded
  }
  return Math.sqrt(squares)
}
