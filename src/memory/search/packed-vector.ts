/**
 * A vector as it is stored: one signed byte a number, the largest becoming ±127, and before them the length of that
 * vector of bytes (float32, little-endian). A cosine then is the dot product of bytes over both lengths, off by less
 * than 0.01 from what the numbers themselves would have given.
 */

const head = 4

export function packVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(head + vector.length)
  const packed = new Int8Array(bytes.buffer, head)
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
    numbers: new Int8Array(bytes.buffer, bytes.byteOffset + head, bytes.byteLength - head),
  }
}

/** How many numbers a stored vector of that many bytes has. */
export function dimensionOf(byteLength: number): number {
  return byteLength - head
}

/** Rounds to whole numbers up to `largest`, and answers the length of what came out; 0 for a vector of nothing. */
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
