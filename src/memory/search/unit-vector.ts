/** Normalized to length 1; undefined for anything but a vector with a direction. */
export function unitVector(numbers: unknown): Float32Array | undefined {
  if (!Array.isArray(numbers) && !(numbers instanceof Float32Array)) return undefined
  if (numbers.length === 0 || numbers.length > maxDimensions) return undefined
  let squares = 0
  for (const value of numbers) {
    if (typeof value !== 'number') return undefined
    squares += value * value
  }
  const length = Math.sqrt(squares)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(numbers as ArrayLike<number>, (value) => value / length)
}

/** More than any model uses; byte comparison is exact up to here. */
const maxDimensions = 8192
